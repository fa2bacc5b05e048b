import LinuxSystem

/// What the kernel says of a stream that runs, or is set up to run.
struct StreamSetup: Equatable, Sendable {
    let rate: Double
    /// In frames.
    let period: Double

    /// From the kernel's lines; nil for a device that nobody has set up.
    init?(_ text: String) {
        var lines = StatusLines(text)
        guard let rate = lines.number(of: "rate"), rate > 0, let period = lines.number(of: "period_size") else { return nil }
        self.rate = Double(rate)
        self.period = Double(period)
    }
}

/// Who has a stream, and whether it runs.
struct StreamOwner: Equatable, Sendable {
    /// A thread's number.
    let thread: UInt32
    let isRunning: Bool

    /// Nil for a device that nobody has open.
    init?(_ text: String) {
        var lines = StatusLines(text)
        guard let state = lines.word(of: "state"), let thread = lines.number(of: "owner_pid") else { return nil }
        self.thread = thread
        isRunning = state == "RUNNING" || state == "DRAINING"
    }
}

/// Lines of a name, a colon and a value, as the kernel's files have them.
private struct StatusLines {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The first word of the value.
    mutating func word(of name: String) -> String? {
        for line in text.parts(between: { $0 == 0x0A }) {
            let words = line.parts { $0 == 0x3A || $0 == 0x20 || $0 == 0x09 }
            if words.first == name { return words.dropFirst().first }
        }
        return nil
    }

    mutating func number(of name: String) -> UInt32? { word(of: name)?.number() }
}

/// The process that a thread belongs to, from the kernel's lines about the thread.
struct ProcessName: Equatable, Sendable {
    let process: UInt32

    init?(_ text: String) {
        var lines = StatusLines(text)
        guard let process = lines.number(of: "Tgid") else { return nil }
        self.process = process
    }

    static func of(thread: UInt32) -> ProcessName? { KernelFile.text("/proc/\(thread)/status").flatMap { ProcessName($0) } }

    /// The program's name, as far as the kernel keeps it.
    var program: String? {
        KernelFile.text("/proc/\(process)/comm").map { String(decoding: $0.utf8.prefix { $0 != 0x0A }, as: UTF8.self) }
    }
}

/// One direction of a card's PCM device, as the kernel numbers it.
struct PCMPlace: Equatable, Sendable {
    let card: UInt32
    let device: UInt32
    let isPlayback: Bool
    let substreams: UInt32

    /// What a stream on it is set up for.
    var setup: StreamSetup? { firstOf { file("hw_params", of: $0).flatMap { StreamSetup($0) } } }
    /// Who has streams on it open.
    var owners: [StreamOwner] { (0..<substreams).compactMap { file("status", of: $0).flatMap { StreamOwner($0) } } }

    private func firstOf<Value>(_ value: (UInt32) -> Value?) -> Value? {
        for substream in 0..<substreams { if let found = value(substream) { return found } }
        return nil
    }

    private func file(_ name: StaticString, of substream: UInt32) -> String? {
        KernelFile.text("/proc/asound/card\(card)/pcm\(device)\(isPlayback ? "p" : "c")/sub\(substream)/\(name)")
    }
}

struct PlacedSetup: Equatable, Sendable {
    let place: PCMPlace
    let setup: StreamSetup
}

enum KernelFile {
    /// Nil when it can't be read: then the kernel does not say.
    static func text(_ path: String) -> String? {
        do throws(SystemError) { return try TextFile.read(path, limit: 8192) } catch { return nil }
    }
}
