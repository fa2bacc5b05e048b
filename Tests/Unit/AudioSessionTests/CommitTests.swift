// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry
import Testing

@testable import AudioSession

/// A setting on its way from the property's setter to the table.
@Suite struct CommitTests {
    private func changes(_ world: World) -> [SessionSettings] {
        world.registry.requests.compactMap { if case .change(_, let settings, _) = $0 { settings } else { nil } }
    }

    @Test("A set of the category submits one request to the registry")
    func once() throws {
        let world = try World()
        let looks = world.registry.looks
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(changes(world).map { $0.category } == [.playAndRecord])
        #expect(world.registry.looks == looks)
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(changes(world).count == 1)
    }

    @Test(
        "Every setting reaches the table as it is",
        arguments: propertyTable.filter { $0.access.contains(.set) }.map { $0.property })
    func all(property: SessionProperty) throws {
        let world = try World()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        let candidates: [PropertyValue] = [
            .uint32(1), .uint32(overrideToSpeaker), .uint32(Category.mediaPlayback.rawValue), .uint32(Mode.voiceChat.rawValue),
            .float64(48_000), .float32(0.01),
        ]
        let state = world.session.known
        let settings = candidates.compactMap { candidate -> (PropertyValue, SessionSettings)? in
            guard case .settings(let settings)? = try? property.row.set(state, candidate) else { return nil }
            return (candidate, settings)
        }
        guard property.row.type != .number, property != .inputGainScalar else { return }
        let (value, expected) = try #require(settings.first)
        try world.session.set(property, to: value)
        #expect(world.session.known.settings == expected)
        #expect(changes(world).last == expected)
    }

    @Test("A pending interruption comes before the change, and reverts the overrides that were set before it")
    func interruptionFirst() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.session.set(.overrideCategoryMixWithOthers, to: .uint32(1))
        try world.session.setActive(true)
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        let identity = ListenerIdentity(procedure: 1, clientData: 1)
        try world.subscription.addListener({ _, _ in calls.note("route") }, as: identity, to: .audioRouteChange)
        world.registry.prepare {
            $0.isActive = false
            $0.interruptions = [.begin]
        }
        try world.session.set(.overrideCategoryDefaultToSpeaker, to: .uint32(1))
        #expect(world.session.known.settings.defaultsToSpeaker)
        #expect(!world.session.known.settings.mixesWithOthers)
        #expect(changes(world).last == world.session.known.settings)
        while calls.all.count < 2 { try #require(world.deliverNext()) }
        #expect(calls.all == ["begin", "route"])
    }

    @Test("Settings are made once, and again after an interruption")
    func again() throws {
        let world = try World()
        try world.session.setActive(true)
        var calls = 0
        func prefer(_ rate: Double) throws {
            try world.session.change(because: .unknown) { settings, _ throws(ResultCode) in
                calls += 1
                try settings.setPreferredSampleRate(rate)
            }
        }
        try prefer(48_000)
        #expect(calls == 1)
        world.registry.prepare {
            $0.isActive = false
            $0.interruptions = [.begin]
        }
        try prefer(44_100)
        #expect(calls == 3 && world.session.known.settings.preferredSampleRate == 44_100)
        try prefer(44_100)
        #expect(calls == 4)
    }

    @Test("An interruption that comes before a change is delivered once, and its begin leaves what the change sets")
    func interruptedOnce() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        for (life, override) in [overrideToSpeaker, 0, overrideToSpeaker].enumerated() {
            try world.session.setActive(true)
            world.registry.prepare {
                $0.isActive = false
                $0.interruptions = [.begin]
            }
            try world.session.set(.overrideAudioRoute, to: .uint32(override))
            #expect(world.session.known.settings.overridesToSpeaker == (override == overrideToSpeaker))
            while world.subscription.deliverEvents() {}
            world.registry.prepare { $0.interruptions = [.end(.shouldResume)] }
            try world.session.set(.preferredHardwareSampleRate, to: .float64(44_100 + Double(life)))
            while world.subscription.deliverEvents() {}
            #expect(calls.all.count == 2 * life + 2, "\(calls.all)")
        }
    }

    @Test("The value of a property that has no set is not read")
    func unread() throws {
        let world = try World()
        #expect(throws: ResultCode.unsupportedProperty) {
            try world.session.set(.currentHardwareSampleRate) { _ throws(ResultCode) in
                Issue.record("the value is read")
                throw .unspecified
            }
        }
    }

    @Test("A device that reverts the override to the speaker reverts it in the table as well")
    func revertedByDevice() throws {
        let world = try World()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.session.set(.overrideAudioRoute, to: .uint32(overrideToSpeaker))
        world.hardware.happen { $0.ports.append(.headphones) }
        world.session.applyEverything()
        #expect(!world.session.known.settings.overridesToSpeaker)
        #expect(changes(world).last == world.session.known.settings)
    }

    @Test("The monitor applies a change of the hardware without a look at the table")
    func jack() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.session.set(.audioCategory, to: .uint32(Category.mediaPlayback.rawValue))
        try world.session.setActive(true)
        let identity = ListenerIdentity(procedure: 1, clientData: 1)
        try world.subscription.addListener({ _, _ in calls.note("route") }, as: identity, to: .audioRouteChange)
        let (looks, requests) = (world.registry.looks, world.registry.requests)
        world.hardware.happen { $0.ports.append(.headphones) }
        try #require(world.deliverNext())
        world.hardware.happen { $0.ports.removeLast() }
        try #require(world.deliverNext())
        #expect(calls.all == ["route", "route"])
        #expect(world.registry.looks == looks && world.registry.requests == requests)
    }

    @Test("A change of levels submits no request to the registry")
    func levels() throws {
        let world = try World()
        let requests = world.registry.requests
        world.hardware.happen { $0.ports[0].latency = 0.5 }
        world.session.changeLock.withLock { world.session.applyHardware() }
        #expect(world.session.known.hardware.ports[0].latency == 0.5)
        #expect(world.registry.requests == requests)
    }

    @Test("A refused change of settings is not applied, and the next one is made of the old settings")
    func refused() throws {
        let world = try World()
        world.registry.refusal.withLock { $0 = .unspecified }
        #expect(throws: ResultCode.unspecified) {
            try world.session.set(.audioCategory, to: .uint32(Category.mediaPlayback.rawValue))
        }
        world.registry.refusal.withLock { $0 = nil }
        try world.session.set(.preferredHardwareSampleRate, to: .float64(48_000))
        #expect(changes(world).map { $0.category } == [.soloAmbientSound])
    }
}

