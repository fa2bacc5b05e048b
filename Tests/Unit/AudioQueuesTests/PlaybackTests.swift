// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import EngineTestSupport
import LinuxSystem
import MediaFormats
import Resampling
import TestSupport
import Testing

@testable import AudioQueues

@Suite struct PlaybackTests {
    @Test("3,000 small buffers are played without a gap and in their order")
    func thousandsOfSmallBuffersArePlayedWithoutGapInTheirOrder() throws {
        let bench = try Bench(int16())
        var generator = SeededGenerator(7)
        var expected: [Int16] = []
        for index in 0..<3_000 {
            let samples = noise(2 * Int.random(in: 0...40, using: &generator), seed: UInt64(index))
            expected += samples
            try bench.enqueue(samples)
        }
        try bench.queue.start()
        let played = bench.run(expected.count / 2 / 256 + 1)
        #expect(Array(played.prefix(expected.count)) == floats(expected))
        #expect(played.dropFirst(expected.count).allSatisfy { $0 == 0 })
        #expect(bench.returned.count == 3_000)
        #expect(try bench.queue.currentTime(at: bench.engine.output?.time ?? 0).frame == Double(expected.count / 2))
    }

    @Test(
        "A queue of another rate is converted without a break at the boundaries of its buffers",
        arguments: [44_100.0, 8_000, 22_050, 96_000])
    func anotherRateIsConvertedAcrossBufferBoundaries(rate: Double) throws {
        let bench = try Bench(int16(rate: rate, channels: 1))
        let samples = noise(Int(rate / 4), seed: 3)
        for start in stride(from: 0, to: samples.count, by: 77) {
            try bench.enqueue(Array(samples[start..<min(start + 77, samples.count)]))
        }
        try bench.queue.start()
        let played = bench.run(48_000 / 4 / 256)
        var resampler = try BlockResampler(channels: 1, from: rate, to: 48_000)
        let needed = resampler.inputFrames(forOutput: played.count / 2)
        let input = floats(samples) + [Float](repeating: 0, count: max(needed - samples.count, 0))
        var wanted = [Float](repeating: 0, count: played.count / 2)
        _ = input.withUnsafeBufferPointer { input in wanted.withUnsafeMutableBufferPointer { resampler.process(input, into: $0) }
        }
        for frame in 0..<wanted.count {
            guard abs(played[2 * frame] - wanted[frame]) < 1e-5, played[2 * frame + 1] == played[2 * frame] else {
                Issue.record("frame \(frame): \(played[2 * frame]), \(played[2 * frame + 1]) and not \(wanted[frame])")
                return
            }
        }
    }

    /// Two queues with the same calls; the device of the second one has 16-bit samples.
    @Test("A device with 16-bit samples plays the same sound", arguments: 1...20 as ClosedRange<UInt64>)
    func sameSoundInInt16(seed: UInt64) throws {
        let engines = [FakeEngine(slice: 256), FakeEngine(slice: 256)]
        engines[1].acceptsInt16 = true
        let references = [RecordedReference(), RecordedReference()]
        let benches = try (0..<2).map { try Bench(int16(), engine: engines[$0], reference: references[$0]) }
        for reference in references { reference.isWanted = false }
        var generator = SeededGenerator(seed)
        func both(_ body: (Bench) throws -> Void) rethrows { for bench in benches { try body(bench) } }
        try both { try $0.queue.start() }
        for step in 0..<200 {
            let samples = noise(2 * Int.random(in: 0...2_000, using: &generator), seed: UInt64(step))
            let (kind, value) = (Int.random(in: 0..<20, using: &generator), Float.random(in: 0...1, using: &generator))
            let cycles = Int.random(in: 1...6, using: &generator)
            switch kind {
            case 0: try both { try $0.queue.setParameter(QueueParameter.volume.rawValue, value < 0.8 ? 1 : value) }
            case 1: try both { try $0.queue.setParameter(QueueParameter.pan.rawValue, value < 0.8 ? 0 : value) }
            case 2: try both { try $0.queue.pause() }
            case 3:
                for reference in references { reference.isWanted = value < 0.2 }
            case 4:
                var options = Queue.EnqueueOptions()
                options.volume = value < 0.8 ? 1 : value
                try both { try $0.enqueue(samples, options) }
            case 5: for engine in engines { engine.output?.lose(300) }
            case 6: try both { try $0.queue.setProperty(0x6171_6D65, value < 0.2 ? 1 : 0) }
            case 7:
                var options = Queue.EnqueueOptions()
                (options.trimAtStart, options.trimAtEnd) = (UInt32(value * 500), UInt32(cycles * 50))
                try both { try $0.enqueue(samples, options) }
            default: try both { try $0.enqueue(samples) }
            }
            if kind != 2 { try both { try $0.queue.start() } }
            let played = benches.map { $0.run(cycles) }
            let isSame = played[0] == played[1]
            #expect(isSame, "step \(step)")
            #expect(benches[0].returned.count == benches[1].returned.count)
            let times = try benches.map { try $0.queue.currentTime(at: $0.engine.output?.time ?? 0).frame }
            #expect(times[0] == times[1])
            guard isSame else { return }
        }
        let isReferenceSame = references[0].frames == references[1].frames
        #expect(isReferenceSame)
        #expect(engines[0].output?.int16Cycles == 0)
        #expect(engines[1].output?.int16Cycles ?? 0 > 20)
    }

