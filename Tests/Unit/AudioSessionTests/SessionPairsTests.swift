// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

private enum Option: CaseIterable { case none, mixes, ducks, interruptsSpeech }
private enum Other: CaseIterable { case absent, inactive, exclusive, mixing, speaking }
private enum Interrupter: CaseIterable { case none, exclusive, mixing, speechInterrupting, call }

/// One value of each variable.
private struct SessionCase: CustomStringConvertible {
    let category: SessionModel.Category
    let mode: Mode
    let option: Option
    let other: Other
    let interrupter: Interrupter
    let isSilent: Bool
    let letsResume: Bool

    static let all: [SessionCase] = {
        let counts = [
            SessionModel.Category.allCases.count, Mode.allCases.count, Option.allCases.count, Other.allCases.count,
            Interrupter.allCases.count, 2, 2,
        ]
        return Pairs(counts).rows.map {
            SessionCase(
                category: SessionModel.Category.allCases[$0[0]], mode: Mode.allCases[$0[1]], option: Option.allCases[$0[2]],
                other: Other.allCases[$0[3]], interrupter: Interrupter.allCases[$0[4]], isSilent: $0[5] == 1,
                letsResume: $0[6] == 1)
        }
    }()

    var description: String {
        "\(category), \(mode), \(option), beside \(other), interrupted by \(interrupter), \(isSilent), \(letsResume)"
    }

    // MARK: The contract

    var alwaysMixes: Bool { category == .ambientSound || category == .userInterfaceSoundEffects }
    /// The option that the category accepts.
    var accepted: Option {
        switch category {
        case .mediaPlayback, .liveAudio, .playAndRecord, .multiRoute, .ambientSound, .userInterfaceSoundEffects: option
        case .soloAmbientSound, .recordAudio, .audioProcessing: .none
        }
    }
    var settings: SessionSettings {
        SessionSettings(
            category: category, mode: mode, mixes: accepted != .none, ducks: accepted == .ducks,
            interruptsSpokenAudio: accepted == .interruptsSpeech)
    }
    var mixes: Bool { alwaysMixes || accepted != .none }
    var interruptsOther: Bool {
        switch other {
        case .absent, .inactive, .mixing: false
        case .exclusive: !mixes
        case .speaking: !mixes || accepted == .interruptsSpeech
        }
    }
    var isInterrupted: Bool {
        switch interrupter {
        case .none, .mixing: false
        case .exclusive: !mixes
        case .speechInterrupting: mode == .spokenAudio
        case .call: true
        }
    }
}

/// A session that does not mix, mixes, speaks without mixing, or interrupts speech.
private func settings(mixes: Bool, mode: Mode = .standard, interruptsSpeech: Bool = false) -> SessionSettings {
    SessionSettings(category: .mediaPlayback, mode: mode, mixes: mixes, interruptsSpokenAudio: interruptsSpeech)
}

@Suite("A session, for each pair of values of its variables")
struct SessionPairsTests {
    private let common = InProcessTable()
    private var registry: InProcessRegistry { InProcessRegistry(in: common) }

    @Test("interrupts and is interrupted as its category, mode and options say, and then continues", arguments: SessionCase.all)
    fileprivate func interrupts(_ wanted: SessionCase) throws {
        let session = try ProcessSession(
            name: "own", registry: registry, hardware: ScriptedHardware([.speaker, .receiver, .microphone]),
            monitor: IdleMonitor())
        defer { session.end() }
        let subscription = session.join(receivingEverything: true) {}
        let other = try enter(wanted.other)
        if wanted.isSilent { try registry.submit(.silent(true)) }
        try session.change(because: .categoryChange) { settings, _ in
            let flags = settings.flags
            settings = wanted.settings
            settings.flags.formUnion(flags)
        }
        try session.setActive(true)
        #expect(session.known.isActive)
        if let other {
            let isActive = registry.table().entries[other]?.isActive
            #expect(isActive == (wanted.other != .inactive && !wanted.interruptsOther))
            let events = registry.view(of: other).interruptions
            #expect(events == (wanted.interruptsOther ? [.begin] : []))
        }
        try interrupt(session, subscription, wanted)
        // A second life after the interruption.
        if !session.known.isActive { try session.setActive(true) }
        #expect(
            session.known.isActive && session.known.settings.category == wanted.category
                && session.known.settings.mode == wanted.mode)
        try session.setActive(false, notifyingOthers: wanted.letsResume)
        // Another interrupter of both can end the interruption earlier.
        if let other, wanted.interruptsOther, wanted.interrupter == .none || wanted.interrupter == .mixing {
            let type: InterruptionType = wanted.letsResume || wanted.mixes ? .shouldResume : .shouldNotResume
            #expect(registry.view(of: other).interruptions == [.end(type)])
        }
        #expect(events(subscription, session) == [])
    }

    private func enter(_ other: Other) throws -> TableSlot? {
        let kind: SessionSettings
        switch other {
        case .absent: return nil
        case .inactive, .exclusive: kind = settings(mixes: false)
        case .mixing: kind = settings(mixes: true)
        case .speaking: kind = settings(mixes: false, mode: .spokenAudio)
        }
        let slot = try registry.enter(name: SessionName("other"), settings: kind)
        if other != .inactive { try registry.submit(.activate(slot)) }
        return slot
    }

    /// The interruptions that have arrived.
    private func events(_ subscription: EventSubscription, _ session: ProcessSession) -> [Interruption] {
        session.applyEverything()
        var interruptions: [Interruption] = []
        while let event = subscription.nextEvent() {
            if case .interruption(let interruption) = event { interruptions.append(interruption) }
        }
        return interruptions
    }

    private func interrupt(_ session: ProcessSession, _ subscription: EventSubscription, _ wanted: SessionCase) throws {
        #expect(events(subscription, session) == [])
        var slot: TableSlot?
        switch wanted.interrupter {
        case .none: return
        case .call: try registry.submit(.beginCall(SessionName("call"), holder: nil))
        case .exclusive: slot = try registry.enter(name: SessionName("third"), settings: settings(mixes: false))
        case .mixing: slot = try registry.enter(name: SessionName("third"), settings: settings(mixes: true))
        case .speechInterrupting:
            slot = try registry.enter(name: SessionName("third"), settings: settings(mixes: true, interruptsSpeech: true))
        }
        if let slot { try registry.submit(.activate(slot)) }
        #expect(events(subscription, session) == (wanted.isInterrupted ? [.begin] : []))
        #expect(session.known.isActive == !wanted.isInterrupted)
        // The call has priority over a session that does not mix.
        if wanted.interrupter == .call, !wanted.mixes { #expect(throws: ResultCode.notActive) { try session.setActive(true) } }
        if let slot {
            try registry.submit(.deactivate(slot, notifyingOthers: wanted.letsResume))
        } else {
            try registry.submit(.endCall(shouldResume: wanted.letsResume))
        }
        // A session that interrupts speech only lets it resume in any case.
        let resumes = wanted.letsResume || wanted.interrupter == .speechInterrupting
        #expect(events(subscription, session) == (wanted.isInterrupted ? [.end(resumes ? .shouldResume : .shouldNotResume)] : []))
    }
}

/// The test does what a monitor does.
private final class IdleMonitor: SessionMonitor {
    func releaseGains() {}
    func stop() {}
    func hardwareChanged() {}
    func sessionDeactivated() {}
    func serverHasDied() -> Bool { false }
    func stopWithoutServer() -> Bool { true }
}
