// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

@testable import AudioQueues

@Suite struct RecordingTests {
    private func samples(of buffer: Queue.ReturnedBuffer) -> [Int16] {
        guard let data = UnsafeRawPointer(bitPattern: buffer.address)?.advanced(by: 64) else { return [] }
        return (0..<buffer.bytes / 2).map { data.load(fromByteOffset: 2 * $0, as: Int16.self) }
    }

    @Test func theRecordingEqualsTheInput() throws {
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
        #expect(recorded == Array(input.prefix(recorded.count)))
        #expect(recorded.count == input.count / 200 * 200)
        #expect(starts == (0..<starts.count).map { Double($0 * 200) })
        #expect(bench.isRunning)
    }

    @Test func stopGivesThePartOfABufferThatWasRecorded() throws {
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

    @Test func stopLaterFillsWhatIsEnqueued() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 0..<2 { try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 600).header), bytes: 0) }
        try bench.queue.start()
        try bench.queue.stop(immediately: false)
        for _ in 0..<5 { bench.capture([Float](repeating: 0.5, count: 256)) }
        #expect(bench.returned.map(\.packets) == [300, 300])
        #expect(!bench.isRunning)
        #expect(bench.engine.input?.isRunning == false)
    }

    @Test func rateZeroIsTheHardwares() throws {
        let engine = FakeEngine()
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

    @Test func lostFramesShowInTheStartTime() throws {
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

    @Test func theStartTimeIsThatOfTheFirstFrame() throws {
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

    @Test(arguments: [8_000.0, 16_000, 44_100])
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

    @Test func whatIsForPlayingIsRefused() throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.prime(0) } == .invalidQueueType)
        #expect(status { () throws(QueueStatus) in _ = try bench.queue.parameter(1) } == .invalidQueueType)
    }
}
