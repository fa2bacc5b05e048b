// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioStreams

/// The reports to units and queues before the program is told of an interruption.
@Suite struct StopReportTests {
    @Test("The owner of a stream is told once of each stop by the session, when the stream does not run any more")
    func reports() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        let other = try machine.other.enter(
            name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        for life in 1...2 {
            try program.start(441)
            machine.step(milliseconds: 20)
            #expect(machine.group.stopInterrupted() == UInt64(2 * life - 2) && program.reports.count == 2 * life - 2)
            try machine.other.submit(.activate(other))
            #expect(machine.group.stopInterrupted() == UInt64(2 * life - 1))
            #expect(program.reports.count == 2 * life - 1 && !program.reports.contains(true))
            #expect(machine.group.stopInterrupted() == UInt64(2 * life - 1))
            try machine.other.submit(.deactivate(other, notifyingOthers: true))
            // A deactivation.
            try program.start(441)
            machine.step(milliseconds: 20)
            try machine.program.submit(.deactivate(slot, notifyingOthers: false))
            machine.group.applyEvents()
            #expect(machine.group.reportStops() == UInt64(2 * life) && program.reports.count == 2 * life)
        }
    }

    @Test("A stop by the program, and a stop before the last start, are not reported") func unreported() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        program.stream.stop()
        #expect(machine.group.reportStops() == 0)
        try program.start(441)
        try machine.program.submit(.deactivate(slot, notifyingOthers: false))
        machine.group.applyEvents()
        try program.start(441)
        #expect(machine.group.reportStops() == 0 && program.reports.isEmpty && program.stream.isStarted)
    }

    @Test("A thread that waits for the report of another one finds it counted") func counted() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        let (group, entered, mayLeave) = (machine.group, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        program.whenReported = { _ in
            entered.signal()
            #expect(mayLeave.happens())
        }
        for life in 1...20 {
            try program.start(441)
            try machine.program.submit(.deactivate(slot, notifyingOthers: false))
            group.applyEvents()
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                group.reportStops()
                hasEnded.signal()
            }
            #expect(entered.happens())
            let hasCounted = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                #expect(group.reportStops() == UInt64(life))
                hasCounted.signal()
            }
            mayLeave.signal()
            #expect(hasCounted.happens() && hasEnded.happens())
        }
    }

    @Test("The end of a stream waits for a report on another thread") func endOfTheStream() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        let (entered, mayLeave, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let hasReported = LockedValue(false)
        program.whenReported = { _ in
            entered.signal()
            #expect(mayLeave.happens())
            hasReported.withLock { $0 = true }
        }
        try program.start(441)
        try machine.program.submit(.deactivate(slot, notifyingOthers: false))
        machine.group.applyEvents()
        let group = machine.group
        Thread.detachNewThread { group.reportStops() }
        #expect(entered.happens())
        Thread.detachNewThread {
            program.stream.endThreads()
            #expect(hasReported.withLock { $0 })
            hasEnded.signal()
        }
        mayLeave.signal()
        #expect(hasEnded.happens())
        program.destroy()
    }
}
