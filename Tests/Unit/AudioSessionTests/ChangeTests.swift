// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry
import Testing

@testable import AudioSession

@Suite struct ChangeTests {
    @Test("States of the user and calls can be simulated with any hardware, plugs only with simulated hardware")
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

    @Test("The name of a session is in the table")
    func renamed() throws {
        let world = try World()
        try world.session.rename("a player")
        #expect(world.registry.requests == [.rename(0, SessionName("a player"))])
    }

    @Test("A property without a set or a get refuses it with UnsupportedProperty")
    func access() throws {
        let world = try World()
        #expect(throws: ResultCode.unsupportedProperty) { try world.session.set(.audioInputAvailable, to: .uint32(1)) }
        #expect(throws: ResultCode.unsupportedProperty) { try world.session.value(of: .overrideAudioRoute) }
    }

    @Test("A request without a device in the route, or for an absent port, gives NoHardware")
    func noDevice() throws {
        let world = try World()
        #expect(throws: ResultCode.noHardware) { try world.session.set(.inputGainScalar, to: .float32(1)) }
        #expect(throws: ResultCode.noHardware) { try world.session.perform(.inputGain(1), onPort: "none") }
        try world.session.perform(.inputGain(0.25), onPort: "microphone")
        #expect(world.session.known.hardware.ports.last?.gain == 0.25)
    }

    @Test("A deactivation while streams run is refused with NotActive, and the session is inactive when the call returns")
    func busy() throws {
        let world = try World()
        try world.session.setActive(true)
        world.registry.prepare { $0.isBusy = true }
        #expect(throws: ResultCode.notActive) { try world.session.setActive(false) }
        #expect(!world.session.known.isActive)
    }

    @Test("A change of the sample rate comes last, after announceSampleRate")
    func sampleRate() throws {
        let world = try World()
        let everything = world.session.join(receivingEverything: true) {}
        world.session.announceSampleRate()
        #expect(world.session.currentSampleRate == 48_000)
        world.hardware.happen { $0.ports = [] }
        world.session.applyEverything()
        var events: [SessionEvent] = []
        while let event = everything.nextEvent() { events.append(event) }
        #expect(events.last == .propertyChange(.currentHardwareSampleRate, .float64(0)))
    }

    @Test("A change of the sample rate is announced once, also the change back, and the same in the second round")
    func sampleRateIsAnnouncedOnce() throws {
        let world = try World()
        let everything = world.session.join(receivingEverything: true) {}
        world.session.announceSampleRate()
        /// The rates that the next change of the hardware announces.
        func announced(after change: (inout HardwareSnapshot) -> Void) -> [Double] {
            world.hardware.happen(change)
            world.session.applyEverything()
            var rates: [Double] = []
            while let event = everything.nextEvent() {
                if case .propertyChange(.currentHardwareSampleRate, .float64(let rate)) = event { rates.append(rate) }
            }
            return rates
        }
        let ports: [Port] = [.speaker, .receiver, .microphone]
        for _ in 1...2 {
            #expect(announced { $0.ports = [] } == [0])
            #expect(announced { $0.serverIsAlive = false } == [])
            #expect(announced { $0.serverIsAlive = true } == [])
            #expect(announced { $0.ports = ports } == [48_000])
            #expect(announced { $0.ports[0].volume = 0.125 } == [])
            #expect(announced { $0.ports[0].volume = 0.25 } == [])
        }
    }

    @Test("A subscription to everything receives hints about secondary audio while the session is active")
    func hints() throws {
        let world = try World()
        let everything = world.session.join(receivingEverything: true) {}
        try world.session.setActive(true)
        world.registry.happen { $0.primaryAudioPlays = true }
        world.session.applyEverything()
        #expect(world.session.primaryAudioPlays)
        #expect(everything.nextEvent() == .secondaryAudioHint(shouldBeSilenced: true))
        world.registry.happen { $0.primaryAudioPlays = false }
        world.session.applyEverything()
        // The C API has no listener for hints.
        #expect(!world.subscription.deliverEvents())
        while everything.deliverEvents() {}
        #expect(!everything.hasPendingEvents)
        #expect(!world.session.isCallOngoing)
        #expect(world.session.mayRecord)
    }

