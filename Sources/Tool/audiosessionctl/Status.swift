// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLIOutput
import LinuxSystem
import SessionModel

/// Prints all sessions. Fails if the shared table cannot be read. The reader of a simulation file logs a mistake in it.
func printStatus(json: Bool) -> Int32 {
    let state = SystemState.read()
    let report = state.report
    guard state.hasSharedSessions else { return ExitCode.failure }
    return Output.print(json ? report.json.text + "\n" : report.text) ? ExitCode.success : ExitCode.failure
}

/// Prints the route of each category.
func printRoutes(json: Bool) -> Int32 {
    let state = SystemState.read()
    let ports = state.hardware.snapshot().ports
    var members: [(key: String, value: JSON)] = []
    var text = ""
    for category in Category.allCases where category.equivalent == category {
        var settings = SessionSettings()
        settings.setCategory(category)
        let route = Route(for: settings, among: ports)
        members.append((FourCC.characters(category.rawValue), value(of: route)))
        text += "\(shortName(category.traits.name)): \(description(of: route))\n"
    }
    for finding in state.findings() { text += finding + "\n" }
    return Output.print(json ? JSON.object(members).text + "\n" : text) ? ExitCode.success : ExitCode.failure
}

private func value(of route: Route) -> JSON {
    .object([("inputs", types(route.inputs)), ("outputs", types(route.outputs))])
}

private func types(_ ports: [Port]) -> JSON { .array(ports.map { .string("\($0.kind.type)") }) }

private func description(of route: Route) -> String {
    var text = "out \(names(route.outputs)), in \(names(route.inputs))"
    if let device = route.outputs.first ?? route.inputs.first { text += ", device \(device.alsaDevice)" }
    return text
}

private func names(_ ports: [Port]) -> String {
    var text = ""
    for port in ports { text += (text.isEmpty ? "" : ", ") + "\(port.kind.type)" }
    return text.isEmpty ? "none" : text
}
