// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox

// Updates the units to the interactions of the model.
extension Graph {
    /// Initializes new units, changes the inputs that differ, and frees the units of removed nodes. The output unit plays the
    /// transition without a step. If the update fails, the units and the model have the former inputs.
    static func update(_ state: inout State) throws(GraphError) {
        let output = state.model.output?.unit
        let former = state.applied
        output?.beginSourceChange()
        defer { output?.endSourceChange() }
        do throws(GraphError) {
            try apply(&state)
        } catch {
            for interaction in state.applied where !former.contains(interaction) { remove(interaction, from: state) }
            for interaction in former where !state.applied.contains(interaction) { try? make(interaction, in: state) }
            throw error
        }
        for node in state.removed { _ = node.unit?.dispose() }
        state.removed = []
    }

    private static func apply(_ state: inout State) throws(GraphError) {
        let wanted = state.model.interactions
        let gone = state.applied.filter { !wanted.contains($0) }
        let new = wanted.filter { !state.applied.contains($0) }
        for interaction in gone { remove(interaction, from: state) }
        state.applied.removeAll { gone.contains($0) }
        // A source is initialized before its format is read.
        for interaction in new {
            try make(interaction, in: state)
            state.applied.append(interaction)
        }
        for node in state.model.nodes {
            do throws(UnitError) { try node.unit?.initialize() } catch { throw GraphError(error) }
        }
        state.applied = wanted
    }

    private static func make(_ interaction: Interaction, in state: State) throws(GraphError) {
        guard let unit = state.unit(of: interaction.input.node) else { throw .invalidUnit }
        let element = interaction.input.element
        switch interaction.source {
        case .callback(let callback):
            do throws(UnitError) { try unit.setSource(callback.structure, input: element) } catch { throw GraphError(error) }
        case .connection(let number, let output):
            guard let source = state.unit(of: number) else { throw .invalidUnit }
            let connection = AudioUnitConnection(
                sourceAudioUnit: source.handle, sourceOutputNumber: output, destInputNumber: element)
            do throws(UnitError) { try unit.setSource(connection, input: element) } catch { throw GraphError(error) }
        }
    }

    static func remove(_ interaction: Interaction, from state: State) {
        let unit = state.unit(of: interaction.input.node)
        let none = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
        try? unit?.setSource(none, input: interaction.input.element)
    }
}

extension Graph.State {
    /// The unit of a node, also of a node whose removal waits for the update.
    fileprivate func unit(of number: Int32) -> Unit? {
        model.nodes.first { $0.number == number }?.unit ?? removed.first { $0.number == number }?.unit
    }
}
