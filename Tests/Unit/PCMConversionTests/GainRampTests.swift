// SPDX-License-Identifier: Apache-2.0
import PCMConversion
import Testing

@Suite("A ramp of a gain")
struct GainRampTests {
    private func values(_ count: Int, _ ramp: inout GainRamp) -> [Float] { (0..<count).map { _ in ramp.next() } }

    @Test("is a straight line from the present value to the target, and counts its frames")
    func line() {
        var ramp = GainRamp(0)
        #expect(ramp.isSteady && ramp.remaining == 0 && values(2, &ramp) == [0, 0])
        ramp.ramp(to: 1, frames: 4)
        for remaining in (1...4).reversed() {
            #expect(ramp.remaining == remaining && !ramp.isSteady)
            #expect(ramp.next() == Float(4 - remaining) / 4)
        }
        #expect(ramp.isSteady && ramp.remaining == 0 && values(2, &ramp) == [1, 1])
        // Another ramp in the middle of one begins with its value.
        ramp.ramp(to: 0, frames: 4)
        #expect(values(2, &ramp) == [1, 0.75])
        ramp.ramp(to: 1, frames: 2)
        #expect(values(4, &ramp) == [0.5, 0.75, 1, 1])
        ramp.ramp(to: 0.25, frames: 0)
        #expect(ramp.isSteady && ramp.value == 0.25)
    }

    @Test("begins behind a delay, or has begun before")
    func delay() {
        var ramp = GainRamp(0)
        ramp.ramp(to: 1, frames: 4, delay: 2)
        #expect(ramp.remaining == 6 && values(8, &ramp) == [0, 0, 0, 0.25, 0.5, 0.75, 1, 1])
        ramp.ramp(to: 0, frames: 4, delay: -2)
        #expect(ramp.remaining == 2 && values(3, &ramp) == [0.5, 0.25, 0])
        ramp.ramp(to: 1, frames: 4, delay: -4)
        #expect(ramp.isSteady && ramp.value == 1)
    }

    @Test("begins with a value of its own, also that of the target")
    func start() {
        var ramp = GainRamp(0)
        ramp.ramp(to: 1, frames: 2, from: 0.5)
        #expect(values(3, &ramp) == [0.5, 0.75, 1])
        ramp.ramp(to: 1, frames: 2, from: 0)
        #expect(values(3, &ramp) == [0, 0.5, 1])
        ramp.ramp(to: 0, frames: 2, delay: 2, from: 0)
        #expect(values(4, &ramp) == [1, 1, 0, 0])
        ramp.ramp(to: 0, frames: 2)
        #expect(ramp.isSteady && ramp.value == 0)
    }

    @Test("goes on where frames are not rendered")
    func skip() {
        var (ramp, other) = (GainRamp(0), GainRamp(0))
        ramp.ramp(to: 1, frames: 8, delay: 1)
        other.ramp(to: 1, frames: 8, delay: 1)
        ramp.skip(4)
        _ = values(4, &other)
        #expect(ramp == other && ramp.value == 0.375)
        ramp.skip(100)
        #expect(ramp.isSteady && ramp.value == 1)
        ramp.skip(100)
        ramp.ramp(to: 0, frames: 2)
        #expect(values(3, &ramp) == [1, 0.5, 0])
    }
}