    @Test("An inactive session receives no hint about secondary audio")
    func noHints() throws {
        let world = try World()
        let everything = world.session.join(receivingEverything: true) {}
        world.registry.happen { $0.primaryAudioPlays = true }
        world.session.applyEverything()
        #expect(world.session.known.primaryAudioPlays)
        #expect(!everything.hasPendingEvents)
    }

    @Test("A change of the hardware is published")
    func publishedHardware() throws {
        let world = try World()
        world.hardware.happen { $0.ports[0].volume = 0.25 }
        world.session.applyEverything()
        guard case .bits(let bits, size: 4)? = world.session.published.read(.currentHardwareOutputVolume) else {
            Issue.record("the volume is not published")
            return
        }
        #expect(Float(bitPattern: UInt32(bits)) == 0.25)
    }

    @Test("A value is found by its number alone, and only by that of a published property with a value")
    func publishedBits() throws {
        let values = try World().session.published
        defer { withExtendedLifetime(values) {} }
        let published = values.reader
        let category = published.bits(of: SessionProperty.audioCategory.rawValue)
        #expect(category?.bits == UInt64(Category.soloAmbientSound.rawValue) && category?.size == 4)
        #expect(published.bits(of: SessionProperty.preferredHardwareSampleRate.rawValue)?.size == 8)
        for row in propertyTable where row.source != .published { #expect(published.bits(of: row.property.rawValue) == nil) }
        // A number for each slot, of no property; 0 is what a slot without a property has.
        let numbers = (0..<UInt32(PropertySlot.count)).compactMap { slot in
            (0...UInt32.max).first { PropertySlot.index(of: $0) == slot && SessionProperty(rawValue: $0) == nil }
        }
        #expect(numbers.count == PropertySlot.count && numbers.contains(0))
        for number in numbers { #expect(published.bits(of: number) == nil) }
    }

    @Test("The settings without a property of the C API are published as they were set")
    func publishedSettings() throws {
        let world = try World()
        #expect(world.session.published.reader.choices == SettingsWord(bits: 0))
        try world.session.change(because: .categoryChange) { settings, _ throws(ResultCode) in
            try settings.configure(
                .playAndRecord, mode: .spokenAudio, policy: .standard, options: [.duckOthers, .allowAirPlay])
            try settings.setPreferredInputChannels(700, upTo: 1_000)
            try settings.setPreferredOutputChannels(65_535, upTo: 65_535)
        }
        var choices = try #require(world.session.published.reader.choices)
        #expect(choices.options == 0x43 && choices.policy == 0)
        #expect(choices.inputChannels == 700 && choices.outputChannels == 65_535)
        #expect(SettingsWord(bits: choices.bits) == choices)
        #expect(!choices.allowsHapticsDuringRecording && !choices.prefersNoSystemAlerts)
        try world.session.change(because: .unknown) { settings, _ in settings.setPrefersNoSystemAlerts(true) }
        choices = try #require(world.session.published.reader.choices)
        #expect(!choices.allowsHapticsDuringRecording && choices.prefersNoSystemAlerts)
        choices.allowsHapticsDuringRecording = true
        choices.policy = .max
        #expect(SettingsWord(bits: choices.bits) == choices)
    }

    @Test("A published refusal has its result code")
    func published() throws {
        let world = try World()
        func refusal(_ property: SessionProperty) -> ResultCode? {
            if case .refused(let code)? = world.session.published.read(property) { code } else { nil }
        }
        #expect(refusal(.currentHardwareInputNumberChannels) == .incompatibleCategory)
        #expect(refusal(.inputGainScalar) == .noHardware)
        #expect(refusal(.audioCategory) == nil)
        #expect(world.session.published.read(.audioRoute) == nil)
    }
}
