// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import Testing

private func priming(_ converter: Converter) throws -> [UInt32] {
    let bytes = try withUnsafeBytes(of: 0) { try converter.property(code("prim"), $0) }
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
}

private func setPriming(_ converter: Converter, _ leading: UInt32, _ trailing: UInt32) throws {
    let value = [UInt8](nativeBytesOf: leading) + [UInt8](nativeBytesOf: trailing)
    try value.withUnsafeBytes { try converter.setProperty(code("prim"), $0) }
}

@Suite("The rules of converters")
struct ConverterRuleTests {
    @Test("A rate of 0 is that of the other side, for packets too", arguments: PacketCodecs.formatIDs)
    func rateOfOtherSide(_ id: UInt32) throws {
        let pcm = try linear(.integer(16), rate: 22_050, channels: 1).streamDescription
        let decoder = try Converter.make(from: codec(id, rate: 0), to: pcm)
        let encoder = try Converter.make(from: pcm, to: codec(id, rate: 0))
        #expect(decoder.source.sampleRate == 22_050 && encoder.target.sampleRate == 22_050)
        #expect(decoder.rates == (22_050, 22_050) && encoder.rates == (22_050, 22_050))
        #expect(throws: ConverterError.formatNotSupported) {
            try Converter.make(from: codec(id, rate: 0), to: codec(id, rate: 0))
        }
    }

    @Test("Packets have the sizes of their codec, or none that are stated", arguments: PacketCodecs.formatIDs)
    func packetSizes(_ id: UInt32) throws {
        let pcm = try linear(.integer(16), rate: 8_000, channels: 2).streamDescription
        let (bytes, frames) = id == FormatID.appleIMA4 ? (68, 64) : (2, 1)
        for (statedBytes, statedFrames) in [(0, 0), (bytes, 0), (0, frames), (bytes, frames)] {
            var packets = codec(id, channels: 2)
            (packets.bytesPerPacket, packets.framesPerPacket) = (UInt32(statedBytes), UInt32(statedFrames))
            #expect(try Converter.make(from: packets, to: pcm).source.bytesPerPacket == UInt32(bytes))
            #expect(try Converter.make(from: pcm, to: packets).target.framesPerPacket == UInt32(frames))
        }
        for (statedBytes, statedFrames) in [(bytes + 1, 0), (0, frames + 1), (bytes / 2, frames)] {
            var packets = codec(id, channels: 2)
            (packets.bytesPerPacket, packets.framesPerPacket) = (UInt32(statedBytes), UInt32(statedFrames))
            #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: packets, to: pcm) }
            #expect(throws: ConverterError.formatNotSupported) { try Converter.make(from: pcm, to: packets) }
        }
    }

    @Test(
        "An encoder gives the same packets for the same sound after its end, and after a reset in it",
        arguments: PacketCodecs.formatIDs)
    func secondSound(_ id: UInt32) throws {
        let converter = try Converter.make(
            from: try linear(.integer(16), rate: 8_000, channels: 1).streamDescription, to: codec(id))
        let size = Int(converter.target.bytesPerPacket)
        let sound = Stream(noise: 150, packetBytes: 2, buffers: 1)
        func packets() throws -> Stream { try convert(converter, sound, packetBytes: 2, to: 1, packetBytes: size) }
        let first = try packets()
        #expect(try packets() == first)
        // 100 frames of another sound, of which one packet of IMA4 is read.
        var room = [UInt8](repeating: 0, count: size)
        let filled = sound.buffers[0].withUnsafeBytes { input in
            room.withUnsafeMutableBytes { room in
                let given = InputPackets(buffers: SampleBuffers(UnsafeMutableRawBufferPointer(mutating: input)), count: 100)
                return converter.fill(SampleBuffers(room), packets: 1) { (_: Int) throws(ConverterError) in given }
            }
        }
        #expect(filled.packets == 1)
        converter.reset()
        #expect(try packets() == first)
    }

    @Test(
        "Frames that wait for the rest of their packet come first in the next call, and a reset discards them")
    func waitingFrames() throws {
        let converter = try Converter.make(
            from: try linear(.integer(16), rate: 8_000, channels: 1).streamDescription, to: codec(FormatID.appleIMA4))
        let size = Int(converter.target.bytesPerPacket)
        var sound = Stream(noise: 150, packetBytes: 2, buffers: 1).buffers[0]
        func packets(from frame: Int) throws -> Stream {
            try convert(converter, Stream([Array(sound[(2 * frame)...])]), packetBytes: 2, to: 1, packetBytes: size)
        }
        let whole = try packets(from: 0)
        for (first, isReset) in [(40, false), (40, true), (63, true), (1, false)] {
            var (room, isGiven) = ([UInt8](repeating: 0, count: size), false)
            let filled = sound.withUnsafeMutableBytes { sound in
                let input = InputPackets(buffers: SampleBuffers(sound), count: first)
                return room.withUnsafeMutableBytes { room in
                    converter.fill(SampleBuffers(room), packets: 1) { (_: Int) throws(ConverterError) in
                        guard !isGiven else { throw .program(7) }
                        isGiven = true
                        return input
                    }
                }
            }
            #expect(filled.packets == 0 && filled.error == .program(7))
            if isReset { converter.reset() }
            #expect(try packets(from: isReset ? 0 : first) == whole, "\(first) frames wait")
        }
    }

    @Test("A decoder asks for the packets that the frames need, and for no more", arguments: PacketCodecs.formatIDs)
    func askedPackets(_ id: UInt32) throws {
        let converter = try Converter.make(
            from: codec(id), to: try linear(.integer(16), rate: 8_000, channels: 1).streamDescription)
        let (size, frames) = (Int(converter.source.bytesPerPacket), Int(converter.source.framesPerPacket))
        let packets = [UInt8](repeating: 0x55, count: 10 * size)
        for (wanted, asked) in [(frames, 1), (frames + 1, 2), (2 * frames, 2), (3 * frames, 3)] {
            converter.reset()
            var numbers: [Int] = []
            var room = [UInt8](repeating: 0, count: 2 * wanted)
            let filled = packets.withUnsafeBytes { packets in
                room.withUnsafeMutableBytes { room in
                    converter.fill(SampleBuffers(room), packets: wanted) { (count: Int) throws(ConverterError) in
                        numbers.append(count)
                        return InputPackets(
                            buffers: SampleBuffers(
                                UnsafeMutableRawBufferPointer(
                                    mutating: UnsafeRawBufferPointer(rebasing: packets[..<(count * size)]))), count: count)
                    }
                }
            }
            #expect(filled.packets == wanted && numbers == [asked])
        }
    }

    @Test("A decoder decodes the whole packets that its room holds", arguments: PacketCodecs.formatIDs + [0x6D73_0011])
    func room(_ id: UInt32) throws {
        var format = codec(id, channels: 2)
        let (bytes, frames) = id == 0x6D73_0011 ? (16, 9) : id == FormatID.appleIMA4 ? (68, 64) : (2, 1)
        (format.bytesPerPacket, format.framesPerPacket) = (UInt32(bytes), UInt32(frames))
        let decoder = try #require(PacketCodecs.decoder(for: format))
        let packets = [UInt8](repeating: 1, count: 3 * bytes)
        for (given, room, decoded) in [(3, 3, 3), (3, 2, 2), (1, 3, 1), (3, 0, 0), (0, 3, 0)] {
            var output = [UInt8](repeating: 0xAA, count: 4 * 3 * frames + 8)
            let count = try output.withUnsafeMutableBytes { output in
                try packets.withUnsafeBytes { packets in
                    try decoder.decode(
                        UnsafeRawBufferPointer(rebasing: packets[..<(given * bytes)]),
                        into: UnsafeMutableRawBufferPointer(rebasing: output[..<(4 * room * frames)]))
                }
            }
            #expect(count == decoded * frames)
            #expect(output[(4 * room * frames)...].allSatisfy { $0 == 0xAA })
        }
    }

    @Test("The frames before and after the sound are set for a decoder, which drops those before it after each reset")
    func decoderPriming() throws {
        let pcm = try linear(.integer(16), rate: 8_000, channels: 1).streamDescription
        let converter = try Converter.make(from: codec(FormatID.uLaw), to: pcm)
        #expect(try converter.propertyInfo(code("prim")) == (8, true) && priming(converter) == [0, 0])
        let packets = Stream([(0..<100).map { UInt8($0) }])
        func samples() throws -> [Int16] { try convert(converter, packets, packetBytes: 1, to: 1, packetBytes: 2).samples }
        let whole = try samples()
        try setPriming(converter, 10, 3)
        #expect(try priming(converter) == [10, 3])
        #expect(try samples() == Array(whole[10...]))
        converter.reset()
        #expect(try samples() == Array(whole[10...]) && priming(converter) == [10, 3])
        try setPriming(converter, 0, 7)
        #expect(try priming(converter) == [0, 7])
        #expect(try samples() == whole)
        for size in [0, 4, 12] {
            #expect(throws: ConverterError.badPropertySize) {
                try [UInt8](repeating: 0, count: size).withUnsafeBytes { try converter.setProperty(code("prim"), $0) }
            }
        }
        for other in [try Converter.make(from: pcm, to: pcm), try Converter.make(from: pcm, to: codec(FormatID.uLaw))] {
            #expect(try other.propertyInfo(code("prim")) == (8, false))
            #expect(throws: ConverterError.operationNotSupported) { try setPriming(other, 1, 1) }
        }
        let encoder = try Converter.make(from: pcm, to: codec(FormatID.uLaw))
        #expect(try encoder.propertyInfo(code("brat")) == (4, false))
    }

    @Test(
        "The stated size of the input suffices for an output of a size, and is not much larger", arguments: [0, 1, 2] as [UInt32])
    func sufficientInput(_ method: UInt32) throws {
        for (from, to) in [(44_100, 48_000), (48_000, 16_000), (16_000, 48_000)] as [(Double, Double)] {
            let converter = try Converter.make(
                from: try linear(.float32(), rate: from, channels: 1).streamDescription,
                to: try linear(.integer(16), rate: to, channels: 1).streamDescription)
            try converter.set(code("prmm"), method)
            for wanted in [1, 100, 3_000] {
                let frames = Int(try converter.number(code("cibs"), UInt32(2 * wanted))) / 4
                let prime = try priming(converter)
                #expect(frames == Int((Double(wanted) * from / to).rounded(.up)) + Int(prime[0] + prime[1]))
                converter.reset()
                let input = [UInt8](repeating: 0, count: 4 * frames)
                var (output, given) = ([UInt8](repeating: 0, count: 2 * wanted), 0)
                let filled = input.withUnsafeBytes { input in
                    output.withUnsafeMutableBytes { output in
                        converter.fill(SampleBuffers(output), packets: wanted) { (count: Int) throws(ConverterError) in
                            let part = min(count, frames - given)
                            // The sound does not end.
                            guard part > 0 else { throw .program(7) }
                            given += part
                            let bytes = UnsafeRawBufferPointer(rebasing: input[..<(4 * part)])
                            return InputPackets(
                                buffers: SampleBuffers(UnsafeMutableRawBufferPointer(mutating: bytes)), count: part)
                        }
                    }
                }
                #expect(filled.packets == wanted && filled.error == nil, "\(from) to \(to), \(wanted) frames")
            }
        }
    }

    @Test("A channel map applies at another rate too, to more and to fewer channels")
    func mapAtAnotherRate() throws {
        for (source, map) in [(2, [1, -1, 0]), (3, [2, 0]), (2, [1, 0]), (1, [-1, 0])] as [(Int, [Int32])] {
            let converter = try Converter.make(
                from: try linear(.float32(), rate: 16_000, channels: source).streamDescription,
                to: try linear(.float32(), rate: 48_000, channels: map.count).streamDescription)
            try map.withUnsafeBytes { try converter.setProperty(code("chmp"), $0) }
            let frame = (0..<source).map { Float($0 + 1) / 8 }
            let sound = Stream(floats: (0..<800).flatMap { _ in frame })
            let result = try convert(converter, sound, packetBytes: 4 * source, to: 1, packetBytes: 4 * map.count).floats
            #expect(result.count == 2_400 * map.count)
            for (channel, origin) in map.enumerated() {
                let expected = origin < 0 ? 0 : frame[Int(origin)]
                #expect(abs(result[1_200 * map.count + channel] - expected) < 0.000_1, "channel \(channel) of \(map)")
            }
        }
    }

    @Test("A codec needs its stages, also where the samples before it have a kernel")
    func codecBehindKernel() throws {
        let floats = try linear(.float32(), rate: 8_000, channels: 1).streamDescription
        let (input, output) = (
            [Float](repeating: 0, count: 4), UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        )
        defer { output.deallocate() }
        for converter in [
            try Converter.make(from: floats, to: codec(FormatID.uLaw)),
            try Converter.make(from: codec(FormatID.uLaw), to: floats),
        ] {
            #expect(try input.withUnsafeBytes { try converter.convert($0, into: output, frames: 4) } == false)
            #expect(throws: ConverterError.operationNotSupported) {
                try converter.convert(SampleBuffers(output), into: SampleBuffers(output), frames: 1)
            }
        }
    }
}
