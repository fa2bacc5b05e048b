// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import SessionModel

/// The options of a stream, from ALSA's configuration and the environment.
public struct StreamOptions: Sendable {
    /// Nil: the directions of the streams decide.
    public private(set) var category: Category?
    public private(set) var mode = Mode.standard
    public private(set) var options: [Option] = []
    public private(set) var name: String?
    public private(set) var onInterrupt = OnInterrupt.hold
    public private(set) var stopsOnRouteLoss = false
    public private(set) var obeysShouldNotResume = false
    /// The kind of port that a stream of a MultiRoute session plays to; nil: the first port of the route.
    public private(set) var port: PortWord?
    /// The PCM to play to instead of the route's device.
    public private(set) var slave: String?

    public enum Option: String, CaseIterable, Sendable {
        case mix, duck, speaker, bluetooth, spoken

        func apply(to settings: inout SessionSettings) throws(ResultCode) {
            switch self {
            case .mix: try settings.setMixesWithOthers(true)
            case .duck: settings.setDucksOthers(true)
            case .speaker: try settings.setDefaultsToSpeaker(true)
            case .bluetooth: try settings.setEnablesBluetoothInput(true)
            case .spoken: try settings.setInterruptsSpokenAudio(true)
            }
        }

        func fits(_ category: Category) -> Bool {
            var settings = SessionSettings()
            settings.setCategory(category)
            do throws(ResultCode) { try apply(to: &settings) } catch { return false }
            return true
        }
    }

    public init() {}

    /// A key of the configuration, and its environment variable.
    private struct Key {
        let name: StaticString
        let variable: StaticString
        let expected: StaticString
        /// False for an invalid value.
        let set: (inout StreamOptions, String) -> Bool
    }

    nonisolated(unsafe) private static let keys: [Key] = [
        Key(
            name: "category", variable: "AUDIOSESSION_CATEGORY",
            expected: "AmbientSound, SoloAmbientSound, MediaPlayback, RecordAudio, PlayAndRecord, AudioProcessing or MultiRoute"
        ) { options, value in
            options.category = Category(word: value)
            return options.category != nil
        },
        Key(
            name: "mode", variable: "AUDIOSESSION_MODE",
            expected:
                "Default, VoiceChat, GameChat, VideoRecording, Measurement, MoviePlayback, VideoChat, SpokenAudio or VoicePrompt"
        ) { options, value in
            guard let mode = Mode(word: value) else { return false }
            options.mode = mode
            return true
        },
        Key(name: "options", variable: "AUDIOSESSION_OPTIONS", expected: "words of: mix duck speaker bluetooth spoken") {
            options, value in
            for word in words(of: value) {
                guard let option = Option.allCases.first(where: { sameWord($0.rawValue, word) }) else { return false }
                options.options.append(option)
            }
            return true
        },
        Key(name: "name", variable: "AUDIOSESSION_NAME", expected: "a text") { options, value in
            options.name = value
            return true
        },
        Key(name: "on_interrupt", variable: "AUDIOSESSION_ON_INTERRUPT", expected: "hold, xrun or silence") { options, value in
            switch value {
            case "hold": options.onInterrupt = .hold
            case "xrun": options.onInterrupt = .xrun
            case "silence": options.onInterrupt = .silence
            default: return false
            }
            return true
        },
        Key(name: "on_route_loss", variable: "AUDIOSESSION_ON_ROUTE_LOSS", expected: "follow or stop") { options, value in
            options.stopsOnRouteLoss = value == "stop"
            return value == "stop" || value == "follow"
        },
        Key(name: "resume", variable: "AUDIOSESSION_RESUME", expected: "always or allowed") { options, value in
            options.obeysShouldNotResume = value == "allowed"
            return value == "always" || value == "allowed"
        },
        Key(name: "port", variable: "AUDIOSESSION_PORT", expected: PortWord.list) { options, value in
            options.port = PortWord(value)
            return options.port != nil
        },
        Key(name: "slave", variable: "AUDIOSESSION_SLAVE", expected: "the name of a PCM") { options, value in
            options.slave = value
            return true
        },
    ]

    /// Nil if the value is set, else the reason of the refusal.
    public mutating func set(_ name: String, to value: String) -> String? {
        guard let key = StreamOptions.keys.first(where: { "\($0.name)" == name }) else {
            var known = ""
            for key in StreamOptions.keys { known += (known.isEmpty ? "" : ", ") + "\(key.name)" }
            return "unknown key \(name): expected \(known)"
        }
        // An omitted argument.
        guard !value.isEmpty else { return nil }
        return key.set(&self, value) ? nil : "\(name) is \"\(value)\": expected \(key.expected)"
    }

