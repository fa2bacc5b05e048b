// SPDX-License-Identifier: Apache-2.0
import SessionModel
import TestSupport
import Testing

private func route(_ reason: RouteChangeReason, from old: OldRouteName = .speaker, to new: OldRouteName = .headphone)
    -> SessionEvent
{
    .routeChange(RouteChange(reason: reason, previous: Route(), current: Route(), oldName: old, newName: new))
}

private let begin = SessionEvent.interruption(.begin)
private let end = SessionEvent.interruption(.end(.shouldResume))

@Suite struct EventQueueTests {
    private func taken(_ queue: inout EventQueue) -> [SessionEvent] {
        var events: [SessionEvent] = []
        while let next = queue.popFirst() { events.append(next.event) }
        return events
    }

    @Test("A pending hint and its opposite cancel out")
    func hints() {
        var queue = EventQueue()
        queue.post(.secondaryAudioHint(shouldBeSilenced: true))
        queue.post(.secondaryAudioHint(shouldBeSilenced: false))
        #expect(queue.isEmpty)
        queue.post(.secondaryAudioHint(shouldBeSilenced: true))
        #expect(queue.popFirst()?.event == .secondaryAudioHint(shouldBeSilenced: true))
    }

    @Test("Events are delivered in the order in which they happened, with rising numbers")
    func order() {
        var queue = EventQueue()
        let events = [begin, route(.override), .propertyChange(.currentHardwareOutputVolume, .float32(0.5)), end]
        for event in events { queue.post(event) }
        var numbers: [UInt64] = []
        var delivered: [SessionEvent] = []
        while let next = queue.popFirst() {
            numbers.append(next.number)
            delivered.append(next.event)
        }
        #expect(delivered == events)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 4)
    }

    @Test("Changes of one property merge into the latest, in its place")
    func properties() {
        var queue = EventQueue()
        queue.post(.propertyChange(.currentHardwareOutputVolume, .float32(0.1)))
        queue.post(.propertyChange(.audioInputAvailable, .uint32(1)))
        queue.post(.propertyChange(.currentHardwareOutputVolume, .float32(0.2)))
        #expect(
            taken(&queue) == [
                .propertyChange(.audioInputAvailable, .uint32(1)), .propertyChange(.currentHardwareOutputVolume, .float32(0.2)),
            ])
    }

    @Test("Beyond 64 waiting, route changes merge into one, from the first route to the last, in the last one's place")
    func routeChanges() {
        var queue = EventQueue()
        queue.post(begin)
        queue.post(route(.newDeviceAvailable, from: .receiver, to: .headset))
        queue.post(.propertyChange(.audioInputAvailable, .uint32(1)))
        for _ in 0..<61 { queue.post(route(.override)) }
        #expect(queue.count == 64)
        queue.post(end)
        #expect(
            taken(&queue) == [
                begin, .propertyChange(.audioInputAvailable, .uint32(1)), route(.override, from: .receiver, to: .headphone), end,
            ])
    }

    @Test("A merged route change has reason OldDeviceUnavailable if any of them had it")
    func lostDevice() {
        var queue = EventQueue()
        queue.post(route(.oldDeviceUnavailable))
        for _ in 0..<64 { queue.post(route(.newDeviceAvailable)) }
        #expect(taken(&queue) == [route(.oldDeviceUnavailable)])
    }

    @Test("If the last one delivered was a begin, a waiting end and begin cancel out")
    func cancels() {
        var queue = EventQueue()
        queue.post(begin)
        #expect(taken(&queue) == [begin])
        queue.post(end)
        queue.post(begin)
        #expect(queue.isEmpty)
        queue.post(end)
        #expect(taken(&queue) == [end])
    }

    @Test("Otherwise only the last waiting begin and what follows is kept")
    func lastBegin() {
        var queue = EventQueue()
        for _ in 0..<3 {
            queue.post(begin)
            queue.post(end)
        }
        #expect(taken(&queue) == [begin, end])
        queue.post(begin)
        queue.post(end)
        queue.post(begin)
        #expect(taken(&queue) == [begin])
    }

    @Test("An activation drops waiting begins and ends, and nothing else")
    func overtaken() {
        var queue = EventQueue()
        queue.post(begin)
        queue.post(route(.override))
        queue.post(end)
        queue.dropInterruptions()
        #expect(taken(&queue) == [route(.override)])
    }

    @Test("A begin after an activation is delivered, although the last interruption event delivered was a begin")
    func beginAfterActivation() {
        var queue = EventQueue()
        queue.post(begin)
        #expect(taken(&queue) == [begin])
        queue.dropInterruptions()
        queue.post(begin)
        queue.post(end)
        queue.post(begin)
        #expect(taken(&queue) == [begin])
    }

    @Test("Random histories keep the promises of the queue", arguments: 0..<200 as Range<UInt64>)
    func histories(seed: UInt64) {
        var history = QueueHistory(seed: seed)
        for _ in 0..<500 where history.isKept { history.step() }
        history.drain()
        #expect(history.broken == nil, "seed \(seed)")
    }
}

