// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import Foundation
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioSession

private func me(_ data: UInt, procedure: UInt = 1) -> ListenerIdentity {
    ListenerIdentity(procedure: procedure, clientData: data)
}

/// The calls of listeners, in order.
final class CallRecorder: Sendable {
    private let lines = LockedValue<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

@Suite struct DeliveryTests {
    @Test("The arrival of a device gives the route change first, and a get returns the new state")
    func routeChangeFirst() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.subscription.addListener({ _, _ in calls.note("volume") }, as: me(1), to: .currentHardwareOutputVolume)
        try world.subscription.addListener(
            { _, event in
                guard case .routeChange(let change) = event else { return }
                calls.note("route \(change.reason) \(world.session.current.route.outputs.map { $0.name })")
            }, as: me(2), to: .audioRouteChange)
        world.hardware.happen { $0.ports.append(.headphones) }
        #expect(world.deliverNext())
        #expect(calls.all == ["route newDeviceAvailable [\"Headphones\"]", "volume"])
    }

    @Test("An interruption reverts the override: begin first, then the route change with reason 4")
    func interruptionRevertsOverride() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.session.setActive(true)
        try world.session.set(.overrideAudioRoute, to: .uint32(overrideToSpeaker))
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        try world.subscription.addListener(
            { _, event in
                if case .routeChange(let change) = event { calls.note("\(change.reason)") }
            }, as: me(1), to: .audioRouteChange)
        world.registry.happen {
            $0.isActive = false
            $0.interruptions = [.begin]
        }
        #expect(world.deliverNext())
        #expect(calls.all == ["begin", "override"])
    }

    @Test("The interruption type can be read inside the end's listener only")
    func interruptionType() throws {
        let world = try World()
        let calls = CallRecorder()
        let read: @Sendable () -> String = {
            do { return "\(try world.session.value(of: .interruptionType))" } catch { return "\(error)" }
        }
        world.subscription.setInterruptionListener { calls.note("\($0): \(read())") }
        world.registry.happen { $0.interruptions = [.begin, .end(.shouldNotResume)] }
        while calls.all.count < 2 { try #require(world.deliverNext()) }
        #expect(
            calls.all == ["begin: unsupportedProperty", "end(SessionModel.InterruptionType.shouldNotResume): uint32(561148781)"])
        #expect(read() == "unsupportedProperty")
    }

    @Test("An end that is delivered inside another end's listener has its own type; afterwards the outer type is back")
    func nestedEnds() throws {
        let world = try World()
        let calls = CallRecorder()
        let read: @Sendable () -> String = {
            do { return "\(try world.session.value(of: .interruptionType))" } catch { return "\(error)" }
        }
        world.subscription.setInterruptionListener { interruption in
            calls.note("\(interruption) \(read())")
            guard interruption == .end(.shouldNotResume) else { return }
            world.registry.happen { $0.interruptions = [.begin, .end(.shouldResume)] }
            while calls.all.count < 4 { guard world.deliverNext() else { return } }
            calls.note("after the inner end: \(read())")
        }
        world.registry.happen { $0.interruptions = [.begin, .end(.shouldNotResume)] }
        while calls.all.count < 2 { try #require(world.deliverNext()) }
        let (inner, outer) = (InterruptionType.shouldResume, InterruptionType.shouldNotResume)
        #expect(
            calls.all == [
                "begin unsupportedProperty", "\(Interruption.end(outer)) uint32(\(outer.rawValue))",
                "begin unsupportedProperty", "\(Interruption.end(inner)) uint32(\(inner.rawValue))",
                "after the inner end: uint32(\(outer.rawValue))",
            ])
        #expect(read() == "unsupportedProperty")
    }

    @Test("Two threads deliver two ends: each listener's call reads its own type")
    func endsOnTwoThreads() throws {
        let world = try World()
        let calls = CallRecorder()
        let (isInside, isDone, isReleased) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let read: @Sendable () -> String = {
            do { return "\(try world.session.value(of: .interruptionType))" } catch { return "\(error)" }
        }
        world.subscription.setInterruptionListener { interruption in
            guard case .end(let type) = interruption else { return }
            if type == .shouldResume {
                isInside.signal()
                isReleased.waitForSignal("the end that the other thread delivers")
            }
            calls.note("\(type): \(read())")
        }
        world.registry.happen { $0.interruptions = [.begin, .end(.shouldResume)] }
        let other = Thread {
            // The second call: the delivery of the begin may have ended before the end was enqueued.
            for _ in 0..<2 where calls.all.count < 2 { _ = world.deliverNext() }
            isDone.signal()
        }
        other.start()
        isInside.waitForSignal("the first end's listener")
        #expect(read() == "unsupportedProperty")
        world.registry.prepare { $0.interruptions = [.begin, .end(.shouldNotResume)] }
        world.session.applyEverything()
        _ = world.subscription.deliverEvents()
        isReleased.signal()
        isDone.waitForSignal("the end of the other thread")
        let (first, second) = (InterruptionType.shouldNotResume, InterruptionType.shouldResume)
        #expect(calls.all == ["\(first): uint32(\(first.rawValue))", "\(second): uint32(\(second.rawValue))"])
    }

    @Test("A listener receives events from its addition to its removal")
    func additionAndRemoval() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.subscription.addListener({ _, _ in calls.note("first") }, as: me(1), to: .audioRouteChange)
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.subscription.addListener({ _, _ in calls.note("late") }, as: me(2), to: .audioRouteChange)
        #expect(world.deliverNext())
        #expect(calls.all == ["first"])
        world.subscription.removeListener(me(1), from: .audioRouteChange)
        try world.session.set(.overrideCategoryDefaultToSpeaker, to: .uint32(1))
        #expect(world.deliverNext())
        #expect(calls.all == ["first", "late"])
    }

    @Test("Adding a listener again for the same data replaces its procedure")
    func replaced() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.subscription.addListener({ _, _ in calls.note("old") }, as: me(1, procedure: 1), to: .audioRouteChange)
        try world.subscription.addListener({ _, _ in calls.note("new") }, as: me(1, procedure: 2), to: .audioRouteChange)
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(world.deliverNext())
        #expect(calls.all == ["new"])
    }

    @Test("A listener that is added again receives the events that wait, with its new procedure")
    func addedAgain() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.subscription.addListener({ _, _ in calls.note("old") }, as: me(1, procedure: 1), to: .audioRouteChange)
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.subscription.addListener({ _, _ in calls.note("new") }, as: me(1, procedure: 2), to: .audioRouteChange)
        #expect(world.deliverNext())
        #expect(calls.all == ["new"])
    }

    @Test("A listener may remove itself and others, and set its property: that change is delivered later")
    func reentrancy() throws {
        let world = try World()
        let calls = CallRecorder()
        try world.subscription.addListener(
            { _, event in
                guard case .routeChange(let change) = event else { return }
                calls.note("\(change.oldName) to \(change.newName)")
                world.subscription.removeListeners(from: .currentHardwareInputNumberChannels)
                try? world.session.set(.audioCategory, to: .uint32(Category.recordAudio.rawValue))
            }, as: me(1), to: .audioRouteChange)
        try world.subscription.addListener(
            { _, _ in calls.note("removed one called") }, as: me(1), to: .currentHardwareInputNumberChannels)
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(world.deliverNext())
        #expect(calls.all == ["speaker to receiverAndMicrophone"])
        #expect(world.deliverNext())
        #expect(calls.all == ["speaker to receiverAndMicrophone", "receiverAndMicrophone to microphoneBuiltIn"])
        #expect(world.isQuiet)
    }

    @Test("A listener that another listener of the same event removes is not called")
    func removedByAnother() throws {
        let world = try World()
        let calls = CallRecorder()
        for data: UInt in 1...2 {
            try world.subscription.addListener(
                { property, _ in
                    calls.note("\(data)")
                    world.subscription.removeListeners(from: property)
                }, as: me(data), to: .audioRouteChange)
        }
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(world.deliverNext())
        #expect(calls.all == ["1"])
    }

    @Test("Without a listener no event is pending")
    func noListener() throws {
        let world = try World()
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        #expect(world.isQuiet)
    }
}

