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
        let world = try StreamOfServer()
        for life in 1...2 {
            try world.start()
            #expect(world.told { $0.happen { $0.serverIsAlive = false } } == [false], "life \(life)")
            #expect(throws: ResultCode.unspecified) { try world.start() }
            #expect(world.told { $0.happen { $0.serverIsAlive = true } } == [false], "life \(life)")
        }
        world.end()
    }

    @Test(
        "A death that comes after the look at the streams is told after their stop, in each life", arguments: DeathFinder.allCases
    )
    func serverDeath(after finder: DeathFinder) throws {
        let world = try StreamOfServer()
        for life in 1...2 {
            try world.start()
            let found = world.told { hardware in
                switch finder {
                case .registry, .hardware:
                    hardware.afterLook.withLock { $0 = { hardware.happen { $0.serverIsAlive = false } } }
                    if finder == .hardware { return hardware.happen { $0.ports[0].volume = 0.25 * Float(life) } }
                    #expect(throws: Never.self) { try world.registry.submit(.silent(life == 1)) }
                case .change, .simulation:
                    hardware.prepare { $0.serverIsAlive = false }
                    if finder == .simulation {
                        #expect(throws: Never.self) { try world.session.simulate(.silent(life == 1)) }
                        #expect(!world.session.known.hardware.serverIsAlive)
                    } else {
                        #expect(throws: Never.self) {
                            try world.session.perform(.inputGain(0.25 * Float(life)), onPort: Port.microphone.uid)
                        }
                    }
                }
            }
            #expect(found == [false], "life \(life)")
            #expect(throws: ResultCode.unspecified) { try world.start() }
            #expect(world.told { $0.happen { $0.serverIsAlive = true } } == [false], "life \(life)")
        }
        world.end()
    }

    @Test("Without a thread, the program's call reports the death of the server") func serverDeathWithoutThread() throws {
        let world = try StreamOfServer(hasThread: false)
        let found = world.told { hardware in
            hardware.prepare { $0.serverIsAlive = false }
            #expect(throws: Never.self) { try world.session.perform(.inputGain(0.25), onPort: Port.microphone.uid) }
        }
        #expect(found == [false])
        world.end()
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

/// Who reads the hardware after the death of the server and before the monitor processes the death.
enum DeathFinder: CaseIterable, Sendable { case registry, hardware, change, simulation }

/// A session with a stream, and what the program finds when it is told of the server.
private final class StreamOfServer {
    let registry = InProcessRegistry()
    private let hardware = ScriptedHardware()
    let session: ProcessSession
    private let monitor: EngineMonitor
    private let stream: PulledStream
    private let subscription: EventSubscription
    private let length = SliceLength(frames: 480, rate: 48_000)
    private let told = linux_eventfd()
    /// Whether the stream ran, at each notification.
    private let running = LockedValue<[Bool]>([])

    init(hasThread: Bool = true) throws {
        let group = StreamGroup(in: registry, on: hardware, isSimulated: true)
        let monitor = EngineMonitor(registry, hardware, group)
        self.monitor = monitor
        let session = try ProcessSession(name: "test", registry: registry, hardware: hardware, monitor: monitor)
        self.session = session
        let registry = registry
        group.join(session.slot) { () throws(ResultCode) in try registry.submit(.activate(session.slot)) }
        let callbacks = pull_callbacks(
            render: { _, _ in }, configure: { _, _ in }, stopped: { _, _ in }, format_changed: { _ in }, session_stopped: nil)
        let stream = PulledStream(callbacks, nil, .output)
        self.stream = stream
        stream.join(group)
        let (running, told) = (running, told)
        // On the thread that posts the event, before another one can fetch it.
        subscription = session.join {
            running.withLock { $0.append(stream.isStarted) }
            _ = linux_eventfd_signal(told)
        }
        for property in [SessionProperty.serverDied, .currentHardwareOutputVolume] {
            try subscription.addListener({ _, _ in }, as: ListenerIdentity(procedure: 1, clientData: 1), to: property)
        }
        if !hasThread { fault_plan_enter(ENOMEM, 1, true) }
        monitor.attach(session)
        if !hasThread { #expect(fault_plan_leave()) }
    }

    /// Called with a thread. Returns when the monitor has processed the start, and what the group writes because of it: otherwise
    /// that wake-up of the registry may stop the stream of a server that dies afterwards.
    func start() throws {
        try stream.start(#require(length))
        for volume: Float in [0.9, 0.8] { #expect(told { $0.happen { $0.ports[0].volume = volume } } == [true]) }
    }

    /// What the program finds when it is told of the server after `change`.
    func told(_ change: (ScriptedHardware) -> Void) -> [Bool] {
        running.withLock { $0 = [] }
        change(hardware)
        #expect(isReadable(told, "the event of the server"))
        _ = subscription.deliverEvents()
        _ = linux_eventfd_clear(told)
        return running.withLock { $0 }
    }

    func end() {
        stream.endThreads()
        stream.leave()
        session.end()
        monitor.stop()
        _ = linux_close(told)
    }
}
