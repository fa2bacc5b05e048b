// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CToolboxFunctions

/// The pending interruptions of this process's session, and the deaths and restarts of the sound server.
final class SessionNotices {
    enum Notice {
        case interruptionBegan
        case interruptionEnded(shouldResume: Bool)
        case serverDied
        case serverRestarted
    }

    private let toolbox: Toolbox
    private var waiting: [Notice] = []

    /// Initializes the session of the process, which references this object.
    init(_ toolbox: Toolbox) throws(SoundError) {
        self.toolbox = toolbox
        let context = Unmanaged.passRetained(self).toOpaque()
        var status = toolbox.AudioSessionInitialize(
            nil, nil, { data, state in SessionNotices.of(data)?.addInterruption(state) }, context)
        guard status == 0 else { throw SoundError("the session cannot be initialized: \(toolbox.name(of: status))") }
        status = toolbox.AudioSessionAddPropertyListener(
            UInt32(kAudioSessionProperty_ServerDied),
            { data, _, size, value in
                guard let value, size == 4 else { return }
                SessionNotices.of(data)?.waiting.append(value.load(as: UInt32.self) != 0 ? .serverDied : .serverRestarted)
            }, context)
        guard status == 0 else { throw SoundError("the sound server cannot be observed: \(toolbox.name(of: status))") }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SessionNotices? {
        context.map { Unmanaged<SessionNotices>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called by AudioSessionLinuxDispatchEvents: the type is known only inside of the call.
    private func addInterruption(_ state: UInt32) {
        guard state == UInt32(kAudioSessionEndInterruption) else {
            waiting.append(.interruptionBegan)
            return
        }
        var type = UInt32(kAudioSessionInterruptionType_ShouldResume)
        var size = UInt32(MemoryLayout<UInt32>.size)
        _ = toolbox.AudioSessionGetProperty(UInt32(kAudioSessionProperty_InterruptionType), &size, &type)
        waiting.append(.interruptionEnded(shouldResume: type != UInt32(kAudioSessionInterruptionType_ShouldNotResume)))
    }

    func next() -> Notice? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
