// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioConverters
import MediaFormats
import PCMConversion
import Testing

@testable import AudioQueues

/// Packets of 100 mono frames, each a call later than its frames, as bytes: the number of the packet since the reset, and as many
/// bytes as the first sample says. The last packet comes at the end of the sound.
private final class FakeEncoder: VariablePacketEncoder {
    static let format = StreamDescription(sampleRate: 0, formatID: CodecFormat.aac, channelsPerFrame: 1)
    /// A packet with this first sample gives an error.
    static let damage: Int16 = -1

    let input: PCMFormat
    let framesPerPacket = 100
    let largestPacket = 64
    let primingFrames = 0
    let magicCookie: [UInt8] = [7, 8, 9]
    let bitRate: UInt32 = 0
    private(set) var encoded: [Int16] = []
    private(set) var ends = 0
    private var waiting: [Int16] = []
    private var packets: UInt8 = 0

    init() throws { input = try PCMFormat(sampleRate: 48_000, channels: 1, sample: .integer(16)) }

    func setBitRate(_ rate: UInt32) throws(ConverterError) { throw .propertyNotSupported }

    func encode(
        _ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer
    ) throws(ConverterError) -> Int {
        let samples = Array(frames.bindMemory(to: Int16.self))
        guard samples.first != FakeEncoder.damage else { throw .unspecified }
        encoded += samples
        if samples.isEmpty { ends += 1 }
        defer { waiting = samples }
        guard let size = waiting.first else { return 0 }
        packets &+= 1
        packet[0] = packets
        for index in 1..<Int(size) { packet[index] = UInt8(size) }
        return Int(size)
    }

    func reset() { (waiting, packets) = ([], 0) }
}

/// A queue with a fake encoder. All samples of a block are the size of its packet.
private final class EncoderBench {
    let encoder: FakeEncoder
    let bench: Bench
    var queue: Queue { bench.queue }
    private(set) var data: [[UInt8]] = []

    init() throws {
        encoder = try FakeEncoder()
        bench = try Bench(FakeEncoder.format, isInput: true, encoder: encoder)
        bench.onBuffer = { [unowned self] in data.append(bytes($0)) }
    }

    private func bytes(_ buffer: Queue.ReturnedBuffer) -> [UInt8] {
        guard let data = UnsafeRawPointer(bitPattern: buffer.address)?.advanced(by: 64) else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: buffer.bytes))
    }

    @discardableResult
    func enqueue(_ bytes: UInt32, packets: UInt32 = 0) throws -> Queue.Allocation {
        let allocation = try queue.allocateBuffer(bytes: bytes, packets: packets)
        try queue.enqueue(UInt(bitPattern: allocation.header), bytes: 0)
        return allocation
    }

    /// The microphone gives frames for packets of these sizes.
    func capture(_ sizes: [Int16]) { bench.capture(floats(sizes.flatMap { [Int16](repeating: $0, count: 100) })) }

    var sizes: [[UInt32]] { bench.returned.map { $0.descriptions.map(\.byteSize) } }
}

@Suite struct PacketRecordingTests {
    @Test("Packets fill the buffers one after the other, and each packet has a description")
    func packetsFillTheBuffersAndEachOneIsDescribed() throws {
        let packets = try EncoderBench()
        try packets.enqueue(30)
        try packets.enqueue(30)
        try packets.queue.start()
        packets.capture([10, 5, 15, 2, 20, 20])
        #expect(packets.sizes == [[10, 5, 15]], "the last packet is in the encoder")
        packets.capture([1])
        #expect(packets.sizes == [[10, 5, 15], [2, 20]])
        #expect(packets.bench.returned.map { $0.descriptions.map(\.startOffset) } == [[0, 10, 15], [0, 2]])
        #expect(packets.bench.returned.map(\.bytes) == [30, 22])
        #expect(packets.bench.returned.map(\.packets) == [3, 2])
        #expect(packets.bench.returned.map(\.startFrame) == [0, 300])
        let data = [1] + [UInt8](repeating: 10, count: 9) + [2, 5, 5, 5, 5, 3] + [UInt8](repeating: 15, count: 14)
        #expect(packets.data.first == data)
        #expect(packets.bench.isRunning)
    }

    @Test("The start time of a buffer is that of its first packet, also after lost frames")
    func theStartTimeIsThatOfTheFirstPacket() throws {
        let packets = try EncoderBench()
        for _ in 0..<3 { try packets.enqueue(20) }
        try packets.queue.start()
        let begin = try #require(packets.bench.engine.input).now
        packets.capture([20, 20, 20])
        packets.bench.engine.input?.lose(50)
        packets.capture([20, 20])
        #expect(packets.bench.returned.map(\.startFrame) == [0, 100, 200])
        for buffer in packets.bench.returned {
            #expect(abs(Double(buffer.startTime) - Double(begin) - buffer.startFrame * 1e9 / 48_000) < 10)
        }
        try packets.enqueue(20)
        packets.capture([20])
        #expect(packets.bench.returned.last?.startFrame == 350)
    }

