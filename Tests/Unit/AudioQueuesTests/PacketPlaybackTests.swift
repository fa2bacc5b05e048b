// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioConverters
import CStatusPage
import EngineTestSupport
import MediaFormats
import PCMConversion
import Testing

@testable import AudioQueues

/// Packets of 100 mono frames. The first frame is the number of packets since the reset, and the first byte a hundredth of the
/// others.
private final class FakeDecoder: PacketDecoder {
    static let format = StreamDescription(
        sampleRate: 48_000, formatID: CodecFormat.aac, framesPerPacket: 100, channelsPerFrame: 1)
    /// A packet that begins so gives an error, and one that begins so is replaced by silence.
    static let damage: UInt8 = 0xFF
    static let silence: UInt8 = 0xFE

    let output: PCMFormat
    var bytesPerPacket: Int { 0 }
    var largestPacket: Int { 77 }
    let framesPerPacket = 100
    private(set) var cookie: [UInt8] = []
    private(set) var decoded = 0
    var hasVariableFrames = false
    private(set) var damagedPackets = 0
    private var sinceReset: Int16 = 0

    init() throws { output = try PCMFormat(sampleRate: 48_000, channels: 1, sample: .integer(16)) }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        decoded += 1
        sinceReset += 1
        let value = packets.first ?? 0
        guard value != FakeDecoder.damage else { throw .unspecified }
        if value == FakeDecoder.silence { damagedPackets += 1 }
        for frame in 0..<100 {
            frames.storeBytes(of: frame == 0 ? sinceReset : Int16(value) * 100, toByteOffset: frame * 2, as: Int16.self)
        }
        return 100
    }

    func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError) {
        guard cookie.first != FakeDecoder.damage else { throw .unspecified }
        self.cookie = Array(cookie)
    }

    func reset() { sinceReset = 0 }
}

/// A queue with a fake decoder.
private struct PacketBench {
    let decoder: FakeDecoder
    let bench: Bench
    var queue: Queue { bench.queue }

    init(_ engine: FakeEngine = FakeEngine(slice: 256)) throws {
        decoder = try FakeDecoder()
        bench = try Bench(FakeDecoder.format, engine: engine, codec: decoder)
    }

    /// Enqueues packets of two bytes each. Returns the buffer.
    @discardableResult
    func enqueue(_ packets: [UInt8], _ options: Queue.EnqueueOptions = .init()) throws -> UInt {
        let bytes: [UInt8] = packets.flatMap { [$0, 0] as [UInt8] }
        let descriptions = packets.indices.map { PacketDescription(startOffset: Int64(2 * $0), byteSize: 2) }
        return try enqueue(bytes, descriptions, options)
    }

    @discardableResult
    func enqueue(
        _ bytes: [UInt8], _ descriptions: [PacketDescription], _ options: Queue.EnqueueOptions = .init()
    ) throws -> UInt {
        let address = UInt(bitPattern: try bench.buffer(bytes).header)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(descriptions.count, 1) * 16, alignment: 8)
        defer { memory.deallocate() }
        for (index, description) in descriptions.enumerated() { description.store(at: memory, index: index) }
        try queue.enqueue(
            address, bytes: UInt32(bytes.count), packets: .array(memory, count: UInt32(descriptions.count)), options)
        return address
    }

    /// The left side of so many cycles, as integers.
    func play(_ cycles: Int) -> [Int] { leftSide(bench.run(cycles)).map { Int(($0 * 32_768).rounded()) } }
}

/// The frames that the decoder makes of packets, of which `first` is the count since the reset.
private func frames(_ packets: [UInt8], first: Int = 1) -> [Int] {
    packets.enumerated().flatMap { [first + $0] + [Int](repeating: Int($1) * 100, count: 99) }
}