@Suite struct ActivationTests {
    @Test("An activation drops pending begins and ends, and nothing else")
    func overtaken() throws {
        let world = try World()
        let calls = CallRecorder()
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        try world.subscription.addListener({ _, _ in calls.note("route") }, as: me(1), to: .audioRouteChange)
        world.registry.happen { $0.interruptions = [.begin] }
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.session.setActive(true)
        #expect(world.deliverNext())
        #expect(calls.all == ["route"])
    }

    @Test("Recording cannot be activated without an input; everything else can")
    func noInput() throws {
        let world = try World()
        world.hardware.happen { $0.ports = [.speaker] }
        try world.session.set(.audioCategory, to: .uint32(Category.recordAudio.rawValue))
        #expect(throws: ResultCode.noHardware) { try refreshed(world).setActive(true) }
        try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        try world.session.setActive(true)
    }

    /// The session after it has applied the hardware.
    private func refreshed(_ world: World) throws -> ProcessSession {
        try world.subscription.addListener({ _, _ in }, as: me(9), to: .audioInputAvailable)
        while world.session.current.hasInput { try #require(world.deliverNext()) }
        return world.session
    }

    @Test("A server death deactivates without an interruption event; activation is refused until the server is back")
    func serverDeath() throws {
        let world = try World()
        let calls = CallRecorder()
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        try world.subscription.addListener(
            { _, event in
                if case .propertyChange(_, let value) = event { calls.note("died \(value)") }
            }, as: me(1), to: .serverDied)
        try world.session.setActive(true)
        world.hardware.happen { $0.serverIsAlive = false }
        #expect(world.deliverNext())
        #expect(!world.session.current.isActive)
        #expect(throws: ResultCode.unspecified) { try world.session.setActive(true) }
        world.hardware.happen { $0.serverIsAlive = true }
        #expect(world.deliverNext())
        try world.session.setActive(true)
        #expect(calls.all == ["died uint32(1)", "died uint32(0)"])
    }

    @Test("The death of the server drops the interruptions that wait for delivery, also in a second life of the server")
    func serverDeathDropsInterruptions() throws {
        let world = try World()
        let calls = CallRecorder()
        world.subscription.setInterruptionListener { calls.note("\($0)") }
        for _ in 1...2 {
            try world.session.setActive(true)
            world.registry.happen {
                $0.isActive = false
                $0.interruptions = [.begin, .end(.shouldResume)]
            }
            world.session.applyEverything()
            #expect(world.subscription.hasPendingEvents)
            world.hardware.happen { $0.serverIsAlive = false }
            world.session.applyEverything()
            while world.subscription.deliverEvents() {}
            #expect(calls.all == [])
            world.hardware.happen { $0.serverIsAlive = true }
            world.session.applyEverything()
            while world.subscription.deliverEvents() {}
            #expect(calls.all == [])
        }
        // Without the death both are delivered.
        try world.session.setActive(true)
        world.registry.happen { $0.interruptions = [.begin, .end(.shouldResume)] }
        world.session.applyEverything()
        while world.subscription.deliverEvents() {}
        #expect(calls.all.count == 2)
    }

    @Test("A refused change changes nothing and sends no event")
    func refused() throws {
        let world = try World()
        try world.subscription.addListener({ _, _ in }, as: me(1), to: .audioRouteChange)
        world.registry.refusal.withLock { $0 = .notActive }
        let before = world.session.current
        #expect(throws: ResultCode.notActive) { try world.session.setActive(true) }
        #expect(throws: ResultCode.notActive) {
            try world.session.set(.audioCategory, to: .uint32(Category.playAndRecord.rawValue))
        }
        #expect(world.session.current == before)
        #expect(world.isQuiet)
    }
}

