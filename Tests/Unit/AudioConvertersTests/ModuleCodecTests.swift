// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import Testing

/// Decodes packets of one byte to one frame.
private final class ByteDecoder: PacketDecoder {
    let bytesPerPacket = 1
    let framesPerPacket = 1
    let output: PCMFormat
    private(set) var cookies: [[UInt8]] = []

    init() throws { output = try linear(.integer(16), channels: 1) }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        for (index, byte) in packets.enumerated() { frames.storeBytes(of: Int16(byte), toByteOffset: 2 * index, as: Int16.self) }
        return packets.count
    }

    func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError) {
        guard cookie.count == 2 else { throw .badPropertySize }
        cookies.append(Array(cookie))
    }

    func reset() {}
}

/// Decodes packets of any size to their first byte.
private final class FirstByteDecoder: PacketDecoder {
    let bytesPerPacket = 0
    let framesPerPacket = 1
    let output: PCMFormat

    init() throws { output = try linear(.integer(16), channels: 1) }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        frames.storeBytes(of: Int16(packets[0]), as: Int16.self)
        return 1
    }

    func reset() {}
}

/// Gives the samples of four frames as a packet, and the samples that are left at the end.
private final class CopyingEncoder: VariablePacketEncoder {
    let input: PCMFormat
    let framesPerPacket = 4
    let largestPacket = 8
    let primingFrames = 0
    let magicCookie: [UInt8]
    private(set) var bitRate: UInt32 = 64_000

    init(cookie: [UInt8] = []) throws {
        input = try linear(.integer(16), channels: 1)
        magicCookie = cookie
    }

    func setBitRate(_ rate: UInt32) throws(ConverterError) {
        guard rate >= 8_000 else { throw .parameter }
        bitRate = rate / 8_000 * 8_000
    }

    func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        packet.copyMemory(from: frames)
        return frames.count
    }

    func reset() {}
}

private func property(_ converter: Converter, _ id: StaticString) throws -> [UInt8] {
    try withUnsafeBytes(of: 0) { try converter.property(code(id), $0) }
}

@Suite("A converter with a codec of a module")
struct ModuleCodecTests {
    private let pcm: StreamDescription
    private let packets = StreamDescription(sampleRate: 48_000, formatID: CodecFormat.aac, channelsPerFrame: 1)

    init() throws { pcm = try linear(.integer(16), channels: 1).streamDescription }

    private func encoding(_ encoder: CopyingEncoder) throws -> Converter {
        try Converter.make(from: pcm, to: packets, encoder: encoder)
    }

    /// Gives the samples to one call. Returns its packets, one after another, and its error.
    private func fill(
        _ converter: Converter, _ samples: [Int16], room: Int, packets: Int = 9
    ) -> (content: [[Int16]], error: ConverterError?) {
        var (samples, output) = (samples, [UInt8](repeating: 0xEE, count: room))
        var (given, descriptions): (Bool, [PacketDescription]) = (false, [])
        let filled = output.withUnsafeMutableBytes { output in
            samples.withUnsafeMutableBytes { samples in
                let input = InputPackets(buffers: SampleBuffers(samples), count: samples.count / 2)
                return converter.fill(
                    SampleBuffers(output), packets: packets,
                    { (_: Int) throws(ConverterError) in
                        defer { given = true }
                        return given ? .end : input
                    }, describe: { descriptions.append($1) })
            }
        }
        #expect(descriptions.count == filled.packets && filled.bytes == descriptions.reduce(0) { $0 + Int($1.byteSize) })
        let content = descriptions.map { packet in
            let start = Int(packet.startOffset)
            return Stream([Array(output[start..<start + Int(packet.byteSize)])]).samples
        }
        return (content, filled.error)
    }

    @Test("passes magic cookies to the decoder, and has none to read")
    func decoderCookie() throws {
        let decoder = try ByteDecoder()
        let converter = try Converter.make(from: packets, to: pcm, decoder: decoder)
        #expect(try converter.propertyInfo(code("dmgc")) == (0, true))
        #expect(try property(converter, "dmgc") == [])
        try ([7, 8] as [UInt8]).withUnsafeBytes { try converter.setProperty(code("dmgc"), $0) }
        #expect(decoder.cookies == [[7, 8]])
        #expect(throws: ConverterError.badPropertySize) { try converter.set(code("dmgc"), 1) }
        let builtIn = try Converter.make(from: codec(FormatID.uLaw), to: pcm)
        #expect(try builtIn.propertyInfo(code("dmgc")).size == 0)
        #expect(throws: ConverterError.propertyNotSupported) { try builtIn.set(code("dmgc"), 1) }
    }

    @Test("refuses packets of variable size without descriptions, and asks for others in the next call")
    func missingDescriptions() throws {
        let converter = try Converter.make(from: packets, to: pcm, decoder: FirstByteDecoder())
        let described = [UInt32](unsafeUninitializedCapacity: 4) { words, count in
            // The second of two bytes.
            UnsafeMutableRawPointer(words.baseAddress!).storeBytes(of: 1, as: Int64.self)
            (words[2], words[3], count) = (0, 1, 4)
        }
        var (bytes, sample): ([UInt8], Int16) = ([7, 8], 0)
        for isDescribed in [false, true, false, true] {
            sample = 0
            let filled = described.withUnsafeBytes { description in
                bytes.withUnsafeMutableBytes { bytes in
                    withUnsafeMutableBytes(of: &sample) { room in
                        converter.fill(SampleBuffers(room), packets: 1) { (_: Int) throws(ConverterError) in
                            InputPackets(
                                buffers: SampleBuffers(bytes), count: 1, descriptions: isDescribed ? description.baseAddress : nil
                            )
                        }
                    }
                }
            }
            #expect(filled.error == (isDescribed ? nil : .requiresPacketDescriptions))
            #expect(filled.packets == (isDescribed ? 1 : 0) && sample == (isDescribed ? 8 : 0))
        }
    }

