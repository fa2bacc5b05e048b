import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware
import Testing

@testable import AudioSession

@Suite struct ChangeTests {
    @Test("States of the user, and calls, are simulated on any hardware; plugs on simulated hardware only")
    func simulated() throws {
        let world = try World()
        try world.session.simulate(.silent(true))
        #expect(world.session.known.isSilent)
        for command in [
            SimulationCommand.lock(true), .beginInterruption(name: "call"), .confirmInterruption,
            .endInterruption(shouldResume: true),
        ] {
            try world.session.simulate(command)
        }
        #expect(world.registry.requests.contains(.lock(true)))
        #expect(world.registry.requests.contains(.beginCall(SessionName("call"), holder: 0)))
        #expect(world.registry.requests.contains(.confirmCall))
        #expect(world.registry.requests.contains(.endCall(shouldResume: true)))
        #expect(throws: ResultCode.unsupportedProperty) { try world.session.simulate(.hardware(.wake)) }
    }

    @Test("A session's name is the table's to know")
    func renamed() throws {
        let world = try World()
        try world.session.rename("a player")
        #expect(world.registry.requests == [.rename(0, SessionName("a player"))])
    }

    @Test("A property that cannot be set, or read, says so")
    func access() throws {
        let world = try World()
        #expect(throws: ResultCode.unsupportedProperty) { try world.session.set(.audioInputAvailable, to: .uint32(1)) }
        #expect(throws: ResultCode.unsupportedProperty) { try world.session.value(of: .overrideAudioRoute) }
    }

    @Test("What the route has no device for, and a port that is not there, is no hardware")
    func noDevice() throws {
        let world = try World()
        #expect(throws: ResultCode.noHardware) { try world.session.set(.inputGainScalar, to: .float32(1)) }
        #expect(throws: ResultCode.noHardware) { try world.session.perform(.inputGain(1), onPort: "none") }
        try world.session.perform(.inputGain(0.25), onPort: "microphone")
        #expect(world.session.known.hardware.ports.last?.gain == 0.25)
    }

    @Test("What the table does not take is logged, and the session goes on: a gain, a hint, the server's death")
    func refusals() throws {
        let world = try World()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        world.registry.refusal.withLock { $0 = .unspecified }
        try world.session.set(.inputGainScalar, to: .float32(0.25))
        #expect(try world.session.value(of: .inputGainScalar) == .float32(0.25))
        _ = world.session.join(hearingEverything: true) {}
        try world.audience.addListener({ _, _ in }, as: ListenerIdentity(procedure: 1, clientData: 1), to: .serverDied)
        world.hardware.happen { $0.serverIsAlive = false }
        #expect(world.deliverNext())
        #expect(!world.session.known.hardware.serverIsAlive)
    }

    @Test("Whoever wants to know of the sample rate is told when it changes, after the rest")
    func sampleRate() throws {
        let world = try World()
        let everything = world.session.join(hearingEverything: true) {}
        world.session.announceSampleRate()
        #expect(world.session.currentSampleRate == 48_000)
        world.hardware.happen { $0.ports = [] }
        world.session.takeInEverything()
        var events: [SessionEvent] = []
        while let event = everything.takeEvent() { events.append(event) }
        #expect(events.last == .propertyChange(.currentHardwareSampleRate, .float64(0)))
    }

    @Test("A hint that others' sound is primary, or no more, comes to who hears everything while the session is active")
    func hints() throws {
        let world = try World()
        let everything = world.session.join(hearingEverything: true) {}
        try world.session.setActive(true)
        world.registry.happen { $0.primaryAudioPlays = true }
        world.session.takeInEverything()
        #expect(world.session.primaryAudioPlays)
        #expect(everything.takeEvent() == .secondaryAudioHint(shouldBeSilenced: true))
        world.registry.happen { $0.primaryAudioPlays = false }
        world.session.takeInEverything()
        // Listeners of the first audience hear no hints: it has no name for them.
        #expect(!world.audience.deliverEvents())
        while everything.deliverEvents() {}
        #expect(!everything.hasWaitingEvents)
        #expect(!world.session.isCallOngoing)
        #expect(world.session.mayRecord)
    }

    @Test("A published value that is refused says with which code")
    func published() throws {
        let world = try World()
        func refusal(_ property: Property) -> ResultCode? {
            if case .refused(let code)? = world.session.published.read(property) { code } else { nil }
        }
        #expect(refusal(.currentHardwareInputNumberChannels) == .incompatibleCategory)
        #expect(refusal(.inputGainScalar) == .noHardware)
        #expect(refusal(.audioCategory) == nil)
        #expect(world.session.published.read(.audioRoute) == nil)
    }
}
