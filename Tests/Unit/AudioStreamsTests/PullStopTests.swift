// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import Dispatch
import FaultPlan
import Foundation
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioStreams

/// Start and stop by the program, the session and the hardware.
@Suite struct PullStopTests {
    // MARK: The program

    @Test("A stop returns when no render runs, and none comes after it") func stop() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let entered = DispatchSemaphore(value: 0)
        let isInside = LockedValue(false)
        program.render = { _, _ in
            isInside.withLock { $0 = true }
            entered.signal()
            usleep(3000)
            isInside.withLock { $0 = false }
        }
        for _ in 0..<20 {
            try program.start(441)
            #expect(entered.happens() && program.stream.isStarted)
            program.stream.stop()
            #expect(!isInside.withLock { $0 } && !program.stream.isStarted)
            let count = program.cycles.count
            machine.step(milliseconds: 50)
            #expect(program.cycles.count == count)
            while entered.wait(timeout: .now()) == .success {}
        }
        program.stream.stop()
        #expect(program.stopReasons.isEmpty && machine.devices.events.filter { $0 == "stop" }.count == 20)
        #expect(!machine.devices.isInterrupted)
    }

    @Test("A start that the system refuses leaves the session inactive, and the next start plays") func refusedThread() throws {
        var (call, hasStruck) = (UInt64(0), true)
        while hasStruck {
            call += 1
            let machine = PullMachine()
            let program = PullProgram(machine)
            defer { program.destroy() }
            fault_plan_enter(EAGAIN, call, false)
            do throws(ResultCode) { try program.start(441) } catch {
                #expect(!program.stream.isStarted, "call \(call)")
                #expect(!machine.program.table().entries.contains { $0?.isActive == true }, "call \(call)")
            }
            hasStruck = fault_plan_leave()
            if !program.stream.isStarted { try program.start(441) }
            machine.step(milliseconds: 50)
            #expect(program.cycles.count >= 5 && machine.playback == [.running], "call \(call)")
        }
        #expect(call > 4)
    }

    /// A render that runs until the test lets it end.
    private final class BlockedRender: Sendable {
        let hasBegun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        private let end = LockedValue(false)
        var hasEnded: Bool { end.withLock { $0 } }

        func run() {
            hasBegun.signal()
            _ = mayEnd.wait(timeout: .now() + 60)
            end.withLock { $0 = true }
        }
    }

    @Test("A stop by another thread waits for the render that runs") func stopWaits() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let hasReturned = DispatchSemaphore(value: 0)
        let render = BlockedRender()
        program.render = { _, _ in render.run() }
        try program.start(441)
        #expect(render.hasBegun.happens())
        Thread.detachNewThread {
            program.stream.stop()
            #expect(render.hasEnded)
            hasReturned.signal()
        }
        // The stop has begun, and the render still runs.
        while program.stream.isStarted { sched_yield() }
        #expect(hasReturned.wait(timeout: .now() + 0.02) == .timedOut)
        render.mayEnd.signal()
        #expect(hasReturned.happens())
        #expect(program.cycles.count == 1)
    }

    @Test("In a callback a stop only marks, and the stream can start again") func stopInside() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.render = { program, cycle in
            program.stream.stop()
            program.play(&cycle)
        }
        for count in 1...3 {
            try program.start(441)
            machine.step(milliseconds: 100)
            #expect(program.cycles.count == count && !program.stream.isStarted && machine.playback == [.stopped])
        }
        #expect(program.stopReasons.isEmpty)
    }

    @Test("A stream that is destroyed in its render is freed after it") func destroyInside() throws {
        let machine = PullMachine()
        let freed: DispatchSemaphore
        do {
            let devices = PullTestDevices(machine.clock)
            freed = devices.isFreed
            let program = PullProgram(machine, .output, on: devices)
            program.render = { program, cycle in
                program.destroy()
                cycle.output[0] = 1
            }
            try program.start(441)
            // The reference keeps the program until the render has returned.
            #expect(withExtendedLifetime(program) { machine.clock.step(nanoseconds: 100_000_000) })
        }
        #expect(freed.happens() && machine.playback.isEmpty && machine.group.isEmpty)
    }

    @Test("A stream that is destroyed in the callback that reports its stop is freed after it") func destroyWhenStopped() throws {
        let machine = PullMachine()
        let freed: DispatchSemaphore
        do {
            let devices = PullTestDevices(machine.clock)
            freed = devices.isFreed
            let program = PullProgram(machine, .output, on: devices)
            program.whenStopped = { $0.destroy() }
            try program.start(441)
            machine.step(milliseconds: 50)
            try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
            machine.group.applyEvents()
            #expect(program.hasStopped.happens())
        }
        #expect(freed.happens() && machine.group.isEmpty)
    }

    @Test("A stream whose end waits for its render does not start again, and a stop waits for the render as well")
    func startDuringEnd() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        let hasReturned = DispatchSemaphore(value: 0)
        let render = BlockedRender()
        program.render = { _, _ in render.run() }
        try program.start(441)
        #expect(render.hasBegun.happens())
        let stream = try #require(program.stream)
        let calls: [@Sendable () -> Void] = [{ stream.endThreads() }, { stream.stop() }]
        for call in calls {
            Thread.detachNewThread {
                call()
                #expect(render.hasEnded)
                hasReturned.signal()
            }
            while stream.isStarted { sched_yield() }
        }
        #expect(throws: ResultCode.unspecified) { try program.start(441) }
        #expect(hasReturned.wait(timeout: .now() + 0.02) == .timedOut)
        render.mayEnd.signal()
        #expect(hasReturned.happens() && hasReturned.happens())
        #expect(throws: ResultCode.unspecified) { try program.start(441) }
        stream.leave()
        #expect(!stream.isStarted && !stream.isMember && stream.format == nil && machine.group.isEmpty)
        #expect(throws: ResultCode.unspecified) { try program.start(441) }
    }

    @Test("A stream that was never started does not start after its end") func startAfterEnd() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.stream.endThreads()
        #expect(throws: ResultCode.unspecified) { try program.start(441) }
        #expect(!program.stream.isStarted && program.cycles.isEmpty && machine.sessions.isEmpty)
    }

    @Test("A second start continues the stream, and a destroyed stream calls nothing") func again() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        try program.start(441)
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(program.configurations.count == 1)
        program.destroy()
        let count = program.cycles.count
        machine.step(milliseconds: 100)
        #expect(program.cycles.count == count && machine.group.isEmpty && machine.sessions.isEmpty)
    }

    // MARK: The session

    @Test("Without a session of the program a stream that plays has the default category, from its first start") func ownSession()
        throws
    {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        #expect(machine.sessions.isEmpty && program.stream.format?.output_rate == 44_100)
        try program.start()
        #expect(machine.sessions.map(\.settings.category) == [.soloAmbientSound] && machine.sessions.map(\.isActive) == [true])
        #expect(machine.playback == [.running])
        program.stream.stop()
        #expect(machine.sessions.map(\.isActive) == [false] && machine.playback == [.stopped])
        // A stream that records counts while it runs.
        let recorder = PullProgram(machine, .input)
        defer { recorder.destroy() }
        try program.start()
        #expect(machine.sessions.map(\.settings.category) == [.soloAmbientSound])
        try recorder.start()
        #expect(machine.sessions.map(\.settings.category) == [.playAndRecord] && program.stream.isStarted)
    }

    @Test("An interruption stops the stream once, and nothing resumes it") func interruption() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 50)
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        machine.group.applyEvents()
        machine.group.applyEvents()
        #expect(program.hasStopped.happens())
        #expect(program.stopReasons == [StopReason.interruption.rawValue] && !program.wasRunningWhenStopped)
        #expect(machine.playback == [.stopped])
        #expect(machine.devices.events == ["open simulated 44100", "stop", "close"])
        #expect(machine.devices.isInterrupted)
        let count = program.cycles.count
        #expect(throws: ResultCode.notActive) { try program.start(441) }
        try machine.other.submit(.endCall(shouldResume: true))
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(program.cycles.count == count && machine.sessions.map(\.isActive) == [false])
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(program.cycles.count > count && program.cycles[count].frame == 0)
        #expect(program.stopReasons.count == 1 && !machine.devices.isInterrupted)
    }

    @Test("A stream stops before the program is notified of the interruption. A start applies one that the monitor has not read")
    func unseenInterruption() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        machine.group.stopInterrupted()
        #expect(!program.stream.isStarted && program.hasStopped.happens())
        try machine.other.submit(.endCall(shouldResume: true))
        try program.start(441)
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        #expect(throws: ResultCode.notActive) { try program.start(441) }
        #expect(program.hasStopped.happens() && !program.stream.isStarted)
        try machine.other.submit(.endCall(shouldResume: true))
        try program.start(441)
        #expect(program.stream.isStarted && program.stopReasons.count == 2)
    }

    @Test("A suspended stream runs without a device and without cycles until it is started again") func suspension() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.stream.suspend()
        #expect(!program.stream.isStarted)
        try program.start(441)
        machine.step(milliseconds: 50)
        program.stream.suspend()
        program.stream.suspend()
        let count = program.cycles.count
        machine.step(milliseconds: 100)
        #expect(program.stream.isStarted && program.cycles.count == count)
        #expect(machine.devices.events == ["open simulated 44100", "stop", "close"])
        #expect(machine.playback == [.running] && machine.sessions.map(\.isActive) == [true])
        // The route changes meanwhile.
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        #expect(program.stream.format?.output_rate == 48_000)
        machine.step(milliseconds: 100)
        #expect(program.cycles.count == count && machine.devices.output == nil)
        try program.start(441)
        machine.step(milliseconds: 50)
        #expect(program.cycles.count > count && program.cycles[count].frame == 0)
        #expect(program.configurations.map(\.output_rate) == [44_100, 48_000])
        program.stream.suspend()
        program.stream.stop()
        #expect(machine.playback == [.stopped] && program.stopReasons.isEmpty)
    }

    @Test("A suspended stream is stopped like a playing stream, and the program is called") func stopOfASuspendedStream() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        let reasons: [(StopReason, () throws -> Void)] = [
            (StopReason.interruption, { try machine.other.submit(.beginCall(SessionName("call"), holder: nil)) }),
            (StopReason.interruption, { try machine.program.submit(.deactivate(slot, notifyingOthers: false)) }),
            (
                StopReason.category,
                { try machine.program.submit(.change(slot, SessionSettings(category: .recordAudio, mixes: false))) }
            ),
            (StopReason.deadServer, { try machine.hardware.simulate(.server(alive: false)) }),
        ]
        for (reason, happen) in reasons {
            try machine.program.submit(.change(slot, SessionSettings(category: .mediaPlayback, mixes: false)))
            try program.start(441)
            program.stream.suspend()
            try happen()
            machine.group.stopInterrupted()
            #expect(program.hasStopped.happens() && program.stopReasons.last == reason.rawValue)
            #expect(!program.stream.isStarted && machine.playback == [.stopped])
            if program.stopReasons.count == 1 { try machine.other.submit(.endCall(shouldResume: true)) }
        }
        #expect(program.stopReasons.count == 4)
    }

    @Test("A stop that is late does not end a stream that was started again") func lateStop() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.group.stopped(program.stream)
        #expect(program.stream.isStarted && machine.playback == [.running])
    }

    @Test("A program starts its stream again in the callback that reports the stop") func startInside() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 50)
        let before = program.cycles.count
        program.whenStopped = { program in do { try program.start(441) } catch { Issue.record(error) } }
        try machine.program.submit(.deactivate(slot, notifyingOthers: false))
        machine.group.applyEvents()
        #expect(program.hasStopped.happens() && program.stream.isStarted)
        machine.step(milliseconds: 50)
        #expect(program.cycles.count > before && machine.playback == [.running])
    }

    @Test("The death of the server and a category without the direction stop the stream with their reasons") func reasons() throws
    {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        try machine.program.submit(.change(slot, SessionSettings(category: .recordAudio, mixes: false)))
        machine.group.applyEvents()
        #expect(program.hasStopped.happens())
        #expect(throws: ResultCode.incompatibleCategory) { try program.start(441) }
        try machine.program.submit(.change(slot, SessionSettings(category: .mediaPlayback, mixes: false)))
        try program.start(441)
        try machine.hardware.simulate(.server(alive: false))
        machine.group.applyEvents()
        #expect(program.hasStopped.happens())
        #expect(throws: ResultCode.unspecified) { try program.start(441) }
        #expect(program.stopReasons == [StopReason.category.rawValue, StopReason.deadServer.rawValue])
    }

    @Test("A refused start has the code of the session, and starts nothing") func refusals() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.mediaPlayback)
        let program = PullProgram(machine, [.output, .input])
        defer { program.destroy() }
        #expect(throws: ResultCode.incompatibleCategory) { try program.start() }
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        try machine.program.submit(.change(slot, SessionSettings(category: .playAndRecord, mixes: false)))
        #expect(throws: ResultCode.notActive) { try program.start() }
        machine.step(milliseconds: 50)
        #expect(!program.stream.isStarted && program.cycles.isEmpty && program.configurations.isEmpty)
        try machine.other.submit(.endCall(shouldResume: true))
        try program.start()
        #expect(program.stream.isStarted && machine.playback == [.running])
    }

    // MARK: The hardware

    @Test("A route change moves the stream to the new device, and its count of frames continues") func route() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 500)
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        machine.step(milliseconds: 500)
        #expect(program.formatHasChanged.happens())
        #expect(program.configurations.map(\.output_rate) == [44_100, 48_000])
        #expect(program.configurations.map(\.slice) == [441, 480])
        #expect(program.stream.format?.output_rate == 48_000)
        #expect(machine.devices.events == ["open simulated 44100", "open simulated 48000", "stop", "close"])
        let last = try #require(program.cycles.last)
        // The old device had two slices that were not heard: the new one is ahead of the time by as much.
        let expected = (last.time - begin) * 48_000 / 1_000_000_000
        #expect(last.frame >= expected - 1 && last.frame <= expected + 2 * 480)
        #expect(program.stopReasons.isEmpty)
        for device in [SimulatedDevice.speaker, .receiver, .usb] { try machine.hardware.simulate(.unplug(device)) }
        #expect(program.stream.isStarted && program.stream.format == nil)
    }

    @Test("A device that does not open is silence by the clock until the route changes") func missing() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        machine.devices.refusesOutput = true
        try program.start(441)
        machine.step(milliseconds: 105)
        #expect(program.cycles.count == 12 && machine.devices.events == ["open silence 44100"])
        machine.devices.refusesOutput = false
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(machine.devices.events == ["open silence 44100"])
        try machine.hardware.simulate(.plug(.headphones))
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(machine.devices.events.contains("open simulated 48000"))
    }

    @Test("A render that does not return blocks nothing but its own stop") func stuck() throws {
        let machine = PullMachine()
        let stuck = PullProgram(machine)
        let other = PullProgram(machine, .output, on: PullTestDevices(MonotonicClock.shared))
        let render = BlockedRender()
        stuck.render = { _, _ in render.run() }
        stuck.whenStopped = { _ in #expect(render.hasEnded) }
        try stuck.start(441)
        #expect(render.hasBegun.happens())
        let rendered = DispatchSemaphore(value: 0)
        other.render = { program, cycle in
            program.play(&cycle)
            rendered.signal()
        }
        try other.start(441)
        #expect(rendered.happens())
        other.stream.stop()
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        machine.group.applyEvents()
        #expect(!stuck.stream.isStarted)
        try machine.other.submit(.endCall(shouldResume: true))
        try other.start(441)
        #expect(stuck.stopReasons.isEmpty)
        render.mayEnd.signal()
        #expect(stuck.hasStopped.happens() && stuck.stopReasons.count == 1)
        stuck.destroy()
        other.destroy()
    }
}
