// SPDX-License-Identifier: Apache-2.0
/// The values that determine all properties of a session, at one moment.
public struct SessionState: Equatable, Sendable {
    public var settings = SessionSettings()
    public var hardware = HardwareSnapshot()
    /// The format that the route's device grants for the preferences; nil without a device.
    public var format: StreamFormat?
    /// The length of the slices of the program's I/O units and queues; nil if it has none.
    public var ioSlice: Float?
    public var isActive = false
    public var otherAudioIsPlaying = false
    /// The user's silent switch.
    public var isSilent = false
    /// Another session that does not mix plays.
    public var primaryAudioPlays = false
    /// Nil, except while the program's listener for the end of an interruption runs.
    public var endingInterruption: InterruptionType?

    public init() {}

    public var route: Route { Route(for: settings, among: hardware.ports) }
    /// The inputs of the route. Takes less time than the route.
    public var inputs: [Port] { RouteRules(settings).inputs(among: hardware.ports) }
    public var routeName: OldRouteName { OldRouteName(of: route, in: settings.category) }
    /// The silent switch is on and the category obeys it.
    public var isSilencedBySwitch: Bool { isSilent && settings.category.traits.obeysSilentSwitch }

    /// The inputs that the category and mode can use, in order of arrival.
    public var availableInputs: [Port] { RouteRules(settings).available(among: hardware.ports) }
    /// The input that the program prefers, while it is present.
    public var preferredInput: Port? { RouteRules(settings).preferred(among: hardware.ports) }
    public var hasInput: Bool { hardware.ports.contains { $0.kind.isInput } }
    public var inputChannels: UInt32 { inputs.first?.channels ?? 0 }
    public var outputChannels: UInt32 { route.outputs.first?.channels ?? 0 }
    public var outputVolume: Float { route.outputs.first?.volume ?? 1 }
    public var inputGain: Float? { inputs.first?.gain }
    public var inputSources: [Selectable] { inputs.first { !$0.selectables.isEmpty }?.selectables ?? [] }
    public var outputDestinations: [Selectable] { route.outputs.first { !$0.selectables.isEmpty }?.selectables ?? [] }

    /// The port whose device determines rate and buffer: the route's output, else its input, else any device.
    public var leadingPort: Port? {
        let route = route
        return route.outputs.first ?? route.inputs.first
            ?? hardware.ports.first { !$0.kind.isInput } ?? hardware.ports.first
    }

    /// The port of the route that a request changes.
    public func port(for request: HardwareRequest) -> Port? {
        switch request {
        case .inputGain: inputs.first { $0.gain != nil }
        case .inputSource: inputs.first { !$0.selectables.isEmpty }
        case .outputDestination: route.outputs.first { !$0.selectables.isEmpty }
        case .headsetProfile: inputs.first { $0.profileHash != nil }
        }
    }

    func grantedFormat() throws(ResultCode) -> StreamFormat {
        guard let format else { throw .noHardware }
        return format
    }

    /// Throws if the category only records and there is no input.
    public func checkActivation() throws(ResultCode) {
        guard hardware.serverIsAlive else { throw .unspecified }
        let traits = settings.category.traits
        if traits.hasInput, !traits.hasOutput, inputs.isEmpty { throw .noHardware }
    }

    // MARK: Changes

    func changing(_ change: (inout SessionSettings) throws(ResultCode) -> Void) throws(ResultCode) -> PropertyChange {
        var settings = settings
        try change(&settings)
        return .settings(settings)
    }

    func changing(
        _ value: PropertyValue, _ change: (inout SessionSettings, Bool) throws(ResultCode) -> Void
    ) throws(ResultCode) -> PropertyChange {
        guard case .uint32(let number) = value else { throw .unsupportedProperty }
        var settings = settings
        try change(&settings, number != 0)
        return .settings(settings)
    }
}
