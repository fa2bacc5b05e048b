// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

@testable import AudioQueues

@Suite("The start of a queue")
struct StartTimeTests {
    /// A slice of 256 frames at 48,000 Hz, whose first frame is frame 4,800 of the device.
    private func bench(rate: Double, amplitude: Int16) throws -> Bench {
        let bench = try Bench(int16(rate: rate, channels: 1))
        // A click, behind silence: the filter of the conversion rings before it.
        try bench.enqueue(
            [Int16](repeating: 0, count: Int(rate / 50)) + [amplitude] + [Int16](repeating: 0, count: Int(rate / 50)))
        return bench
    }

    @Test(
        "at a frame of the device is heard there, whatever the rate and the latency of its conversion, also the second time",
        arguments: [48_000.0, 44_100, 32_000, 22_050, 16_000, 8_000, 96_000])
    func frame(rate: Double) throws {
        let bench = try bench(rate: rate, amplitude: 32_000)
        for life in 1...2 {
            if life == 2 {
                try bench.queue.stop(immediately: true)
                try bench.enqueue(
                    [Int16](repeating: 0, count: Int(rate / 50)) + [32_000] + [Int16](repeating: 0, count: Int(rate / 50)))
            }
            // A stream counts its frames from its start.
            try bench.queue.start(at: .frame(2_000))
            let played = leftSide(bench.run(24))
            let loudest = try #require(played.indices.max { abs(played[$0]) < abs(played[$1]) })
            #expect(abs(played[loudest]) > 0.1)
            // The click lies 20 ms behind the first frame of the queue.
            let wanted = 2_000 + 960
            // A queue begins with a whole frame of its own.
            #expect(abs(Double(loudest - wanted)) <= 1 + 48_000 / rate, "life \(life): \(loudest) and not \(wanted)")
        }
    }

    @Test("waits for its time on a device with 16-bit samples too, also behind a pause")
    func int16Device() throws {
        let bench = try Bench(int16())
        bench.engine.acceptsInt16 = true
        let samples = noise(2 * 4_000)
        for _ in 1...2 {
            try bench.enqueue(samples)
            try bench.queue.start(at: .frame(600))
            let played = bench.run(6)
            #expect(played.prefix(1_200).allSatisfy { $0 == 0 })
            #expect(Array(played.dropFirst(1_200)) == Array(floats(samples).prefix(played.count - 1_200)))
            try bench.queue.pause()
            bench.run(10)
            try bench.queue.start(at: .frame(600))
            #expect(bench.run(2).prefix(1_000).allSatisfy { $0 == 0 })
            #expect(bench.run().contains { $0 != 0 })
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("has the time 0 until its first cycle, in each life")
    func timeBeforeTheFirstCycle() throws {
        let bench = try Bench(int16())
        for _ in 1...2 {
            try bench.enqueue(noise(2 * 2_560))
            try bench.queue.start()
            #expect(try bench.queue.currentTime(at: bench.engine.output?.time ?? 0).frame == 0)
            bench.run(11)
            #expect(try bench.queue.currentTime(at: bench.engine.output?.time ?? 0).frame == 2_560)
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("that waits for its time can be paused, and the stream stops")
    func pauseBeforeTheTime() throws {
        let bench = try Bench(int16())
        for _ in 1...2 {
            try bench.enqueue(noise(512))
            try bench.queue.start(at: .frame(100_000))
            bench.run()
            #expect(bench.engine.output?.isRunning == true)
            try bench.queue.pause()
            bench.run(3)
            #expect(bench.engine.output?.isRunning == false)
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("without a time, after a pause before the time of the last start, is now", arguments: [0, 3])
    func startWithoutATime(slicesOfThePause: Int) throws {
        let bench = try Bench(int16())
        for _ in 1...2 {
            try bench.enqueue([Int16](repeating: 16_384, count: 2 * 9_600))
            try bench.queue.start(at: .frame(100_000))
            #expect(bench.run().allSatisfy { $0 == 0 })
            try bench.queue.pause()
            if slicesOfThePause > 0 { bench.run(slicesOfThePause) }
            try bench.queue.start()
            #expect(bench.run(4).last == 0.5)
            try bench.queue.stop(immediately: true)
        }
    }

    /// A stream that stood still counts its frames from its start.
    @Test(
        "with a time, after a pause before the time of the last start, is at the new one",
        arguments: [(0, 4_000 - 256), (3, 4_000)])
    func startWithAnotherTime(slicesOfThePause: Int, silentFrames: Int) throws {
        let bench = try Bench(int16())
        try bench.enqueue([Int16](repeating: 16_384, count: 2 * 9_600))
        try bench.queue.start(at: .frame(100_000))
        bench.run()
        try bench.queue.pause()
        if slicesOfThePause > 0 { bench.run(slicesOfThePause) }
        try bench.queue.start(at: .frame(4_000))
        let left = leftSide(bench.run(20))
        #expect(left.firstIndex { $0 != 0 }.map { silentFrames...silentFrames + 1 ~= $0 } == true)
    }

    @Test("leaves no level of an earlier life in the meters", arguments: [false, true])
    func meters(onInt16: Bool) throws {
        let bench = try Bench(int16())
        bench.engine.acceptsInt16 = onInt16
        try bench.queue.setProperty(0x6171_6D65, 1)
        for _ in 1...2 {
            // The first cycle begins the queue.
            try bench.enqueue([Int16](repeating: 0, count: 2 * 512) + [Int16](repeating: 16_384, count: 2 * 9_600))
            try bench.queue.start()
            bench.run(20)
            let levels = try bench.queue.property(0x6171_6D76).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            #expect(levels.allSatisfy { $0 > 0.1 })
            try bench.queue.stop(immediately: true)
            try bench.queue.start()
            // Nothing has been played since the start.
            #expect(try bench.queue.property(0x6171_6D76).allSatisfy { $0 == 0 })
            try bench.queue.stop(immediately: true)
        }
    }

    @Test(
        "at a host time is heard then, whatever the rate and the latency of its conversion",
        arguments: [44_100.0, 22_050, 8_000, 96_000])
    func hostTime(rate: Double) throws {
        let bench = try bench(rate: rate, amplitude: 32_000)
        // The first frame of the device is heard a second after the start of the machine.
        try bench.queue.start(at: .time(1_000_000_000 + 2_000 * 1_000_000_000 / 48_000))
        let played = leftSide(bench.run(24))
        let loudest = try #require(played.indices.max { abs(played[$0]) < abs(played[$1]) })
        let distance = abs(Double(loudest - 2_960))
        #expect(distance <= 1 + 48_000 / rate, "\(loudest)")
    }
}
