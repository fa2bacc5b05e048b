import AudioStreams
import SessionModel

/// A program that is to be a good citizen, and the session that it is to have.
struct Running: Equatable {
    private(set) var program: [String] = []
    /// What its environment is to say of the session.
    private(set) var variables: [Variable] = []
    /// A check of all of it together, and what the sound is for.
    private(set) var settings = SessionSettings()

    struct Variable: Equatable {
        let name: String
        let value: String
    }

    init(_ arguments: inout Arguments) throws(Command.Mistake) {
        var choices = StreamChoices()
        var options: [String] = []
        func take(_ key: String, _ value: String?) throws(Command.Mistake) {
            guard let value else { throw Command.Mistake(text: "a value of --\(key) is missing") }
            if let complaint = choices.set(key, to: value) { throw Command.Mistake(text: complaint) }
            variables.append(Variable(name: StreamChoices.variable(of: key), value: value))
        }
        while true {
            if arguments.take("--category") {
                try take("category", arguments.next())
            } else if arguments.take("--mode") {
                try take("mode", arguments.next())
            } else if arguments.take("--name") {
                try take("name", arguments.next())
            } else if arguments.take("--on-interrupt") {
                try take("on_interrupt", arguments.next())
            } else if arguments.take("--mix") {
                options.append("mix")
            } else if arguments.take("--duck") {
                options.append("duck")
            } else {
                break
            }
        }
        if !options.isEmpty { try take("options", options.reduce("") { $0.isEmpty ? $1 : "\($0) \($1)" }) }
        if !arguments.take("--"), arguments.startsWithOption { throw Command.Mistake(text: "an unknown option") }
        while let word = arguments.next() { program.append(word) }
        guard !program.isEmpty else { throw Command.Mistake(text: "the program to run is missing") }
        do throws(ResultCode) { settings = try choices.settings(playing: true, recording: false) } catch {
            throw Command.Mistake(text: "the category does not allow this mode or these options")
        }
    }
}
