// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import EngineClient
import LinuxSystem
import MediaFormats

extension Unit {
    /// Describes the unit on the status page of the process. Called after each change of a described value.
    func show() {
        let isRunning = isRunning
        lock.withLock {
            guard let statusSlot = state.statusSlot else { return }
            var description = state.description(kind, isRunning: isRunning)
            description.graph = graph
            statusSlot.describe(description)
        }
    }
}

extension UnitState {
    fileprivate func description(_ kind: UnitKind, isRunning: Bool) -> status_description {
        var description = status_description()
        description.kind = kind.subtype
        if isRunning { description.state |= UInt32(STATUS_IS_RUNNING) }
        if !kind.isPlayer, isOutputEnabled || !kind.isIO {
            description.state |= UInt32(STATUS_HAS_OUTPUT)
            description.output = status_format(programInput.description)
        }
        if isInputEnabled || !kind.isIO {
            description.state |= UInt32(STATUS_HAS_INPUT)
            description.input = status_format(programOutput.description)
        }
        description.slice_frames = UInt32(clamping: frames(rate: sliceRate))
        description.starts = starts
        return description
    }
}

extension status_format {
    fileprivate init(_ description: StreamDescription) {
        self.init(
            rate: description.sampleRate, id: description.formatID, flags: description.formatFlags.rawValue,
            channels: description.channelsPerFrame, bits: description.bitsPerChannel)
    }
}