    /// The environment variable of a key.
    public static func variable(of key: String) -> String {
        keys.first { "\($0.name)" == key }.map { "\($0.variable)" } ?? ""
    }

    /// Overrides the configuration. Nil if all values are set, else the reason of the refusal.
    public mutating func setFromEnvironment() -> String? {
        for key in StreamOptions.keys {
            guard let value = Environment.value("\(key.variable)") else { continue }
            guard key.set(&self, value) else { return "\(key.variable) is \"\(value)\": expected \(key.expected)" }
        }
        return nil
    }

    /// The reason why the options of a stream of this direction contradict each other; nil if they do not.
    public func conflict(capture: Bool) -> String? {
        let settings = usualSettings(recording: capture)
        let category = shortName(settings.category.traits.name)
        if !mode.fits(settings.category) {
            return
                "mode is \"\(shortName(mode.name))\": category \(category) does not allow it, only \(categories { mode.fits($0) })"
        }
        for option in options {
            var trial = settings
            do throws(ResultCode) { try option.apply(to: &trial) } catch {
                return
                    "options has \"\(option.rawValue)\": category \(category) does not allow it, only \(categories { option.fits($0) })"
            }
        }
        return nil
    }

    private func categories(_ fits: (Category) -> Bool) -> String {
        var names = ""
        for category in Category.allCases where fits(category) {
            names += (names.isEmpty ? "" : ", ") + shortName(category.traits.name)
        }
        return names
    }

    private func usualSettings(recording: Bool, _ usual: Category = .mediaPlayback) -> SessionSettings {
        var settings = SessionSettings()
        settings.setCategory(category ?? (recording ? .playAndRecord : usual))
        return settings
    }

    /// The settings of a session for streams that play and may record. `usual` is the category of streams that only play.
    public func settings(recording: Bool, usual: Category = .mediaPlayback) throws(ResultCode) -> SessionSettings {
        var settings = usualSettings(recording: recording, usual)
        try settings.setMode(mode, whileActive: false)
        for option in options { try option.apply(to: &settings) }
        // Set as an option of the user: an interruption resets an override of the program.
        if settings.flags.contains(.overrideToMix) {
            settings.flags.remove(.overrideToMix)
            settings.flags.insert(.mixWithOthers)
        }
        return settings
    }
}

/// The name of a kind of output in the configuration.
public struct PortWord: Equatable, Sendable {
    public let kind: PortKind

    static let list: StaticString =
        "speaker, receiver, headphones, line-out, hdmi, usb, bluetooth-hfp, bluetooth-a2dp or airplay"

    init?(_ text: String) {
        guard let found = PortKind.allCases.first(where: { !$0.isInput && sameWord("\($0.word)", text) }) else { return nil }
        kind = found
    }
}

/// Compares two words without case.
func sameWord(_ left: String, _ right: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte + 32 : byte }
    return left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
}

func words(of text: String) -> [String] {
    text.parts { $0 == 32 || $0 == 44 || $0 == 9 }
}

/// The part of a constant's name after the last underscore.
private func shortName(_ name: StaticString) -> String {
    "\(name)".parts { $0 == 95 }.last ?? ""
}

extension Category {
    /// By the short name of its constant, by its name in Swift, or by its code.
    public init?(word: String) {
        let swiftNames: [(StaticString, Category)] = [
            ("ambient", .ambientSound), ("soloAmbient", .soloAmbientSound), ("playback", .mediaPlayback),
            ("record", .recordAudio),
        ]
        if let named = Category.allCases.first(where: { sameWord(shortName($0.traits.name), word) }) {
            self = named
        } else if let named = swiftNames.first(where: { sameWord("\($0.0)", word) }) {
            self = named.1
        } else {
            guard let coded = FourCC.code(of: word).flatMap(Category.init(rawValue:)) else { return nil }
            self = coded
        }
    }
}

extension Mode {
    public init?(word: String) {
        if let named = Mode.allCases.first(where: { sameWord(shortName($0.name), word) }) {
            self = named
        } else {
            guard let coded = FourCC.code(of: word).flatMap(Mode.init(rawValue:)) else { return nil }
            self = coded
        }
    }
}
