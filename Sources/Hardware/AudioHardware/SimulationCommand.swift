// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// One line of the simulation language: a change of the simulated machine or of a state of the user.
public enum SimulationCommand: Equatable, Sendable {
    /// For the simulated machine only.
    case hardware(SimulatedChange)
    // States of the user, with any hardware.
    case silent(Bool)
    case lock(Bool)
    case beginInterruption(name: String)
    case endInterruption(shouldResume: Bool)
    case confirmInterruption

    /// The reason why a line is invalid.
    public struct Malformed: Error, Equatable, Sendable {
        public let text: String
        /// The first wrong word. Nil where the line ends too early.
        public let word: String?

        public init(expected: String, insteadOf word: String?) {
            self.word = word
            text = "expected \(expected)" + (word.map { " instead of \"\($0)\"" } ?? "")
        }
    }

    public init(_ line: String) throws(Malformed) {
        var words = SimulationWords(line)
        self = try SimulationCommand.parse(&words)
        try words.end()
    }

    private static func parse(_ words: inout SimulationWords) throws(Malformed) -> SimulationCommand {
        let commands = "plug, unplug, volume, server, wake, silent, lock or interrupt"
        switch words.next() {
        case "plug": return .hardware(.plug(try words.device()))
        case "unplug": return .hardware(.unplug(try words.device()))
        case "volume": return .hardware(.volume(try words.level()))
        case "server": return .hardware(.server(alive: try words.choice("restart", "die")))
        case "wake": return .hardware(.wake)
        case "silent": return .silent(try words.choice("on", "off"))
        case "lock": return .lock(try words.choice("on", "off"))
        case "interrupt": return try interruption(&words)
        default: throw words.mistake(expected: commands)
        }
    }

    private static func interruption(_ words: inout SimulationWords) throws(Malformed) -> SimulationCommand {
        switch words.next() {
        case "begin": return .beginInterruption(name: try words.option("--name") ?? "call")
        case "end": return .endInterruption(shouldResume: !words.consume("--should-not-resume"))
        case "confirm": return .confirmInterruption
        default: throw words.mistake(expected: "begin, end or confirm")
        }
    }
}

/// The words of a line, from first to last.
public struct SimulationWords {
    public typealias Malformed = SimulationCommand.Malformed
    private var left: [String]
    /// The word that was taken last. Nil where a word is missing.
    private var last: String?

    public init(_ line: String) {
        left = line.parts { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    public var isEmpty: Bool { left.isEmpty }
    public mutating func next() -> String? {
        last = left.isEmpty ? nil : left.removeFirst()
        return last
    }

    public mutating func consume(_ word: String) -> Bool {
        left.first == word && next() != nil
    }

    /// The text after a word, up to the end of the line.
    public mutating func option(_ word: String) throws(Malformed) -> String? {
        guard consume(word) else { return nil }
        guard var text = next() else { throw mistake(expected: "a text after \(word)") }
        while let more = next() { text += " " + more }
        return text
    }

    public mutating func end() throws(Malformed) {
        guard let word = next() else { return }
        throw Malformed(expected: "the end of the line", insteadOf: word)
    }

    /// The word that was taken last is wrong, or is missing.
    public func mistake(expected: String) -> Malformed { Malformed(expected: expected, insteadOf: last) }

    public mutating func choice(_ yes: String, _ no: String) throws(Malformed) -> Bool {
        switch next() {
        case yes: return true
        case no: return false
        default: throw mistake(expected: "\(yes) or \(no)")
        }
    }

    public mutating func device() throws(Malformed) -> SimulatedDevice {
        let word = next()
        for device in SimulatedDevice.allCases where "\(device.word)" == word { return device }
        var ports = ""
        for device in SimulatedDevice.allCases { ports += (ports.isEmpty ? "" : ", ") + "\(device.word)" }
        throw mistake(expected: "a port (\(ports))")
    }

    public mutating func level() throws(Malformed) -> Float {
        guard let value = number(), value >= 0, value <= 1 else { throw mistake(expected: "a number from 0 to 1") }
        return Float(value)
    }

    public mutating func count(upTo most: UInt32) throws(Malformed) -> UInt32 {
        guard let value = number(), let exact = UInt32(exactly: value), exact <= most else {
            throw mistake(expected: "a whole number up to \(most)")
        }
        return exact
    }

    private mutating func number() -> Double? {
        var value = 0.0
        guard let word = next(), linux_parse_double(word, &value), value.isFinite else { return nil }
        return value
    }
}
