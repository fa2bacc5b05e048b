// SPDX-License-Identifier: Apache-2.0
/// The time of the frames of a device: a line through measured times, which follows slow changes only.
///
/// A delay-locked loop of the second order: the error of each measurement corrects the time by a small part and the
/// rate by a smaller one. Measured times jitter by the scheduling of the thread and by the steps of the hardware's
/// position; the smooth ones do not.
struct DelayLockedLoop {
    /// Nanoseconds of one frame at the nominal rate.
    private let nominal: Double
    /// Nanoseconds of one frame as measured.
    private var period: Double
    /// Times are relative to this time: a double represents them exactly for months.
    private var base: UInt64 = 0
    private var time: Double = 0
    private var framesSinceUpdate: Double = 0
    private(set) var hasStarted = false
    /// False until the first measurement after a start. It replaces the time, because the start itself takes a while.
    private var isMeasured = false

    /// The tolerance of the rate, as a fraction of the nominal rate.
    private static let tolerance = 0.05
    /// In hertz. Faster jitter is removed.
    private static let bandwidth = 0.5
    /// In nanoseconds. A larger error is a jump and not jitter.
    private static let largestError = 50_000_000.0

    /// Continues in time after the loop of another device, if there was one.
    init(rate: UInt32, after other: DelayLockedLoop? = nil) {
        nominal = 1_000_000_000 / Double(max(rate, 1))
        period = nominal
        if let other { (base, time, hasStarted) = (other.base, other.time, other.hasStarted) }
    }

    /// The smooth time of the next frame.
    var expected: UInt64 { base &+ nanoseconds(time) }

    /// Measured / nominal rate.
    var scalar: Double { nominal / period }

    /// The time of the frame that precedes the next frame by `frames`.
    func expected(before frames: UInt64) -> UInt64 {
        let time = time - Double(frames) * period
        // The first measurement is the base, and the frames that a device had captured by then are before it.
        guard time < 0 else { return base &+ nanoseconds(time) }
        return base &- min(nanoseconds(-time), base)
    }

    /// The device starts, and its next frame is at this time. Returns the number of frames lost since the expected time.
    mutating func start(at first: UInt64) -> UInt64 {
        let expected = expected
        let lost = hasStarted && first > expected ? UInt64((Double(first &- expected) / period).rounded()) : 0
        (base, time, framesSinceUpdate) = (first, 0, 0)
        (hasStarted, isMeasured) = (true, false)
        return lost
    }

    /// `frames` frames have been moved.
    mutating func advance(by frames: UInt64) {
        time += Double(frames) * period
        framesSinceUpdate += Double(frames)
    }

    /// The next frame was measured to be at this time. Returns the smoothed time.
    mutating func update(measured: UInt64) -> UInt64 {
        let now = measured >= base ? Double(measured &- base) : -Double(base &- measured)
        let error = now - time
        guard isMeasured, error.magnitude < DelayLockedLoop.largestError else {
            (base, time, framesSinceUpdate, isMeasured) = (measured, 0, 0, true)
            return measured
        }
        guard framesSinceUpdate > 0 else { return expected }
        let omega = min(2 * Double.pi * DelayLockedLoop.bandwidth * framesSinceUpdate * nominal / 1_000_000_000, 0.5)
        time += 2.0.squareRoot() * omega * error
        let changed = period + omega * omega * error / framesSinceUpdate
        period = min(max(changed, nominal * (1 - DelayLockedLoop.tolerance)), nominal * (1 + DelayLockedLoop.tolerance))
        framesSinceUpdate = 0
        return expected
    }

    private func nanoseconds(_ value: Double) -> UInt64 { value > 0 ? UInt64(min(value, 9e18)) : 0 }
}
