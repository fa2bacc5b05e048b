// SPDX-License-Identifier: Apache-2.0
import PCMConversion
import Testing

@Suite struct LevelMeterTests {
    @Test("The average falls with a time constant of 0.1 s, and the peak with one of 0.4 s") func falls() {
        let meter = LevelMeter(channels: 1)
        let (loud, silent) = ([Float](repeating: 0.5, count: 256), [Float](repeating: 0, count: 256))
        for _ in 0..<200 { meter.measure(loud, frames: 256, rate: 48_000) }
        #expect(meter.level(0).peak == 0.5 && abs(meter.level(0).average - 0.5) < 1e-4)
        // 0.1 s, and then 0.4 s.
        for _ in 0..<19 { meter.measure(silent, frames: 256, rate: 48_000) }
        #expect(abs(meter.level(0).average - 0.5 * Float(0.3679).squareRoot()) < 0.01)
        for _ in 19..<75 { meter.measure(silent, frames: 256, rate: 48_000) }
        #expect(abs(meter.level(0).peak - 0.5 * 0.3679) < 0.002)
    }

    @Test("A meter is at most 1, and recovers from one bad sample", arguments: [Float.nan, .infinity, -.infinity, 1e38, 2, -2])
    func recovers(_ bad: Float) {
        let meter = LevelMeter(channels: 2)
        var samples = [Float](repeating: 0.25, count: 512)
        for _ in 0..<200 { meter.measure(samples, frames: 256, rate: 48_000) }
        samples[7] = bad
        meter.measure(samples, frames: 256, rate: 48_000)
        #expect(meter.level(1).peak == 1 && meter.level(0).peak == 0.25 && 0.25...0.3 ~= meter.level(1).average)
        for _ in 0..<400 { meter.measure([Float](repeating: 0.25, count: 512), frames: 256, rate: 48_000) }
        #expect(meter.level(1).peak == 0.25 && abs(meter.level(1).average - 0.25) < 1e-4)
        for _ in 0..<400 { meter.measure([Float](repeating: 4, count: 512), frames: 256, rate: 48_000) }
        #expect(meter.level(1).peak == 1 && abs(meter.level(1).average - 1) < 1e-4)
    }

    @Test("A reset begins again with silence, and a channel that the meter does not have is silent") func reset() {
        let meter = LevelMeter(channels: 2)
        for _ in 0..<200 { meter.measure([Float](repeating: 0.5, count: 512), frames: 256, rate: 48_000) }
        #expect(meter.level(2) == .silence && meter.level(-1) == .silence)
        meter.add(SampleMeasure(), channel: 2, frames: 256, rate: 48_000)
        meter.reset()
        #expect(meter.level(0) == .silence && meter.level(1) == .silence)
        meter.measure([Float](repeating: 0.25, count: 512), frames: 256, rate: 48_000)
        #expect(meter.level(1).peak == 0.25 && meter.level(1).average < 0.1)
        #expect(LevelMeter.Level.silence.decibels.peak == -160)
    }

    @Test("Samples of every number and distance are measured", arguments: 1...20) func measures(frames: Int) {
        let samples = (0..<frames * 3).map { Float($0 + 1) / 100 }
        for stride in 1...3 {
            let used = (0..<frames).map { samples[$0 * stride] }
            let measure = SampleMeasure(samples, frames: frames, stride: stride)
            #expect(measure.highest == used.last)
            #expect(abs(measure.square - used.map { $0 * $0 }.reduce(0, +) / Float(frames)) < 1e-6)
            #expect(
                abs(measure.scaled(-2).square - 4 * measure.square) < 1e-6 && measure.scaled(-2).highest == 2 * measure.highest)
        }
        #expect(SampleMeasure(samples, frames: 0).square == 0)
    }

    @Test("Blocks longer than the time constants have their own level, and leave nothing of the sound before them")
    func longBlocks() {
        let meter = LevelMeter(channels: 2)
        let loud = (0..<9_600).map { Float($0 % 2 == 0 ? 0.5 : -0.25) }
        for _ in 0..<2 {
            meter.measure(loud, frames: 4_800, rate: 8_000)
            #expect(abs(meter.level(0).average - 0.5) < 1e-4 && abs(meter.level(1).average - 0.25) < 1e-4)
            #expect(meter.level(0).peak == 0.5 && meter.level(1).peak == 0.25)
        }
        meter.measure([Float](repeating: 0, count: 9_600), frames: 4_800, rate: 8_000)
        #expect((0...1).allSatisfy { meter.level($0) == .silence } && meter.level(2) == .silence && meter.level(-1) == .silence)
    }
}