    @Test("One queue of 16-bit samples is copied to such a device, also across buffers that set nothing")
    func copiesInInt16() throws {
        let bench = try Bench(int16())
        bench.engine.acceptsInt16 = true
        for frames in [4 * 256 + 100, 40, 4 * 256] { try bench.enqueue(noise(2 * frames)) }
        var options = Queue.EnqueueOptions()
        options.volume = 1
        try bench.enqueue(noise(2 * 2 * 256), options)
        try bench.queue.start()
        var copied: [Int] = []
        for _ in 0..<10 {
            bench.run()
            copied.append(bench.engine.output?.int16Cycles ?? 0)
        }
        // The first cycle begins the queue, and the ninth one plays the first frames of a buffer that sets the volume.
        #expect(copied == [0, 1, 2, 3, 4, 5, 6, 7, 7, 8])
    }

    @Test("A stop that waits plays the tail of the rate conversion first")
    func theTailOfTheRateConversionIsPlayedBeforeTheStop() throws {
        let bench = try Bench(int16(rate: 44_100, channels: 1))
        try bench.enqueue([Int16](repeating: 0, count: 4_409) + [16_384])
        try bench.queue.start()
        try bench.queue.stop(immediately: false)
        let played = bench.run(60)
        let peak = played.indices.max { abs(played[$0]) < abs(played[$1]) } ?? 0
        #expect(abs(played[peak]) > 0.3)
        // Frame 4409 of 44.1 kHz lies at 4799 of 48 kHz, later by the latency of the filter.
        #expect((4_799...5_000).contains(peak / 2))
        #expect(!bench.isRunning)
        #expect(bench.engine.output?.isRunning == false)
    }

    @Test("Queues of one process are mixed on one stream", arguments: [false, true])
    func mixing(onInt16: Bool) throws {
        let bench = try Bench(int16())
        bench.engine.acceptsInt16 = onInt16
        let other = try bench.service.makeOutput(
            int16(channels: 1), Queue.Handlers { _, _ in }, on: { ManualDelivery($0) })
        let second = try bench.service.queues.object(other)
        let buffer = try second.allocateBuffer(bytes: 512 * 2)
        buffer.data.bindMemory(to: Int16.self, capacity: 512).initialize(repeating: 1_000, count: 512)
        try second.enqueue(UInt(bitPattern: buffer.header), bytes: 512 * 2)
        let samples = noise(1_024)
        try bench.enqueue(samples)
        try bench.queue.start()
        try second.start()
        let played = bench.run(2)
        let wanted = floats(samples).map { $0 + Float(1_000) / 32_768 }
        #expect(played == wanted)
        #expect(bench.engine.output?.starts == 1)
    }

