// SPDX-License-Identifier: Apache-2.0
import CLinux

/// An object that program threads replace while one audio thread uses it. The audio thread takes no lock, frees nothing, and makes a
/// system call only if another thread waits for the end of its visit.
public final class RealtimeCell<Value: AnyObject>: @unchecked Sendable {
    private let cell = UnsafeMutablePointer<linux_cell>.allocate(capacity: 1)
    /// The owner of the value that the audio thread uses.
    private var current: Value?
    private var retired: [(value: Value, visit: UInt32)] = []

    public init() { cell.initialize(to: linux_cell()) }

    deinit { cell.deallocate() }

    // MARK: The audio thread

    /// Begins a visit and returns the value, which is valid until `leave`.
    @inline(__always)
    public func enter() -> Value? {
        // No map: an ordinary build calls it with the metadata of the type.
        guard let value = linux_cell_enter(cell) else { return nil }
        return Unmanaged<Value>.fromOpaque(value).takeUnretainedValue()
    }

    @inline(__always)
    public func leave() { linux_cell_leave(cell) }

    // MARK: Program threads, under one lock of the caller

    public var value: Value? { current }

    /// Replaces the value. Does not wait for a visit that uses the former one. Returns values that are no longer used: the caller
    /// frees them after it has released its lock.
    public func publish(_ value: Value?) -> [Value] {
        let former = set(value)
        var visit: UInt32 = 0
        let isVisited = linux_cell_is_visited(cell, &visit)
        if let former { retired.append((former, visit)) }
        let isOver = { (retired: (value: Value, visit: UInt32)) in !isVisited || retired.visit != visit }
        let free = retired.filter(isOver).map { $0.value }
        retired.removeAll(where: isOver)
        return free
    }

    /// Replaces the value. Returns when no visit uses the former one.
    public func exchangeWaiting(_ value: Value?) {
        let former = set(value)
        linux_cell_await_end(cell)
        withExtendedLifetime(former) {}
    }

    private func set(_ value: Value?) -> Value? {
        let former = current
        current = value
        linux_cell_set(cell, value.map { Unmanaged.passUnretained($0).toOpaque() })
        return former
    }
}
