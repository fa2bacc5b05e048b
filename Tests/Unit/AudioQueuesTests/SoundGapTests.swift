// SPDX-License-Identifier: Apache-2.0
import EngineTestSupport
import Testing

@testable import AudioQueues

@Suite("A gap in the sound of a queue")
struct SoundGapTests {
    private func hasGap(_ bench: Bench) throws -> Bool {
        try bench.queue.currentTime(at: bench.engine.output?.time ?? 0).isDiscontinuous
    }

    @Test("is not the silence of a queue without buffers, also where the device loses frames")
    func silence() throws {
        let bench = try Bench(int16())
        for life in 1...3 {
            try bench.queue.start()
            bench.run(3)
            bench.engine.output?.lose(300)
            bench.run(3)
            #expect(try !hasGap(bench), "life \(life)")
            try bench.queue.reset()
            // A reset is a discontinuity of its own.
            #expect(try hasGap(bench))
            bench.run(3)
            #expect(try !hasGap(bench), "behind the reset of life \(life)")
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("is where the device loses frames, in the samples of any device", arguments: [false, true])
    func lostFrames(onInt16: Bool) throws {
        let bench = try Bench(int16())
        bench.engine.acceptsInt16 = onInt16
        for isRead in [true, false, true] {
            try bench.enqueue(noise(2 * 12 * 256))
            try bench.queue.start()
            bench.run(4)
            #expect(try !hasGap(bench), "an earlier life leaves no gap")
            bench.engine.output?.lose(300)
            bench.run()
            // The next life begins without it, whether the program has seen it or not.
            if isRead {
                #expect(try hasGap(bench))
                bench.run()
                #expect(try !hasGap(bench))
            }
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("before the last frames have been heard delays the end of a stop, and of a pause", arguments: [false, true])
    func end(isPause: Bool) throws {
        let bench = try Bench(int16())
        func cyclesToTheEnd(losing frames: UInt64) throws -> Int {
            try bench.enqueue(noise(2 * (isPause ? 8 : 2) * 256))
            try bench.queue.start()
            bench.run(2)
            if isPause { try bench.queue.pause() } else { try bench.queue.stop(immediately: false) }
            // The last frame is in this cycle.
            bench.run()
            bench.engine.output?.lose(frames)
            var count = 0
            while let output = bench.engine.output, output.isRunning, !output.isSuspended, count < 100 {
                bench.run()
                count += 1
            }
            try bench.queue.stop(immediately: true)
            return count
        }
        let usual = try cyclesToTheEnd(losing: 0)
        #expect(usual > 1)
        for _ in 0..<2 {
            #expect(try cyclesToTheEnd(losing: 2_000) == usual)
            #expect(try cyclesToTheEnd(losing: 0) == usual)
        }
    }

    @Test("stops the position: no frame before it is heard again in it", arguments: [false, true])
    func position(isLost: Bool) throws {
        let bench = try Bench(int16())
        try bench.enqueue(noise(2 * 1_024))
        try bench.queue.start()
        bench.run(4)
        if isLost {
            try bench.enqueue(noise(2 * 1_024))
            bench.engine.output?.lose(600)
        } else {
            bench.run(3)
            try bench.enqueue(noise(2 * 1_024))
        }
        let end = try #require(bench.engine.output).time
        bench.run()
        // A hundred frames before the sound goes on.
        #expect(try bench.queue.currentTime(at: end - 2_083_333).frame == 1_024)
    }
}