@Suite struct EventSubscriptionTests {
    @Test("Each subscription receives every event; a subscription that has left receives none")
    func several() throws {
        let world = try World()
        let calls = CallRecorder()
        // The subscriptions are notified one after the other.
        let notified = DispatchSemaphore(value: 0)
        let second = world.session.join { notified.signal() }
        world.subscription.setInterruptionListener { calls.note("first \($0)") }
        second.setInterruptionListener { calls.note("second \($0)") }
        world.registry.happen { $0.interruptions = [.begin] }
        #expect(world.deliverNext())
        #expect(calls.all == ["first begin"])
        notified.waitForSignal("the notification of the second subscription")
        #expect(second.hasPendingEvents)
        _ = second.deliverEvents()
        #expect(calls.all == ["first begin", "second begin"])
        world.session.leave(second)
        world.registry.happen { $0.interruptions = [.end(.shouldResume)] }
        #expect(world.deliverNext())
        #expect(!second.hasPendingEvents)
    }

    @Test("An activation drops the pending interruptions of every subscription")
    func overtaken() throws {
        let world = try World()
        let notified = linux_eventfd()
        defer { _ = linux_close(notified) }
        // The last subscription is notified last.
        let second = world.session.join { _ = linux_eventfd_signal(notified) }
        second.setInterruptionListener { _ in }
        world.subscription.setInterruptionListener { _ in }
        world.registry.happen { $0.interruptions = [.begin] }
        try #require(isReadable(notified, "the notification of the last subscription"))
        #expect(second.hasPendingEvents)
        #expect(world.subscription.hasPendingEvents)
        try world.session.setActive(true)
        #expect(!second.hasPendingEvents)
        #expect(!world.subscription.hasPendingEvents)
    }
}
