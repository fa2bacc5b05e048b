// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

private enum SessionCall: CaseIterable {
    case activate, deactivate, ambient, playback, otherActivates, otherLeaves, serverDies, serverReturns, plug

    /// The calls of two sessions.
    static let meeting: [SessionCall] = [.activate, .deactivate, .otherActivates, .otherLeaves]
}

/// The result of a call, and the state of both sessions after it.
private struct SessionAnswer: Equatable {
    var error: ResultCode?
    var isActive = false
    var otherIsActive = false
    /// The interruptions that the listener has received.
    var events: [Interruption] = []
}

/// The rules of a session that begins with a category that does not mix, beside another one that never mixes.
private struct SessionRules: LifeModel {
    private var isActive = false
    private var isInterrupted = false
    private var mixes = false
    private var otherIsActive = false
    private var serverIsAlive = true

    mutating func predict(_ call: SessionCall) -> SessionAnswer {
        var answer = SessionAnswer()
        switch call {
        case .activate: answer.error = activate()
        case .deactivate: isActive = false
        case .ambient: mixes = true
        case .playback:
            mixes = false
            // A session that stops mixing counts as newly activated.
            if isActive { otherIsActive = false }
        case .otherActivates: if !otherIsActive { answer.events = interrupted() }
        case .otherLeaves:
            if isInterrupted { answer.events = [.end(.shouldResume)] }
            (isInterrupted, otherIsActive) = (false, false)
        case .serverDies:
            if serverIsAlive { (isActive, isInterrupted) = (false, false) }
            serverIsAlive = false
        case .serverReturns: serverIsAlive = true
        case .plug: break
        }
        (answer.isActive, answer.otherIsActive) = (isActive, otherIsActive)
        return answer
    }

    private mutating func activate() -> ResultCode? {
        guard isActive || serverIsAlive else { return .unspecified }
        guard !isActive else { return nil }
        (isActive, isInterrupted) = (true, false)
        if !mixes { otherIsActive = false }
        return nil
    }

    private mutating func interrupted() -> [Interruption] {
        otherIsActive = true
        guard isActive, !mixes else { return [] }
        (isActive, isInterrupted) = (false, true)
        return [.begin]
    }
}

/// The test does what a monitor does.
private final class NoMonitor: SessionMonitor {
    func releaseGains() {}
    func stop() {}
    func hardwareChanged() {}
    func sessionDeactivated() {}
    func serverHasDied() -> Bool { false }
    func stopWithoutServer() -> Bool { true }
}

private final class SessionLife: LivingObject {
    private let common: InProcessTable
    private let hardware: ScriptedHardware
    private let registry: InProcessRegistry
    private let session: ProcessSession
    private let subscription: EventSubscription
    private let other: TableSlot
    private var hasEnded = false

    convenience init() throws { try self.init(InProcessTable(), ScriptedHardware([.speaker, .microphone])) }

    private init(_ common: InProcessTable, _ hardware: ScriptedHardware) throws {
        (self.common, self.hardware) = (common, hardware)
        registry = InProcessRegistry(in: common)
        session = try ProcessSession(name: "first", registry: registry, hardware: hardware, monitor: NoMonitor())
        other = try registry.enter(name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        subscription = session.join(receivingEverything: true) {}
        try setCategory(.mediaPlayback)
        _ = takeEvents()
    }

    deinit { end() }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        session.leave(subscription)
        session.end()
        registry.leave(other)
    }

    /// The machine is as it was, and the session too, or another session of the process.
    func reopened(_ way: Int) throws -> SessionLife {
        hardware.happen { ($0.serverIsAlive, $0.ports) = (true, [.speaker, .microphone]) }
        session.applyEverything()
        guard way == 0 else {
            end()
            return try SessionLife(common, hardware)
        }
        try session.setActive(false)
        try registry.submit(.deactivate(other, notifyingOthers: true))
        session.applyEverything()
        try setCategory(.mediaPlayback)
        _ = takeEvents()
        return self
    }

    private func setCategory(_ category: SessionModel.Category) throws {
        try session.set(.audioCategory, to: .uint32(category.rawValue))
    }

    private func takeEvents() -> [SessionEvent] {
        var events: [SessionEvent] = []
        while let event = subscription.nextEvent() { events.append(event) }
        return events
    }

    func perform(_ call: SessionCall, _ trace: inout Trace) -> SessionAnswer {
        var answer = SessionAnswer()
        do {
            switch call {
            case .activate: try session.setActive(true)
            case .deactivate: try session.setActive(false, notifyingOthers: true)
            case .ambient: try setCategory(.ambientSound)
            case .playback: try setCategory(.mediaPlayback)
            case .otherActivates: try registry.submit(.activate(other))
            case .otherLeaves: try registry.submit(.deactivate(other, notifyingOthers: true))
            case .serverDies: hardware.happen { $0.serverIsAlive = false }
            case .serverReturns: hardware.happen { $0.serverIsAlive = true }
            case .plug:
                hardware.happen {
                    $0.ports = $0.ports.count == 2 ? [.speaker, .microphone, .headphones] : [.speaker, .microphone]
                }
            }
        } catch { answer.error = error as? ResultCode ?? .unspecified }
        session.applyEverything()
        answer.isActive = session.known.isActive
        answer.otherIsActive = registry.table().entries[other]?.isActive == true
        trace.append(session.primaryAudioPlays ? 1 : 0)
        for event in takeEvents() {
            switch event {
            case .interruption(let interruption): answer.events.append(interruption)
            case .routeChange(let change):
                trace.append(UInt64(change.current.outputs.count))
                trace.append(UInt64(change.reason.rawValue))
            case .propertyChange(let property, _): trace.append(UInt64(property.rawValue))
            case .secondaryAudioHint(let isSilenced): trace.append(isSilenced ? 1 : 0)
            }
        }
        return answer
    }
}

@Suite("The lives of a session")
struct SessionLivesTests {
    @Test(
        "are equal for every sequence of calls, with the events of each",
        arguments: [(SessionCall.meeting, 5), (SessionCall.allCases, 2)])
    fileprivate func equal(_ calls: [SessionCall], longest: Int) throws {
        var lives = Lives(of: calls, longest: longest, ways: 2, make: { try SessionLife() }, model: { SessionRules() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
