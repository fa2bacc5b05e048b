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

private func simulate(_ command: SimulationCommand) -> Int32 {
    let world = World.find()
    do throws(ResultCode) {
        switch command {
        case .hardware(let change): try world.hardware.simulate(change)
        case .silent(let on): try world.registry.submit(.silent(on))
        case .lock(let on): try world.registry.submit(.lock(on))
        case .beginInterruption(let name): try world.registry.submit(.beginCall(SessionName(name), holder: nil))
        case .endInterruption(let shouldResume): try world.registry.submit(.endCall(shouldResume: shouldResume))
        case .confirmInterruption: try world.registry.submit(.confirmCall)
        }
        return ExitCode.done
    } catch {
        Output.complain(reason(error, for: command))
        return ExitCode.failed
    }
}

private func reason(_ error: ResultCode, for command: SimulationCommand) -> String {
    switch (command, error) {
    case (.hardware, .unsupportedProperty): "this machine is a real one; set AUDIOSESSION_HARDWARE=simulated"
    case (.hardware, _): "the simulated machine could not be changed; AUDIOSESSION_DEBUG=1 says why"
    case (.beginInterruption, .notActive): "there is a call already"
    case (.endInterruption, .unspecified), (.confirmInterruption, .unspecified): "there is no call"
    default: "refused: \(error.name)"
    }
}

/// A call that lasts as long as this program, or until somebody ends it.
private func hold(_ name: String, detached: Bool) -> Int32 {
    guard !detached else { return simulate(.beginInterruption(name: name)) }
    let registry = World.find().registry
    do throws(ResultCode) {
        let slot = try registry.enter(
            name: SessionName("audiosessionctl"), policy: SessionPolicy(category: .ambientSound, mixes: true))
        try registry.submit(.beginCall(SessionName(name), holder: slot))
        Output.say("\(name) began; it ends with this program\n")
        let signals = FileDescriptor(owning: linux_end_signals())
        let watch = Watch(registry.descriptor, signals.number)
        while registry.table().call != nil {
            if watch.next() == signals.number { break }
            registry.heed()
            registry.keepWatch()
        }
        registry.leave(slot)
        return ExitCode.done
    } catch {
        Output.complain(reason(error, for: .beginInterruption(name: name)))
        return ExitCode.failed
    }
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