    @Test("Queues of equal and of different rates are mixed, and a stop of one leaves the sound of the others")
    func queuesOfOneRateShareAConverterAndOthersHaveTheirOwn() throws {
        let bench = try Bench(int16(rate: 24_000, channels: 1))
        try bench.enqueue([Int16](repeating: 8_192, count: 24_000))
        var others: [Queue] = []
        for rate in [24_000.0, 32_000, 48_000] {
            let handle = try bench.service.makeOutput(
                int16(rate: rate, channels: 1), Queue.Handlers { _, _ in }, on: { ManualDelivery($0) })
            let queue = try bench.service.queues.object(handle)
            let buffer = try queue.allocateBuffer(bytes: 64_000)
            buffer.data.bindMemory(to: Int16.self, capacity: 32_000).initialize(repeating: 4_096, count: 32_000)
            try queue.enqueue(UInt(bitPattern: buffer.header), bytes: 64_000)
            others.append(queue)
        }
        try bench.queue.start()
        bench.run(2)
        let first = bench.service.output.members.groups
        for queue in others { try queue.start() }
        let groups = bench.service.output.members.groups
        #expect(first.count == 1 && groups.map(\.rate) == [24_000, 32_000, 48_000])
        #expect(groups[0] === first[0], "it keeps the frames in its converter")
        bench.run(2)
        // A quarter, and three eighths.
        #expect(bench.run(2).allSatisfy { abs($0 - 0.625) < 0.001 })
        try others[0].stop(immediately: true)
        bench.run(2)
        #expect(bench.run(2).allSatisfy { abs($0 - 0.5) < 0.001 })
    }

    @Test(
        "Mono is played on the first two channels of the device, stereo is mixed for one, and further channels are silent",
        arguments: [(1, 2), (2, 1), (2, 4), (3, 2), (1, 6), (4, 6)])
    func channelsAreMapped(from source: Int, to device: Int) throws {
        let engine = FakeEngine(slice: 256)
        engine.outputChannels = UInt32(device)
        let bench = try Bench(int16(channels: UInt32(source)), engine: engine)
        try bench.enqueue((0..<256 * source).map { Int16(1_000 * ($0 % source + 1)) })
        try bench.queue.start()
        let frame = bench.run().suffix(device).map { Int(($0 * 32_768).rounded()) }
        let wanted =
            switch (source, device) {
            case (1, 2): [1_000, 1_000]
            case (2, 1): [1_500]
            case (2, 4): [1_000, 2_000, 0, 0]
            case (3, 2): [1_000, 2_000]
            case (4, 6): [1_000, 2_000, 3_000, 4_000, 0, 0]
            default: [1_000, 1_000, 0, 0, 0, 0]
            }
        #expect(frame == wanted)
    }

    @Test("A queue of another rate is converted for the first eight channels of a device, and the others are silent")
    func anotherRateIsConvertedForTheFirstEightChannelsOfADevice() throws {
        let engine = FakeEngine(slice: 256)
        engine.outputChannels = 10
        let bench = try Bench(int16(rate: 24_000, channels: 8), engine: engine)
        let frame: [Int16] = [2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000, 16_000]
        try bench.enqueue(Array(repeatElement(frame, count: 4_800).joined()))
        try bench.queue.start()
        bench.run(4)
        let played = bench.run().map { Int(($0 * 32_768).rounded()) }
        #expect(played.count == 256 * 10)
        let isEqual = played.indices.allSatisfy { index in
            let channel = index % 10
            return abs(played[index] - (channel < 8 ? 2_000 * (channel + 1) : 0)) <= (channel < 8 ? 2 : 0)
        }
        #expect(isEqual)
    }

    @Test("A new volume is reached by a linear ramp of the length of VolumeRampTime")
    func volumeRampsInTheTimeThatIsAsked() throws {
        let bench = try Bench(int16())
        try bench.enqueue([Int16](repeating: 16_384, count: 48_000 * 2))
        try bench.queue.start()
        bench.run(2)
        try bench.queue.setParameter(QueueParameter.volumeRampTime.rawValue, 0.1)
        try bench.queue.setParameter(QueueParameter.volume.rawValue, 0.25)
        #expect(try bench.queue.parameter(QueueParameter.volume.rawValue) == 0.25)
        let played = bench.run(25)
        for frame in 0..<4_800 {
            let wanted = 0.5 * (1 - 0.75 * Float(frame) / 4_800)
            guard abs(played[2 * frame] - wanted) < 1e-4 else {
                Issue.record("frame \(frame) of the ramp is \(played[2 * frame]) and not \(wanted)")
                return
            }
        }
        #expect(played[2 * 4_800..<2 * 6_400].allSatisfy { $0 == 0.125 })
    }

