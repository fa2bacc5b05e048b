// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioConverters
import EngineTestSupport
import LinuxSystem
import MediaFormats
import Synchronization
import Testing

@testable import AudioQueues

@Suite struct RecordingTests {
    private func samples(of buffer: Queue.ReturnedBuffer) -> [Int16] {
        guard let data = UnsafeRawPointer(bitPattern: buffer.address)?.advanced(by: 64) else { return [] }
        return (0..<buffer.bytes / 2).map { data.load(fromByteOffset: 2 * $0, as: Int16.self) }
    }

    @Test("The recorded samples equal the input, and each buffer has its packets and its start frame")
    func theRecordingEqualsTheInput() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        var recorded: [Int16] = []
        var starts: [Double] = []
        bench.onBuffer = { [unowned bench] buffer in
            recorded += samples(of: buffer)
            starts.append(buffer.startFrame)
            #expect(buffer.packets == buffer.bytes / 2)
            _ = try? bench.queue.enqueue(buffer.address, bytes: 0)
        }
        for _ in 0..<4 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 400).header), bytes: 0) }
        try bench.queue.start()
        let input = noise(256 * 60)
        for start in stride(from: 0, to: input.count, by: 256) { bench.capture(floats(input[start..<start + 256])) }
        let whole: Int = input.count / 200 * 200
        #expect(recorded == Array(input.prefix(whole)))
        let expected: [Double] = starts.indices.map { Double($0 * 200) }
        #expect(starts == expected)
        #expect(bench.isRunning)
    }

    @Test("An immediate stop gives all buffers back, the current one with the frames that it has")
    func stopGivesThePartOfABufferThatWasRecorded() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<2 {
            try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 1_000).header), bytes: 0)
        }
        try bench.queue.start()
        let input = noise(300)
        bench.capture(floats(input))
        try bench.queue.stop(immediately: true)
        #expect(bench.returned.map(\.packets) == [300, 0])
        #expect(samples(of: bench.returned[0]) == input)
        #expect(bench.changes.count == 2)
    }

    @Test("A stop that waits fills the enqueued buffers, and then stops the queue and its stream")
    func stopLaterFillsWhatIsEnqueued() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<2 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 600).header), bytes: 0) }
        try bench.queue.start()
        try bench.queue.stop(immediately: false)
        for _ in 0..<5 { bench.capture([Float](repeating: 0.5, count: 256)) }
        #expect(bench.returned.map(\.packets) == [300, 300])
        #expect(!bench.isRunning)
        #expect(bench.engine.input?.isRunning == false)
    }

    @Test("Rate 0 becomes the rate of the input, or of the output where there is no input; without both it is refused")
    func rateZeroIsTheHardwares() throws {
        let engine = FakeEngine(slice: 256)
        engine.inputRate = 32_000
        let bench = try Bench(int16(rate: 0, channels: 1), isInput: true, engine: engine)
        #expect(try bench.queue.property(0x6171_6674).withUnsafeBytes { $0.load(as: Double.self) } == 32_000)
        // The category has no input yet.
        engine.inputRate = 0
        let later = try Bench(int16(rate: 0, channels: 1), isInput: true, engine: engine)
        #expect(try later.queue.property(0x6171_6674).withUnsafeBytes { $0.load(as: Double.self) } == 48_000)
        engine.outputRate = 0
        let service = QueueService(engine, hasDispatcher: false)
        #expect(
            status { () throws(QueueStatus) in _ = try service.makeInput(int16(rate: 0), Queue.Handlers { _, _ in }) }
                == .invalidDevice)
    }

    @Test("Frames that the device loses or that find no buffer show in the next start time, and are a discontinuity")
    func lostFramesShowInTheStartTime() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 512).header), bytes: 0)
        try bench.queue.start()
        bench.capture([Float](repeating: 0.1, count: 256))
        bench.engine.input?.lose(100)
        // Without a buffer another 256 are lost.
        bench.capture([Float](repeating: 0.2, count: 256))
        try bench.queue.enqueue(bench.returned[0].address, bytes: 0)
        bench.capture([Float](repeating: 0.3, count: 256))
        #expect(bench.returned.map(\.startFrame) == [0, 612])
        #expect(try bench.queue.currentTime().isDiscontinuous)
    }

    @Test("A buffer ends where the device loses frames, and the start time of the next one shows the gap")
    func aBufferEndsWhereFramesAreLost() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<3 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 800).header), bytes: 0) }
        try bench.queue.start()
        bench.capture([Float](repeating: 0.1, count: 256))
        bench.engine.input?.lose(100)
        bench.capture([Float](repeating: 0.2, count: 256))
        #expect(bench.returned.map(\.startFrame) == [0])
        bench.capture([Float](repeating: 0.3, count: 256))
        #expect(bench.returned.map(\.startFrame) == [0, 356])
        #expect(bench.returned.map(\.bytes) == [512, 800])
    }

    @Test("The start time of a buffer is that of its first frame") func theStartTimeIsThatOfTheFirstFrame() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<5 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 200).header), bytes: 0) }
        try bench.queue.start()
        let begin = try #require(bench.engine.input).now
        for _ in 0..<2 { bench.capture([Float](repeating: 0.1, count: 256)) }
        #expect(bench.returned.map(\.startFrame) == [0, 100, 200, 300, 400])
        for buffer in bench.returned {
            #expect(abs(Double(buffer.startTime) - Double(begin) - buffer.startFrame * 1e9 / 48_000) < 10)
        }
    }

    @Test(
        "In a cycle of many frames too, a buffer's start time is that of its first frame, counted from the start of the queue",
        arguments: [48_000.0, 24_000, 96_000], [0, 1_000])
    func theStartTimeIsThatOfTheFirstFrameOfALongCycle(rate: Double, first: Int) throws {
        let bench = try Bench(int16(rate: rate, channels: 1), isInput: true)
        for life in 1...2 {
            let former = bench.returned.count
            for _ in 0..<30 {
                try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 400).header), bytes: 0)
            }
            try bench.queue.start(at: .frame(Double(first)))
            let begin = try #require(bench.engine.input).now
            bench.capture([Float](repeating: 0.1, count: 3_000))
            let full = bench.returned[former...]
            #expect(full.count >= Int(Double(3_000 - first) * rate / 48_000) / 200 - 1 && full.count > 4)
            // The frames of a conversion have the time of the block that they are converted with.
            let exactness = rate == 48_000 ? 10.0 : 257 * 1e9 / 48_000
            for buffer in full {
                let expected = Double(begin) + Double(first) * 1e9 / 48_000 + buffer.startFrame * 1e9 / rate
                #expect(abs(Double(buffer.startTime) - expected) < exactness, "life \(life), frame \(buffer.startFrame)")
            }
            let time = try bench.queue.currentTime(at: begin + UInt64(Double(first + 480) * 1e9 / 48_000))
            #expect(abs(time.frame - rate / 100) < 0.01, "life \(life)")
            try bench.queue.stop(immediately: true)
        }
    }

    @Test("A stop that waits ends the queue with the cycle behind the one that fills its last buffer")
    func aStopThatWaitsEndsWithTheLastBuffer() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 1...2 {
            for _ in 0..<2 {
                try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 600).header), bytes: 0)
            }
            try bench.queue.start()
            bench.capture([Float](repeating: 0.5, count: 256))
            try bench.queue.stop(immediately: false)
            bench.capture([Float](repeating: 0.5, count: 344))
            #expect(bench.isRunning)
            bench.capture([Float](repeating: 0.5, count: 10))
            #expect(!bench.isRunning && bench.engine.input?.isRunning == false)
        }
        #expect(bench.returned.map(\.packets) == [300, 300, 300, 300])
    }

    @Test(
        "The input is converted to the rate of the queue, and its length and its level stay",
        arguments: [8_000.0, 16_000, 44_100])
    func anotherRateIsConverted(rate: Double) throws {
        let bench = try Bench(int16(rate: rate, channels: 2), isInput: true)
        var frames = 0
        bench.onBuffer = { [unowned bench] buffer in
            frames += buffer.packets
            _ = try? bench.queue.enqueue(buffer.address, bytes: 0)
        }
        for _ in 0..<4 {
            try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 1_600).header), bytes: 0)
        }
        try bench.queue.start()
        for _ in 0..<375 { bench.capture([Float](repeating: 0.25, count: 256)) }
        #expect(abs(Double(frames) - 2 * rate) < 400)
        let last = try #require(bench.returned.last)
        #expect(samples(of: last).allSatisfy { abs(Int($0) - 8_192) < 4 })
    }

    @Test(
        "Mono input is recorded on two channels, stereo input is mixed for one, and missing channels are silent",
        arguments: [(2, 1), (1, 1), (1, 2), (4, 2), (2, 4), (1, 4)])
    func channelsAreMapped(from device: Int, to queue: Int) throws {
        let engine = FakeEngine(slice: 256)
        engine.inputChannels = UInt32(device)
        let bench = try Bench(int16(channels: UInt32(queue)), isInput: true, engine: engine)
        let size = UInt32(256 * 2 * queue)
        try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: size).header), bytes: 0)
        try bench.queue.start()
        bench.capture(floats((0..<256 * device).map { Int16(1_000 * ($0 % device + 1)) }))
        let wanted: [Int16] =
            switch (device, queue) {
            case (2, 1): [1_500]
            case (1, 1): [1_000]
            case (1, 2): [1_000, 1_000]
            case (4, 2): [1_000, 2_000]
            case (2, 4): [1_000, 2_000, 0, 0]
            default: [1_000, 1_000, 0, 0]
            }
        #expect(samples(of: try #require(bench.returned.first)) == (0..<256).flatMap { _ in wanted })
    }

    @Test("A queue that starts during a route change records at its own rate")
    func aQueueThatStartsDuringARouteChangeIsRecorded() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        try bench.queue.start()
        let stream = try #require(bench.engine.input)
        bench.capture([Float](repeating: 0.5, count: 256))
        let frames = Mutex(0)
        let handle = try bench.service.makeInput(
            int16(rate: 24_000, channels: 1), Queue.Handlers { _, buffer in frames.withLock { $0 += buffer.packets } },
            on: { ManualDelivery($0) })
        let second = try bench.service.queues.object(handle)
        for _ in 0..<2 {
            try second.enqueue(UInt(bitPattern: try second.allocateBuffer(bytes: 24_000).header), bytes: 0)
        }
        // The device changes after the converter of the second queue was made, before the audio thread has it.
        stream.formatWasRead = {
            stream.formatWasRead = nil
            bench.engine.inputRate = 44_100
            stream.reconfigure()
            _ = stream.cycle(capturing: [])
        }
        try second.start()
        #expect(stream.formatWasRead == nil)
        for _ in 0..<175 { bench.capture([Float](repeating: 0.5, count: 256)) }
        try second.stop(immediately: true)
        let (recorded, captured) = (frames.withLock { $0 }, 175 * 256)
        #expect(abs(recorded - captured * 240 / 441) < 400)
    }

    private func bytes(of buffer: Queue.ReturnedBuffer) -> [UInt8] {
        guard let data = UnsafeRawPointer(bitPattern: buffer.address)?.advanced(by: 64) else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: buffer.bytes))
    }

    private static let codecs = [FormatID.uLaw, FormatID.aLaw, FormatID.appleIMA4]

    private func coded(_ id: UInt32, channels: UInt32) -> StreamDescription {
        StreamDescription(sampleRate: 48_000, formatID: id, channelsPerFrame: channels)
    }

    @Test(
        "µ-law, A-law and IMA4 are recorded in whole packets, and the encoding continues across buffers",
        arguments: codecs, [1, 2] as [UInt32])
    func codecsAreRecordedInWholePacketsAcrossBuffers(id: UInt32, channels: UInt32) throws {
        let bench = try Bench(coded(id, channels: channels), isInput: true)
        var recorded: [UInt8] = []
        var (packets, starts) = (0, [Double]())
        bench.onBuffer = { [unowned bench] buffer in
            recorded += bytes(of: buffer)
            packets += buffer.packets
            starts.append(buffer.startFrame)
            _ = try? bench.queue.enqueue(buffer.address, bytes: 0)
        }
        for _ in 0..<8 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 200).header), bytes: 0) }
        try bench.queue.start()
        let input = noise(100 * 40)
        for start in stride(from: 0, to: input.count, by: 100) { bench.capture(floats(input[start..<start + 100])) }
        // The device has one channel, which is in all of the queue.
        let frames = input.flatMap { [Int16](repeating: $0, count: Int(channels)) }
        let isPacked = id == FormatID.appleIMA4
        let bytesPerPacket = Int(channels) * (isPacked ? 34 : 1)
        var wanted = [UInt8](repeating: 0, count: frames.count / (isPacked ? 64 : 1) * (isPacked ? 34 : 1))
        let encoder = try #require(PacketCodecs.encoder(for: coded(id, channels: channels)))
        frames.withUnsafeBytes { frames in wanted.withUnsafeMutableBytes { encoder.encode(frames, into: $0) } }
        let framesPerBuffer = 200 / bytesPerPacket * (isPacked ? 64 : 1)
        #expect(recorded == Array(wanted.prefix(recorded.count)))
        #expect(packets == input.count / framesPerBuffer * framesPerBuffer / (isPacked ? 64 : 1))
        #expect(recorded.count == packets * bytesPerPacket)
        #expect(starts == starts.indices.map { Double($0 * framesPerBuffer) })
        let size = try bench.queue.property(0x786F_7073).withUnsafeBytes { $0.load(as: UInt32.self) }
        #expect(size == UInt32(bytesPerPacket))
    }

    @Test("An immediate stop gives only the whole packets of a buffer") func stopGivesTheWholePacketsOfABuffer() throws {
        let bench = try Bench(coded(FormatID.appleIMA4, channels: 1), isInput: true)
        try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 340).header), bytes: 0)
        try bench.queue.start()
        bench.capture([Float](repeating: 0.25, count: 191))
        try bench.queue.stop(immediately: true)
        #expect(bench.returned.map(\.packets) == [2])
        #expect(bench.returned.map(\.bytes) == [68])
    }

    @Test("The encoders of µ-law, A-law and IMA4 allocate nothing", arguments: codecs)
    func theEncoderAllocatesNothing(id: UInt32) throws {
        guard allocation_count_is_available() else { return }
        let format = try #require(SoundFormat(coded(id, channels: 2)))
        let encoder = try #require(SoundEncoder.make(format))
        var samples = [Float](repeating: 0.5, count: 2 * 300)
        var packets = [UInt8](repeating: 0, count: 2 * 300)
        samples.withUnsafeMutableBufferPointer { samples in
            packets.withUnsafeMutableBufferPointer { packets in
                guard let from = samples.baseAddress, let to = packets.baseAddress else { return }
                let before = allocation_count()
                encoder.encode(from, 100, to: to, from: 0)
                encoder.encode(from, 200, to: to, from: 100)
                #expect(allocation_count() == before)
            }
        }
    }

    @Test("A recording queue refuses priming and parameters, and a format without an encoder is not supported")
    func whatIsForPlayingIsRefused() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.prime(0) } == .invalidQueueType)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.parameter(1) } == .invalidQueueType)
        #expect(
            status { () throws(QueueStatus) in
                _ = try bench.service.makeInput(coded(CodecFormat.aac, channels: 1), Queue.Handlers { _, _ in })
            } == .unsupportedFormat)
    }

    @Test("A second recording at another rate has nothing of the first", arguments: [8_000.0, 24_000, 96_000])
    func secondRecording(rate: Double) throws {
        let bench = try Bench(int16(rate: rate, channels: 1), isInput: true)
        for level in [0.9, 0] as [Float] {
            try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 20_000).header), bytes: 0)
            try bench.queue.start()
            for _ in 0..<4 { bench.capture([Float](repeating: level, count: 256)) }
            try bench.queue.stop(immediately: true)
        }
        #expect(samples(of: bench.returned[0]).contains { $0 > 20_000 })
        #expect(bench.returned[1].packets > 0 && samples(of: bench.returned[1]).allSatisfy { $0 == 0 })
    }

    @Test("Each time without a buffer is a discontinuity, in each life, for each timeline")
    func eachTimeWithoutABuffer() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        let buffer = UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 512).header)
        let timeline = try bench.queue.makeTimeline()
        for life in 1...2 {
            try bench.queue.enqueue(buffer, bytes: 0)
            try bench.queue.start()
            for gap in 1...2 {
                for _ in 0..<2 { bench.capture([Float](repeating: 0.1, count: 256)) }
                for handle in [nil, timeline] {
                    let place = "life \(life), gap \(gap), timeline \(handle != nil)"
                    #expect(try bench.queue.currentTime(timeline: handle, at: 0).isDiscontinuous, "\(place)")
                    #expect(try !bench.queue.currentTime(timeline: handle, at: 0).isDiscontinuous, "\(place)")
                }
                try bench.queue.enqueue(buffer, bytes: 0)
            }
            try bench.queue.stop(immediately: true)
        }
        // A timeline that is made now has seen no gap, and a start makes none.
        try bench.queue.enqueue(buffer, bytes: 0)
        try bench.queue.start()
        bench.capture([Float](repeating: 0.1, count: 100))
        for handle in [nil, timeline, try bench.queue.makeTimeline()] {
            #expect(try !bench.queue.currentTime(timeline: handle, at: 0).isDiscontinuous)
        }
    }
}