@Suite struct PacketPlaybackTests {
    @Test("Packets of several buffers are played without a gap, and buffers come back when they were played")
    func packetsOfSeveralBuffersArePlayedWithoutGapAndBuffersComeBackWhenTheyWerePlayed() throws {
        let packets = try PacketBench()
        let addresses = [try packets.enqueue([1, 2, 3]), try packets.enqueue([]), try packets.enqueue([4])]
        try packets.queue.start()
        #expect(packets.play(1) == Array(frames([1, 2, 3]).prefix(256)))
        #expect(packets.bench.returned.isEmpty)
        let rest = Array(frames([1, 2, 3, 4])[256...])
        #expect(packets.play(1) == rest + Array(repeating: 0, count: 112))
        #expect(packets.bench.returned.map { $0.address } == addresses)
    }

    @Test(
        "A damaged packet is silence of the frames that its description states, where packets differ in frames, in each buffer",
        arguments: [0, 30] as [UInt32], [true, false])
    func damagedPacketKeepsItsDuration(trimAtEnd: UInt32, isVariable: Bool) throws {
        let packets = try PacketBench()
        packets.decoder.hasVariableFrames = isVariable
        var options = Queue.EnqueueOptions()
        options.trimAtEnd = trimAtEnd
        let damaged = FakeDecoder.silence
        let descriptions = [0, 40, 40].enumerated().map { index, frames in
            PacketDescription(startOffset: Int64(2 * index), variableFrames: UInt32(frames), byteSize: 2)
        }
        for _ in 1...2 { try packets.enqueue([1, 0, damaged, 0, damaged, 0], descriptions, options) }
        try packets.queue.start()
        let lives = [1, 4].flatMap { first -> [Int] in
            let sound = frames([1, damaged, damaged], first: first)
            let stated = isVariable ? sound[..<140] + sound[200..<240] : sound[...]
            return Array(stated.dropLast(Int(trimAtEnd)))
        }
        let isEqual = packets.play(4).prefix(lives.count + 10) == lives[...] + [Int](repeating: 0, count: 10)
        #expect(isEqual)
        #expect(packets.bench.returned.count == 2)
    }

    @Test("A second of a long backlog is decoded ahead, and the rest while the queue plays")
    func aBacklogIsDecodedASecondAhead() throws {
        let packets = try PacketBench()
        let long = (0..<700).map { UInt8($0 % 200) }
        try packets.enqueue(long)
        try packets.enqueue([201, 202])
        #expect((480..<600).contains(packets.decoder.decoded))
        #expect(try packets.queue.prime(0) >= 48_000)
        #expect(try packets.queue.prime(100) == 100)
        try packets.queue.start()
        // 128 packets.
        let played = packets.play(50)
        #expect((480 + 128 - 40..<600 + 128).contains(packets.decoder.decoded))
        #expect(packets.bench.returned.isEmpty)
        let rest = packets.play(240)
        let wanted = frames(long + [201, 202])
        #expect(Array((played + rest).prefix(wanted.count)) == wanted)
        #expect(packets.bench.returned.count == 2)
    }

    @Test("The status page has the seconds of all enqueued packets, also of those that are not decoded yet")
    func statusOfPackets() throws {
        let page = UnsafeMutablePointer<status_page>.allocate(capacity: 1)
        page.initialize(to: status_page())
        defer { page.deallocate() }
        let engine = FakeEngine(slice: 256)
        engine.statusPage = page
        let packets = try PacketBench(engine)
        func queued() -> Double? {
            var (description, counters) = (status_description(), status_counters())
            return status_read(status_page_slot(page, 0), &description, &counters) ? description.queued : nil
        }
        for life in 1...2 {
            #expect(queued() == 0, "life \(life)")
            for count in 1...3 {
                try packets.enqueue([UInt8](repeating: 1, count: 2_400))
                #expect(queued() == 5 * Double(count), "life \(life)")
            }
            try packets.queue.reset()
        }
        try packets.queue.dispose(immediately: true)
    }

