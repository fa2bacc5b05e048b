// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The configuration of a stream, as the kernel reports it.
struct StreamSetup: Equatable, Sendable {
    let rate: Double
    /// In frames.
    let period: Double

    /// From the text of `hw_params`; nil for a device that is not configured.
    init?(_ text: String) {
        let lines = StatusLines(text)
        guard let rate = lines.number(of: "rate"), rate > 0, let period = lines.number(of: "period_size") else { return nil }
        self.rate = Double(rate)
        self.period = Double(period)
    }
}

/// The owner of a stream, and whether the stream runs.
struct StreamOwner: Equatable, Sendable {
    /// The number of a thread.
    let thread: UInt32
    let isRunning: Bool

    /// From the text of `status`; nil for a device that is not open.
    init?(_ text: String) {
        let lines = StatusLines(text)
        guard let state = lines.value(of: "state"), let thread = lines.number(of: "owner_pid") else { return nil }
        self.thread = thread
        isRunning = state == "RUNNING" || state == "DRAINING"
    }
}

/// Lines of a name, a colon and a value, as in the kernel's files.
private struct StatusLines {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The value up to the first blank.
    func value(of name: String) -> String? {
        for line in text.parts(between: { $0 == 0x0A }) {
            let fields = line.parts { $0 == 0x3A || $0 == 0x20 || $0 == 0x09 }
            if fields.first == name { return fields.dropFirst().first }
        }
        return nil
    }

    func number(of name: String) -> UInt32? { value(of: name)?.number() }
}

/// The process of a thread, from the kernel's status of the thread.
struct ProcessName: Equatable, Sendable {
    let process: UInt32

    init?(_ text: String) {
        guard let process = StatusLines(text).number(of: "Tgid") else { return nil }
        self.process = process
    }

    static func of(thread: UInt32) -> ProcessName? { KernelFile.text("/proc/\(thread)/status").flatMap { ProcessName($0) } }

    /// The name of the program, up to the kernel's limit of 15 bytes.
    var program: String? {
        KernelFile.text("/proc/\(process)/comm").map { String(decoding: $0.utf8.prefix { $0 != 0x0A }, as: UTF8.self) }
    }
}

/// One direction of a PCM device of a card, by the kernel's numbers.
struct PCMAddress: Equatable, Sendable {
    let card: UInt32
    let device: UInt32
    let isPlayback: Bool
    let substreams: UInt32

    /// The configuration of the first configured stream.
    var setup: StreamSetup? {
        for substream in 0..<substreams {
            if let setup = file("hw_params", of: substream).flatMap({ StreamSetup($0) }) { return setup }
        }
        return nil
    }

    /// The owners of all open streams.
    var owners: [StreamOwner] { (0..<substreams).compactMap { file("status", of: $0).flatMap { StreamOwner($0) } } }

    private func file(_ name: StaticString, of substream: UInt32) -> String? {
        KernelFile.text("/proc/asound/card\(card)/pcm\(device)\(isPlayback ? "p" : "c")/sub\(substream)/\(name)")
    }
}

/// The configuration of the stream that runs on a device.
struct ActiveSetup: Equatable, Sendable {
    let address: PCMAddress
    let setup: StreamSetup
}

enum KernelFile {
    /// Nil for a file that cannot be read.
    static func text(_ path: String) -> String? {
        do throws(SystemError) { return try TextFile.read(path, limit: 8192) } catch { return nil }
    }
}
