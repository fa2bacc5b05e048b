// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

/// A sample of each kind: the pairs of every format would take too long.
private func eachKindOfSample() throws -> [SampleFormat] {
    [
        try .integer(8), try .integer(8, isSigned: false), try .integer(16), try .integer(16, byteOrder: .big), try .integer(24),
        try .integer(24, byteOrder: .big), try .integer(24, bytes: 4), try .integer(24, bytes: 4, alignment: .high),
        try .integer(32), try .fixedPoint(32, fractionBits: 24), .float32(), .float32(.big), .float64(),
    ]
}

@Suite("A converter of one rate")
struct SameRateTests {
    @Test("returns the same frames in calls of every size, in every format and layout")
    func everyFormat() throws {
        var random = SeededGenerator(2)
        for from in try eachKindOfSample() {
            for to in try eachKindOfSample() {
                let source = try linear(from, channels: 2, isInterleaved: Bool.random(using: &random))
                let target = try linear(
                    to, channels: [1, 2, 3].randomElement(using: &random)!, isInterleaved: Bool.random(using: &random))
                let noise = Stream(noise: 300, packetBytes: source.bytesPerFrame, buffers: source.bufferCount)
                let converter = try Converter.make(from: source.streamDescription, to: target.streamDescription)
                let result = try convert(
                    converter, noise, packetBytes: source.bytesPerFrame, to: target.bufferCount,
                    packetBytes: target.bytesPerFrame,
                    ask: { Int.random(in: 1...70, using: &random) }, give: { Int.random(in: 1...$0, using: &random) })
                #expect(try result == expected(noise, source, target), "\(source) to \(target)")
            }
        }
    }

