// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import LinuxSystem
import SessionArbiter
public import SessionModel
import SessionRegistry

// The calls of the program. Each holds the change lock, submits to the registry or asks the hardware, and applies
// the result before it returns.
extension ProcessSession {
    public func set(_ property: SessionProperty, to value: PropertyValue) throws(ResultCode) {
        try set(property) { _ throws(ResultCode) in value }
    }

    /// `read` returns the value, of the type of the property. It is called once the access of the property allows a set.
    public func set(
        _ property: SessionProperty, reading read: (PropertyType) throws(ResultCode) -> PropertyValue
    ) throws(ResultCode) {
        let row = property.row
        guard row.access.contains(.set) else { throw .unsupportedProperty }
        let value = try read(row.type)
        awaitHardware()
        try changeLock.withLock { () throws(ResultCode) in
            // The only property whose value depends on whether the session is active.
            if property == .mode { applyRegistry() }
            switch try row.set(state, value) {
            case .hardware(let request): try apply(request)
            case .settings(let settings):
                let yields = property == .overrideCategoryMixWithOthers
                try commit(settings, because: row.routeChangeReason, yieldingToCall: yields) { state throws(ResultCode) in
                    guard case .settings(let settings) = try row.set(state, value) else { throw .unspecified }
                    return settings
                }
            }
        }
    }

    /// Changes several settings at once, or settings that are not properties. `body` receives the present settings. It
    /// may be called again after an interruption.
    public func change(
        because reason: RouteChangeReason, _ body: (inout SessionSettings, SessionState) throws(ResultCode) -> Void
    ) throws(ResultCode) {
        awaitHardware()
        try changeLock.withLock { () throws(ResultCode) in
            func make(of state: SessionState) throws(ResultCode) -> SessionSettings {
                var settings = state.settings
                try body(&settings, state)
                return settings
            }
            try commit(try make(of: state), because: reason, again: make)
        }
    }

    /// Submits the new settings, and applies them. A pending interruption is applied first: `change` then makes the settings again,
    /// of the state as the interruption leaves it.
    private func commit(
        _ first: SessionSettings, because reason: RouteChangeReason, yieldingToCall: Bool = false,
        again change: (SessionState) throws(ResultCode) -> SessionSettings
    ) throws(ResultCode) {
        var settings = first
        var view: SessionView?
        while settings != registeredSettings {
            var answer = try registry.submit(.change(slot, settings, yieldsToCall: yieldingToCall), viewing: slot)
            registeredSettings = answer.settings ?? settings
            for interruption in answer.interruptions { receive(interruption) }
            if !answer.interruptions.isEmpty { settings = try change(state) }
            answer.interruptions = []
            view = answer
        }
        var next = state
        next.settings = settings
        publish(next, sending: next.events(since: state, because: reason))
        if let view { apply(view) }
    }

    public func setActive(_ active: Bool, notifyingOthers: Bool = false) throws(ResultCode) {
        defer { if !active { monitor?.sessionDeactivated() } }
        awaitHardware()
        try changeLock.withLock { () throws(ResultCode) in
            if active {
                if !state.isActive { try state.checkActivation() }
                let view = try registry.submit(.activate(slot), viewing: slot)
                // Begins and ends that the program has not received yet are obsolete.
                dropInterruptions()
                apply(view)
            } else {
                let view = try registry.submit(.deactivate(slot, notifyingOthers: notifyingOthers), viewing: slot)
                apply(view)
                // The session is inactive, and its streams stop.
                if view.isBusy { throw .notActive }
            }
        }
    }

    /// From now on the registry notifies the session when primary audio of other sessions starts or stops.
    func requestSecondaryAudioHint() {
        do throws(ResultCode) {
            try change(because: .unknown) { settings, _ throws(ResultCode) in settings.flags.insert(.wantsSecondaryAudioHint) }
        } catch {
            Log.debug("hints about secondary audio are not delivered: the table of sessions cannot be written")
        }
    }

    public func rename(_ name: String) throws(ResultCode) {
        try registry.submit(.rename(slot, SessionName(name)))
    }

    /// Changes the simulated machine or a state of the user. The caller's next get returns the new state.
    public func simulate(_ command: SimulationCommand) throws(ResultCode) {
        awaitHardware()
        try changeLock.withLock { () throws(ResultCode) in
            switch command {
            case .hardware(let change): try hardware.simulate(change)
            case .silent(let on): try registry.submit(.silent(on))
            case .lock(let on): try registry.submit(.lock(on))
            case .beginInterruption(let name): try registry.submit(.beginCall(SessionName(name), holder: slot))
            case .endInterruption(let shouldResume): try registry.submit(.endCall(shouldResume: shouldResume))
            case .confirmInterruption: try registry.submit(.confirmCall)
            }
        }
        let streamsHaveStopped = monitor?.stopWithoutServer() ?? false
        changeLock.withLock {
            applyRegistry()
            applyHardware(streamsHaveStopped: streamsHaveStopped)
        }
        monitor?.hardwareChanged()
    }

    /// Selects a source or destination of a port, which need not be in the route.
    public func perform(_ request: HardwareRequest, onPort uid: String) throws(ResultCode) {
        awaitHardware()
        try changeLock.withLock { () throws(ResultCode) in
            guard let port = state.hardware.ports.last(where: { $0.uid == uid }) else { throw .noHardware }
            try hardware.perform(request, on: port)
            applyHardware()
        }
        monitor?.hardwareChanged()
    }

    private func apply(_ request: HardwareRequest) throws(ResultCode) {
        guard let port = state.port(for: request) else { throw .noHardware }
        if case .inputGain(let level) = request { return try setGain(level, of: port) }
        try hardware.perform(request, on: port)
        applyHardware()
        monitor?.hardwareChanged()
    }
}
