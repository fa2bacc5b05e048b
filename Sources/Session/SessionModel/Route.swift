// SPDX-License-Identifier: Apache-2.0
/// The ports that a session uses: a pure function of its settings and of the present ports.
public struct Route: Equatable, Sendable {
    public var inputs: [Port]
    public var outputs: [Port]

    public init(inputs: [Port] = [], outputs: [Port] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }

    public init(for settings: SessionSettings, among ports: [Port]) {
        let rules = RouteRules(settings)
        inputs = rules.inputs(among: ports)
        outputs = rules.outputs(among: ports, inputs: inputs)
    }

    /// Whether both routes have the same ports. Levels, channels and selected sources may differ.
    public func usesSamePorts(as other: Route) -> Bool {
        Route.same(inputs, other.inputs) && Route.same(outputs, other.outputs)
    }

    /// Whether the channels and selected sources are equal. Both routes have the same ports.
    public func isConfigured(as other: Route) -> Bool {
        Route.configured(inputs, other.inputs) && Route.configured(outputs, other.outputs)
    }

    private static func same(_ left: [Port], _ right: [Port]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    }

    private static func configured(_ left: [Port], _ right: [Port]) -> Bool {
        zip(left, right).allSatisfy { $0.channels == $1.channels && $0.selected == $1.selected }
    }
}

/// The rules that select the ports of a session.
struct RouteRules {
    let settings: SessionSettings
    let category: Category
    let mode: Mode

    init(_ settings: SessionSettings) {
        self.settings = settings
        category = settings.category.equivalent
        mode = settings.mode
    }

    // MARK: Inputs

    func inputs(among ports: [Port]) -> [Port] {
        guard category.traits.hasInput else { return [] }
        let builtIn = RouteRules.builtIn(.builtInMicrophone, among: ports)
        if settings.overridesToSpeaker, let builtIn { return [builtIn] }
        if let preferred = preferred(among: ports) { return [preferred] }
        let latest = RouteRules.latest(of: ports.filter { $0.kind.isInput && mayUse($0.kind) })
        if let input = latest ?? builtIn { return [input] }
        return []
    }

    /// The one that was chosen last, else the first.
    private static func builtIn(_ kind: PortKind, among ports: [Port]) -> Port? {
        let all = ports.filter { $0.kind == kind }
        return latest(of: all) ?? all.first
    }

    /// The port that arrived or was chosen last. Nil if there are only built-in ports that nobody has chosen.
    private static func latest(of ports: [Port]) -> Port? {
        var found: Int?
        for index in ports.indices where ports[index].order > 0 {
            if found.map({ ports[index].order >= ports[$0].order }) ?? true { found = index }
        }
        return found.map { ports[$0] }
    }

    /// The inputs that a program may prefer.
    func available(among ports: [Port]) -> [Port] { ports.filter { $0.kind.isInput && mayUse($0.kind) } }

    /// The input that the program prefers, while it is present.
    func preferred(among ports: [Port]) -> Port? {
        guard settings.preferredInput != 0 else { return nil }
        return available(among: ports).last { $0.uidHash == settings.preferredInput }
    }

    // MARK: Outputs

    func outputs(among ports: [Port], inputs: [Port]) -> [Port] {
        guard category.traits.hasOutput else { return [] }
        let speaker = RouteRules.builtIn(.builtInSpeaker, among: ports)
        if settings.overridesToSpeaker, let speaker { return [speaker] }
        // Bluetooth HFP is one link for both directions. Its output has precedence over later devices while its
        // microphone is the input; otherwise it is no output.
        if let link = inputs.first, link.kind == .bluetoothHFPInput,
            let output = ports.last(where: { $0.kind == .bluetoothHFPOutput && $0.device == link.device })
        {
            return [output]
        }
        let usable = ports.filter { !$0.kind.isInput && mayUse($0.kind) && $0.kind != .bluetoothHFPOutput }
        let attached = usable.filter { !$0.kind.isBuiltIn }
        if category == .multiRoute, !attached.isEmpty { return attached }
        let latest = RouteRules.latest(of: usable)
        if let latest, !latest.kind.isBuiltIn { return [latest] }
        let receiver = category == .playAndRecord ? RouteRules.builtIn(.builtInReceiver, among: ports) : nil
        let builtIn = prefersReceiver ? receiver ?? latest ?? speaker : latest ?? speaker ?? receiver
        return builtIn.map { [$0] } ?? []
    }

    private var prefersReceiver: Bool { !settings.defaultsToSpeaker && mode != .videoChat }

    // MARK: Eligibility

    /// Whether the category and mode allow this kind of port in the route.
    func mayUse(_ kind: PortKind) -> Bool {
        if kind.isInput { return category.traits.hasInput && mayTakeInput(from: kind) }
        return category.traits.hasOutput && mayPlay(to: kind)
    }

    private func mayTakeInput(from kind: PortKind) -> Bool {
        switch kind {
        case .lineIn: category != .multiRoute && !mode.isChat
        case .bluetoothHFPInput: settings.enablesBluetoothInput
        default: true
        }
    }

    private func mayPlay(to kind: PortKind) -> Bool {
        switch kind {
        case .builtInSpeaker, .headphones, .usbOutput: true
        case .builtInReceiver: category == .playAndRecord
        case .lineOut, .hdmi: !mode.isChat
        case .bluetoothHFPOutput: category == .playAndRecord && settings.enablesBluetoothInput
        case .bluetoothA2DP: playsAnywhere || (category == .playAndRecord && settings.allowsBluetoothA2DP && !mode.isChat)
        case .airPlay: playsAnywhere || (category == .playAndRecord && settings.allowsAirPlay && mode != .voiceChat)
        default: false
        }
    }

    private var playsAnywhere: Bool {
        category == .ambientSound || category == .soloAmbientSound || category == .mediaPlayback
    }
}