    @Test("A stop that waits also plays packets that are decoded after the decoded sound has run out")
    func stopThatWaitsPlaysPacketsThatWereDecodedTooLate() throws {
        let packets = try PacketBench()
        let long = (0..<700).map { UInt8($0 % 200) }
        try packets.enqueue(long)
        try packets.queue.start()
        try packets.queue.stop(immediately: false)
        // The audio thread plays to the end of what is decoded before the dispatcher runs.
        _ = packets.bench.engine.play(cycles: 260)
        #expect(packets.decoder.decoded < 600)
        packets.bench.settle()
        let played = packets.play(100)
        #expect(packets.decoder.decoded == 700)
        #expect(played.contains(700), "the last packet is played")
        #expect(packets.bench.returned.count == 1)
        #expect(!packets.bench.isRunning)
    }

    @Test("Frames at the start and the end of a buffer are trimmed across its packets")
    func framesAreTrimmedAcrossPackets() throws {
        let packets = try PacketBench()
        var options = Queue.EnqueueOptions()
        options.trimAtStart = 150
        options.trimAtEnd = 130
        let begin = try packets.queue.enqueue(
            UInt(bitPattern: try packets.bench.buffer([0]).header), bytes: 0, packets: .none)
        #expect(begin == 0)
        try packets.enqueue([1, 2, 3, 4], options)
        try packets.enqueue([5])
        try packets.queue.start()
        let wanted = frames([1, 2, 3, 4])[150..<270] + frames([5], first: 5)
        #expect(Array(packets.play(1).prefix(220)) == Array(wanted))
        #expect(packets.bench.returned.count == 3)
    }

    @Test(
        "Frames at the start are trimmed once from a buffer that is decoded in several parts",
        arguments: [150, 4_050] as [UInt32])
    func longBufferIsTrimmedOnce(start: UInt32) throws {
        let packets = try PacketBench()
        var options = Queue.EnqueueOptions()
        (options.trimAtStart, options.trimAtEnd) = (start, 130)
        // Parts of 40 packets.
        let long = (0..<100).map { UInt8($0) }
        for life in 1...2 {
            try packets.enqueue(long, options)
            try packets.enqueue([200])
            try packets.queue.start()
            let wanted = frames(long)[Int(start)..<9_870] + frames([200], first: 101)
            let isEqual = Array(packets.play(40).prefix(wanted.count)) == Array(wanted)
            #expect(isEqual, "life \(life)")
            #expect(packets.bench.returned.count == 2 * life)
            try packets.queue.stop(immediately: true)
        }
    }

    @Test("A buffer with trimmed frames that was played leaves no frames behind: the queue decodes, and stops when it is told to")
    func trimmedBufferLeavesNoFrames() throws {
        let packets = try PacketBench()
        var options = Queue.EnqueueOptions()
        options.trimAtStart = 150
        for life in 1...2 {
            try packets.enqueue([1, 2, 3, 4], options)
            #expect(try packets.queue.prime(0) == 250, "life \(life)")
            try packets.queue.start()
            #expect(packets.play(2).contains(400), "life \(life)")
            #expect(packets.bench.returned.count == life)
            #expect(try packets.queue.prime(0) == 0, "life \(life)")
        }
        try packets.enqueue([5])
        try packets.queue.stop(immediately: false)
        #expect(packets.play(60).contains(500))
        #expect(!packets.bench.isRunning && packets.bench.returned.count == 3)
    }

    @Test(
        "A buffer whose frames are all trimmed is not heard, and comes back",
        arguments: [(UInt32.max, UInt32(0)), (0, .max), (.max, .max), (400, 0), (0, 400)])
    func aBufferWhoseFramesAreAllTrimmedIsNotHeard(start: UInt32, end: UInt32) throws {
        let packets = try PacketBench()
        var options = Queue.EnqueueOptions()
        (options.trimAtStart, options.trimAtEnd) = (start, end)
        try packets.enqueue([1, 2, 3, 4], options)
        try packets.enqueue([5])
        try packets.queue.start()
        #expect(Array(packets.play(1).prefix(101)) == frames([5], first: 5) + [0])
        #expect(packets.bench.returned.count == 2)
    }

