// SPDX-License-Identifier: Apache-2.0
/// The queue of events for delivery. Superseded events merge, so that the length of the queue is limited.
public struct EventQueue: Sendable {
    /// When the queue has more events than this, its route changes merge into one.
    public static let capacity = 64

    public struct Waiting: Equatable, Sendable {
        public let event: SessionEvent
        /// Ascending. A listener that is added after an event was posted does not receive it.
        public let number: UInt64
    }

    private var waiting: [Waiting] = []
    private var lastNumber: UInt64 = 0
    /// The last interruption event that left the queue is a begin.
    private var lastTakenWasBegin = false

    public init() {}

    public var isEmpty: Bool { waiting.isEmpty }
    public var count: Int { waiting.count }
    public var hasBegin: Bool { waiting.contains { $0.event == .interruption(.begin) } }
    /// The number of the latest event.
    public var latestNumber: UInt64 { lastNumber }

    public mutating func post(_ event: SessionEvent) {
        switch event {
        case .interruption(let interruption): post(interruption)
        case .routeChange: append(event)
        case .propertyChange(let property, _):
            drop { if case .propertyChange(property, _) = $0.event { true } else { false } }
            append(event)
        case .secondaryAudioHint:
            // Hints alternate: a pending hint and its opposite cancel out.
            let waited = waiting.contains { $0.event.isSecondaryAudioHint }
            drop { $0.event.isSecondaryAudioHint }
            if !waited { append(event) }
        }
        if waiting.count > EventQueue.capacity { mergeRouteChanges() }
    }

    /// The first event of the queue, unless it was posted after the event with this number.
    public mutating func popFirst(upTo last: UInt64 = .max) -> Waiting? {
        guard let next = waiting.first, next.number <= last else { return nil }
        let first = waiting.removeFirst()
        if case .interruption(let interruption) = first.event { lastTakenWasBegin = interruption == .begin }
        return first
    }

    /// The program has activated its session: pending begins and ends are obsolete.
    public mutating func dropInterruptions() {
        if !waiting.isEmpty { drop { $0.event.isInterruption } }
        lastTakenWasBegin = false
    }

    // MARK: Merging

    private mutating func append(_ event: SessionEvent) {
        lastNumber &+= 1
        waiting.append(Waiting(event: event, number: lastNumber))
    }

    /// Not inlined, so that all closures share one copy.
    @inline(never)
    private mutating func drop(where isOver: (Waiting) -> Bool) { waiting = waiting.filter { !isOver($0) } }

    private mutating func post(_ interruption: Interruption) {
        if interruption == .begin {
            let waited = waiting.contains { $0.event.isInterruption }
            drop { $0.event.isInterruption }
            // The program has received a begin: the pending end and this begin cancel out.
            if waited, lastTakenWasBegin { return }
        }
        append(.interruption(interruption))
    }

    private mutating func mergeRouteChanges() {
        var merged: RouteChange?
        var position = 0
        var lostDevice = false
        for (index, item) in waiting.enumerated() {
            guard case .routeChange(let change) = item.event else { continue }
            lostDevice = lostDevice || change.reason == .oldDeviceUnavailable
            position = index
            var next = change
            if let first = merged {
                next.previous = first.previous
                next.oldName = first.oldName
            }
            merged = next
        }
        guard var merged else { return }
        if lostDevice { merged.reason = .oldDeviceUnavailable }
        let last = Waiting(event: .routeChange(merged), number: waiting[position].number)
        waiting[position] = last
        drop { if case .routeChange = $0.event { $0.number != last.number } else { false } }
    }
}

extension SessionEvent {
    var isInterruption: Bool { if case .interruption = self { true } else { false } }
    var isSecondaryAudioHint: Bool { if case .secondaryAudioHint = self { true } else { false } }
}