    @Test("has the magic cookie of the encoder, if it is not empty")
    func encoderCookie() throws {
        #expect(try property(encoding(CopyingEncoder(cookie: [1, 2, 3])), "cmgc") == [1, 2, 3])
        #expect(throws: ConverterError.propertyNotSupported) { try property(encoding(CopyingEncoder()), "cmgc") }
    }

    @Test("passes a bit rate to the encoder, states the one that it chose, and begins a new sound")
    func bitRate() throws {
        let encoder = try CopyingEncoder()
        let converter = try encoding(encoder)
        #expect(try converter.number(code("brat")) == 64_000)
        #expect(fill(converter, [1, 2, 3, 4, 5, 6, 7, 8], room: 8, packets: 1).content == [[1, 2, 3, 4]])
        #expect(throws: ConverterError.parameter) { try converter.set(code("brat"), 1) }
        #expect(throws: ConverterError.badPropertySize) {
            try ([0] as [UInt8]).withUnsafeBytes { try converter.setProperty(code("brat"), $0) }
        }
        try converter.set(code("brat"), 31_000)
        #expect(encoder.bitRate == 24_000)
        #expect(try converter.number(code("brat")) == 24_000)
        #expect(fill(converter, [9], room: 8).content == [[9]])
        let constant = try Converter.make(from: pcm, to: codec(FormatID.uLaw, rate: 48_000))
        #expect(throws: ConverterError.operationNotSupported) { try constant.set(code("brat"), 64_000) }
    }

    @Test("keeps a packet that finds no room for the next call")
    func packetWithoutRoom() throws {
        let converter = try encoding(CopyingEncoder())
        let first = fill(converter, [1, 2, 3, 4, 5, 6, 7, 8, 9], room: 12)
        #expect(first.content == [[1, 2, 3, 4]] && first.error == nil)
        let small = fill(converter, [], room: 7)
        #expect(small.content.isEmpty && small.error == .invalidOutputSize)
        let rest = fill(converter, [], room: 100)
        #expect(rest.content.first == [5, 6, 7, 8] && rest.error == nil)
    }
}

@Suite("A converter without an input procedure")
struct DirectConversionTests {
    @Test("converts the frames of buffers, and forgets packets that a procedure has given")
    func buffers() throws {
        let converter = try Converter.make(
            from: try linear(.integer(16)).streamDescription,
            to: try linear(.float32(), isInterleaved: false).streamDescription)
        var (left, right) = ([Float](repeating: 9, count: 3), [Float](repeating: 9, count: 3))
        func convert(_ samples: [Int16], frames: Int, byProcedure: Bool = false) throws {
            var samples = samples
            try samples.withUnsafeMutableBytes { samples in
                try left.withUnsafeMutableBytes { left in
                    try right.withUnsafeMutableBytes { right in
                        var output = SampleBuffers(left)
                        output.append(right)
                        let input = InputPackets(buffers: SampleBuffers(samples), count: samples.count / 4)
                        guard byProcedure else { return try converter.convert(input.buffers, into: output, frames: frames) }
                        let filled = converter.fill(output, packets: frames) { (_: Int) throws(ConverterError) in input }
                        #expect(filled.packets == frames && filled.error == nil)
                    }
                }
            }
        }
        try convert([0x4000, -0x4000, 0x2000, -0x2000], frames: 1, byProcedure: true)
        #expect(left == [0.5, 9, 9] && right == [-0.5, 9, 9])
        try convert([0x1000, 0x800, 0, -0x8000], frames: 2)
        #expect(left == [0.125, 0, 9] && right == [0.0625, -1, 9])
        try convert([0x4000, 0x4000], frames: 1, byProcedure: true)
        #expect(left == [0.5, 0, 9] && right == [0.5, -1, 9])
        #expect(throws: ConverterError.invalidInputSize) { try convert([0, 0], frames: 2) }
        #expect(throws: ConverterError.invalidInputSize) { try convert([0, 0], frames: -1) }
        #expect(throws: ConverterError.invalidOutputSize) { try convert([Int16](repeating: 0, count: 8), frames: 4) }
        #expect(left == [0.5, 0, 9] && right == [0.5, -1, 9])
    }

    @Test("needs linear PCM of one rate on both sides")
    func refusals() throws {
        let pcm = try linear(.integer(16), channels: 1).streamDescription
        let law = codec(FormatID.uLaw, rate: 48_000)
        let slow = try linear(.integer(16), rate: 44_100, channels: 1).streamDescription
        for (source, target) in [(pcm, law), (law, pcm), (pcm, slow)] {
            let converter = try Converter.make(from: source, to: target)
            #expect(throws: ConverterError.operationNotSupported) {
                try converter.convert(SampleBuffers(), into: SampleBuffers(), frames: 0)
            }
        }
    }
}
