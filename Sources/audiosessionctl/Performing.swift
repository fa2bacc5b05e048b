import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import SessionReports
import SimulatedHardware

/// Does what was asked for; the answer is the exit code.
func perform(_ command: Command) -> Int32 {
    switch command {
    case .help(let topic): return help(topic)
    case .version: return say("audiosessionctl \(Version.text)\n")
    case .status(let json): return say(json ? World.find().report.json.text + "\n" : World.find().report.text)
    case .routes(let json): return routes(json: json)
    case .monitor(let telling): return monitor(telling)
    case .trace(let file, let picture): return record(to: file, picture: picture)
    case .beginInterruption(let name, let detached): return hold(name, detached: detached)
    case .simulate(let change): return simulate(change)
    case .doctor: return doctor()
    case .run(let running): return run(running)
    }
}

private func say(_ text: String) -> Int32 { Output.say(text) ? ExitCode.done : ExitCode.failed }

private func help(_ topic: String?) -> Int32 {
    if let text = Help.text(topic) { return say(text) }
    Output.complain("there is no help on \"\(topic ?? "")\"\n\(Help.usage)")
    return ExitCode.usage
}

/// Why something was not done.
private struct Refusal: Error {
    let text: String
}

private func simulate(_ command: SimulationCommand) -> Int32 {
    attempt { () throws(Refusal) in
        switch command {
        case .hardware(let change): try changeMachine(change)
        case .silent(let on): try ask(.silent(on), of: try sessions())
        case .lock(let on): try ask(.lock(on), of: try sessions())
        case .beginInterruption(let name): try ask(.beginCall(SessionName(name), holder: nil), of: try sessions())
        case .endInterruption(let shouldResume): try ask(.endCall(shouldResume: shouldResume), of: try sessions())
        case .confirmInterruption: try ask(.confirmCall, of: try sessions())
        }
    }
}

private func attempt(_ body: () throws(Refusal) -> Void) -> Int32 {
    do throws(Refusal) {
        try body()
        return ExitCode.done
    } catch {
        Output.complain(error.text)
        return ExitCode.failed
    }
}

private func sessions() throws(Refusal) -> SharedRegistry {
    do throws(RuntimeDirectory.Unusable) { return try World.sessions() } catch { throw Refusal(unseen: error) }
}

/// Done only where others see it: what a table of this process alone grants is nothing.
private func ask(_ request: Request, of sessions: SharedRegistry) throws(Refusal) {
    var refusal: ResultCode?
    do throws(ResultCode) { try sessions.submit(request) } catch { refusal = error }
    try stayTogether(sessions)
    if let refusal { throw Refusal(refusal, of: request) }
}

private func stayTogether(_ sessions: SharedRegistry) throws(Refusal) {
    if let reason = sessions.reasonToBeAlone { throw Refusal(unseen: reason) }
}

private func changeMachine(_ change: SimulatedChange) throws(Refusal) {
    let machine: any AudioHardware
    do throws(RuntimeDirectory.Unusable) { machine = try World.machine() } catch { throw Refusal(unseen: error) }
    do throws(ResultCode) { try machine.simulate(change) } catch {
        throw Refusal(
            text: error == .unsupportedProperty
                ? "this machine is a real one; set AUDIOSESSION_HARDWARE=simulated"
                : "the simulated machine could not be changed; AUDIOSESSION_DEBUG=1 says why")
    }
}

extension Refusal {
    init(unseen reason: RuntimeDirectory.Unusable) { text = "\(reason.text); no session would notice" }

    init(_ error: ResultCode, of request: Request) {
        text =
            switch (request, error) {
            case (.beginCall, .notActive): "there is a call already"
            case (.endCall, .unspecified), (.confirmCall, .unspecified): "there is no call"
            default: "refused: \(error.name)"
            }
    }
}

/// A call that lasts as long as this program, or until somebody ends it.
private func hold(_ name: String, detached: Bool) -> Int32 {
    guard !detached else { return simulate(.beginInterruption(name: name)) }
    return attempt { () throws(Refusal) in
        let sessions = try sessions()
        let slot = try enter(sessions)
        try ask(.beginCall(SessionName(name), holder: slot), of: sessions)
        Output.say("\(name) began; it ends with this program\n")
        let signals = FileDescriptor(owning: linux_end_signals())
        let watch = Watch(sessions.descriptor, signals.number)
        while sessions.table().call != nil {
            if watch.next() == signals.number { break }
            sessions.heed()
            sessions.keepWatch()
        }
        try stayTogether(sessions)
        sessions.leave(slot)
    }
}

private func enter(_ sessions: SharedRegistry) throws(Refusal) -> Slot {
    do throws(ResultCode) {
        return try sessions.enter(
            name: SessionEntry.telephone, policy: SessionPolicy(category: .ambientSound, mixes: true))
    } catch { throw Refusal(text: "refused: \(error.name)") }
}

private func routes(json: Bool) -> Int32 {
    let world = World.find()
    let ports = world.hardware.snapshot().ports
    var members: [(key: String, value: JSON)] = []
    var text = ""
    for category in Category.allCases where category.equivalent == category {
        var settings = SessionSettings()
        settings.setCategory(category)
        let route = Route(for: settings, among: ports)
        let inputs = route.inputs.map { "\($0.kind.type)" }
        let outputs = route.outputs.map { "\($0.kind.type)" }
        members.append(
            (
                fourCharacters(category.rawValue),
                .object([("inputs", .array(inputs.map { .string($0) })), ("outputs", .array(outputs.map { .string($0) }))])
            ))
        text += "\(shortName(category.traits.name)): out \(listed(outputs)), in \(listed(inputs))"
        if let device = route.outputs.first ?? route.inputs.first { text += "  (\(device.alsaDevice))" }
        text += "\n"
    }
    for finding in world.findings() { text += finding + "\n" }
    return say(json ? JSON.object(members).text + "\n" : text)
}

private func listed(_ names: [String]) -> String {
    var text = ""
    for name in names { text += (text.isEmpty ? "" : ", ") + name }
    return text.isEmpty ? "none" : text
}
