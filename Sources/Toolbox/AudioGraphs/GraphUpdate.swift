// SPDX-License-Identifier: Apache-2.0
import AudioUnits

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
        state.unused += state.removed.compactMap { $0.unit }
        state.removed = []
    }

    /// Makes the connections of an open graph before it is initialized, so that they carry formats. The initialization makes those
    /// that are not possible yet, or fails.
    static func connectUnits(_ state: inout State) {
        guard state.isOpen, !state.isInitialized else { return }
        let wanted = state.model.interactions.filter { $0.isConnection }
        for interaction in state.applied where !wanted.contains(interaction) { remove(interaction, from: state) }
        state.applied.removeAll { !wanted.contains($0) }
        for interaction in wanted where !state.applied.contains(interaction) {
            do throws(GraphError) {
                try make(interaction, in: state)
                state.applied.append(interaction)
            } catch {}
        }
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
            do throws(UnitError) { try unit.setSource(callback, input: element) } catch { throw GraphError(error) }
        case .connection(let number, let output):
            guard let source = state.unit(of: number) else { throw .invalidUnit }
            do throws(UnitError) { try unit.setSource(source, element: output, input: element) } catch { throw GraphError(error) }
        }
    }

    static func remove(_ interaction: Interaction, from state: State) {
        let unit = state.unit(of: interaction.input.node)
        try? unit?.setSource(nil, input: interaction.input.element)
    }
}

extension Graph.State {
    /// The unit of a node, also of a node whose removal waits for the update.
    fileprivate func unit(of number: Int32) -> Unit? {
        model.nodes.first { $0.number == number }?.unit ?? removed.first { $0.number == number }?.unit
    }
}
