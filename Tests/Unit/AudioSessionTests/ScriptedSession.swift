// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import CLinux
import Dispatch
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization
import TestSupport
import Testing

/// A registry whose results a test sets, for one session.
final class ScriptedRegistry: SessionRegistry, @unchecked Sendable {
    private let wakeUp = linux_eventfd()
    private let view = LockedValue(ScriptedRegistry.firstView)
    private let asked = LockedValue<[Request]>([])
    let refusal = LockedValue<ResultCode?>(nil)

    private static var firstView: SessionView {
        var view = SessionView()
        view.settings = SessionSettings()
        return view
    }

    /// The requests that are refused.
    let isRefused = LockedValue<@Sendable (Request) -> Bool>({ _ in true })

    deinit { _ = linux_close(wakeUp) }

    var requests: [Request] { asked.withLock { $0 } }

    /// Changes the view of the session and wakes the monitor.
    func happen(_ change: (inout SessionView) -> Void) {
        prepare(change)
        _ = linux_eventfd_signal(wakeUp)
    }

    /// Changes what the next request or look returns. The monitor does not wake up.
    func prepare(_ change: (inout SessionView) -> Void) { view.withLock { change(&$0) } }

    var descriptor: Int32 { wakeUp }
    /// The next processing of events calls this before it clears them.
    let beforeClearing = LockedValue<(@Sendable () -> Void)?>(nil)
    func processEvents() {
        let hook = beforeClearing.withLock { hook in
            defer { hook = nil }
            return hook
        }
        hook?()
        _ = linux_eventfd_clear(wakeUp)
    }
    func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> TableSlot { 0 }
    func enterStreams(of session: TableSlot) throws(ResultCode) -> TableSlot { throw .unspecified }
    func leave(_ slot: TableSlot) {}

    func submit(_ request: Request) throws(ResultCode) {
        if let refused = refusal.withLock({ $0 }), isRefused.withLock({ $0 })(request) { throw refused }
        asked.withLock { $0.append(request) }
        view.withLock { view in
            switch request {
            case .activate: view.isActive = true
            case .deactivate, .reset: view.isActive = false
            case .silent(let on): view.isSilent = on
            case .change(_, let settings, _): view.settings = settings
            default: break
            }
        }
    }

    func submit(_ request: Request, viewing slot: TableSlot) throws(ResultCode) -> SessionView {
        try submit(request)
        return fetch()
    }

    /// The number of looks at the table without a request.
    var looks: Int { looked.load(ordering: .relaxed) }
    private let looked = Atomic<Int>(0)

    func view(of slot: TableSlot) -> SessionView {
        looked.add(1, ordering: .relaxed)
        return fetch()
    }

    private func fetch() -> SessionView {
        view.withLock { view in
            defer { view.interruptions = [] }
            return view
        }
    }

    func table() -> SessionTable { SessionTable() }
    func othersArePlaying() -> Bool { false }
}

/// Hardware whose ports a test sets.
final class ScriptedHardware: AudioHardware, @unchecked Sendable {
    private let wakeUp = linux_eventfd()
    private let present: LockedValue<HardwareSnapshot>
    let refusal = LockedValue<ResultCode?>(nil)
    /// The gain of the device where its event has not arrived.
    let unreportedGain = LockedValue<Float?>(nil)
    /// Readable once the hardware is explored.
    private let exploration = linux_eventfd()
    /// A caller asks for a snapshot.
    let isAsked = DispatchSemaphore(value: 0)

    init(_ ports: [Port] = [.speaker, .receiver, .microphone], isExplored: Bool = true) {
        present = LockedValue(HardwareSnapshot(ports: ports))
        if isExplored { _ = linux_eventfd_signal(exploration) }
    }

    deinit {
        _ = linux_close(wakeUp)
        _ = linux_close(exploration)
    }

    func endExploration() {
        _ = linux_eventfd_signal(exploration)
        _ = linux_eventfd_signal(wakeUp)
    }

    func happen(_ change: (inout HardwareSnapshot) -> Void) {
        prepare(change)
        _ = linux_eventfd_signal(wakeUp)
    }

    /// Changes what the next look returns. The monitor does not wake up.
    func prepare(_ change: (inout HardwareSnapshot) -> Void) { present.withLock { change(&$0) } }

    /// The next look calls this after it has read the present state.
    let afterLook = LockedValue<(@Sendable () -> Void)?>(nil)

    private func look() -> HardwareSnapshot {
        let found = present.withLock { $0 }
        let hook = afterLook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        hook?()
        return found
    }

    var descriptor: Int32 { wakeUp }
    func processEvents() -> Bool { linux_eventfd_clear(wakeUp) >= 0 }
    func snapshot() -> HardwareSnapshot {
        isAsked.signal()
        _ = isReadable(exploration, "the exploration of the hardware")
        return look()
    }
    var knownSnapshot: HardwareSnapshot? {
        linux_poll(exploration, UInt32(LINUX_READABLE), 0) > 0 ? look() : nil
    }
    func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? {
        StreamFormat(sampleRate: 48_000, bufferDuration: 0.01)
    }
    /// The profiles that were requested: true for the one with a microphone.
    let profiles = LockedValue<[Bool]>([])

