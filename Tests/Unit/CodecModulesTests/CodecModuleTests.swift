// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CCodecModules
import LinuxSystem
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

@testable import CodecModules

private let layer3: UInt32 = 0x2E6D_7033
private let aac: UInt32 = 0x6161_6320
private let appleLossless: UInt32 = 0x616C_6163

private func description(_ id: UInt32, rate: Double = 44_100, channels: UInt32 = 2, frames: UInt32 = 0) -> StreamDescription {
    StreamDescription(sampleRate: rate, formatID: id, framesPerPacket: frames, channelsPerFrame: channels)
}

private func hasDecoder(_ id: UInt32) -> Bool { CodecModules.decodedFormats.contains(id) }

/// A packet of MPEG audio with a tone in one channel, which needs no other packet.
private func mpegPacket(layer: Int, rate: Int) -> [UInt8] {
    let version = rate >= 32_000 ? 3 : rate >= 16_000 ? 2 : 0
    let rates = [3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000]][version] ?? []
    let kilobits = version == 3 ? [128, 64, 56][layer - 1] : [64, 32, 32][layer - 1]
    let slots = (layer == 1 ? 12_000 : layer == 3 && version != 3 ? 72_000 : 144_000) * kilobits / rate
    var bits: [Int] = []
    func put(_ fields: (value: Int, bits: Int)...) {
        for field in fields { bits += (0..<field.bits).reversed().map { field.value >> $0 & 1 } }
    }
    put((0x7FF, 11), (version, 2), (4 - layer, 2), (1, 1), (4, 4), (rates.firstIndex(of: rate) ?? 3, 2), (0, 2), (3, 2), (0, 6))
    if layer < 3 {
        // The first subband has samples, the lowest ones.
        put((1, 4))
    } else {
        put((0, version == 3 ? 18 : 9))
        // In each granule: a pair of frequencies of 5 bits, which are 0.
        for _ in 0..<(version == 3 ? 2 : 1) {
            put((5, 12), (1, 9), (200, 8), (0, version == 3 ? 5 : 10), (1, 5), (0, version == 3 ? 20 : 19))
        }
    }
    bits += [Int](repeating: 0, count: slots * (layer == 1 ? 32 : 8) - bits.count)
    return stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8(truncatingIfNeeded: $1) }
    }
}

/// The remainder of a division of polynomials without a start value, as the packets of FLAC have it.
private func remainder(_ bytes: [UInt8], bits: UInt32, by polynomial: UInt32) -> UInt32 {
    let top = UInt32(1) << (bits - 1)
    return bytes.reduce(0) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte) << (bits - 8)) { sum, _ in
            (sum << 1 ^ (sum & top == 0 ? 0 : polynomial)) & (top << 1 &- 1)
        }
    }
}

/// A packet of FLAC of 256 frames of 16 bits at 44,100 Hz, in which each channel has one value.
private func flacPacket(_ values: [UInt16]) -> [UInt8] {
    var packet: [UInt8] = [0xFF, 0xF8, 0x79, UInt8(values.count - 1) << 4 | 8, 0, 0, 255]
    packet.append(UInt8(remainder(packet, bits: 8, by: 0x07)))
    for value in values { packet += [0, UInt8(value >> 8), UInt8(value & 255)] }
    let sum = remainder(packet, bits: 16, by: 0x8005)
    return packet + [UInt8(sum >> 8), UInt8(sum & 255)]
}

