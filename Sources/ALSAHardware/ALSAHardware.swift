public import AudioHardware
import CLinux
import LinuxSystem
public import SessionModel

/// The machine's sound cards. Looking at them begins with the first thread, at once; nobody who asks waits
/// for a card that does not answer.
public final class ALSAHardware: AudioHardware, @unchecked Sendable {
    private let exchange = Exchange()
    private let thread: UnsafeMutableRawPointer?

    public init() {
        thread = CardThread.start(exchange)
    }

    deinit {
        guard let thread else { return }
        if exchange.stop() { linux_thread_join(thread) } else { linux_thread_detach(thread) }
    }

    public var descriptor: Int32 { exchange.news.number }
    public func heed() -> Bool { exchange.takeNews() }
    public func snapshot() -> HardwareSnapshot { exchange.currentSnapshot() }

    public func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? {
        let question = Question.format(of: port, sampleRate: sampleRate, bufferDuration: bufferDuration)
        guard let answer = exchange.ask(question) else { return likelyFormat(sampleRate, bufferDuration) }
        guard case .format(let format) = answer else { return nil }
        return format
    }

    public func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) {
        // A card that does not answer in time does it later.
        if case .refused(let code)? = exchange.ask(.perform(request, on: port)) { throw code }
    }

    public func isOtherProcessPlaying() -> Bool {
        if case .playing(true)? = exchange.ask(.isOtherProcessPlaying) { true } else { false }
    }

    public var mayRecord: Bool { DeviceFolder.mayRecord() }

    public func simulate(_ change: SimulatedChange) throws(ResultCode) { throw .unsupportedProperty }

    /// What was found and by which evidence, and what could not be used: lines for people.
    public func findings() -> [String] {
        if case .findings(let lines)? = exchange.ask(.findings) { lines } else { ["a sound card does not answer"] }
    }
}
