// SPDX-License-Identifier: Apache-2.0
import AudioSession
import AudioStreams
import CLinux
import Dispatch
import FaultPlan
import LinuxSystem
import SessionModel
import SessionRegistry
import Testing

@testable import AudioEngine

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