/// A random history of a queue: the session, and the session as the program knows it from the events.
private struct QueueHistory {
    private var random: SeededGenerator
    private var queue = EventQueue()
    /// The promise that was broken first.
    private(set) var broken: String?

    // The session.
    private var isInterrupted = false
    private var isHinted = false
    /// The reason of each route change. The change with index n leads from route n to route n + 1.
    private var reasons: [RouteChangeReason] = []
    private var lastValues: [SessionProperty: PropertyValue] = [:]
    private var posts: UInt32 = 0

    // The session as the program knows it from the events.
    private var knowsInterruption = false
    private var knowsHint = false
    private var knownRoute = 0
    private var knownValues: [SessionProperty: PropertyValue] = [:]
    private var lastNumber: UInt64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed) }

    var isKept: Bool { broken == nil }

    private mutating func expect(_ holds: Bool, _ promise: String) { if !holds, broken == nil { broken = promise } }

    mutating func step() {
        posts += 1
        switch random.below(12) {
        case 0, 1:
            queue.post(isInterrupted ? end : begin)
            isInterrupted.toggle()
        case 2:
            queue.dropInterruptions()
            isInterrupted = false
            knowsInterruption = false
        case 3, 4, 5, 6: changeRoute()
        case 7, 8:
            let property = SessionProperty.allCases[random.below(SessionProperty.allCases.count)]
            queue.post(.propertyChange(property, .uint32(posts)))
            lastValues[property] = .uint32(posts)
        case 9:
            isHinted.toggle()
            queue.post(.secondaryAudioHint(shouldBeSilenced: isHinted))
        default: if random.below(8) == 0 { receive(queue.popFirst()) }
        }
        expect(queue.count <= EventQueue.capacity, "at most 64 events wait")
    }

    private mutating func changeRoute() {
        let possible: [RouteChangeReason] = [.newDeviceAvailable, .override, .categoryChange, .oldDeviceUnavailable]
        let reason = possible[random.below(random.below(16) == 0 ? 4 : 3)]
        queue.post(
            .routeChange(
                RouteChange(
                    reason: reason, previous: route(reasons.count), current: route(reasons.count + 1), oldName: .speaker,
                    newName: .speaker)))
        reasons.append(reason)
    }

    private func route(_ number: Int) -> Route { Route(outputs: [port(.headphones, device: UInt32(number))]) }

    private mutating func receive(_ waiting: EventQueue.Waiting?) {
        guard let waiting else { return }
        expect(waiting.number > lastNumber, "events are delivered in the order of their numbers")
        lastNumber = waiting.number
        switch waiting.event {
        case .interruption(.begin):
            expect(!knowsInterruption, "no begin follows a begin")
            knowsInterruption = true
        case .interruption(.end):
            expect(knowsInterruption, "no end is delivered without a begin")
            knowsInterruption = false
        case .secondaryAudioHint(let isSilenced):
            expect(isSilenced != knowsHint, "hints alternate")
            knowsHint = isSilenced
        case .propertyChange(let property, let value):
            expect(value == lastValues[property], "the latest value of a property is delivered")
            knownValues[property] = value
        case .routeChange(let change):
            expect(change.previous == route(knownRoute), "a route change starts at the route that the one before led to")
            let current = Int(change.current.outputs[0].device)
            let merged = reasons[knownRoute..<current]
            let reason = merged.contains(.oldDeviceUnavailable) ? .oldDeviceUnavailable : merged.last
            expect(change.reason == reason, "a merged change has reason OldDeviceUnavailable if any had it, else the last reason")
            knownRoute = current
        }
    }

    /// The program receives all pending events.
    mutating func drain() {
        while let waiting = queue.popFirst() { receive(waiting) }
        expect(knowsInterruption == isInterrupted, "the program knows whether it is interrupted")
        expect(knowsHint == isHinted, "the program knows the last hint")
        expect(knownRoute == reasons.count, "the program knows the last route")
        expect(knownValues == lastValues, "the program knows the latest value of each property")
    }
}
