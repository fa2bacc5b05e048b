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
        let builtIn = ports.first { $0.kind == .builtInMicrophone }
        if settings.overridesToSpeaker, let builtIn { return [builtIn] }
        if let preferred = preferred(among: ports) { return [preferred] }
        let attached = ports.last { $0.kind.isInput && !$0.kind.isBuiltIn && mayUse($0.kind) }
        if let input = attached ?? builtIn { return [input] }
        return []
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
        let speaker = ports.first { $0.kind == .builtInSpeaker }
        if settings.overridesToSpeaker, let speaker { return [speaker] }
        // Bluetooth HFP is one link for both directions. Its output has precedence over later devices while its
        // microphone is the input; otherwise it is no output.
        if let link = inputs.first, link.kind == .bluetoothHFPInput,
            let output = ports.last(where: { $0.kind == .bluetoothHFPOutput && $0.device == link.device })
        {
            return [output]
        }
        let attached = ports.filter {
            !$0.kind.isInput && !$0.kind.isBuiltIn && mayUse($0.kind) && $0.kind != .bluetoothHFPOutput
        }
        if category == .multiRoute, !attached.isEmpty { return attached }
        if let last = attached.last { return [last] }
        let receiver = category == .playAndRecord ? ports.first { $0.kind == .builtInReceiver } : nil
        if let builtIn = prefersReceiver ? receiver ?? speaker : speaker ?? receiver { return [builtIn] }
        return []
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
