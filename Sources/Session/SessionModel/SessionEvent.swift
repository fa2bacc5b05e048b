// SPDX-License-Identifier: Apache-2.0
/// How an interruption ended.
public enum InterruptionType: UInt32, Sendable {
    case shouldResume = 0x6972_736D  // 'irsm'
    case shouldNotResume = 0x2172_736D  // '!rsm'
}

public enum Interruption: Equatable, Sendable {
    case begin
    case end(InterruptionType)

    /// The type of an end; nil for a begin.
    public var endType: InterruptionType? { if case .end(let type) = self { type } else { nil } }
}

public enum RouteChangeReason: Int32, CaseIterable, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
}

public struct RouteChange: Equatable, Sendable {
    public var reason: RouteChangeReason
    public var previous: Route
    public var current: Route
    public var oldName: OldRouteName
    public var newName: OldRouteName

    public init(
        reason: RouteChangeReason, previous: Route, current: Route, oldName: OldRouteName, newName: OldRouteName
    ) {
        self.reason = reason
        self.previous = previous
        self.current = current
        self.oldName = oldName
        self.newName = newName
    }
}

/// An event for listeners.
public enum SessionEvent: Equatable, Sendable {
    case interruption(Interruption)
    case routeChange(RouteChange)
    case propertyChange(SessionProperty, PropertyValue)
    /// Another session has started to play without mixing, or the last such session has stopped.
    case secondaryAudioHint(shouldBeSilenced: Bool)
}

// MARK: The difference of two states

extension SessionState {
    /// The events of the change from `old` to this state: the route change first, then the other properties in the
    /// order of the table.
    public func events(since old: SessionState, because reason: RouteChangeReason) -> [SessionEvent] {
        // All values that are announced follow from these two.
        guard settings != old.settings || hardware != old.hardware else { return [] }
        var events: [SessionEvent] = []
        if let change = routeChange(since: old, because: reason) { events.append(.routeChange(change)) }
        for row in propertyTable where row.access.contains(.listen) && row.property != .audioRouteChange {
            if let value = row.announce(self), value != row.announce(old) { events.append(.propertyChange(row.property, value)) }
        }
        return events
    }

    private func routeChange(since old: SessionState, because reason: RouteChangeReason) -> RouteChange? {
        let previous = old.route
        let current = route
        var reason = reason
        if reason != .wakeFromSleep {
            if previous.usesSamePorts(as: current) {
                guard !previous.isConfigured(as: current) else { return nil }
                reason = .routeConfigurationChange
            } else if reason != .newDeviceAvailable, isUnsuitable(current) {
                reason = .noSuitableRouteForCategory
            }
        }
        return RouteChange(
            reason: reason, previous: previous, current: current, oldName: old.routeName, newName: routeName)
    }

    /// The route is empty, because no present port can be used in the category.
    private func isUnsuitable(_ route: Route) -> Bool {
        let traits = settings.category.traits
        return (traits.hasInput || traits.hasOutput) && route.inputs.isEmpty && route.outputs.isEmpty
    }

}

// MARK: Arrival and departure of devices

extension SessionState {
    /// The steps from this state to a state with the `new` hardware. Each step is the departure or the arrival of one device,
    /// departures first. Built-in ports come and go so that there is no moment without a route. A server hides the speaker while
    /// headphones are plugged in, and the ports of a server take the place of others:
    /// - They arrive in the step of a departing device that the route uses, so that the route moves with the departure. Without
    ///   such a device they arrive before the other devices.
    /// - They depart in the step of the arrival of built-in ports of their kinds. Without a successor they depart last.
    ///
    /// The last step also has the new levels and latencies. A wake-up is a separate step, and so is a move of the default while no
    /// device comes or goes.
    public func steps(to new: HardwareSnapshot) -> [(state: SessionState, reason: RouteChangeReason)] {
        var steps: [(state: SessionState, reason: RouteChangeReason)] = []
        var state = self
        let (lost, found) = (hardware.ports(missingIn: new), new.ports(missingIn: hardware))
        var builtIn = SessionState.devices(of: found, builtIn: true)
        for device in SessionState.devices(of: lost, builtIn: false) {
            if state.uses(lost, of: device) {
                for replacement in builtIn { state.add(replacement, of: new) }
                builtIn = []
            }
            state.remove(device, with: lost)
            steps.append((state, .oldDeviceUnavailable))
        }
        for device in builtIn + SessionState.devices(of: found, builtIn: false) {
            state.add(device, of: new)
            steps.append((state, .newDeviceAvailable))
        }
        for device in SessionState.devices(of: state.hardware.ports(missingIn: new), builtIn: true) {
            state.remove(device, with: lost)
            steps.append((state, .oldDeviceUnavailable))
        }
        if new.wakes != hardware.wakes || steps.isEmpty {
            state.hardware = new
            steps.append((state, reason(of: new)))
        } else {
            steps[steps.count - 1].state.hardware = new
        }
        return steps
    }

    /// Ports are in the order of the new snapshot; behind them those that have not departed yet. A built-in port that departs does
    /// so now if the device has a port of its kind: its choice by a server counts no longer.
    private mutating func add(_ device: UInt32, of new: HardwareSnapshot) {
        let present = hardware.ports
        let known = new.ports.filter { port in port.device == device || present.contains { $0.isSame(as: port) } }
        let staying = hardware.ports(missingIn: new).filter { port in
            !port.kind.isBuiltIn || !known.contains { $0.device == device && $0.kind == port.kind }
        }
        hardware.ports = known + staying
        revertOverride(for: device)
    }

    /// Removes the ports of a device that are among the lost ones.
    private mutating func remove(_ device: UInt32, with lost: [Port]) {
        revertOverride(for: device)
        hardware.ports = hardware.ports.filter { port in port.device != device || !lost.contains { $0.isSame(as: port) } }
    }

    /// Whether the route has a lost port of the device.
    private func uses(_ lost: [Port], of device: UInt32) -> Bool {
        let route = route
        return lost.contains { port in
            port.device == device && (route.inputs + route.outputs).contains { $0.isSame(as: port) }
        }
    }

    private func reason(of new: HardwareSnapshot) -> RouteChangeReason {
        if new.wakes != hardware.wakes { return .wakeFromSleep }
        return new.move != hardware.move ? new.move.reason : .unknown
    }

    /// The devices whose ports among these are all built in, or the others, in the order of the ports.
    private static func devices(of ports: [Port], builtIn: Bool) -> [UInt32] {
        var devices: [UInt32] = []
        for port in ports where !devices.contains(port.device) {
            let isBuiltIn = ports.allSatisfy { $0.device != port.device || $0.kind.isBuiltIn }
            if isBuiltIn == builtIn { devices.append(port.device) }
        }
        return devices
    }

    /// The override ends with the arrival or the departure of a device whose ports the category may use.
    private mutating func revertOverride(for device: UInt32) {
        let rules = RouteRules(settings)
        if hardware.ports.contains(where: { $0.device == device && rules.mayUse($0.kind) }) { settings.revertRouteOverride() }
    }
}

extension HardwareSnapshot {
    fileprivate func ports(missingIn other: HardwareSnapshot) -> [Port] {
        ports.filter { port in !other.ports.contains { $0.isSame(as: port) } }
    }
}
