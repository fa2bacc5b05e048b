import AudioHardware
import LinuxSystem
import SessionArbiter
public import SessionModel
import SessionRegistry
public import SimulatedHardware

// What a program does to its session. Each takes its turn, asks the registry or the hardware, and
// takes in what came of it before it returns.
extension Session {
    public func set(_ property: Property, to value: PropertyValue) throws(ResultCode) {
        let row = property.row
        guard row.access.contains(.set) else { throw .unsupportedProperty }
        try turn.withLock { () throws(ResultCode) in
            takeInRegistry()
            switch try row.set(state, value) {
            case .settings(let settings): try adopt(settings, because: property.reasonOfRouteChange)
            case .hardware(let request): try perform(request)
            }
        }
    }

    /// Changes several settings at once, or one that is no property: `body` is given them as they are,
    /// and nobody changes them meanwhile.
    public func change(
        because reason: RouteChangeReason, _ body: (inout SessionSettings, SessionState) throws(ResultCode) -> Void
    ) throws(ResultCode) {
        try turn.withLock { () throws(ResultCode) in
            takeInRegistry()
            var settings = state.settings
            try body(&settings, state)
            try adopt(settings, because: reason)
        }
    }

    public func setActive(_ active: Bool, notifyingOthers: Bool = false) throws(ResultCode) {
        try turn.withLock { () throws(ResultCode) in
            if active {
                if !state.isActive { try state.checkActivation() }
                let view = try registry.submit(.activate(slot), lookingFrom: slot)
                // The program has overtaken the begins and ends that it has not heard yet.
                dropInterruptions()
                takeIn(view)
            } else {
                let view = try registry.submit(.deactivate(slot, notifyingOthers: notifyingOthers), lookingFrom: slot)
                takeIn(view)
                // Inactive all the same, and whoever plays its streams stops them.
                if view.isBusy { throw .notActive }
            }
        }
    }

    /// From now on the session is told when others' sound begins or ceases to be primary.
    func hearSecondaryAudioHint() {
        do throws(ResultCode) {
            try change(because: .unknown) { settings, _ throws(ResultCode) in settings.hearsSecondaryAudioHint = true }
        } catch {
            Log.line("the table did not take that the session hears hints")
        }
    }

    public func rename(_ name: String) throws(ResultCode) {
        try registry.submit(.rename(slot, SessionName(name)))
    }

    /// Changes the simulated machine or a state of the user; the caller's next get sees it.
    public func simulate(_ command: SimulationCommand) throws(ResultCode) {
        try turn.withLock { () throws(ResultCode) in
            switch command {
            case .hardware(let change): try hardware.simulate(change)
            case .silent(let on): try registry.submit(.silent(on))
            case .lock(let on): try registry.submit(.lock(on))
            case .beginInterruption(let name): try registry.submit(.beginCall(SessionName(name), holder: slot))
            case .endInterruption(let shouldResume): try registry.submit(.endCall(shouldResume: shouldResume))
            case .confirmInterruption: try registry.submit(.confirmCall)
            }
            takeInRegistry()
            takeInHardware()
        }
    }

    private func adopt(_ settings: SessionSettings, because reason: RouteChangeReason) throws(ResultCode) {
        let policy = SessionPolicy(settings)
        let view = policy == SessionPolicy(state.settings) ? nil : try registry.submit(.adopt(slot, policy), lookingFrom: slot)
        var next = state
        next.settings = settings
        publish(next, telling: next.events(since: state, because: reason))
        if let view { takeIn(view) }
    }

    /// Chooses a source or destination of a port, be it in the route or not.
    public func perform(_ request: HardwareRequest, onPort uid: String) throws(ResultCode) {
        try turn.withLock { () throws(ResultCode) in
            guard let port = state.hardware.ports.last(where: { $0.uid == uid }) else { throw .noHardware }
            try hardware.perform(request, on: port)
            takeInHardware()
        }
    }

    private func perform(_ request: HardwareRequest) throws(ResultCode) {
        guard let port = state.port(for: request) else { throw .noHardware }
        if case .inputGain = request { rememberGain(of: port) }
        try hardware.perform(request, on: port)
        takeInHardware()
    }
}

extension Property {
    /// Why a route changes when the program sets this.
    var reasonOfRouteChange: RouteChangeReason {
        switch self {
        case .audioCategory, .mode: .categoryChange
        case .overrideAudioRoute, .overrideCategoryDefaultToSpeaker, .overrideCategoryEnableBluetoothInput: .override
        default: .unknown
        }
    }
}