    func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) {
        if let refused = refusal.withLock({ $0 }) { throw refused }
        if case .headsetProfile(let hasMicrophone) = request { return setProfile(hasMicrophone) }
        guard case .inputGain(let gain) = request else { throw .noHardware }
        let isThere = present.withLock { present in
            guard let index = present.ports.firstIndex(where: { $0.isSame(as: port) }) else { return false }
            present.ports[index].gain = gain
            return true
        }
        guard isThere else { throw .noHardware }
    }

    private func setProfile(_ hasMicrophone: Bool) {
        profiles.withLock { $0.append(hasMicrophone) }
        present.withLock { $0.ports = $0.ports.map { .headset($0, hasMicrophone: hasMicrophone) } }
    }

    func gain(of port: Port) -> Float? {
        unreportedGain.withLock { $0 } ?? snapshot().ports.first { $0.isSame(as: port) }?.gain
    }
    func isOtherProcessPlaying(on outputs: [Port]) -> Bool { false }
    func simulate(_ change: SimulatedChange) throws(ResultCode) { throw .unsupportedProperty }
}

extension Port {
    static let speaker = Port(
        kind: .builtInSpeaker, device: 0, uid: "speaker", name: "Speaker", alsaDevice: "hw:0", channels: 2, volume: 0.5)
    static let receiver = Port(
        kind: .builtInReceiver, device: 1, uid: "receiver", name: "Receiver", alsaDevice: "hw:0", channels: 1)
    static let microphone = Port(
        kind: .builtInMicrophone, device: 2, uid: "microphone", name: "Microphone", alsaDevice: "hw:0", channels: 1, gain: 0.7)
    /// The ports of a Bluetooth headset, with the profile for music or with the one that has a microphone.
    static func headset(hasMicrophone: Bool = false) -> [Port] {
        [PortKind.bluetoothA2DP, .bluetoothHFPOutput, .bluetoothHFPInput].map { kind in
            let needsProfile = (kind == .bluetoothA2DP) == hasMicrophone
            return Port(
                kind: kind, device: 8, uid: "\(kind)", name: "Ears", alsaDevice: "default",
                server: .pipeWire, needsProfile: needsProfile, channels: 1)
        }
    }
    /// The port with another profile of its card.
    static func headset(_ port: Port, hasMicrophone: Bool) -> Port {
        headset(hasMicrophone: hasMicrophone).first { $0.isSame(as: port) } ?? port
    }
    static let headphones = Port(
        kind: .headphones, device: 7, uid: "headphones", name: "Headphones", alsaDevice: "hw:0", channels: 2)
}

/// No test waits longer than this for one event.
let timeLimitInSeconds = 60

/// Waits until `descriptor` is readable. Records an issue that names `awaited` when the time limit is over.
func isReadable(_ descriptor: Int32, _ awaited: String, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    if linux_poll(descriptor, UInt32(LINUX_READABLE), Int32(timeLimitInSeconds * 1_000)) != 0 { return true }
    Issue.record("awaited \(awaited): nothing came in \(timeLimitInSeconds) s", sourceLocation: sourceLocation)
    return false
}

extension DispatchSemaphore {
    /// Waits for a signal. Records an issue that names `awaited` when the time limit is over.
    func waitForSignal(_ awaited: String, sourceLocation: SourceLocation = #_sourceLocation) {
        if wait(timeout: .now() + .seconds(timeLimitInSeconds)) == .success { return }
        Issue.record("awaited \(awaited): it did not happen in \(timeLimitInSeconds) s", sourceLocation: sourceLocation)
    }
}

/// A session with a registry and hardware of its own.
final class World: Sendable {
    let registry = ScriptedRegistry()
    let hardware: ScriptedHardware
    let session: ProcessSession
    let subscription: EventSubscription
    private let waits = linux_eventfd()

    init(isExplored: Bool = true) throws(ResultCode) {
        let waits = waits
        hardware = ScriptedHardware(isExplored: isExplored)
        session = try ProcessSession(name: "test", registry: registry, hardware: hardware)
        subscription = session.join { _ = linux_eventfd_signal(waits) }
    }

    deinit {
        session.end()
        _ = linux_close(waits)
    }

    /// Waits until the monitor has enqueued events, then delivers them here.
    func deliverNext(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
        guard isReadable(waits, "events for the listeners", sourceLocation: sourceLocation) else {
            Issue.record("the session's state is \(session.known)", sourceLocation: sourceLocation)
            return false
        }
        _ = linux_eventfd_clear(waits)
        _ = subscription.deliverEvents()
        return true
    }

    /// No event is pending and no delivery was requested.
    var isQuiet: Bool { linux_poll(waits, UInt32(LINUX_READABLE), 0) == 0 && !subscription.hasPendingEvents }
}