    @Test("A packet that begins before lost frames is completed with the frames after them")
    func aPacketHasAllFramesAlsoAfterLostFrames() throws {
        let packets = try EncoderBench()
        try packets.enqueue(20)
        try packets.queue.start()
        packets.bench.capture(floats([Int16](repeating: 20, count: 50)))
        packets.bench.engine.input?.lose(50)
        packets.bench.capture(floats([Int16](repeating: 20, count: 150)))
        #expect(packets.encoder.encoded == [Int16](repeating: 20, count: 200) && packets.encoder.ends == 0)
    }

    @Test("An immediate stop gives the packets in the encoder and a partial last one, and the next start begins at frame 0")
    func stopGivesTheLastPacketsAndAPartOfAPacket() throws {
        let packets = try EncoderBench()
        for _ in 0..<3 { try packets.enqueue(25) }
        try packets.queue.start()
        packets.capture([10])
        packets.bench.capture(floats([Int16](repeating: 12, count: 30)))
        #expect(packets.bench.returned.isEmpty)
        try packets.queue.stop(immediately: true)
        #expect(packets.sizes == [[10, 12], [], []])
        #expect(packets.bench.returned.map(\.bytes) == [22, 0, 0])
        #expect(packets.encoder.encoded.count == 130)
        #expect(packets.bench.returned[0].descriptions.map(\.variableFrames) == [0, 30])
        // The encoder begins again.
        try packets.enqueue(25)
        try packets.queue.start()
        packets.capture([3])
        try packets.queue.stop(immediately: true)
        #expect(packets.data.last == [1, 3, 3])
        #expect(packets.bench.returned.last?.startFrame == 0)
    }

    @Test("A flush gives the packets in the encoder and a partial last one, and the recording continues")
    func flushGivesTheLastPacketsAndTheRecordingGoesOn() throws {
        let packets = try EncoderBench()
        for _ in 0..<2 { try packets.enqueue(60) }
        try packets.queue.start()
        packets.capture([10, 20])
        packets.bench.capture(floats([Int16](repeating: 5, count: 30)))
        try packets.queue.flush()
        try packets.queue.flush()
        packets.bench.settle()
        #expect(packets.sizes == [[10, 20, 5]])
        #expect(packets.bench.isRunning)
        #expect(packets.encoder.ends == 2, "once with a packet, once without")
        packets.capture([30, 31])
        try packets.queue.stop(immediately: true)
        #expect(packets.sizes == [[10, 20, 5], [30]], "31 bytes more have no room")
        #expect(packets.bench.returned.map(\.startFrame) == [0, 230])
    }

    @Test("A reset gives all buffers back, and the recording continues with the encoder's first packet")
    func resetGivesAllBuffersAndTheRecordingGoesOn() throws {
        let packets = try EncoderBench()
        for _ in 0..<2 { try packets.enqueue(60) }
        try packets.queue.start()
        packets.capture([10, 20])
        try packets.queue.reset()
        #expect(packets.sizes == [[10, 20], []])
        try packets.enqueue(60)
        packets.capture([30, 40])
        try packets.queue.stop(immediately: true)
        #expect(packets.data.last == [1] + [UInt8](repeating: 30, count: 29))
    }

    @Test("A stop that waits fills the enqueued buffers first, and is immediate if there is none")
    func stopThatWaitsFillsWhatIsEnqueued() throws {
        let packets = try EncoderBench()
        for _ in 0..<2 { try packets.enqueue(25) }
        try packets.queue.start()
        packets.capture([20, 20])
        try packets.queue.stop(immediately: false)
        #expect(packets.bench.isRunning)
        packets.capture([20])
        #expect(packets.bench.isRunning, "the second buffer has room for a small packet")
        packets.capture([20])
        #expect(packets.sizes == [[20], [20]])
        #expect(!packets.bench.isRunning)
        #expect(packets.bench.engine.input?.isRunning == false)
        // Nothing to fill: the stop is at once.
        try packets.queue.start()
        try packets.queue.stop(immediately: false)
        #expect(packets.bench.engine.input?.isRunning == false)
    }

    @Test("A second of sound waits for buffers, and the sound after it is lost")
    func aSecondOfSoundWaitsForBuffersAndMoreIsLost() throws {
        let packets = try EncoderBench()
        try packets.queue.start()
        for _ in 0..<600 { packets.capture([10]) }
        #expect(packets.encoder.encoded.isEmpty)
        #expect(packets.queue.underruns == 0 && packets.queue.voice.gaps.load(ordering: .relaxed) == 1)
        for _ in 0..<600 { try packets.enqueue(10) }
        packets.bench.settle()
        let recorded = packets.bench.returned.count
        #expect((480..<490).contains(recorded))
        let starts: [Double] = (0..<recorded).map { Double(100 * $0) }
        #expect(packets.bench.returned.map(\.startFrame) == starts)
        for _ in 0..<3 { packets.capture([10]) }
        let next = Double(100 * recorded)
        let last: [Double] = [next, next + 100, 60_000]
        #expect(Array(packets.bench.returned.map(\.startFrame).suffix(3)) == last)
    }

