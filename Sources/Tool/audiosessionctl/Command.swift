// SPDX-License-Identifier: Apache-2.0
import AudioHardware

/// A parsed command line.
enum Command: Equatable {
    /// Nil for the list of all commands.
    case help(String?)
    case version
    case status(json: Bool)
    case monitor(MonitorFormat)
    case beginInterruption(name: String, detached: Bool)
    case change(SimulationCommand)
    case routes(json: Bool)
    case trace(String, picture: String?)
    case doctor
    case run(RunOptions)
    case play([String])
    case record(OutputOptions)
    case convert(String, OutputOptions)
    case info([String], json: Bool)

    enum MonitorFormat: Equatable {
        /// The screen on a terminal, otherwise lines.
        case automatic
        case lines, json
    }

    init(_ words: [String]) throws(UsageError) {
        var arguments = Arguments(words)
        guard let name = arguments.next() else { throw UsageError("the command is missing") }
        switch name {
        case "--help", "-h": self = .help(nil)
        case "--version": self = .version
        default:
            guard let usage = Usage.all.first(where: { $0.name == name }) else {
                throw UsageError(unknown: name, as: "command", among: Usage.all.map { $0.name })
            }
            self = try Command.parse(usage, &arguments)
        }
    }

    private static func parse(_ usage: Usage, _ arguments: inout Arguments) throws(UsageError) -> Command {
        if arguments.asksForHelp(onlyFirst: usage.takesProgram) { return .help(usage.name) }
        do throws(UsageError) {
            let command = try usage.parse(&arguments)
            if let extra = arguments.next() { throw UsageError(unknown: extra, among: usage.words) }
            return command
        } catch { throw error.of(usage) }
    }
}

// MARK: The commands

extension Command {
    static func parseHelp(_ arguments: inout Arguments) throws(UsageError) -> Command {
        guard let topic = arguments.next() else { return .help(nil) }
        guard Usage.all.contains(where: { $0.name == topic }) else {
            throw UsageError(unknown: topic, as: "command", among: Usage.all.map { $0.name })
        }
        return .help(topic)
    }

    static func parseMonitor(_ arguments: inout Arguments) throws(UsageError) -> Command {
        if arguments.accept("--json") { return .monitor(.json) }
        return .monitor(arguments.accept("--lines") ? .lines : .automatic)
    }

    static func parseInterrupt(_ arguments: inout Arguments) throws(UsageError) -> Command {
        guard arguments.accept("begin") else { return .change(try parseChange("interrupt", &arguments)) }
        var name = "call"
        var detached = false
        while !arguments.isEmpty {
            if arguments.accept("--detach") {
                detached = true
            } else if arguments.accept("--name") {
                guard let text = arguments.next() else { throw UsageError("the value of --name is missing") }
                name = text
            } else {
                throw UsageError(unknown: arguments.next() ?? "", among: ["--detach", "--name"])
            }
        }
        return .beginInterruption(name: name, detached: detached)
    }

    static func parseTrace(_ arguments: inout Arguments) throws(UsageError) -> Command {
        var file: String?
        var picture: String?
        while !arguments.isEmpty {
            if picture == nil, arguments.accept("--svg") {
                picture = try arguments.nextFile("the file after --svg is missing")
            } else if file == nil {
                file = try arguments.nextFile("the file is missing")
            } else {
                throw UsageError(unknown: arguments.next() ?? "", among: ["--svg"])
            }
        }
        guard let file else { throw UsageError("the file is missing") }
        return .trace(file, picture: picture)
    }

    static func parseRecord(_ arguments: inout Arguments) throws(UsageError) -> Command {
        .record(try OutputOptions.parse(&arguments, files: ["the file is missing"], mayEnd: true).options)
    }

    static func parseConvert(_ arguments: inout Arguments) throws(UsageError) -> Command {
        let missing: [StaticString] = ["the files are missing", "the file to write is missing"]
        let (files, options) = try OutputOptions.parse(&arguments, files: missing, mayEnd: false)
        return .convert(files.first ?? "", options)
    }

    static func parseInfo(_ arguments: inout Arguments) throws(UsageError) -> Command {
        let json = arguments.accept("--json")
        return .info(try arguments.files(), json: json)
    }

    /// Parses a simulated change. The C function accepts the same words.
    static func parseChange(_ first: String?, _ arguments: inout Arguments) throws(UsageError) -> SimulationCommand {
        var words = first.map { [$0] } ?? []
        while let word = arguments.next() { words.append(word) }
        var line = ""
        for word in words { line += (line.isEmpty ? "" : " ") + word }
        do throws(SimulationCommand.Malformed) { return try SimulationCommand(line) } catch {
            let known = Usage.changeWords
            guard let word = error.word, !known.contains(word), nearest(to: word, among: known) != nil else {
                throw UsageError(error.text)
            }
            throw UsageError(unknown: word, among: known)
        }
    }
}
