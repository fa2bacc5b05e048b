// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioHardware
import AudioSession
import Foundation
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware
import Synchronization
import Testing

@testable import AVAudioSession

/// Programs that share one table. Each has a session and simulated hardware of its own.
final class ProgramGroup: Sendable {
    private let table = InProcessTable()
    private let programs = Atomic<Int32>(0)

    func program(_ name: String = "program") throws -> Program {
        let number = programs.add(1, ordering: .relaxed).newValue
        let process = ProcessIdentity(pid: number, startTime: 1, pidNamespace: 1)
        return Program(
            number,
            try ProcessSession(
                name: name, registry: InProcessRegistry(in: table, as: process), hardware: SimulatedHardware(file: nil)))
    }
}

/// A program: the session of the engine and its AVAudioSession.
final class Program: Sendable {
    let number: Int32
    let below: ProcessSession
    let session: AVAudioSession

    init(_ number: Int32, _ below: ProcessSession) {
        self.number = number
        self.below = below
        let owner = SessionOwner(of: below)
        session = AVAudioSession { owner.session }
    }

    /// Ends the session with the last reference to the AVAudioSession.
    private final class SessionOwner: Sendable {
        let session: ProcessSession
        init(of session: ProcessSession) { self.session = session }
        deinit { session.end() }
    }

    func simulate(_ command: String) throws { try below.simulate(try SimulationCommand(command)) }
}

extension Trait where Self == TimeLimitTrait {
    /// The time limit of a test. It cancels the test's task: its waits return the events so far, and its expectations
    /// print the awaited events and the events that came instead. The limit includes the time that the task waits for a
    /// thread: all tests of a run start at the same time, and the tests of other modules hold the threads for a minute.
    static var limitedTime: TimeLimitTrait { .timeLimit(.minutes(10)) }
}

/// One program without others.
func singleProgram() throws -> Program { try ProgramGroup().program() }

/// The code of the thrown error; nil when the body throws none.
func code(_ body: () throws -> Void) -> AVAudioSession.ErrorCode? {
    do { try body() } catch let error as NSError {
        #expect(error.domain == NSOSStatusErrorDomain)
        return AVAudioSession.ErrorCode(rawValue: error.code)
    }
    return nil
}

extension Program {
    var isActive: Bool {
        _ = below.primaryAudioPlays  // applies changes by other programs
        return below.known.isActive
    }
    var outputs: [AVAudioSession.Port] { session.currentRoute.outputs.map { $0.portType } }
    var inputs: [AVAudioSession.Port] { session.currentRoute.inputs.map { $0.portType } }
}

extension ProgramGroup {
    /// A stream of the program runs.
    func play(as program: Program) throws {
        let process = ProcessIdentity(pid: program.number, startTime: 1, pidNamespace: 1)
        let registry = InProcessRegistry(in: table, as: process)
        let entries = registry.table().entries
        let session = try #require(entries.indices.first { entries[$0]?.process == process })
        try registry.submit(.playback(try registry.enterStreams(of: session), .running))
    }

    /// The present gain of the program's sound.
    func gain(of program: Program) -> Float? {
        let table = InProcessRegistry(in: table).table()
        return table.entries.indices.first { table[$0]?.process.pid == program.number }.map { table.effect(of: $0).gain }
    }
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// With an asynchronous main, as in tests, any thread may serve the main queue.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueMark) == true }
