// SPDX-License-Identifier: Apache-2.0
import EngineTestSupport
import LinuxSystem
import Testing

@testable import AudioQueues

/// The ways to drop the sound that waits.
enum SoundDrop: CaseIterable, Sendable {
    case reset, stopAndStart

    func perform(on queue: Queue) throws {
        switch self {
        case .reset: try queue.reset()
        case .stopAndStart:
            try queue.stop(immediately: true)
            try queue.start()
        }
    }
}

@Suite("What a reset or a stop drops")
struct DroppedSoundTests {
    @Test("is also the silence before a start time: the next buffer is heard at once", arguments: SoundDrop.allCases)
    func silenceBeforeAStartTime(drop: SoundDrop) throws {
        let bench = try Bench(int16())
        for life in 1...2 {
            var options = Queue.EnqueueOptions()
            options.startFrame = 100_000
            try bench.enqueue(noise(512), options)
            try bench.queue.start()
            #expect(bench.run(2).allSatisfy { $0 == 0 })
            try drop.perform(on: bench.queue)
            let samples = noise(512, seed: UInt64(life))
            try bench.enqueue(samples)
            #expect(bench.run() == floats(samples))
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("is also the sound in the time pitch, whose position begins again", arguments: SoundDrop.allCases)
    func soundInTheTimePitch(drop: SoundDrop) throws {
        let bench = try Bench(int16())
        var isEnabled: UInt32 = 1
        try withUnsafeBytes(of: &isEnabled) { try bench.queue.setProperty(FourCC.code("q_tp"), $0) }
        for _ in 1...2 {
            try bench.enqueue([Int16](repeating: 16_000, count: 2 * 24_000))
            try bench.queue.start()
            bench.run(10)
            try drop.perform(on: bench.queue)
            let isSilent = bench.run(20).allSatisfy { $0 == 0 }
            #expect(isSilent)
            // The next life counts from its beginning.
            try bench.queue.stop(immediately: true)
            try bench.enqueue([Int16](repeating: 16_000, count: 2 * 24_000))
            try bench.queue.start()
            bench.run(20)
            #expect(try abs(bench.queue.currentTime(at: bench.engine.output?.time ?? 0).frame - 20 * 256) < 2)
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("A queue that is paused before its first cycle plays nothing, also on a stream that plays another one, in each life")
    func pauseBeforeTheFirstCycle() throws {
        let bench = try Bench(int16())
        let other = try bench.service.queues.object(bench.service.makeOutput(int16(), Queue.Handlers { _, _ in }))
        let silence = try other.allocateBuffer(bytes: 400_000)
        silence.data.initializeMemory(as: UInt8.self, repeating: 0, count: 400_000)
        try other.enqueue(UInt(bitPattern: silence.header), bytes: 400_000)
        try other.start()
        bench.run(2)
        for _ in 1...2 {
            try bench.enqueue([Int16](repeating: 16_000, count: 2 * 4096))
            try bench.queue.start()
            try bench.queue.pause()
            #expect(bench.run(4).allSatisfy { $0 == 0 })
            try bench.queue.start()
            #expect(bench.run(16).count { $0 != 0 } >= 2 * 4096 - 2)
            try bench.queue.stop(immediately: true)
        }
    }
}