/// The modules that decode a format, each with a decoder.
private func decoders(
    _ format: StreamDescription, cookie: [UInt8] = [], samples: Int
) throws -> [(name: String, ModuleDecoder)] {
    try CodecSource.all.filter { $0.decodedFormats.contains(format.formatID) }.compactMap { source in
        guard let module = source.load().module else { return nil }
        return ("\(source.name)", try #require(ModuleDecoder.make(module, format, cookie: cookie, samples: samples)))
    }
}

/// Modules are those of the folder that AUDIOTOOLBOX_CODECS names: make test and make coverage set it.
@Suite("Codecs of modules")
struct CodecModuleTests {
    @Test("exist for the formats that they list", .enabled(if: hasDecoder(layer3)))
    func formats() {
        for id in CodecModules.decodedFormats {
            let rate = id == 0x6F70_7573 ? 48_000.0 : 44_100
            let channels: UInt32 = id == GSMPacket.formatID ? 1 : 2
            #expect(CodecModules.decoder(for: description(id, rate: rate, channels: channels)) != nil, "\(FourCC.text(id))")
        }
        #expect(CodecModules.decoder(for: description(FormatID.uLaw)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, channels: 9)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, rate: .nan)) == nil)
        #expect(CodecModules.encoder(for: description(layer3)) == nil)
    }

    @Test("make the frames of a packet of anything", .enabled(if: hasDecoder(layer3)))
    func damage() throws {
        var random = SeededGenerator(6)
        var frames = [UInt8](repeating: 1, count: 65_536 * 8)
        for id in CodecModules.decodedFormats where ![CodecFormat.flac, GSMPacket.formatID].contains(id) {
            let rate = id == 0x6F70_7573 ? 48_000.0 : 44_100
            let decoder = try #require(CodecModules.decoder(for: description(id, rate: rate)))
            for size in [0, 1, 4, 100, 417, 1_441] {
                let packet = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                let count = try frames.withUnsafeMutableBytes { frames in
                    try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
                }
                #expect(count > 0 && count <= decoder.framesPerPacket, "\(FourCC.text(id))")
            }
            #expect(throws: ConverterError.invalidOutputSize) {
                try frames.withUnsafeMutableBytes { frames in
                    try decoder.decode(
                        UnsafeRawBufferPointer(start: nil, count: 0),
                        into: UnsafeMutableRawBufferPointer(rebasing: frames[..<100]))
                }
            }
            decoder.reset()
        }
    }

    @Test("decode packets of one size while whole packets and their frames fit", .enabled(if: hasDecoder(GSMPacket.formatID)))
    func constantPackets() throws {
        let decoder = try #require(CodecModules.decoder(for: description(GSMPacket.formatID, rate: 8_000, channels: 1)))
        #expect(decoder.bytesPerPacket == 65 && decoder.largestPacket == 65 && decoder.framesPerPacket == 320)
        var random = SeededGenerator(8)
        let packets = (0..<65 * 4 + 64).map { _ in UInt8.random(in: 0...255, using: &random) }
        var frames = [Int16](repeating: 1, count: 320 * 6)
        for (size, room, expected) in [
            (packets.count, frames.count, 320 * 4), (65 * 3, frames.count, 320 * 3), (packets.count, 320 * 2 + 319, 320 * 2),
            (64, 320, 0),
            (0, 320, 0),
        ] {
            let count = try frames.withUnsafeMutableBytes { frames in
                try packets.withUnsafeBytes {
                    try decoder.decode(
                        UnsafeRawBufferPointer(rebasing: $0[..<size]),
                        into: UnsafeMutableRawBufferPointer(rebasing: frames[..<(room * 2)]))
                }
            }
            #expect(count == expected, "\(size) bytes, \(room) frames")
        }
        #expect(throws: ConverterError.invalidOutputSize) {
            try frames.withUnsafeMutableBytes { frames in
                try packets.withUnsafeBytes {
                    try decoder.decode($0, into: UnsafeMutableRawBufferPointer(rebasing: frames[..<639]))
                }
            }
        }
        for (bytes, sizes) in [(UInt32(65), UInt32(160)), (64, 320), (33, 160)] {
            var format = description(GSMPacket.formatID, rate: 8_000, channels: 1, frames: sizes)
            format.bytesPerPacket = bytes
            #expect(CodecModules.decoder(for: format) == nil)
        }
        #expect(CodecModules.decoder(for: description(GSMPacket.formatID, rate: 8_000, channels: 2)) == nil)
    }

    @Test("decode MPEG audio to floats for a client that has more than 16 bits", .enabled(if: hasDecoder(layer3)))
    func precision() throws {
        let clients: [(StreamDescription, SampleFormat?)] = [
            (pcm(16, .signedInteger), nil), (pcm(24, .signedInteger), .float32()), (pcm(32, .float), .float32()),
            (description(aac), nil),
        ]
        let usual = try #require(CodecModules.decoder(for: description(layer3))).output.sample
        for (client, sample) in clients {
            let decoder = try #require(CodecModules.decoder(for: description(layer3), client: client))
            #expect(decoder.output.sample == sample ?? usual)
        }
    }

    @Test(
        "decode packets of MPEG audio without a stated number of frames to the frames of their layer and rate",
        .enabled(if: hasDecoder(layer3)), arguments: 1...3,
        [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
    func framesOfMPEG(layer: Int, rate: Int) throws {
        // The rates of MPEG-2.5 exist in layer 3 only.
        guard layer == 3 || rate >= 16_000 else { return }
        let format = description(CodecFormat.mpegLayers[layer - 1], rate: Double(rate), channels: 1)
        let expected = layer == 1 ? 384 : layer == 3 && rate < 32_000 ? 576 : 1_152
        let packet = mpegPacket(layer: layer, rate: rate)
        let all = try decoders(format, samples: CODEC_FLOAT32)
        #expect(!all.isEmpty)
        for (name, decoder) in all {
            #expect(decoder.framesPerPacket == expected, "\(name)")
            for _ in 0..<2 {
                try expectSound(decoder, packet, frames: expected)
                decoder.reset()
            }
        }
    }

    /// Each part of a packet is heard.
    private func expectSound(_ decoder: ModuleDecoder, _ packet: [UInt8], frames expected: Int) throws {
        for index in 0..<4 {
            var frames = [Float](repeating: 0, count: 1_152)
            let count = try frames.withUnsafeMutableBytes { frames in
                try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
            }
            #expect(count == expected)
            let silent = (0..<8).filter { part in
                frames[(part * expected / 8)..<((part + 1) * expected / 8)].allSatisfy { $0 == 0 }
            }
            #expect(silent.isEmpty, "eighths of packet \(index)")
        }
    }

    @Test("ask for descriptions of packets", .enabled(if: hasDecoder(layer3)))
    func converter() throws {
        let pcm = try PCMFormat(sampleRate: 44_100, channels: 2, sample: .float32()).streamDescription
        let format = description(layer3, frames: 1_152)
        let converter = try Converter.make(from: format, to: pcm, decoder: CodecModules.decoder(for: format))
        var output = [Float](repeating: 0, count: 2_304)
        var packet = [UInt8](repeating: 0, count: 417)
        packet.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x00])
        let without = output.withUnsafeMutableBytes { output in
            packet.withUnsafeMutableBytes { packet in
                let packets = InputPackets(buffers: SampleBuffers(packet), count: 1)
                return converter.fill(SampleBuffers(output), packets: 1) { (_: Int) throws(ConverterError) in packets }
            }
        }
        #expect(without.packets == 0 && without.error == .requiresPacketDescriptions)
        var array = [UInt8](repeating: 0, count: 16)
        let with = array.withUnsafeMutableBytes { array in
            PacketDescription(startOffset: 0, byteSize: 417).store(at: array.baseAddress!, index: 0)
            return output.withUnsafeMutableBytes { output in
                packet.withUnsafeMutableBytes { packet in
                    let packets = InputPackets(
                        buffers: SampleBuffers(packet), count: 1, descriptions: UnsafeRawPointer(array.baseAddress))
                    return converter.fill(SampleBuffers(output), packets: 1_000) { (_: Int) throws(ConverterError) in packets }
                }
            }
        }
        #expect(with.packets == 1_000 && with.error == nil)
    }

    /// Encodes frames of a ramp, with input in odd pieces, and decodes the packets.
    private func roundTrip(_ format: StreamDescription, frames: Int) throws -> (samples: [Int16], priming: Int, trailing: Int) {
        let channels = Int(format.channelsPerFrame)
        let pcm = try PCMFormat(sampleRate: format.sampleRate, channels: channels, sample: .integer(16)).streamDescription
        let encoder = try #require(CodecModules.encoder(for: format))
        let writer = try Converter.make(from: pcm, to: format, encoder: encoder)
        var input = (0..<frames * channels).map { Int16(truncatingIfNeeded: $0 &* 37 % 20_000 - 10_000) }
        var packets: [[UInt8]] = []
        var given = 0
        var room = [UInt8](repeating: 0, count: writer.largestOutputPacket)
        while true {
            let filled = room.withUnsafeMutableBytes { room in
                input.withUnsafeMutableBytes { input in
                    writer.fill(SampleBuffers(room), packets: 1) { (_: Int) throws(ConverterError) in
                        let count = min(frames - given, 777)
                        let piece = UnsafeMutableRawBufferPointer(rebasing: input[(given * channels * 2)...])
                        given += count
                        return InputPackets(buffers: SampleBuffers(piece), count: count)
                    }
                }
            }
            try #require(filled.error == nil)
            guard filled.packets > 0 else { break }
            packets.append(Array(room[..<filled.bytes]))
        }
        let cookie = encoder.magicCookie
        let prime = try writer.property(0x7072_696D, UnsafeRawBufferPointer(start: nil, count: 0))
        let (leading, trailing) = prime.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }
        let decoder = try #require(CodecModules.decoder(for: writer.target, cookie: cookie))
        let decoded = try decode(packets, decoder, pcm)
        return (decoded, Int(leading), Int(trailing))
    }

    private func decode(_ packets: [[UInt8]], _ decoder: any PacketDecoder, _ pcm: StreamDescription) throws -> [Int16] {
        var samples: [Int16] = []
        let format = try PCMFormat(pcm)
        let toIntegers = try PCMConverter(from: decoder.output, to: format)
        var frames = [UInt8](repeating: 0, count: decoder.framesPerPacket * decoder.output.bytesPerFrame)
        var integers = [Int16](repeating: 0, count: decoder.framesPerPacket * format.channels)
        for packet in packets {
            let count = try frames.withUnsafeMutableBytes { frames in
                try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
            }
            frames.withUnsafeMutableBytes { frames in
                integers.withUnsafeMutableBytes { integers in
                    _ = toIntegers.convert(SampleBuffers(frames), to: SampleBuffers(integers), frames: count)
                }
            }
            samples += integers[..<(count * format.channels)]
        }
        return samples
    }

    @Test(
        "give Apple Lossless back as it was", .enabled(if: CodecModules.encodedFormats.contains(appleLossless)),
        arguments: [1, 4_096, 9_001])
    func lossless(frames: Int) throws {
        let result = try roundTrip(description(appleLossless, frames: 4_096), frames: frames)
        #expect(result.samples == (0..<frames * 2).map { Int16(truncatingIfNeeded: $0 &* 37 % 20_000 - 10_000) })
        #expect(result.priming == 0)
    }

    @Test(
        "state the frames that AAC adds", .enabled(if: CodecModules.encodedFormats.contains(aac)), arguments: [1, 1_024, 5_000])
    func priming(frames: Int) throws {
        let result = try roundTrip(description(aac), frames: frames)
        #expect(result.priming == 1_024)
        #expect(result.samples.count / 2 == result.priming + frames + result.trailing)
    }

    /// A packet of silence of LC, which is a packet with spectral band replication too.
    private func silentPacket(channels: UInt32 = 2) throws -> [UInt8] {
        let encoder = try #require(CodecModules.encoder(for: description(aac, rate: 22_050, channels: channels)))
        var packet = [UInt8](repeating: 0, count: encoder.largestPacket)
        let silence = [Float](repeating: 0, count: 1_024 * Int(channels))
        var size = 0
        for _ in 0..<3 where size == 0 {
            size = try silence.withUnsafeBytes { frames in
                try packet.withUnsafeMutableBytes { try encoder.encode(frames, into: $0) }
            }
        }
        try #require(size > 0)
        return Array(packet[..<size])
    }

    /// Decodes a packet to silence of 2,048 frames.
    private func expectReplication(_ decoder: any PacketDecoder, _ packet: [UInt8], channels: Int = 2) throws {
        #expect(decoder.framesPerPacket == 2_048 && decoder.output.sampleRate == 44_100 && decoder.output.channels == channels)
        var frames = [UInt8](repeating: 0xFF, count: 2_048 * decoder.output.bytesPerFrame)
        let damaged = decoder.damagedPackets
        let count = try frames.withUnsafeMutableBytes { frames in
            try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
        }
        #expect(count == 2_048 && decoder.damagedPackets == damaged)
    }

    @Test("double the frames of AAC with spectral band replication", .enabled(if: CodecModules.encodedFormats.contains(aac)))
    func replication() throws {
        let packet = try silentPacket()
        // Object type 5, 22,050 Hz, 2 channels, extended to 44,100 Hz; then LC.
        let cookie: [UInt8] = [0x2B, 0x92, 0x08, 0x00]
        let decoder = try #require(
            CodecModules.decoder(for: description(CodecFormat.aacHE, frames: 2_048), cookie: cookie))
        try expectReplication(decoder, packet)
    }

    @Test(
        "decode AAC with spectral band replication before they have its configuration, and with it",
        .enabled(if: CodecModules.encodedFormats.contains(aac)),
        arguments: [(CodecFormat.aacHE, 1, 1), (CodecFormat.aacHE, 2, 2), (CodecFormat.aacHEv2, 2, 1)]
            as [(UInt32, UInt32, UInt32)])
    func replicationWithoutCookie(id: UInt32, channels: UInt32, coded: UInt32) throws {
        let packet = try silentPacket(channels: coded)
        let cookie = try #require(
            AACConfiguration(extendedRate: 44_100, channels: coded, hasParametricStereo: id == CodecFormat.aacHEv2)
        ).cookie(bitRate: 64_000)
        for frames: UInt32 in [0, 2_048] {
            let decoder = try #require(CodecModules.decoder(for: description(id, channels: channels, frames: frames)))
            for life in 0..<4 {
                if life == 1 { try cookie.withUnsafeBytes { try decoder.setMagicCookie($0) } }
                try expectReplication(decoder, packet, channels: Int(channels))
                decoder.reset()
            }
            #expect(throws: ConverterError.unspecified) {
                try ([0xFF] as [UInt8]).withUnsafeBytes { try decoder.setMagicCookie($0) }
            }
            try expectReplication(decoder, packet, channels: Int(channels))
        }
        // Rates and channels for which a configuration has no number.
        for rate in [44_101, 88_201, 7_350, 12_000, 11_025, 192_000, 0, .nan] as [Double] {
            #expect(CodecModules.decoder(for: description(id, rate: rate, channels: channels)) == nil)
        }
        #expect(CodecModules.decoder(for: description(id, channels: 7)) == nil)
    }

    @Test("have the usual configuration of spectral band replication without a cookie, and that of the cookie with it")
    func usualReplication() {
        let (he, stereo) = (CodecFormat.aacHE, CodecFormat.aacHEv2)
        // Parametric stereo makes two channels of one, and no other number.
        let rows: [(id: UInt32, rate: Double, channels: UInt32, bytes: [UInt8]?)] = [
            (he, 44_100, 2, [0x2B, 0x92, 0x08, 0x00]), (he, 44_100, 1, [0x2B, 0x8A, 0x08, 0x00]),
            (he, 48_000, 6, [0x2B, 0x31, 0x88, 0x00]), (stereo, 44_100, 2, [0xEB, 0x8A, 0x08, 0x00]),
            (stereo, 44_100, 1, nil), (stereo, 44_100, 3, nil), (he, 44_100, 0, nil), (he, 44_100, 7, nil),
            (he, 12_000, 2, nil), (stereo, 12_000, 2, nil), (he, .nan, 2, nil), (he, .infinity, 2, nil),
        ]
        for row in rows {
            let format = description(row.id, rate: row.rate, channels: row.channels)
            #expect(CodecConfiguration.bytes(of: format, cookie: []) == row.bytes, "\(row)")
            #expect(CodecConfiguration.bytes(of: format, cookie: [0x13, 0x90]) == [0x13, 0x90])
            #expect(CodecConfiguration.bytes(of: format, cookie: [0x13]) == nil)
        }
    }

    /// Packets of AAC: noise in all channels.
    private func packets(channels: Int) throws -> [[UInt8]] {
        let encoder = try #require(CodecModules.encoder(for: description(aac, channels: UInt32(channels))))
        var random = SeededGenerator(12)
        return try (0..<12).map { _ in
            let frames = (0..<1_024 * channels).map { _ in Float.random(in: -0.5...0.5, using: &random) }
            var packet = [UInt8](repeating: 0, count: encoder.largestPacket)
            let size = try packet.withUnsafeMutableBytes { packet in
                try frames.withUnsafeBytes { try encoder.encode($0, into: packet) }
            }
            return Array(packet[..<size])
        }.filter { !$0.isEmpty }
    }

    private func frames(_ packets: [[UInt8]], _ decoder: any PacketDecoder) throws -> [Float] {
        try packets.flatMap { packet in
            var frames = [Float](repeating: 9, count: 1_024 * decoder.output.channels)
            let count = try frames.withUnsafeMutableBytes { frames in
                try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
            }
            #expect(count == 1_024)
            return frames
        }
    }

    @Test(
        "of AAC give the frames of a new decoder after a reset", .enabled(if: CodecModules.encodedFormats.contains(aac)),
        arguments: [1, 2, 6])
    func reset(_ channels: Int) throws {
        let packets = try packets(channels: channels)
        let decoder = try #require(CodecModules.decoder(for: description(aac, channels: UInt32(channels))))
        let first = try frames(packets, decoder)
        for count in [packets.count, 1, packets.count] {
            decoder.reset()
            #expect(try frames(Array(packets[..<count]), decoder)[...] == first[..<(count * 1_024 * channels)])
        }
        // A second reset, and one before the first packet, have no effect.
        decoder.reset()
        decoder.reset()
        #expect(try frames(packets, decoder) == first)
    }

    @Test(
        "encode AAC of any number of channels without a low-pass in any of them",
        .enabled(if: CodecModules.encodedFormats.contains(aac)), arguments: [1, 2, 3, 4, 5])
    func bandwidth(_ channels: Int) throws {
        let packets = try packets(channels: channels)
        let decoder = try #require(CodecModules.decoder(for: description(aac, channels: UInt32(channels))))
        let decoded = try frames(packets, decoder)
        for channel in 0..<channels {
            let samples = stride(from: 4_096 * channels + channel, to: decoded.count, by: channels).map { decoded[$0] }
            // Differences of neighbours are large in noise with high frequencies, and small in one without them.
            let level = samples.reduce(0) { $0 + $1 * $1 }
            let change = zip(samples, samples.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
            #expect(change > level / 2, "channel \(channel)")
        }
    }

    @Test(
        "of MPEG audio give the frames of a new decoder after a reset", .enabled(if: hasDecoder(layer3)), arguments: 1...3,
        [22_050, 44_100])
    func resetOfMPEG(layer: Int, rate: Int) throws {
        let format = description(CodecFormat.mpegLayers[layer - 1], rate: Double(rate), channels: 1)
        let packet = mpegPacket(layer: layer, rate: rate)
        let all = try decoders(format, samples: CODEC_FLOAT32)
        #expect(!all.isEmpty)
        for (name, decoder) in all {
            func decode() throws -> [Float] {
                var frames = [Float](repeating: 0, count: decoder.framesPerPacket)
                let count = try frames.withUnsafeMutableBytes { frames in
                    try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
                }
                #expect(count == frames.count, "\(name)")
                return frames
            }
            let first = [try decode(), try decode(), try decode()]
            #expect(first[1] != first[0], "\(name)")
            for _ in 1...2 {
                decoder.reset()
                let again = [try decode(), try decode(), try decode()]
                #expect(again == first, "\(name)")
            }
        }
    }

    @Test(
        "of FLAC give each channel its value, and those of libsndfile no sound for a packet with another number of channels",
        .enabled(if: hasDecoder(CodecFormat.flac)), arguments: [1, 2])
    func channelsOfFLAC(channels: Int) throws {
        let format = description(CodecFormat.flac, channels: UInt32(channels), frames: 4_608)
        let cookie: [UInt8] =
            [0x12, 0, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, channels == 1 ? 0x40 : 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)
        let all = try decoders(format, cookie: cookie, samples: CODEC_INT16)
        #expect(!all.isEmpty)
        for (name, decoder) in all {
            for values in [[1_000], [1_000, 2_000], [3_000], [3_000, 4_000]] as [[UInt16]] {
                // FFmpeg decodes the channels that there are.
                guard name == "sndfile" || values.count == channels else { continue }
                var frames = [Int16](repeating: 0, count: 4_608 * channels)
                let damaged = decoder.damagedPackets
                let count = try frames.withUnsafeMutableBytes { frames in
                    try flacPacket(values).withUnsafeBytes { try decoder.decode($0, into: frames) }
                }
                let fits = values.count == channels
                let expected = (0..<count * channels).map { fits ? Int16(values[$0 % channels]) : 0 }
                let isExpected = Array(frames[..<(count * channels)]) == expected
                #expect(isExpected && (!fits || count == 256), "\(name): \(values)")
                #expect(decoder.damagedPackets == damaged + (fits ? 0 : 1), "\(name): \(values)")
            }
        }
    }

    @Test("of FLAC refuse packets without a configuration", .enabled(if: hasDecoder(CodecFormat.flac)))
    func flacWithoutCookie() throws {
        let decoder = try #require(CodecModules.decoder(for: description(CodecFormat.flac, frames: 4_608)))
        var frames = [UInt8](repeating: 0, count: 65_536 * 8)
        func decode() throws -> Int {
            try frames.withUnsafeMutableBytes { frames in
                try [UInt8](repeating: 1, count: 100).withUnsafeBytes { try decoder.decode($0, into: frames) }
            }
        }
        #expect(throws: ConverterError.unspecified) { try decode() }
        decoder.reset()
        #expect(throws: ConverterError.unspecified) { try decode() }
        let block: [UInt8] =
            [0x12, 0, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)
        try block.withUnsafeBytes { try decoder.setMagicCookie($0) }
        // With a configuration, a damaged packet is silence.
        _ = try decode()
    }

    @Test("take the cookies of files", .enabled(if: CodecModules.decodedFormats.contains(aac)))
    func cookies() throws {
        let decoder = try #require(CodecModules.decoder(for: description(aac)))
        let configuration = try #require(AACConfiguration(objectType: 2, rate: 44_100, channels: 2))
        for cookie in [configuration.bytes, configuration.cookie(bitRate: 128_000)] {
            try cookie.withUnsafeBytes { try decoder.setMagicCookie($0) }
        }
        #expect(throws: ConverterError.unspecified) {
            try [UInt8](repeating: 3, count: 9).withUnsafeBytes { try decoder.setMagicCookie($0) }
        }
        #expect(throws: ConverterError.badPropertySize) {
            try decoder.setMagicCookie(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    @Test("encode with the bit rate that is set", .enabled(if: CodecModules.encodedFormats.contains(aac)))
    func bitRate() throws {
        /// The bytes of a second of noise.
        func size(_ rate: UInt32) throws -> Int {
            let encoder = try #require(CodecModules.encoder(for: description(aac)))
            try encoder.setBitRate(rate)
            #expect(encoder.bitRate == rate)
            var random = SeededGenerator(3)
            let frames = (0..<2_048).map { _ in Float.random(in: -0.5...0.5, using: &random) }
            var packet = [UInt8](repeating: 0, count: encoder.largestPacket)
            var sum = 0
            for _ in 0..<43 {
                sum += try packet.withUnsafeMutableBytes { packet in
                    try frames.withUnsafeBytes { try encoder.encode($0, into: packet) }
                }
            }
            return sum
        }
        let (low, high) = (try size(64_000), try size(256_000))
        #expect(low > 4_000 && low < 12_000 && high > 2 * low)
    }
}
