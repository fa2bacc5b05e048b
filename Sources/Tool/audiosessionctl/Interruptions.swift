// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CToolboxFunctions

/// The pending interruptions of this process's session.
final class Interruptions {
    enum Change {
        case began
        case ended(shouldResume: Bool)
    }

    private let toolbox: Toolbox
    private var waiting: [Change] = []

    /// Initializes the session of the process, which references this object.
    init(_ toolbox: Toolbox) throws(SoundError) {
        self.toolbox = toolbox
        let status = toolbox.AudioSessionInitialize(
            nil, nil,
            { data, state in
                guard let data else { return }
                Unmanaged<Interruptions>.fromOpaque(data).takeUnretainedValue().add(state)
            }, Unmanaged.passRetained(self).toOpaque())
        guard status == 0 else { throw SoundError("the session cannot be initialized: \(toolbox.name(of: status))") }
    }

    /// Called by AudioSessionLinuxDispatchEvents: the type is known only inside of the call.
    private func add(_ state: UInt32) {
        guard state == UInt32(kAudioSessionEndInterruption) else {
            waiting.append(.began)
            return
        }
        var type = UInt32(kAudioSessionInterruptionType_ShouldResume)
        var size = UInt32(MemoryLayout<UInt32>.size)
        _ = toolbox.AudioSessionGetProperty(UInt32(kAudioSessionProperty_InterruptionType), &size, &type)
        waiting.append(.ended(shouldResume: type != UInt32(kAudioSessionInterruptionType_ShouldNotResume)))
    }

    func next() -> Change? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