    @Test("A reset and an immediate stop drop the packets and the state of the decoder")
    func stopAndResetForgetThePacketsAndTheStateOfTheDecoder() throws {
        let packets = try PacketBench()
        try packets.enqueue((0..<1_000).map { UInt8($0 % 100) })
        try packets.enqueue([7])
        try packets.queue.start()
        #expect(packets.play(1)[100] == 2)
        try packets.queue.reset()
        #expect(packets.bench.returned.count == 2)
        #expect(packets.play(1).allSatisfy { $0 == 0 })
        try packets.enqueue([9, 8])
        #expect(Array(packets.play(1).prefix(200)) == frames([9, 8]))
        try packets.enqueue([1])
        try packets.queue.stop(immediately: true)
        #expect(packets.bench.returned.count == 4)
        try packets.enqueue([6])
        try packets.queue.start()
        #expect(Array(packets.play(1).prefix(100)) == frames([6]))
    }

    @Test("The packet descriptions of a buffer are used in any order, and a number that it does not have is refused")
    func descriptionsInTheBufferAreRead() throws {
        let packets = try PacketBench()
        let allocation = try packets.queue.allocateBuffer(bytes: 4, packets: 2)
        let descriptions = try #require(allocation.packetDescriptions)
        // Overlapping packets, in any order.
        PacketDescription(startOffset: 2, byteSize: 2).store(at: descriptions, index: 0)
        PacketDescription(startOffset: 0, byteSize: 4).store(at: descriptions, index: 1)
        allocation.data.copyMemory(from: [3, 0, 4, 0] as [UInt8], byteCount: 4)
        let address = UInt(bitPattern: allocation.header)
        for count in [0, 3, UInt32.max] {
            #expect(throws: QueueStatus.parameter) { try packets.queue.enqueue(address, bytes: 4, packets: .own(count: count)) }
        }
        try packets.queue.enqueue(address, bytes: 4, packets: .own(count: 2))
        try packets.queue.start()
        #expect(Array(packets.play(1).prefix(200)) == frames([4, 3]))
    }

