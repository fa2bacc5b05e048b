// SPDX-License-Identifier: Apache-2.0
import AudioSession
import AudioStreams
import CLinux
import SessionModel
import SessionRegistry
import Testing

@testable import AudioEngine

@Suite struct EngineMonitorTests {
    @Test("A session that is attached while the monitor clears an event gets the interruption of that event")
    func sessionOfAClearedEvent() throws {
        let (registry, hardware) = (ScriptedRegistry(), ScriptedHardware())
        let monitor = EngineMonitor(registry, hardware, StreamGroup(in: registry, on: hardware, isSimulated: true))
        let session = try Session(name: "test", registry: registry, hardware: hardware, monitor: monitor)
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
}