    @Test("A packet that is larger than its buffer is lost; ConverterError has this error and those of the encoder")
    func aPacketThatIsLargerThanABufferIsLostAndAnErrorOfTheEncoderIsAProperty() throws {
        let packets = try EncoderBench()
        var changes = 0
        try packets.queue.addListener(QueueState.converterErrorProperty, procedure: 1, data: 1) { _, _ in changes += 1 }
        try packets.enqueue(20)
        try packets.queue.start()
        packets.capture([21, 10, 10, 10, 10])
        #expect(packets.sizes == [[10, 10]])
        #expect(changes == 1)
        let error = { try packets.queue.property(QueueState.converterErrorProperty).withUnsafeBytes { $0.load(as: Int32.self) } }
        #expect(try error() == ConverterError.invalidOutputSize.status)
        packets.capture([FakeEncoder.damage, 11])
        try packets.enqueue(64)
        try packets.queue.stop(immediately: true)
        #expect(packets.sizes.last == [10, 10, 11])
        #expect(try error() == ConverterError.unspecified.status)
    }

    @Test("The packet descriptions of a buffer are filled, and their number limits its packets")
    func descriptionsOfTheBufferAreFilledAndLimitItsPackets() throws {
        let packets = try EncoderBench()
        let own = try #require(try packets.enqueue(64, packets: 2).packetDescriptions)
        try packets.enqueue(64)
        try packets.queue.start()
        packets.capture([10, 11, 12, 13])
        #expect(packets.sizes == [[10, 11]])
        #expect(PacketDescription(at: own, index: 0) == PacketDescription(startOffset: 0, byteSize: 10))
        #expect(PacketDescription(at: own, index: 1) == PacketDescription(startOffset: 10, byteSize: 11))
    }

    @Test("The magic cookie, the largest packet and the format are those of the encoder, and another cookie is refused")
    func propertiesAreThoseOfTheEncoder() throws {
        let packets = try EncoderBench()
        #expect(try packets.queue.property(0x6171_6D63) == [7, 8, 9])
        #expect(throws: QueueStatus.invalidPropertyValue) {
            try [1].withUnsafeBytes { try packets.queue.setProperty(0x6171_6D63, $0) }
        }
        #expect(try packets.queue.property(0x786F_7073) == [64, 0, 0, 0])
        let described = packets.queue.described
        #expect(described.sampleRate == 48_000 && described.framesPerPacket == 100 && described.formatID == CodecFormat.aac)
    }

    @Test("The audio thread encodes nothing and allocates nothing") func theAudioThreadEncodesNothing() throws {
        guard allocation_count_is_available() else { return }
        let packets = try EncoderBench()
        try packets.enqueue(64)
        try packets.queue.start()
        packets.capture([10, 10])
        let before = packets.encoder.encoded.count
        let input = try #require(packets.bench.engine.input)
        let samples = floats([Int16](repeating: 10, count: 256))
        #expect(input.allocations(inCycles: 20, capturing: samples) == 0)
        #expect(packets.encoder.encoded.count == before)
        packets.bench.settle()
        #expect(packets.encoder.encoded.count > before)
    }

    @Test("The recording of a queue is freed with the queue") func theBlocksAreFreedWithTheQueue() throws {
        var packets: EncoderBench? = try EncoderBench()
        try packets?.queue.start()
        packets?.capture([10, 20])
        weak let recording = packets?.queue.recording
        #expect(recording != nil)
        try packets?.queue.dispose(immediately: true)
        packets = nil
        #expect(recording == nil)
    }

    @Test("After its disposal a recording queue gives no buffer back, and its stream does not run")
    func aQueueThatIsDisposedGivesNothingBack() throws {
        let packets = try EncoderBench()
        try packets.enqueue(10)
        try packets.queue.start()
        packets.capture([10, 10])
        try packets.enqueue(10)
        try packets.queue.dispose(immediately: false)
        let count = packets.bench.returned.count
        packets.capture([10, 10])
        #expect(packets.bench.returned.count == count)
        #expect(packets.bench.engine.input?.isRunning == false)
    }

    @Test("Only the last packet of a sound has fewer frames, in each life")
    func lastPacketOfEachLife() throws {
        let packets = try EncoderBench()
        for life in 1...2 {
            try packets.enqueue(60)
            try packets.queue.start()
            packets.capture([10, 10])
            packets.bench.capture(floats([Int16](repeating: 12, count: 30)))
            try packets.queue.stop(immediately: true)
            #expect(packets.bench.returned.last?.descriptions.map(\.variableFrames) == [0, 0, 30], "life \(life)")
        }
    }

    @Test("A packet without room for it is forgotten by a stop, with its time")
    func forgottenPacket() throws {
        let packets = try EncoderBench()
        for _ in 1...2 {
            try packets.enqueue(20)
            try packets.queue.start()
            packets.capture([20, 9, 9])
            try packets.queue.stop(immediately: true)
        }
        #expect(packets.sizes == [[20], [20]])
        #expect(packets.bench.returned.map(\.startFrame) == [0, 0])
    }
}
