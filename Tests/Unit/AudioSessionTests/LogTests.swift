// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Dispatch
import FaultPlan
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioSession

// Only debug builds capture the log.
#if DEBUG

    /// Failures without a result code are logged, and the session continues.
    @Suite struct LogTests {
        private let gain = SavedGain(input: Port.microphone.uidHash, level: 0.25)

        private func recording(_ world: World) throws {
            try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        }

        @Test("A gain that the table refuses is set, and the log says that it will not be restored")
        func gains() throws {
            let world = try World()
            try recording(world)
            try world.session.setActive(true)
            world.registry.refusal.withLock { $0 = .unspecified }
            var lines = try Log.lines { try world.session.set(.inputGainScalar, to: .float32(0.5)) }
            #expect(lines.contains("the input gain of Microphone will not be restored: the table of sessions cannot be written"))
            #expect(try world.session.value(of: .inputGainScalar) == .float32(0.5))
            lines = Log.lines(of: .all) { world.session.restoreGainsAtExit() }
            #expect(lines.contains { $0.hasPrefix("another process restores the input gain") })
        }

        /// Applies a view of the table on this thread.
        private func apply(_ world: World, _ change: (inout SessionView) -> Void) {
            world.session.changeLock.withLock {
                var view = world.registry.view(of: 0)
                change(&view)
                world.session.apply(view)
            }
        }

        @Test("A gain is restored once, also when the card or the table refuses it")
        func returning() throws {
            let world = try World()
            try recording(world)
            world.hardware.refusal.withLock { $0 = .unspecified }
            var lines = Log.lines { apply(world) { $0.gainsToRestore[0] = gain } }
            #expect(lines.contains { $0.hasPrefix("the input gain of Microphone could not be restored") })
            #expect(world.registry.requests.contains(.endRestoringGain(0, input: gain.input, isDone: true)))
            #expect(world.session.known.hardware.ports.last?.gain == 0.7)
            #expect(world.session.gains.waiting.isEmpty)
            world.hardware.refusal.withLock { $0 = nil }
            world.registry.isRefused.withLock { $0 = { if case .endRestoringGain = $0 { true } else { false } } }
            world.registry.refusal.withLock { $0 = .unspecified }
            lines = Log.lines { apply(world) { $0.gainsToRestore[0] = gain } }
            #expect(lines.contains("the input gain of Microphone was restored, but the table of sessions cannot be written"))
            #expect(world.session.known.hardware.ports.last?.gain == 0.25)
            #expect(world.session.gains.waiting.isEmpty)
        }

        @Test("The gain of an input that has departed stays pending; a gain that another process restores is skipped")
        func gone() throws {
            let world = try World()
            world.hardware.refusal.withLock { $0 = .noHardware }
            let lines = Log.lines { apply(world) { $0.gainsToRestore[0] = gain } }
            #expect(lines.contains { $0.hasPrefix("the input gain of Microphone could not be restored") })
            #expect(world.registry.requests.contains(.endRestoringGain(0, input: gain.input, isDone: false)))
            #expect(world.session.gains.waiting[0] == gain)
            world.hardware.refusal.withLock { $0 = nil }
            world.registry.refusal.withLock { $0 = .unspecified }
            apply(world) { $0.gainsToRestore[0] = gain }
            #expect(world.session.known.hardware.ports.last?.gain == 0.7)
        }

        @Test("Interruptions, and a server death and hints that the table refuses, are logged")
        func said() throws {
            let world = try World()
            let lines = try Log.lines {
                try world.session.setActive(true)
                apply(world) { $0.interruptions = [.begin, .end(.shouldResume)] }
                world.registry.refusal.withLock { $0 = .unspecified }
                _ = world.session.join(receivingEverything: true) {}
                // With the lock held, this thread applies the change, and not the monitor.
                world.session.changeLock.withLock {
                    world.hardware.happen { $0.serverIsAlive = false }
                    world.session.applyHardware()
                }
                #expect(!world.session.known.hardware.serverIsAlive)
            }
            #expect(lines.contains { $0.hasPrefix("the session is interrupted, and inactive") })
            #expect(lines.contains("the interruption of the session has ended"))
            #expect(lines.contains { $0.hasPrefix("hints about secondary audio are not delivered") })
            #expect(lines.contains { $0.hasPrefix("other processes do not see that the sound server has died") })
        }

        // MARK: Undelivered events

        @Test("With the log on, one warning reports events that the program has not fetched for two seconds")
        func undeliveredEventsWarning() throws {
            let reminded = DispatchSemaphore(value: 0)
            _ = try Log.lines {
                let world = try World()
                let subscription = world.session.join(eventsAreUndelivered: { reminded.signal() }) {}
                subscription.setInterruptionListener { _ in }
                world.registry.happen { $0.interruptions = [.begin] }
                reminded.waitForSignal("the undeliveredEventsWarning of events that the program has not fetched")
                #expect(subscription.hasPendingEvents)
                world.registry.happen { $0.interruptions = [.end(.shouldResume)] }
                world.session.applyEverything()
                #expect(reminded.wait(timeout: .now()) == .timedOut)
            }
        }

        @Test("A fetch prevents the warning; later events start the alarm again")
        func fetched() throws {
            let reminded = LockedValue(0)
            let subscription = EventSubscription(
                receivingEverything: true, eventsArePending: {}, eventsAreUndelivered: { reminded.withLock { $0 += 1 } })
            _ = Log.lines {
                var undeliveredEventsWarning = UndeliveredEventsWarning()
                #expect(undeliveredEventsWarning.descriptor >= 0)
                undeliveredEventsWarning.warnOfUndeliveredEvents([subscription])
                #expect(reminded.withLock { $0 } == 0)
                #expect(subscription.post([.interruption(.begin)]))
                undeliveredEventsWarning.expectFetching(by: [subscription])
                #expect(subscription.nextEvent() == .interruption(.begin))
                #expect(subscription.post([.interruption(.end(.shouldResume))]))
                // The alarm was set before the first was fetched.
                undeliveredEventsWarning.warnOfUndeliveredEvents([subscription])
                #expect(reminded.withLock { $0 } == 0)
                undeliveredEventsWarning.warnOfUndeliveredEvents([subscription])
                #expect(reminded.withLock { $0 } == 1)
            }
        }

        @Test("A listener that is removed while its event is pending is not called")
        func takenAway() throws {
            let world = try World()
            let calls = CallRecorder()
            world.subscription.setInterruptionListener { calls.note("\($0)") }
            world.registry.happen { $0.interruptions = [.begin] }
            world.session.applyEverything()
            #expect(world.subscription.hasPendingEvents)
            world.subscription.setInterruptionListener(nil)
            #expect(!world.subscription.deliverEvents())
            #expect(calls.all.isEmpty)
        }

        @Test("A call has the name that its holder gave it")
        func caller() throws {
            let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
            let registry = InProcessRegistry(in: InProcessTable(), as: process)
            let session = try ProcessSession(name: "phone", registry: registry, hardware: ScriptedHardware())
            defer { session.end() }
            #expect(session.caller == nil)
            try session.simulate(.beginInterruption(name: "Aunt Emma"))
            #expect(session.isCallOngoing && session.caller == "Aunt Emma")
        }
    }

    /// A session without system resources.
    @Suite struct MonitorTests {
        @Test(
            "Without descriptors or a thread for its monitor a session applies changes when the program calls",
            arguments: [EMFILE, EIO])
        func poor(error: Int32) throws {
            var withoutMonitor = 0
            let lines = try Log.lines {
                for nth: UInt64 in 1...100 {
                    let (registry, hardware) = (ScriptedRegistry(), ScriptedHardware())
                    fault_plan_enter(error, nth, true)
                    let result = Result { try ProcessSession(name: "poor", registry: registry, hardware: hardware) }
                    let hasFailed = fault_plan_leave()
                    let session = try result.get()
                    defer { session.end() }
                    registry.happen { $0.primaryAudioPlays = true }
                    #expect(session.primaryAudioPlays)
                    hardware.happen { $0.ports = [] }
                    try session.simulate(.silent(true))
                    #expect(session.known.isSilent && session.known.hardware.ports.isEmpty)
                    if !hasFailed { return }
                    withoutMonitor += 1
                }
                Issue.record("no end of calls")
            }
            #expect(withoutMonitor > 0)
            #expect(lines.contains { $0.hasPrefix("no descriptors or thread left for the monitor") })
        }
    }

#endif