    private func expected(_ stream: Stream, _ source: PCMFormat, _ target: PCMFormat) throws -> Stream {
        var (from, to) = (SampleBuffers(), SampleBuffers())
        let inputs = stream.buffers.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
            copy.copyBytes(from: bytes)
            from.append(copy)
            return copy
        }
        let outputs = (0..<target.bufferCount).map { _ in
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 300 * target.bytesPerFrame, alignment: 8)
            to.append(room)
            return room
        }
        defer { for buffer in inputs + outputs { buffer.deallocate() } }
        #expect(try PCMConverter(from: source, to: target).convert(from, to: to, frames: 300) == 300)
        return Stream(outputs.map { Array($0) })
    }

    @Test("stores the packets that the procedure returns beyond the requested number")
    func leftovers() throws {
        let format = try linear(.integer(16), channels: 1).streamDescription
        let converter = try Converter.make(from: format, to: format)
        let samples = (0..<10_000).map { Int16(truncatingIfNeeded: $0) }
        let stream = Stream(samples: samples)
        let result = try convert(converter, stream, packetBytes: 2, to: 1, packetBytes: 2, ask: { 7 }, give: { $0 + 1_000 })
        #expect(result == stream)
    }

    @Test("ends a call with the procedure's error, and continues after the packets that it has converted")
    func errors() throws {
        let format = try linear(.integer(16), channels: 1).streamDescription
        let wide = try linear(.integer(32), channels: 1).streamDescription
        let converter = try Converter.make(from: format, to: wide)
        var given: [Int16] = [1, 2, 3]
        var output = [Int32](repeating: -1, count: 8)
        var calls = 0
        func fill() -> (packets: Int, bytes: Int, error: ConverterError?) {
            calls = 0
            return output.withUnsafeMutableBytes { output in
                given.withUnsafeMutableBytes { given in
                    let given = given
                    return converter.fill(SampleBuffers(output), packets: 8) { (_: Int) throws(ConverterError) in
                        calls += 1
                        if calls == 1 { return InputPackets(buffers: SampleBuffers(given), count: 3) }
                        throw .program(1_234)
                    }
                }
            }
        }
        var result = fill()
        #expect(result.packets == 3 && result.error == .program(1_234) && calls == 2)
        #expect(output[..<4] == [0x1_0000, 0x2_0000, 0x3_0000, -1])
        given = [4, 5, 6]
        result = fill()
        #expect(result.packets == 3 && output[..<3] == [0x4_0000, 0x5_0000, 0x6_0000])
    }

    @Test("reads no byte beyond the given buffers, whatever number of packets the procedure states")
    func lyingCounts() throws {
        let format = try linear(.integer(16), channels: 2).streamDescription
        let converter = try Converter.make(from: format, to: format)
        let memory = ExactMemory()
        var output = [UInt8](repeating: 0, count: 400)
        var isFirst = true
        let result = output.withUnsafeMutableBytes { output in
            converter.fill(SampleBuffers(output), packets: 100) { (_: Int) throws(ConverterError) in
                defer { isFirst = false }
                return InputPackets(buffers: memory.replace([ArraySlice([1, 2, 3, 4, 5, 6])]), count: isFirst ? 1_000_000 : 0)
            }
        }
        #expect(result.packets == 1 && result.error == nil)
        let short = output.withUnsafeMutableBytes { output in
            converter.fill(SampleBuffers(output), packets: 100) { (_: Int) throws(ConverterError) in
                InputPackets(buffers: memory.replace([ArraySlice([1, 2])]), count: 1)
            }
        }
        #expect(short.packets == 0 && short.error == .invalidInputSize)
        let missing = output.withUnsafeMutableBytes { output in
            converter.fill(SampleBuffers(output), packets: 100) { (_: Int) throws(ConverterError) in
                InputPackets(buffers: SampleBuffers(), count: 1)
            }
        }
        #expect(missing.packets == 0 && missing.error == .invalidInputSize)
        #expect(
            converter.fill(SampleBuffers(), packets: 1) { (_: Int) throws(ConverterError) in .end }.error == .invalidOutputSize)
        #expect(converter.fill(SampleBuffers(), packets: 0) { (_: Int) throws(ConverterError) in .end }.error == nil)
    }

    @Test("follows a channel map")
    func channelMap() throws {
        let stereo = try linear(.integer(16), channels: 2).streamDescription
        let converter = try Converter.make(from: stereo, to: try linear(.integer(16), channels: 3).streamDescription)
        #expect(try converter.propertyInfo(code("chmp")).size == 12)
        let map: [Int32] = [1, -1, 0]
        try map.withUnsafeBytes { try converter.setProperty(code("chmp"), $0) }
        let result = try convert(converter, Stream(samples: [1, 2, 3, 4]), packetBytes: 4, to: 1, packetBytes: 6)
        #expect(result.samples == [2, 0, 1, 4, 0, 3])
        let read = try withUnsafeBytes(of: 0) { try converter.property(code("chmp"), $0) }
        #expect(read == map.withUnsafeBytes { Array($0) })
        #expect(throws: ConverterError.parameter) {
            try ([2, 0, 0] as [Int32]).withUnsafeBytes { try converter.setProperty(code("chmp"), $0) }
        }
        // The standard mix: no map.
        try converter.setProperty(code("chmp"), UnsafeRawBufferPointer(start: nil, count: 0))
        let standard = try convert(converter, Stream(samples: [1, 2, 3, 4]), packetBytes: 4, to: 1, packetBytes: 6)
        #expect(standard.samples == [1, 2, 0, 3, 4, 0])
        try map.withUnsafeBytes { try converter.setProperty(code("chmp"), $0) }
        #expect(throws: ConverterError.badPropertySize) {
            try ([0, 0] as [Int32]).withUnsafeBytes { try converter.setProperty(code("chmp"), $0) }
        }
        #expect(try convert(converter, Stream(samples: [7, 8]), packetBytes: 4, to: 1, packetBytes: 6).samples == [8, 0, 7])
    }

    @Test("has the map of its standard mix, and none where it takes the mean of two channels")
    func standardMap() throws {
        func map(_ source: Int, _ target: Int) throws -> [Int32] {
            let converter = try Converter.make(
                from: try linear(.integer(16), channels: source).streamDescription,
                to: try linear(.integer(16), channels: target).streamDescription)
            let bytes = try withUnsafeBytes(of: 0) { try converter.property(code("chmp"), $0) }
            return bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        }
        #expect(try map(1, 3) == [0, 0, -1] && map(3, 1) == [0] && map(2, 2) == [0, 1])
        #expect(throws: ConverterError.propertyNotSupported) { try map(2, 1) }
    }

    @Test("refuses formats by name")
    func refusals() throws {
        let good = try linear(.float32()).streamDescription
        var bad = good
        bad.bitsPerChannel = 31
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: bad, to: good) }
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: good, to: bad) }
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: codec(code("aac ")), to: good) }
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: good, to: codec(code(".mp3"))) }
        var slow = good
        slow.sampleRate = 100
        #expect(throws: ConverterError.inputSampleRateOutOfRange) { try Converter.make(from: slow, to: good) }
        #expect(throws: ConverterError.outputSampleRateOutOfRange) { try Converter.make(from: good, to: slow) }
        var wrong = codec(FormatID.appleIMA4)
        wrong.bytesPerPacket = 33
        #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: wrong, to: good) }
        slow.sampleRate = 0
        #expect(try Converter.make(from: slow, to: good).source.sampleRate == 48_000)
    }

    @Test("converts whole buffers")
    func wholeBuffers() throws {
        let format = try linear(.integer(16), channels: 1).streamDescription
        let converter = try Converter.make(from: format, to: try linear(.float32(), channels: 1).streamDescription)
        func whole(_ input: [Int16], bytes: Int, room: Int) throws -> [Float] {
            var output = [Float](repeating: 9, count: room)
            let size = try output.withUnsafeMutableBytes { output in
                try input.withUnsafeBytes { try converter.convert(UnsafeRawBufferPointer(rebasing: $0[..<bytes]), into: output) }
            }
            return Array(output[..<(size / 4)])
        }
        #expect(try whole([0x4000, -0x8000], bytes: 4, room: 3) == [0.5, -1])
        #expect(try whole([], bytes: 0, room: 0) == [])
        #expect(throws: ConverterError.invalidInputSize) { try whole([1, 2], bytes: 3, room: 4) }
        #expect(throws: ConverterError.invalidOutputSize) { try whole([1, 2], bytes: 4, room: 1) }
        let other = try Converter.make(from: format, to: try linear(.integer(16), rate: 44_100, channels: 1).streamDescription)
        var byte: UInt8 = 0
        #expect(throws: ConverterError.operationNotSupported) {
            try withUnsafeMutableBytes(of: &byte) { try other.convert(UnsafeRawBufferPointer($0), into: $0) }
        }
        #expect(throws: ConverterError.invalidInputSize) {
            try converter.convert(SampleBuffers(), into: SampleBuffers(), frames: 1)
        }
    }

    /// `frames` frames in one buffer on each side, where `converter` has a kernel for them. Nil where it has none.
    private func inOneBuffer(
        _ converter: Converter, _ input: [Int16], frames: Int, room: Int = 4
    ) throws(ConverterError) -> [Float]? {
        var output = [Float](repeating: 9, count: room)
        var isDone = false
        var failure: ConverterError?
        output.withUnsafeMutableBytes { output in
            input.withUnsafeBytes { input in
                do throws(ConverterError) { isDone = try converter.convert(input, into: output, frames: frames) } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return isDone ? output : nil
    }

    @Test("converts one buffer to one other without its stages, where the processor has a kernel")
    func oneBuffer() throws {
        let stereo = try linear(.integer(16), channels: 2)
        func converter(_ target: PCMFormat, from source: PCMFormat? = nil) throws -> Converter {
            try Converter.make(from: (source ?? stereo).streamDescription, to: target.streamDescription)
        }
        let floats = try converter(try linear(.float32(), channels: 2))
        guard try PCMConverter(from: stereo, to: try linear(.float32(), channels: 2)).bufferConversion != nil else { return }
        #expect(try inOneBuffer(floats, [0x4000, -0x4000, 0x2000, -0x8000], frames: 2) == [0.5, -0.5, 0.25, -1])
        #expect(try inOneBuffer(floats, [0x4000, -0x4000, 1, 1], frames: 1) == [0.5, -0.5, 9, 9])
        #expect(try inOneBuffer(floats, [], frames: 0, room: 0) == [])
        #expect(throws: ConverterError.invalidInputSize) { try inOneBuffer(floats, [1, 2, 3], frames: 2) }
        #expect(throws: ConverterError.invalidOutputSize) { try inOneBuffer(floats, [1, 2, 3, 4], frames: 2, room: 3) }
        // The packets that an input procedure has given belong to the program.
        _ = try convert(
            floats, Stream(samples: [1, 2, 3, 4]), packetBytes: 4, to: 1, packetBytes: 8, ask: { 1 }, give: { $0 + 1 })
        #expect(try inOneBuffer(floats, [0x4000, -0x4000], frames: 1) == [0.5, -0.5, 9, 9])
        #expect(floats.forgetInput() == 0)
        // With more buffers, other channels, a channel map, another rate or a codec, the stages are needed.
        let separate = try linear(.float32(), channels: 2, isInterleaved: false)
        for target in [separate, try linear(.float32(), channels: 1), try linear(.float32(), rate: 44_100, channels: 2)] {
            #expect(try inOneBuffer(try converter(target), [1, 2], frames: 1) == nil)
        }
        let swapped = try converter(try linear(.float32(), channels: 2))
        try ([1, 0] as [Int32]).withUnsafeBytes { try swapped.setProperty(code("chmp"), $0) }
        #expect(try inOneBuffer(swapped, [1, 2], frames: 1) == nil)
        let encoder = try Converter.make(from: stereo.streamDescription, to: codec(FormatID.uLaw, rate: 48_000, channels: 2))
        #expect(try inOneBuffer(encoder, [1, 2], frames: 1) == nil)
    }
}

@Suite("A converter with a codec")
struct CodecConverterTests {
    @Test("gives the same packets in every size of call", arguments: PacketCodecs.formatIDs, [1, 2] as [UInt32])
    func chunks(_ id: UInt32, _ channels: UInt32) throws {
        var random = SeededGenerator(5)
        let pcm = try linear(.float32(), rate: 8_000, channels: Int(channels))
        let frames = 64 * 20 + 17
        let sound = Stream(floats: (0..<frames * Int(channels)).map { _ in Float.random(in: -1...1, using: &random) })
        let packet = Int(channels) * (id == FormatID.appleIMA4 ? 34 : 1)
        let encoder = try Converter.make(from: pcm.streamDescription, to: codec(id, channels: channels))
        func encode(_ ask: () -> Int, _ give: (Int) -> Int) throws -> Stream {
            try convert(encoder, sound, packetBytes: pcm.bytesPerFrame, to: 1, packetBytes: packet, ask: ask, give: give)
        }
        let packets = try encode({ 100_000 }, { $0 })
        #expect(packets.buffers[0].count == (id == FormatID.appleIMA4 ? 21 : frames) * packet)
        let pieces = try encode({ Int.random(in: 1...9, using: &random) }, { Int.random(in: 1...$0, using: &random) })
        let isSame = pieces == packets
        #expect(isSame)
        let decoder = try Converter.make(from: codec(id, channels: channels), to: pcm.streamDescription)
        func decode(_ ask: () -> Int, _ give: (Int) -> Int) throws -> Stream {
            try convert(decoder, packets, packetBytes: packet, to: 1, packetBytes: pcm.bytesPerFrame, ask: ask, give: give)
        }
        let decoded = try decode({ 100_000 }, { $0 })
        #expect(decoded.buffers[0].count == (id == FormatID.appleIMA4 ? 21 * 64 : frames) * pcm.bytesPerFrame)
        let again = try decode({ Int.random(in: 1...100, using: &random) }, { Int.random(in: 1...$0 + 3, using: &random) })
        let isSameSound = again == decoded
        #expect(isSameSound)
        let error = zip(decoded.floats, sound.floats).map { abs($0 - $1) }.reduce(0, +) / Float(sound.floats.count)
        #expect(error < (id == FormatID.appleIMA4 ? 0.2 : 0.02) && error > 0)
    }

    @Test("changes the rate as well, and from one codec to another")
    func ratesAndCodecs() throws {
        let low = codec(FormatID.appleIMA4, rate: 22_050, channels: 2)
        let converter = try Converter.make(from: low, to: codec(FormatID.uLaw, rate: 8_000))
        let packets = Stream([[UInt8](repeating: 0, count: 68 * 30)])
        let result = try convert(converter, packets, packetBytes: 68, to: 1, packetBytes: 1)
        #expect(result.buffers[0].count == (30 * 64 * 8_000 + 22_049) / 22_050)
        #expect(result.buffers[0].allSatisfy { $0 == 0xFF })
        #expect(try converter.number(code("xips")) == 68 && converter.number(code("xops")) == 1)
        #expect(try converter.number(code("brat")) == 64_000)
        #expect(converter.source.framesPerPacket == 64 && converter.target.bytesPerPacket == 1)
    }
}

@Suite("The properties of a converter")
struct ConverterPropertyTests {
    @Test("state sizes of packets and buffers")
    func sizes() throws {
        let stereo = try linear(.integer(16), rate: 44_100)
        let floats = try linear(.float32(), rate: 44_100, isInterleaved: false)
        let converter = try Converter.make(from: stereo.streamDescription, to: floats.streamDescription)
        #expect(try converter.number(code("xips")) == 4 && converter.number(code("xops")) == 4)
        #expect(try converter.number(code("cibs"), 400) == 400 && converter.number(code("cobs"), 400) == 400)
        #expect(try converter.number(code("mibs")) == 4 && converter.number(code("mobs")) == 4)
        let encoder = try Converter.make(from: stereo.streamDescription, to: codec(FormatID.appleIMA4, rate: 44_100, channels: 2))
        #expect(try encoder.number(code("mibs")) == 256 && encoder.number(code("cibs"), 680) == 2_560)
        #expect(try encoder.number(code("cobs"), 2_561) == 680 && encoder.number(code("cobs"), 2_564) == 748)
        #expect(try encoder.number(code("cibs"), .max) == .max)
        #expect(throws: ConverterError.badPropertySize) {
            try withUnsafeBytes(of: UInt16(0)) { try encoder.property(code("cibs"), $0) }
        }
    }

    @Test(
        "state input for whole packets: one more when the output needs a part of it",
        arguments: [(0, 0), (1, 1), (63, 1), (64, 1), (65, 2), (128, 2), (129, 3)]
    )
    func packetsOfInput(_ frames: Int, _ packets: Int) throws {
        let samples = try linear(.integer(16), rate: 44_100)
        let decoder = try Converter.make(
            from: codec(FormatID.appleIMA4, rate: 44_100, channels: 2), to: samples.streamDescription)
        for _ in 1...2 {
            #expect(try decoder.number(code("cibs"), UInt32(frames * 4)) == UInt32(packets * 68))
            #expect(try decoder.number(code("cobs"), UInt32(packets * 68)) == UInt32(packets * 256))
            decoder.reset()
        }
    }

    @Test("describe both sides")
    func descriptions() throws {
        let source = try linear(.integer(16), rate: 0 + 8_000)
        let converter = try Converter.make(from: source.streamDescription, to: codec(FormatID.uLaw, channels: 2))
        let bytes = try withUnsafeBytes(of: 0) { try converter.property(code("acod"), $0) }
        #expect(bytes.withUnsafeBytes { StreamDescription(at: $0.baseAddress!) } == converter.target)
        #expect(try converter.propertyInfo(code("acid")).size == 40 && !converter.propertyInfo(code("acid")).isWritable)
        #expect(try converter.number(code("crfi")) == 1)
    }

    @Test("refuse properties that a converter does not have")
    func refusals() throws {
        let format = try linear(.integer(16)).streamDescription
        let converter = try Converter.make(from: format, to: format)
        for id in ["srcq", "srca", "dmgc", "cmgc", "brat", "aebr", "vebr", "aesr", "vesr", "acps", "????"] as [StaticString] {
            #expect(throws: ConverterError.propertyNotSupported) { try converter.propertyInfo(code(id)) }
        }
        #expect(throws: ConverterError.propertyNotSupported) { try converter.set(code("srcq"), 0x7F) }
        #expect(throws: ConverterError.propertyNotSupported) { try converter.set(code("dmgc"), 0x7F) }
        #expect(throws: ConverterError.operationNotSupported) { try converter.set(code("xops"), 0x7F) }
        #expect(throws: ConverterError.parameter) { try converter.set(code("prmm"), 3) }
    }

    @Test("Result codes are those of the header")
    func results() {
        let codes: [(ConverterError, Int32)] = [
            (.formatNotSupported, 0x666D_743F), (.operationNotSupported, 0x6F70_3F3F), (.propertyNotSupported, 0x7072_6F70),
            (.invalidInputSize, 0x696E_737A), (.invalidOutputSize, 0x6F74_737A), (.unspecified, 0x7768_6174),
            (.badPropertySize, 0x2173_697A), (.requiresPacketDescriptions, 0x2170_6B64),
            (.inputSampleRateOutOfRange, 0x2169_7372), (.outputSampleRateOutOfRange, 0x216F_7372), (.parameter, -50),
            (.outOfMemory, -108), (.program(-7), -7),
        ]
        for (error, status) in codes { #expect(error.status == status) }
    }
}
