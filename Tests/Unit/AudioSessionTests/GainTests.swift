// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry
import Testing

@testable import AudioSession

/// Processes that share a machine and a table.
@Suite struct GainTests {
    private let table = InProcessTable()
    private let hardware = ScriptedHardware()

    private func session(_ pid: Int32, active: Bool = true) throws -> (session: ProcessSession, registry: InProcessRegistry) {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        let registry = InProcessRegistry(in: table, as: process)
        let session = try ProcessSession(name: "\(pid)", registry: registry, hardware: hardware)
        try session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try session.set(.overrideCategoryMixWithOthers, to: .uint32(1))
        if active { try session.setActive(true) }
        return (session, registry)
    }

    private func gain() -> Float? { hardware.snapshot().ports.compactMap { $0.gain }.first }

    private func die(_ registry: InProcessRegistry) throws {
        for (slot, entry) in registry.table().entries.enumerated() where entry?.process == registry.process {
            try registry.submit(.death(slot))
        }
    }

    @Test("The gain before the first set is restored when the session deactivates")
    func deactivation() throws {
        let (session, _) = try session(1)
        try session.set(.inputGainScalar, to: .float32(0.2))
        try session.set(.inputGainScalar, to: .float32(0.3))
        #expect(try session.value(of: .inputGainScalar) == .float32(0.3))
        try session.setActive(false)
        #expect(try session.value(of: .inputGainScalar) == .float32(0.7))
        session.end()
    }

    @Test("The gain of the device is saved, also when the event for it has not arrived")
    func unreported() throws {
        let (session, _) = try session(1)
        hardware.unreportedGain.withLock { $0 = 0.4 }
        try session.set(.inputGainScalar, to: .float32(0.2))
        try session.setActive(false)
        #expect(gain() == 0.4)
        session.end()
    }

    @Test("A gain stays while another active session uses it; the last user restores the gain that the first one saved")
    func lastUser() throws {
        let (first, second) = (try session(1).session, try session(2).session)
        try first.set(.inputGainScalar, to: .float32(0.2))
        try second.set(.inputGainScalar, to: .float32(0.3))
        try first.setActive(false)
        #expect(gain() == 0.3)
        try second.setActive(false)
        #expect(gain() == 0.7)
        first.end()
        second.end()
    }

    @Test("When the last user dies, another process restores the gain")
    func survivor() throws {
        let (first, registry) = try session(1)
        let survivor = try session(2, active: false).session
        try first.set(.inputGainScalar, to: .float32(0.2))
        try die(registry)
        #expect(gain() == 0.2)
        survivor.applyEverything()
        #expect(gain() == 0.7)
        survivor.end()
        first.end()
    }

    @Test("When no process is left, the next session that starts restores the gain")
    func next() throws {
        let (first, registry) = try session(1)
        try first.set(.inputGainScalar, to: .float32(0.2))
        try die(registry)
        #expect(gain() == 0.2)
        let second = try session(2, active: false).session
        #expect(gain() == 0.7)
        second.end()
        first.end()
    }

    @Test("The gain of an absent input is restored when the input arrives again")
    func gone() throws {
        let (first, registry) = try session(1)
        let survivor = try session(2, active: false).session
        try first.set(.inputGainScalar, to: .float32(0.2))
        hardware.happen { $0.ports = [.speaker] }
        try die(registry)
        survivor.applyEverything()
        var microphone = Port.microphone
        microphone.gain = 0.1
        hardware.happen { $0.ports = [.speaker, microphone] }
        survivor.applyEverything()
        #expect(gain() == 0.7)
        survivor.end()
        first.end()
    }

    @Test("An interruption ends the use of a gain")
    func interruption() throws {
        let (first, _) = try session(1)
        try first.set(.overrideCategoryMixWithOthers, to: .uint32(0))
        try first.set(.inputGainScalar, to: .float32(0.2))
        let (second, _) = try session(2, active: false)
        try second.set(.overrideCategoryMixWithOthers, to: .uint32(0))
        try second.setActive(true)
        #expect(gain() == 0.7)
        first.end()
        second.end()
    }

    @Test("The gain that an inactive session sets takes effect at each activation; until then a get returns the hardware's")
    func kept() throws {
        let (session, _) = try session(1, active: false)
        try session.set(.inputGainScalar, to: .float32(0.2))
        #expect(gain() == 0.7)
        #expect(try session.value(of: .inputGainScalar) == .float32(0.7))
        for _ in 0..<2 {
            try session.setActive(true)
            #expect(gain() == 0.2)
            try session.setActive(false)
            #expect(gain() == 0.7)
        }
        session.end()
    }

    @Test("The gain of another input takes effect when that input comes into the route of an active session")
    func otherInput() throws {
        let headset = Port(
            kind: .headsetMicrophone, device: 9, uid: "headset", name: "Headset", alsaDevice: "hw:0", channels: 1, gain: 0.9)
        let (session, _) = try session(1, active: false)
        hardware.happen { $0.ports.append(headset) }
        session.applyEverything()
        try session.set(.inputGainScalar, to: .float32(0.2))
        hardware.happen { $0.ports.removeLast() }
        session.applyEverything()
        try session.setActive(true)
        #expect(gain() == 0.7)
        hardware.happen { $0.ports.append(headset) }
        session.applyEverything()
        #expect(hardware.snapshot().ports.last?.gain == 0.2)
        session.end()
    }

    @Test("A gain that the user's mixer changes stays while the session is active")
    func mixer() throws {
        let (session, _) = try session(1)
        try session.set(.inputGainScalar, to: .float32(0.2))
        hardware.happen { $0.ports[2].gain = 0.4 }
        session.applyEverything()
        try session.set(.inputGainScalar, to: .float32(0.3))
        hardware.happen { $0.ports[2].gain = 0.5 }
        session.applyEverything()
        #expect(gain() == 0.5)
        session.end()
    }

    @Test("A refused gain is not kept")
    func refused() throws {
        let (session, _) = try session(1)
        hardware.refusal.withLock { $0 = .unspecified }
        #expect(throws: ResultCode.unspecified) { try session.set(.inputGainScalar, to: .float32(0.2)) }
        hardware.refusal.withLock { $0 = nil }
        try session.setActive(false)
        try session.setActive(true)
        #expect(gain() == 0.7)
        session.end()
    }

    @Test("exit() of the last user restores the gain")
    func parting() throws {
        let (first, second) = (try session(1).session, try session(2).session)
        try first.set(.inputGainScalar, to: .float32(0.2))
        try second.set(.inputGainScalar, to: .float32(0.3))
        second.restoreGainsAtExit()
        #expect(gain() == 0.3)
        first.restoreGainsAtExit()
        #expect(gain() == 0.7)
        first.end()
        second.end()
    }

    @Test("The gain of a session that died with its server is restored when the server is back, each time")
    func serverDeath() throws {
        let (session, _) = try session(1, active: false)
        for _ in 1...2 {
            try session.setActive(true)
            try session.set(.inputGainScalar, to: .float32(0.2))
            hardware.happen { $0.serverIsAlive = false }
            session.applyHardwareEvents()
            #expect(gain() == 0.2)
            hardware.happen { $0.serverIsAlive = true }
            session.applyHardwareEvents()
            #expect(gain() == 0.7)
        }
        session.end()
    }
}
