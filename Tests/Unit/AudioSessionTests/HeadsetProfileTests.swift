// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry
import Testing

@testable import AudioSession

/// Processes that share a Bluetooth headset and a table.
@Suite("The profile of a Bluetooth headset")
struct HeadsetProfileTests {
    private let table = InProcessTable()
    private let hardware = ScriptedHardware([.speaker, .microphone] + Port.headset())

    private func session(
        _ pid: Int32, _ category: SessionModel.Category = .playAndRecord, bluetooth: Bool = true, active: Bool = true
    ) throws -> (session: ProcessSession, registry: InProcessRegistry) {
        let process = ProcessIdentity(pid: pid, startTime: 1, pidNamespace: 1)
        let registry = InProcessRegistry(in: table, as: process)
        let session = try ProcessSession(name: "\(pid)", registry: registry, hardware: hardware)
        try session.set(.audioCategory, to: .uint32(category.rawValue))
        if category == .playAndRecord {
            try session.set(.overrideCategoryMixWithOthers, to: .uint32(1))
            if bluetooth { try session.set(.overrideCategoryEnableBluetoothInput, to: .uint32(1)) }
        }
        if active { try session.setActive(true) }
        return (session, registry)
    }

    private var profiles: [Bool] { hardware.profiles.withLock { $0 } }

    private func die(_ registry: InProcessRegistry) throws {
        for (slot, entry) in registry.table().entries.enumerated() where entry?.process == registry.process {
            try registry.submit(.death(slot))
        }
    }

    @Test("A call changes it while it is active, and in its second life") func call() throws {
        let (session, _) = try session(1, active: false)
        #expect(profiles == [])
        for round in 1...2 {
            try session.setActive(true)
            #expect(session.current.route.inputs.map { $0.needsProfile } == [false])
            #expect(profiles.count == round * 2 - 1 && profiles.last == true)
            try session.setActive(false)
            #expect(profiles.count == round * 2 && profiles.last == false)
        }
        session.end()
    }

    @Test("It stays for sessions that take no input from the headset") func others() throws {
        let music = try session(1, .mediaPlayback).session
        let recorder = try session(2, bluetooth: false).session
        try music.setActive(false)
        try recorder.setActive(false)
        #expect(profiles == [])
        music.end()
        recorder.end()
    }

    @Test("It changes when an active session enables the headset, and returns when it disables it") func enabling() throws {
        let (session, _) = try session(1, bluetooth: false)
        try session.set(.overrideCategoryEnableBluetoothInput, to: .uint32(1))
        #expect(profiles == [true])
        try session.setActive(false)
        #expect(profiles == [true, false])
        session.end()
    }

    @Test("It returns after the last session that needs it") func lastUser() throws {
        let (first, second) = (try session(1).session, try session(2).session)
        #expect(profiles == [true])
        try first.setActive(false)
        #expect(profiles == [true])
        try second.setActive(false)
        #expect(profiles == [true, false])
        first.end()
        second.end()
    }

    @Test("A profile that the user has chosen stays") func chosenByUser() throws {
        hardware.happen { $0.ports = [.speaker, .microphone] + Port.headset(hasMicrophone: true) }
        let (session, _) = try session(1)
        try session.setActive(false)
        #expect(profiles == [])
        session.end()
    }

    @Test("When the process is killed, another process puts it back") func killed() throws {
        let (first, registry) = try session(1)
        let survivor = try session(2, .mediaPlayback, active: false).session
        try die(registry)
        #expect(profiles == [true])
        survivor.applyEverything()
        #expect(profiles == [true, false])
        survivor.end()
        first.end()
    }

    @Test("A server that refuses leaves the session active") func refusal() throws {
        hardware.refusal.withLock { $0 = .noHardware }
        let (session, _) = try session(1)
        #expect(session.current.isActive && profiles == [])
        hardware.refusal.withLock { $0 = nil }
        try session.setActive(false)
        try session.setActive(true)
        #expect(profiles.last == true)
        session.end()
    }
}
