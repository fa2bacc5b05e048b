// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The time by which devices without hardware move frames.
public protocol DeviceClock: AnyObject, Sendable {
    /// In nanoseconds.
    var now: UInt64 { get }

    /// Registers a thread that sleeps by this clock. `wake` ends its sleep, from any thread.
    func register(wake: @escaping @Sendable () -> Void) -> Int
    func unregister(_ thread: Int)

    /// The thread has completed its work up to now and sleeps until a time of this clock; `UInt64.max`: until it
    /// is woken. The result is the monotonic time until which it sleeps in the kernel.
    func sleep(_ thread: Int, until deadline: UInt64) -> UInt64

    /// The thread has woken, by its deadline or a message. It works from now on.
    func endSleep(_ thread: Int)
}

/// The clock of the kernel.
public final class MonotonicClock: DeviceClock {
    public static let shared = MonotonicClock()

    public var now: UInt64 { linux_monotonic_nanoseconds() }
    public func register(wake: @escaping @Sendable () -> Void) -> Int { 0 }
    public func unregister(_ thread: Int) {}
    public func sleep(_ thread: Int, until deadline: UInt64) -> UInt64 { deadline }
    public func endSleep(_ thread: Int) {}
}