    @Test("Pan is a linear balance: it lowers the side that it leaves", arguments: [-1, -0.5, 0, 0.25, 1] as [Float])
    func panIsALinearBalance(pan: Float) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.queue.setParameter(QueueParameter.pan.rawValue, pan)
        try bench.enqueue([Int16](repeating: 16_384, count: 512))
        try bench.queue.start()
        let played = bench.run()
        let wanted: [Float] = [0.5 * min(1, 1 - pan), 0.5 * min(1, 1 + pan)]
        #expect(Array(played.suffix(2)) == wanted)
    }

    @Test(
        "A parameter has the nearest value of its range",
        arguments: [
            (.volume, -1, 0), (.volume, 2, 1), (.volume, .infinity, 1), (.pan, -1.5, -1), (.pan, 1.5, 1), (.pan, .infinity, 1),
            (.volumeRampTime, -1, 0), (.volumeRampTime, 3_601, 3_600), (.volumeRampTime, 3_599, 3_599),
        ] as [(QueueParameter, Float, Float)])
    func limits(parameter: QueueParameter, value: Float, wanted: Float) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.queue.setParameter(parameter.rawValue, value)
        #expect(try bench.queue.parameter(parameter.rawValue) == wanted)
    }

    @Test("Pan has no effect on a queue of more than two channels, and its value is kept", arguments: [3, 6] as [UInt32])
    func panOfManyChannels(channels: UInt32) throws {
        let engine = FakeEngine(slice: 256)
        engine.outputChannels = 6
        let bench = try Bench(int16(channels: channels), engine: engine)
        try bench.queue.setParameter(QueueParameter.pan.rawValue, -1)
        try bench.enqueue([Int16](repeating: 16_384, count: 4_096 * Int(channels)))
        try bench.queue.start()
        let wanted = (0..<6).map { Float($0 < channels ? 0.5 : 0) }
        #expect(Array(bench.run().suffix(6)) == wanted)
        try bench.queue.setParameter(QueueParameter.pan.rawValue, 1)
        #expect(Array(bench.run(2).suffix(6)) == wanted)
        #expect(try bench.queue.parameter(QueueParameter.pan.rawValue) == 1)
    }

    @Test("The parameters of a buffer apply from its first frame on, and its trimmed frames are not played")
    func parametersOfABufferApplyFromItsFirstFrameOn() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 100))
        var options = Queue.EnqueueOptions()
        options.pan = -1
        options.trimAtStart = 10
        options.trimAtEnd = 20
        try bench.enqueue([Int16](repeating: 8_192, count: 130), options)
        try bench.enqueue([Int16](repeating: 0, count: 56))
        try bench.queue.start()
        let played = bench.run()
        #expect((0..<100).allSatisfy { played[2 * $0] == 0.5 && played[2 * $0 + 1] == 0.5 })
        #expect((100..<200).allSatisfy { played[2 * $0] == 0.25 })
        let right: [Float] = (100..<200).map { played[2 * $0 + 1] }
        let falls = zip(right, right.dropFirst()).allSatisfy { $0 > $1 }
        #expect(falls, "the right side falls from the first frame on")
        #expect(played[400...].allSatisfy { $0 == 0 })
        #expect(try bench.queue.parameter(QueueParameter.pan.rawValue) == -1)
    }

    @Test("The volume of a buffer is reached in its own ramp time") func theVolumeOfABufferIsReachedInItsRampTime() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 100))
        var options = Queue.EnqueueOptions()
        options.volume = 0.25
        options.volumeRamp = 0.01
        try bench.enqueue([Int16](repeating: 16_384, count: 924), options)
        try bench.queue.start()
        let left = leftSide(bench.run(4))
        #expect(left[..<100].allSatisfy { $0 == 0.5 })
        let ramp = (0..<480).allSatisfy { abs(left[100 + $0] - 0.5 * (1 - 0.75 * Float($0) / 480)) < 1e-4 }
        #expect(ramp)
        #expect(left[580...].allSatisfy { $0 == 0.125 })
        #expect(try bench.queue.parameter(QueueParameter.volume.rawValue) == 0.25)
        #expect(try bench.queue.parameter(QueueParameter.volumeRampTime.rawValue) == 0.01)
    }

    @Test("A buffer with a start time waits for it in silence") func aBufferWaitsForItsStart() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 100))
        var options = Queue.EnqueueOptions()
        options.startFrame = 150
        try bench.enqueue([Int16](repeating: 8_192, count: 50), options)
        try bench.queue.start()
        let left = leftSide(bench.run())
        #expect(left[..<100].allSatisfy { $0 == 0.5 })
        #expect(left[100..<150].allSatisfy { $0 == 0 })
        #expect(left[150..<200].allSatisfy { $0 == 0.25 })
    }

    @Test("A start time before that of an earlier buffer is InvalidParameter, until a stop or a reset drops the earlier ones")
    func startTimesAscend() throws {
        let bench = try Bench(int16(channels: 1))
        func enqueue(at frame: Double?) -> QueueStatus? {
            var options = Queue.EnqueueOptions()
            options.startFrame = frame
            do {
                try bench.enqueue([16_384], options)
                return nil
            } catch { return error as? QueueStatus }
        }
        let ends: [() throws -> Void] = [
            { try bench.queue.reset() }, { try bench.queue.stop(immediately: true) }, { try bench.queue.start() },
        ]
        for end in ends {
            #expect(enqueue(at: 100) == nil && enqueue(at: nil) == nil && enqueue(at: 100) == nil && enqueue(at: 300) == nil)
            #expect(enqueue(at: 299) == .invalidParameter && enqueue(at: 0) == .invalidParameter)
            #expect(enqueue(at: 300) == nil)
            try end()
        }
        // What was refused is not played.
        let left = leftSide(bench.run(2))
        #expect(left.indices.filter { left[$0] != 0 } == [100, 101, 102, 300, 301])
    }

    @Test("A pause fades out without a click and stops the stream, and the next start continues with the next frame")
    func pauseFadesOutAndStartGoesOnWithTheNextFrame() throws {
        let bench = try Bench(int16(channels: 1))
        let samples = (0..<9_600).map { Int16($0 + 10_000) }
        try bench.enqueue(samples)
        try bench.queue.start()
        var played = bench.run(2)
        try bench.queue.pause()
        played += bench.run(10)
        #expect(bench.isRunning, "a paused queue runs")
        #expect(bench.engine.output?.isRunning == false, "nothing wakes up in a pause")
        try bench.queue.start()
        played += bench.run(4)
        let left = leftSide(played)
        let steps: [Float] = zip(left.dropFirst(), left).map { abs($0 - $1) }
        let largest = steps.max() ?? 1
        #expect(largest < 0.005, "no click")
        // 512 frames, then 240 of the fade. The next one is the 752nd.
        #expect(Array(left[..<512]) == floats(samples[..<512]))
        let resumed = left.lastIndex(of: 0).map { left[($0 + 240)...] } ?? []
        let first = Int((resumed.first ?? 0) * 32_768) - 10_000
        #expect(first == 752 + 240)
        let wanted = floats(samples[first..<first + resumed.count])
        #expect(Array(resumed) == wanted)
        #expect(bench.returned.isEmpty)
    }

    /// The first frame of the device is heard a second after the start of the machine, and frame 300 after the host time.
    @Test(
        "A queue starts at the frame or the host time that its start gives",
        arguments: [StartTime.frame(300), .time(1_000_000_000 + 6_250_000 - 1_000)])
    func startTimesAreKept(start: StartTime) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 1_000))
        try bench.queue.start(at: start)
        let left = leftSide(bench.run(2))
        #expect(left[..<300].allSatisfy { $0 == 0 })
        #expect(left[300...].allSatisfy { $0 == 0.5 })
    }

    @Test("A start while a pause fades out takes the queue from no cycle of the device")
    func aStartInAFadeTakesTheQueueFromNoCycle() throws {
        let engine = FakeEngine(slice: 64)
        let bench = try Bench(int16(channels: 1), engine: engine)
        try bench.enqueue([Int16](repeating: 16_384, count: 9_600))
        try bench.queue.start()
        // A second queue has another rate. With it, the stream reads the format whenever it adds the first queue again.
        let handle = try bench.service.makeOutput(int16(rate: 24_000, channels: 1), Queue.Handlers { _, _ in })
        try bench.service.queues.object(handle).start()
        bench.run(8)
        let stream = try #require(engine.output)
        for _ in 0..<3 {
            try bench.queue.pause()
            var cycles = [bench.run()]
            stream.formatWasRead = { cycles.append(stream.cycle()) }
            try bench.queue.start()
            stream.formatWasRead = nil
            cycles.append(bench.run())
            #expect(cycles.allSatisfy { cycle in !cycle.contains { $0 == 0 } })
        }
    }

    @Test("The time at which a buffer will be played is that of the frames before it, also after a stop and a reset")
    func beginsAreThoseOfTheFramesBefore() throws {
        let bench = try Bench(int16(channels: 1))
        func begin(_ frames: Int, at frame: Double? = nil) throws -> Double {
            var options = Queue.EnqueueOptions()
            options.startFrame = frame
            let buffer = try bench.buffer([UInt8](repeating: 1, count: 2 * frames))
            return try bench.queue.enqueue(UInt(bitPattern: buffer.header), bytes: UInt32(2 * frames), options)
        }
        for life in 1...2 {
            #expect(try begin(100) == 0, "life \(life)")
            #expect(try begin(200) == 100)
            #expect(try begin(50, at: 1_000) == 1_000)
            #expect(try begin(10) == 1_050)
            try bench.queue.start()
            bench.run()
            try bench.queue.stop(immediately: true)
        }
        _ = try begin(10)
        try bench.queue.reset()
        _ = try begin(48_000)
        try bench.queue.start()
        bench.run()
        try bench.queue.reset()
        #expect(try begin(100) == 256)
        #expect(try begin(100) == 356)
    }

    @Test("A paused queue continues at the time that its start gives") func aPausedQueueGoesOnAtTheTimeOfItsStart() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 9_600))
        try bench.queue.start()
        bench.run(2)
        try bench.queue.pause()
        bench.run(10)
        #expect(bench.engine.output?.isRunning == false)
        try bench.queue.start(at: .frame(300))
        let left = leftSide(bench.run(4))
        #expect(left[...300].allSatisfy { $0 == 0 })
        #expect(left[301...].allSatisfy { $0 > 0 } && left.last == 0.5)
    }

    @Test("A start time that has passed starts the queue at once", arguments: [-1, -1e30, -Double.greatestFiniteMagnitude])
    func aStartTimeThatHasPassedIsNow(frame: Double) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.enqueue([Int16](repeating: 16_384, count: 256))
        try bench.queue.start(at: .frame(frame))
        #expect(leftSide(bench.run()).allSatisfy { $0 == 0.5 })
    }

    @Test("µ-law, A-law and IMA4 are decoded") func decodesTheSimpleCodecs() throws {
        for (id, byte, value) in [(FormatID.uLaw, 0x80, Int16(32_124)), (FormatID.aLaw, 0xAA, 32_256)] as [(UInt32, UInt8, Int16)]
        {
            let bench = try Bench(StreamDescription(sampleRate: 48_000, formatID: id, channelsPerFrame: 1))
            let buffer = try bench.buffer([UInt8](repeating: byte, count: 256))
            try bench.queue.enqueue(UInt(bitPattern: buffer.header), bytes: 256)
            try bench.queue.start()
            #expect(bench.run().last == Float(value) / 32_768)
        }
        let bench = try Bench(StreamDescription(sampleRate: 48_000, formatID: FormatID.appleIMA4, channelsPerFrame: 1))
        // A predictor of 8192, step index 0, and codes that hardly move it.
        let buffer = try bench.buffer([0x20, 0x00] + [UInt8](repeating: 0x80, count: 32))
        try bench.queue.enqueue(UInt(bitPattern: buffer.header), bytes: 34)
        try bench.queue.start()
        let played = bench.run()
        #expect((0..<64).allSatisfy { abs(played[2 * $0] - 0.25) < 0.001 })
        #expect(played[128...].allSatisfy { $0 == 0 })
    }

    @Test("The audio thread allocates nothing, with and without a rate conversion") func theAudioThreadAllocatesNothing() throws {
        guard allocation_count_is_available() else { return }
        for rate in [48_000.0, 44_100] {
            let bench = try Bench(int16(rate: rate))
            for index in 0..<100 { try bench.enqueue(noise(200, seed: UInt64(index))) }
            try bench.queue.setProperty(0x6171_6D65, 1)
            try bench.queue.start()
            bench.run(2)
            #expect(bench.engine.output?.allocations(inCycles: 20) == 0)
        }
    }
}

extension Queue {
    func setProperty(_ id: UInt32, _ value: UInt32) throws {
        try withUnsafeBytes(of: value) { try setProperty(id, $0) }
    }
}