    @Test("Packet descriptions that are missing or contradict their buffer are refused, and the queue stays usable")
    func descriptionsThatContradictTheirBufferAreRefused() throws {
        let packets = try PacketBench()
        let bytes: [UInt8] = [1, 0, 2, 0]
        for packet in [(5, 0), (4, 1), (0, 5), (-1, 2), (.max, 1), (.min, .max), (3, .max)] as [(Int64, UInt32)] {
            let lie = PacketDescription(startOffset: packet.0, byteSize: packet.1)
            #expect(throws: QueueStatus.parameter) {
                try packets.enqueue(bytes, [PacketDescription(startOffset: 0, byteSize: 2), lie])
            }
        }
        #expect(throws: QueueStatus.parameter) { try packets.enqueue(bytes, []) }
        #expect(throws: QueueStatus.parameter) {
            try packets.enqueue(bytes, [PacketDescription](repeating: PacketDescription(startOffset: 0, byteSize: 0), count: 5))
        }
        let address = UInt(bitPattern: try packets.bench.buffer(bytes).header)
        #expect(throws: QueueStatus.parameter) { try packets.queue.enqueue(address, bytes: 4) }
        #expect(throws: QueueStatus.parameter) { try packets.queue.enqueue(address, bytes: 4, packets: .own(count: 0)) }
        // The queue is usable, and a packet without bytes is silence.
        try packets.enqueue(
            bytes, [PacketDescription(startOffset: 4, byteSize: 0), PacketDescription(startOffset: 2, byteSize: 1)])
        try packets.queue.start()
        #expect(Array(packets.play(1).prefix(200)) == frames([0, 2]))
    }

    @Test("A packet that cannot be decoded is left out, and ConverterError and its listener report it")
    func anErrorOfTheDecoderLeavesThePacketOutAndIsAProperty() throws {
        let packets = try PacketBench()
        var changes = 0
        try packets.queue.addListener(QueueState.converterErrorProperty, procedure: 1, data: 1) { _, _ in changes += 1 }
        try packets.enqueue([1, FakeDecoder.damage, 3, FakeDecoder.damage])
        try packets.enqueue([FakeDecoder.damage])
        try packets.queue.start()
        #expect(Array(packets.play(1).prefix(201)) == frames([1]) + frames([3], first: 3) + [0])
        #expect(packets.bench.returned.count == 2)
        #expect(changes == 1)
        let error = ConverterError.unspecified.status
        #expect(try packets.queue.property(QueueState.converterErrorProperty) == withUnsafeBytes(of: error) { Array($0) })
    }

    @Test("A packet that is replaced by silence is reported, and again after a stop or a reset")
    func silencedPacketsAreReported() throws {
        let packets = try PacketBench()
        var changes = 0
        try packets.queue.addListener(QueueState.converterErrorProperty, procedure: 1, data: 1) { _, _ in changes += 1 }
        try packets.enqueue([1])
        #expect(try packets.queue.property(QueueState.converterErrorProperty) == [0, 0, 0, 0])
        let ends: [() throws -> Void] = [{ try packets.queue.reset() }, { try packets.queue.stop(immediately: true) }, {}]
        for (life, end) in ends.enumerated() {
            try packets.enqueue([FakeDecoder.silence, 1, FakeDecoder.silence])
            try packets.queue.start()
            packets.bench.run(2)
            #expect(changes == life + 1)
            let error = ConverterError.unspecified.status
            #expect(try packets.queue.property(QueueState.converterErrorProperty) == withUnsafeBytes(of: error) { Array($0) })
            try end()
        }
    }

    @Test("A refused or an empty magic cookie does not replace the decoder's, and the properties are those of the format")
    func theDecoderHasTheMagicCookieAndThePropertiesAreThoseOfTheFormat() throws {
        let packets = try PacketBench()
        let cookie: UInt32 = 0x6171_6D63
        let before: [UInt8] = [1, 2, 3]
        try before.withUnsafeBytes { try packets.queue.setProperty(cookie, $0) }
        #expect(try packets.decoder.cookie == before && packets.queue.property(cookie) == before)
        #expect(throws: QueueStatus.invalidPropertyValue) {
            try [FakeDecoder.damage].withUnsafeBytes { try packets.queue.setProperty(cookie, $0) }
        }
        #expect(try packets.decoder.cookie == before && packets.queue.property(cookie) == before)
        try packets.queue.setProperty(cookie, UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(packets.decoder.cookie == before)
        #expect(try packets.queue.property(0x786F_7073) == [77, 0, 0, 0])
        #expect(packets.queue.described == FakeDecoder.format)
        #expect(try packets.queue.property(0x6171_6674) == FakeDecoder.format.bytes)
    }

    @Test("The audio thread decodes nothing and allocates nothing") func theAudioThreadDecodesNothing() throws {
        guard allocation_count_is_available() else { return }
        let packets = try PacketBench()
        try packets.enqueue((0..<700).map { UInt8($0 % 100) })
        try packets.queue.start()
        packets.bench.run(2)
        let decoded = packets.decoder.decoded
        #expect(packets.bench.engine.output?.allocations(inCycles: 180) == 0)
        #expect(packets.decoder.decoded == decoded)
    }

    @Test("A dispose that waits plays all packets, calls no callback, and stops the stream")
    func aQueueThatIsDisposedAfterItsLastBufferPlaysAllPackets() throws {
        let packets = try PacketBench()
        let long = (0..<600).map { UInt8($0 % 100) }
        try packets.enqueue(long)
        try packets.queue.start()
        try packets.queue.dispose(immediately: false)
        #expect(Array(packets.play(250).prefix(60_000)) == frames(long))
        #expect(packets.bench.returned.isEmpty)
        #expect(packets.bench.engine.output?.isRunning == false)
    }
}
