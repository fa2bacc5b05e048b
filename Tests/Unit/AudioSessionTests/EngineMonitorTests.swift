// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import CAudioStreams
import CLinux
import Dispatch
import FaultPlan
import LinuxSystem
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioEngine
@testable import AudioSession

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct EngineMonitorTests {
    @Test("A session that is attached while the monitor clears an event gets the interruption of that event")
    func sessionOfAClearedEvent() throws {
        let (registry, hardware) = (ScriptedRegistry(), ScriptedHardware())
        let monitor = EngineMonitor(registry, hardware, StreamGroup(in: registry, on: hardware, isSimulated: true))
        let session = try ProcessSession(name: "test", registry: registry, hardware: hardware, monitor: monitor)
        let waits = linux_eventfd()
        let subscription = session.join { _ = linux_eventfd_signal(waits) }
        let calls = CallRecorder()
        subscription.setInterruptionListener { calls.note("\($0)") }
        // On the monitor's thread, which clears the event of the interruption together with the first event.
        registry.beforeClearing.withLock {
            $0 = {
                monitor.attach(session)
                registry.prepare { $0.interruptions = [.begin] }
            }
        }
        monitor.start()
        registry.happen { _ in }
        #expect(isReadable(waits, "the interruption"))
        _ = subscription.deliverEvents()
        #expect(calls.all == ["begin"])
        session.end()
        _ = linux_close(waits)
    }

    @Test("Streams have stopped, and cannot start, when the program hears of the death of their server, in each life")
    func serverDeath() throws {
        let (registry, hardware) = (InProcessRegistry(), ScriptedHardware())
        let group = StreamGroup(in: registry, on: hardware, isSimulated: true)
        let monitor = EngineMonitor(registry, hardware, group)
        let session = try ProcessSession(name: "test", registry: registry, hardware: hardware, monitor: monitor)
        let slot = session.slot
        group.join(slot) { () throws(ResultCode) in try registry.submit(.activate(slot)) }
        let callbacks = pull_callbacks(
            render: { _, _ in }, configure: { _, _ in }, stopped: { _, _ in }, format_changed: { _ in }, session_stopped: nil)
        let stream = PulledStream(callbacks, nil, .output)
        stream.join(group)
        let length = try #require(SliceLength(frames: 480, rate: 48_000))
        let (running, told) = (LockedValue<[Bool]>([]), linux_eventfd())
        // On the monitor's thread, before another one can fetch the event.
        let subscription = session.join {
            running.withLock { $0.append(stream.isStarted) }
            _ = linux_eventfd_signal(told)
        }
        try subscription.addListener({ _, _ in }, as: ListenerIdentity(procedure: 1, clientData: 1), to: .serverDied)
        monitor.attach(session)
        func tell(_ isAlive: Bool) -> [Bool] {
            // The thread has processed what it found before the first call when it answers the second one.
            for _ in 1...2 { monitor.releaseGains() }
            running.withLock { $0 = [] }
            hardware.happen { $0.serverIsAlive = isAlive }
            #expect(isReadable(told, "the server is \(isAlive ? "back" : "dead")"))
            _ = subscription.deliverEvents()
            _ = linux_eventfd_clear(told)
            return running.withLock { $0 }
        }
        for life in 1...2 {
            try stream.start(length)
            #expect(tell(false) == [false] && !stream.isStarted, "life \(life)")
            #expect(throws: ResultCode.unspecified) { try stream.start(length) }
            #expect(tell(true) == [false], "life \(life)")
        }
        stream.endThreads()
        stream.leave()
        session.end()
        monitor.stop()
        _ = linux_close(told)
    }

    @Test("A group without streams does not ask the hardware") func noStreams() {
        let (registry, hardware) = (ScriptedRegistry(), ScriptedHardware())
        let group = StreamGroup(in: registry, on: hardware, isSimulated: true)
        group.applyEvents()
        group.applyHardwareEvents()
        _ = group.stopInterrupted()
        #expect(hardware.isAsked.wait(timeout: .now()) == .timedOut)
    }

    @Test("A monitor without a thread says so in the log, and works with the next start") func noThread() {
        let (registry, hardware) = (ScriptedRegistry(), ScriptedHardware())
        let monitor = EngineMonitor(registry, hardware, StreamGroup(in: registry, on: hardware, isSimulated: true))
        let text = "no descriptors or thread left for the monitor: events are applied only when the program calls"
        let lines = Log.lines {
            fault_plan_enter(ENOMEM, 1, true)
            monitor.start()
            #expect(fault_plan_leave())
        }
        #expect(lines.contains(text))
        monitor.stop()
        #expect(!Log.lines { monitor.start() }.contains(text))
        monitor.stop()
    }
}
