// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// The smooth time of the frames of a device.
@Suite struct DelayLockedLoopTests {
    /// Times of slices of 480 frames on a device whose clock is fast by so many parts per million, with jitter.
    private struct Device {
        var loop = DelayLockedLoop(rate: 48_000)
        var moved: UInt64 = 0
        private var generator = SeededGenerator(1)
        let begin: UInt64 = 5_000_000_000
        let period: Double

        init(fast: Double) {
            period = 1_000_000_000 / 48_000 / (1 + fast / 1_000_000)
            _ = loop.start(at: begin)
        }

        func time(of frame: UInt64) -> UInt64 { begin + UInt64((Double(frame) * period).rounded()) }

        /// Up to half a millisecond each way.
        private mutating func jitter() -> Int64 {
            Int64.random(in: -500_000..<500_000, using: &generator)
        }

        /// Returns the smooth time of the next frame.
        mutating func move() -> UInt64 {
            moved += 480
            loop.advance(by: 480)
            return loop.update(measured: UInt64(Int64(time(of: moved)) + jitter()))
        }
    }

    @Test(
        "The loop finds the rate of a device within 50 parts per million, and removes most of the jitter",
        arguments: [-200.0, 0, 200])
    func rate(_ fast: Double) {
        var device = Device(fast: fast)
        for _ in 0..<2000 { _ = device.move() }
        var worst: UInt64 = 0
        var scalars: [Double] = []
        for _ in 0..<2000 {
            let smooth = device.move()
            let exact = device.time(of: device.moved)
            worst = max(worst, smooth > exact ? smooth - exact : exact - smooth)
            scalars.append(device.loop.scalar)
        }
        let mean = scalars.reduce(0, +) / Double(scalars.count)
        #expect(abs(mean - (1 + fast / 1_000_000)) < 0.000_05)
        #expect(worst < 250_000)
    }

    @Test("The frames that a device had captured before its first measurement are before it, also after a jump")
    func before() {
        var device = Device(fast: 0)
        device.loop.advance(by: 480)
        #expect(device.loop.update(measured: device.begin + 10_000_000) == device.begin + 10_000_000)
        #expect(device.loop.expected(before: 480) == device.begin)
        device.loop.advance(by: 480)
        #expect(device.loop.expected(before: 480) == device.begin + 10_000_000)
        #expect(device.loop.update(measured: device.begin + 1_000_000_000) == device.begin + 1_000_000_000)
        #expect(device.loop.expected(before: 960) == device.begin + 980_000_000)
        var early = DelayLockedLoop(rate: 48_000)
        _ = early.start(at: 1_000)
        #expect(early.expected(before: 480) == 0)
    }

    @Test("A jump is followed at once, and a further start counts the frames that were lost") func jump() {
        var device = Device(fast: 0)
        for _ in 0..<100 { _ = device.move() }
        device.loop.advance(by: 480)
        let far = device.time(of: device.moved + 480) + 1_000_000_000
        #expect(device.loop.update(measured: far) == far)
        let expected = device.loop.expected
        #expect(device.loop.start(at: expected + 10_000_000) == 480)
        #expect(device.loop.start(at: 1) == 0)
    }

    @Test("The first measurement after a start replaces the time") func firstMeasurement() {
        var loop = DelayLockedLoop(rate: 48_000)
        #expect(loop.start(at: 1_000_000_000) == 0)
        loop.advance(by: 480)
        #expect(loop.update(measured: 1_013_000_000) == 1_013_000_000)
        loop.advance(by: 480)
        // From now on it is jitter.
        let next = loop.update(measured: 1_026_000_000)
        #expect(next > 1_023_000_000 && next < 1_024_000_000)
    }

    @Test("A clock is believed to be five percent from its rate at most", arguments: [-200_000.0, 200_000])
    func limits(_ fast: Double) {
        var device = Device(fast: fast)
        var furthest = 1.0
        for _ in 0..<2000 {
            _ = device.move()
            if abs(device.loop.scalar - 1) > abs(furthest - 1) { furthest = device.loop.scalar }
        }
        #expect(abs(1 / furthest - (fast > 0 ? 0.95 : 1.05)) < 0.000_001)
    }

    @Test("A loop of another rate continues in time") func anotherRate() {
        var device = Device(fast: 0)
        for _ in 0..<100 { _ = device.move() }
        var next = DelayLockedLoop(rate: 44_100, after: device.loop)
        #expect(next.expected == device.loop.expected)
        #expect(next.start(at: device.loop.expected + 10_000_000) == 441)
    }
}
