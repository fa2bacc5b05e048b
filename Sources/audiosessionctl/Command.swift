import SimulatedHardware

/// What the command line asks for.
enum Command: Equatable {
    case help(String?)
    case version
    case status(json: Bool)
    case monitor(Telling)
    case beginInterruption(name: String, detached: Bool)
    case simulate(SimulationCommand)
    case routes(json: Bool)
    case trace(String, picture: String?)
    case doctor
    case run(Running)

    /// How what happens is told.
    enum Telling: Equatable {
        /// On a terminal, a screen that shows how things are; elsewhere, lines.
        case asFits
        case lines, json
    }

    /// What was wrong with the words.
    struct Mistake: Error, Equatable {
        let text: String
    }

    init(_ words: [String]) throws(Mistake) {
        var arguments = Arguments(words)
        self = try Command.parse(&arguments)
        if let extra = arguments.next() { throw Mistake(text: "\"\(extra)\" is too much") }
    }

    private static func parse(_ arguments: inout Arguments) throws(Mistake) -> Command {
        switch arguments.next() {
        case nil: throw Mistake(text: "a command is missing")
        case "help", "--help", "-h": return .help(arguments.next())
        case "version", "--version": return .version
        case "status": return .status(json: arguments.take("--json"))
        case "monitor": return .monitor(telling(&arguments))
        case "routes": return .routes(json: arguments.take("--json"))
        case "doctor": return .doctor
        case "trace": return try trace(&arguments)
        case "run": return .run(try Running(&arguments))
        case "interrupt" where arguments.take("begin"): return try beginInterruption(&arguments)
        case "interrupt": return .simulate(try simulation("interrupt", &arguments))
        case "silent": return .simulate(try simulation("silent", &arguments))
        case "lock": return .simulate(try simulation("lock", &arguments))
        case "simulate": return .simulate(try simulation(nil, &arguments))
        case let word?: throw Mistake(text: "\"\(word)\" is not a command")
        }
    }

    private static func telling(_ arguments: inout Arguments) -> Telling {
        if arguments.take("--json") { return .json }
        return arguments.take("--lines") ? .lines : .asFits
    }

    private static func beginInterruption(_ arguments: inout Arguments) throws(Mistake) -> Command {
        var name = "call"
        var detached = false
        while !arguments.isEmpty {
            if arguments.take("--detach") {
                detached = true
            } else if arguments.take("--name"), let text = arguments.next() {
                name = text
            } else {
                throw Mistake(text: "expected interrupt begin [--name TEXT] [--detach]")
            }
        }
        return .beginInterruption(name: name, detached: detached)
    }

    private static func trace(_ arguments: inout Arguments) throws(Mistake) -> Command {
        guard let file = arguments.next() else { throw Mistake(text: "expected trace FILE [--svg FILE]") }
        guard arguments.take("--svg") else { return .trace(file, picture: nil) }
        guard let picture = arguments.next() else { throw Mistake(text: "expected a file after --svg") }
        return .trace(file, picture: picture)
    }

    /// The words of the simulation language are the same here and in the C function.
    private static func simulation(_ first: String?, _ arguments: inout Arguments) throws(Mistake) -> SimulationCommand {
        var line = first ?? ""
        while let word = arguments.next() { line += (line.isEmpty ? "" : " ") + word }
        do throws(SimulationCommand.Malformed) { return try SimulationCommand(line) } catch { throw Mistake(text: error.text) }
    }
}

/// The command line's words, from first to last.
struct Arguments {
    private var left: [String]

    init(_ words: [String]) { left = words }

    var isEmpty: Bool { left.isEmpty }
    var startsWithOption: Bool { left.first?.utf8.first == 0x2D }
    mutating func next() -> String? { left.isEmpty ? nil : left.removeFirst() }

    mutating func take(_ word: String) -> Bool {
        guard left.first == word else { return false }
        left.removeFirst()
        return true
    }
}
