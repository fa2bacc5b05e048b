// SPDX-License-Identifier: Apache-2.0
import CLinux
import Synchronization

/// The events of the parameters of a unit that are not rendered yet. Program threads, also audio threads, append events. One thread
/// at a time renders them. No thread takes a lock.
final class ParameterEvents: @unchecked Sendable {
    /// An event for each frame of the longest slice of an I/O unit.
    static let capacity = 4096

    /// Odd while a thread appends events.
    private let sequence = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private let appended = UnsafeMutablePointer<ParameterEvent>.allocate(capacity: ParameterEvents.capacity)
    /// The numbers of events that were appended, and of those that the rendering thread has received.
    private let written = Atomic<Int>(0)
    private let received = Atomic<Int>(0)
    /// There was no room for an event.
    private let hasOverflowed = Atomic<Bool>(false)

    /// The events of the present slice and of later ones, by offset. Only the rendering thread uses them.
    private let pending = UnsafeMutablePointer<ParameterEvent>.allocate(capacity: ParameterEvents.capacity)
    private(set) var count = 0
    /// Incremented when events were discarded: the parameters then have the values that were set last.
    private(set) var losses: UInt32 = 0

    init() { sequence.initialize(to: 0) }

    deinit {
        sequence.deallocate()
        appended.deallocate()
        pending.deallocate()
    }

    // MARK: Program threads

    /// Appends an event.
    func append(_ event: ParameterEvent) {
        append(1) { _ in event }
    }

    /// Appends events in order. The next slice receives all of them. If another thread appends events at this moment, this thread
    /// waits for it.
    func append(_ number: Int, _ event: (Int) -> ParameterEvent?) {
        let begun = linux_sequence_begin(sequence)
        var position = written.load(ordering: .relaxed)
        let first = received.load(ordering: .acquiring)
        for index in 0..<number {
            guard let event = event(index) else { continue }
            event.parameter._withUnsafeGuaranteedRef { $0.set(event.change.end) }
            guard position &- first < ParameterEvents.capacity else {
                hasOverflowed.store(true, ordering: .relaxed)
                continue
            }
            appended[position % ParameterEvents.capacity] = event
            position &+= 1
        }
        written.store(position, ordering: .releasing)
        linux_sequence_end(sequence, begun)
    }

    // MARK: The rendering thread

    subscript(index: Int) -> ParameterEvent { pending[index] }

    /// Receives the events that were appended.
    func beginSlice() {
        let end = written.load(ordering: .acquiring)
        var position = received.load(ordering: .relaxed)
        guard position != end || hasOverflowed.load(ordering: .relaxed) else { return }
        while position != end {
            insert(appended[position % ParameterEvents.capacity])
            position &+= 1
        }
        received.store(end, ordering: .releasing)
        guard hasOverflowed.exchange(false, ordering: .relaxed) else { return }
        settle(count)
        count = 0
        losses &+= 1
    }

    /// Inserts an event after those with the same offset.
    private func insert(_ event: ParameterEvent) {
        guard count < ParameterEvents.capacity else { return hasOverflowed.store(true, ordering: .relaxed) }
        var index = count
        while index > 0, pending[index &- 1].offset > event.offset {
            pending[index] = pending[index &- 1]
            index &-= 1
        }
        pending[index] = event
        count &+= 1
    }

    /// Removes the events of the slice.
    func endSlice(_ frames: Int) {
        guard count > 0 else { return }
        var done = 0
        while done < count, pending[done].offset < frames { done &+= 1 }
        settle(done)
        for index in done..<count {
            pending[index &- done] = pending[index]
            pending[index &- done].offset &-= frames
        }
        count &-= done
    }

    private func settle(_ number: Int) {
        for index in 0..<number {
            let event = pending[index]
            event.parameter._withUnsafeGuaranteedRef { $0.settle(event.change.end) }
        }
    }

    /// Calls `body` with the parts of the slice between events, and `apply` with the event after a part. The events before the first
    /// frame are not among them.
    func forEachPart(of frames: Int, _ apply: (ParameterEvent) -> Void, body: (Range<Int>) -> Void) {
        var start = 0
        for index in 0..<count {
            let event = pending[index]
            guard event.offset < frames else { break }
            guard event.offset > 0 else { continue }
            if event.offset > start { body(start..<event.offset) }
            start = event.offset
            apply(event)
        }
        if start < frames { body(start..<frames) }
    }
}
