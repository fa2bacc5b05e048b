// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import CLinux
import LinuxSystem
public import SessionModel

/// The sound cards of the machine. A separate thread opens them, so that no caller waits for a card that does not answer.
public final class ALSAHardware: AudioHardware, @unchecked Sendable {
    private let queue: HardwareQueue
    private let thread: UnsafeMutableRawPointer?

    /// `answerLimit`: how long a caller waits for an answer, in nanoseconds.
    public init(answerLimit: UInt64 = 1_000_000_000) {
        queue = HardwareQueue(answerLimit: answerLimit)
        thread = CardThread.start(queue)
    }

    deinit {
        guard let thread else { return }
        if queue.stop() { linux_thread_join(thread) } else { linux_thread_detach(thread) }
    }

    /// Waits until the cards have been explored for the first time. A program calls this before it ends.
    public static func awaitExploration() { CardThread.awaitExploration() }

    public var descriptor: Int32 { queue.changeEvent.number }
    public func processEvents() -> Bool { queue.clearChange() }
    public func snapshot() -> HardwareSnapshot { queue.currentSnapshot() }
    public var knownSnapshot: HardwareSnapshot? { queue.knownSnapshot }

    public func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? {
        let query = HardwareQuery.format(of: port, sampleRate: sampleRate, bufferDuration: bufferDuration)
        guard let answer = queue.ask(query) else { return likelyFormat(sampleRate, bufferDuration) }
        guard case .format(let format) = answer else { return nil }
        return format
    }

    public func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) {
        // A card that does not answer within the limit applies the change later.
        if case .refused(let code)? = queue.ask(.perform(request, on: port)) { throw code }
    }

    public func gain(of port: Port) -> Float? {
        if case .gain(let level)? = queue.ask(.gain(of: port)) { level } else { nil }
    }

    public func isOtherProcessPlaying(on outputs: [Port]) -> Bool {
        if case .playing(true)? = queue.ask(.isOtherProcessPlaying(on: outputs)) { true } else { false }
    }

    public var mayRecord: Bool { DeviceFolder.mayRecord() }

    public func simulate(_ change: SimulatedChange) throws(ResultCode) { throw .unsupportedProperty }

    /// Lines for the user: the ports with the evidence for each, and the cards that cannot be used.
    public func findings() -> [String] {
        var lines: [String] = []
        let answer = queue.ask(.inspect { lines = $0.findings() })
        return if case .done? = answer { lines } else { ["a sound card does not answer"] }
    }

    /// The sound server that plays the device `default`, or would play it if it ran; nil without one.
    public func server() -> ServerStatus? {
        var server: ServerStatus?
        let answer = queue.ask(.inspect { server = $0.serverStatus })
        return if case .done? = answer { server } else { nil }
    }
}