/// Sessions of two processes, and a call.
@Suite struct OverrideToMixTests {
    private func session(_ pid: Int32, in table: InProcessTable) throws -> ProcessSession {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        let session = try ProcessSession(
            name: "\(pid)", registry: InProcessRegistry(in: table, as: process), hardware: ScriptedHardware())
        try session.set(.audioCategory, to: .uint32(Category.mediaPlayback.rawValue))
        try session.set(.overrideCategoryMixWithOthers, to: .uint32(1))
        return session
    }

    @Test("An interruption resets cmix to 0; duck keeps its value and has no effect until the session mixes again")
    func interruption() throws {
        let table = InProcessTable()
        let session = try session(1, in: table)
        defer { session.end() }
        try session.set(.otherMixableAudioShouldDuck, to: .uint32(1))
        try session.setActive(true)
        try session.simulate(.beginInterruption(name: "call"))
        #expect(try session.value(of: .overrideCategoryMixWithOthers) == .uint32(0))
        #expect(try session.value(of: .otherMixableAudioShouldDuck) == .uint32(1))
        #expect(throws: ResultCode.notActive) { try session.setActive(true) }
        try session.set(.overrideCategoryMixWithOthers, to: .uint32(1))
        try session.setActive(true)
        #expect(session.known.settings.ducks)
    }

    @Test("During a call a set of cmix to 0 succeeds: the session stops mixing, and the call interrupts it")
    func duringCall() throws {
        let table = InProcessTable()
        let session = try session(1, in: table)
        defer { session.end() }
        try session.simulate(.beginInterruption(name: "call"))
        try session.setActive(true)
        let subscription = session.join {}
        subscription.setInterruptionListener { _ in }
        try session.set(.overrideCategoryMixWithOthers, to: .uint32(0))
        #expect(!session.known.isActive)
        #expect(subscription.nextEvent() == .interruption(.begin))
        try session.simulate(.endInterruption(shouldResume: true))
        #expect(subscription.nextEvent() == .interruption(.end(.shouldResume)))
    }

    @Test("During a call that the user has taken a set of cmix to 0 sends a begin and no end")
    func duringConfirmedCall() throws {
        let session = try session(1, in: InProcessTable())
        defer { session.end() }
        try session.simulate(.beginInterruption(name: "call"))
        try session.simulate(.confirmInterruption)
        try session.setActive(true)
        let subscription = session.join {}
        subscription.setInterruptionListener { _ in }
        try session.set(.overrideCategoryMixWithOthers, to: .uint32(0))
        #expect(!session.known.isActive)
        #expect(subscription.nextEvent() == .interruption(.begin))
        #expect(throws: ResultCode.notActive) { try session.setActive(true) }
        try session.simulate(.endInterruption(shouldResume: true))
        #expect(subscription.nextEvent() == nil)
        try session.setActive(true)
    }

    @Test("During a call a change to a category that does not mix is refused, and the session goes on mixing")
    func categoryDuringCall() throws {
        let session = try session(1, in: InProcessTable())
        defer { session.end() }
        try session.simulate(.beginInterruption(name: "call"))
        try session.setActive(true)
        #expect(throws: ResultCode.unspecified) {
            try session.set(.audioCategory, to: .uint32(Category.soloAmbientSound.rawValue))
        }
        #expect(session.known.isActive && session.known.settings.mixes)
    }
}
