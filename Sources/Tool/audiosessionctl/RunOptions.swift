// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import SessionModel

/// The program that `run` executes, and the session of its streams.
struct RunOptions: Equatable {
    private(set) var program: [String] = []
    /// The variables that pass the options to the ALSA plug-in.
    private(set) var variables: [Variable] = []
    /// The settings of the session. Computing them also checks that the options do not contradict each other.
    private(set) var settings = SessionSettings()

    struct Variable: Equatable {
        let name: String
        let value: String
    }

    /// The options with a value, and their keys in the ALSA configuration.
    private static let keys = [
        ("--category", "category"), ("--mode", "mode"), ("--name", "name"), ("--on-interrupt", "on_interrupt"),
    ]
    private static let flags = [("--mix", "mix"), ("--duck", "duck")]

    static let words = keys.map { $0.0 } + flags.map { $0.0 }

    init(_ arguments: inout Arguments) throws(UsageError) {
        var streamOptions = StreamOptions()
        var options = ""
        while let option = RunOptions.next(&arguments) {
            switch option {
            case .flag(let name): options += (options.isEmpty ? "" : " ") + name
            case .key(let name, let key):
                guard let value = arguments.next() else { throw UsageError("the value of \(name) is missing") }
                try set(key, to: value, in: &streamOptions)
            }
        }
        if !options.isEmpty { try set("options", to: options, in: &streamOptions) }
        if !arguments.accept("--"), arguments.startsWithOption {
            throw UsageError(unknown: arguments.next() ?? "", as: "option", among: RunOptions.words)
        }
        while let word = arguments.next() { program.append(word) }
        guard !program.isEmpty else { throw UsageError("the command is missing") }
        do throws(ResultCode) { settings = try streamOptions.settings(recording: false) } catch {
            throw UsageError(streamOptions.conflict(capture: false) ?? "the options of the session contradict each other")
        }
    }

    private enum Option {
        case flag(String)
        case key(String, String)
    }

    private static func next(_ arguments: inout Arguments) -> Option? {
        for (name, flag) in flags where arguments.accept(name) { return .flag(flag) }
        for (name, key) in keys where arguments.accept(name) { return .key(name, key) }
        return nil
    }

    private mutating func set(_ key: String, to value: String, in streamOptions: inout StreamOptions) throws(UsageError) {
        if let errorText = streamOptions.set(key, to: value) { throw UsageError(errorText) }
        variables.append(Variable(name: StreamOptions.variable(of: key), value: value))
    }
}
