// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import Testing

/// Bits, the highest first, of values with a width.
private func bits(_ values: (UInt32, Int)...) -> [UInt8] { bits(values) }

private func bits(_ values: [(value: UInt32, width: Int)]) -> [UInt8] {
    var bits: [UInt8] = []
    for (value, width) in values { for bit in (0..<width).reversed() { bits.append(UInt8(value >> UInt32(bit) & 1)) } }
    while bits.count % 8 != 0 { bits.append(0) }
    return stride(from: 0, to: bits.count, by: 8).map { start in bits[start..<start + 8].reduce(0) { $0 << 1 | $1 } }
}

@Suite("The configurations of lossless codecs")
struct LosslessConfigurationTests {
    private func alac(frames: UInt32 = 4_096, bits: UInt8 = 16, channels: UInt8 = 2, rate: UInt32 = 44_100) -> [UInt8] {
        words(frames) + [0, bits, 40, 10, 14, channels, 0, 255] + words(0, 0, rate)
    }

    private func flac(bits: UInt32) -> [UInt8] {
        let (low, high) = ((bits - 1) & 15, (bits - 1) >> 4)
        return [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, UInt8(0x42 | high), UInt8(low << 4)]
            + [UInt8](repeating: 0, count: 20)
    }

    @Test("state the bits of the source, by a flag that has enough of them", arguments: 1...32 as ClosedRange<UInt32>)
    func flags(_ bits: UInt32) {
        let enough: UInt32 = bits <= 16 ? 1 : bits <= 20 ? 2 : bits <= 24 ? 3 : 4
        #expect(AppleLossless.flags(holding: bits).rawValue == enough)
        let exact = [16: 1, 20: 2, 24: 3, 32: 4][bits] as UInt32?
        #expect(AppleLossless.flags(ofCookie: alac(bits: UInt8(bits)))?.rawValue == exact)
        if let exact { #expect(AppleLossless.bits(of: exact) == bits) }
        if bits >= 4 { #expect(FLACConfiguration.flags(ofCookie: flac(bits: bits))?.rawValue == enough) }
    }

    @Test("have values that a stream has, in at least 24 bytes")
    func limits() {
        #expect(AppleLossless.bits(of: 0) == nil && AppleLossless.bits(of: 5) == nil)
        func isRead(_ cookie: [UInt8]) -> Bool { AppleLosslessConfiguration(cookie: cookie) != nil }
        #expect(isRead(alac()) && isRead(alac() + [0]) && !isRead(alac().dropLast()))
        #expect(isRead(alac(frames: 1)) && isRead(alac(frames: 65_536)))
        #expect(!isRead(alac(frames: 0)) && !isRead(alac(frames: 65_537)))
        #expect(isRead(alac(bits: 1)) && isRead(alac(bits: 32)) && !isRead(alac(bits: 0)) && !isRead(alac(bits: 33)))
        #expect(
            isRead(alac(channels: 1)) && isRead(alac(channels: 8)) && !isRead(alac(channels: 0)) && !isRead(alac(channels: 9)))
        #expect(isRead(alac(rate: 1)) && !isRead(alac(rate: 0)))
    }

    @Test("are in boxes, behind signatures, or bare")
    func places() {
        let block = flac(bits: 16)
        let signature = Array("fLaC".utf8)
        for cookie in [
            block, [0x80, 0, 0, 34] + block, signature + [0, 0, 0, 34] + block, box("dfLa", words(0), [0x80, 0, 0, 34], block),
        ] {
            #expect(FLACConfiguration.block(in: cookie) == block)
            #expect(
                FLACConfiguration.facts(ofCookie: cookie).map { [$0.rate, $0.channels, $0.framesPerPacket] } == [
                    44_100, 2, 4_096,
                ])
        }
        #expect(FLACConfiguration.block(in: Array(block.dropLast())) == nil)
        var other = block
        other[3] = 1
        #expect(FLACConfiguration.facts(ofCookie: other)?.framesPerPacket == 0)
        (other[10], other[11], other[12]) = (0, 0, other[12] & 15)
        #expect(FLACConfiguration.facts(ofCookie: other) == nil)
    }
}

@Suite("The sizes of packets")
struct PacketSizeTests {
    @Test("A packet of MPEG audio has the frames of its layer; in layer 3 half of them below 32,000 Hz")
    func mpeg() {
        // Halves the frames of layer 3. A rate of 0 is not known.
        let rates: [(rate: Double, isLow: Bool)] = [
            (0, false), (8_000, true), (11_025, true), (12_000, true), (16_000, true), (22_050, true), (24_000, true),
            (31_999, true), (32_000, false), (44_100, false), (48_000, false),
        ]
        for (rate, isLow) in rates {
            let frames = CodecFormat.mpegLayers.map { CodecFormat.mpegFrames($0, rate: rate) }
            #expect(frames == [384, 1_152, isLow ? 576 : 1_152], "\(rate) Hz")
        }
        #expect(CodecFormat.mpegFrames(CodecFormat.aac, rate: 44_100) == nil)
    }

    @Test("of DVI ADPCM hold the first samples, and eight more in each group")
    func dvi() {
        for channels: UInt32 in 1...8 {
            for groups: UInt32 in 1...3 {
                let (bytes, most) = (4 * channels * groups, (groups - 1) * 8 + 1)
                #expect(DVIPacket.holds(frames: most, bytes: bytes, channels: channels))
                #expect(!DVIPacket.holds(frames: most + 1, bytes: bytes, channels: channels))
                #expect(DVIPacket.holds(frames: 1, bytes: bytes, channels: channels))
                #expect(!DVIPacket.holds(frames: 0, bytes: bytes, channels: channels))
                #expect(!DVIPacket.holds(frames: 1, bytes: bytes + 1, channels: channels))
            }
            #expect(!DVIPacket.holds(frames: 1, bytes: 4 * channels - 4, channels: channels))
        }
        #expect(
            DVIPacket.holds(frames: 1, bytes: 1 << 16, channels: 1)
                && !DVIPacket.holds(frames: 1, bytes: 1 << 16 + 4, channels: 1))
        #expect(!DVIPacket.holds(frames: 1, bytes: 36, channels: 9) && !DVIPacket.holds(frames: 1, bytes: 4, channels: 0))
        for channels: UInt32 in [1 << 30 - 1, 1 << 30, 1 << 30 + 1, 1 << 31, .max] {
            #expect(!DVIPacket.holds(frames: 1, bytes: 4, channels: channels))
        }
    }

    @Test("of GSM are those of one channel, or not stated")
    func gsm() {
        for (bytes, frames, channels, fits) in [
            (65, 320, 1, true), (0, 0, 1, true), (65, 0, 1, true), (0, 320, 1, true), (65, 320, 2, false), (65, 160, 1, false),
            (33, 320, 1, false),
        ] as [(UInt32, UInt32, UInt32, Bool)] {
            let format = StreamDescription(
                sampleRate: 8_000, formatID: GSMPacket.formatID, bytesPerPacket: bytes, framesPerPacket: frames,
                channelsPerFrame: channels)
            #expect(GSMPacket.fits(format) == fits, "\(bytes) bytes, \(frames) frames, \(channels) channels")
        }
    }

    @Test("of linear PCM follow from the bits and the channels, or from each other, where they are 0")
    func linear() throws {
        func completed(
            _ packet: UInt32, _ frames: UInt32, _ frame: UInt32, bits: UInt32 = 20, channels: UInt32 = 3,
            _ flags: FormatFlags = []
        ) -> [UInt32] {
            var format = StreamDescription(
                sampleRate: 8_000, formatID: FormatID.linearPCM, formatFlags: flags, bytesPerPacket: packet,
                framesPerPacket: frames,
                bytesPerFrame: frame, channelsPerFrame: channels, bitsPerChannel: bits)
            format.completeLinearSizes()
            return [format.bytesPerPacket, format.framesPerPacket, format.bytesPerFrame]
        }
        #expect(completed(0, 0, 0) == [9, 1, 9] && completed(0, 0, 0, .nonInterleaved) == [3, 1, 3])
        #expect(completed(12, 0, 0) == [12, 1, 12] && completed(0, 1, 12) == [12, 1, 12])
        #expect(completed(24, 2, 0) == [24, 2, 9] && completed(24, 2, 12) == [24, 2, 12])
        #expect(completed(0, 0, 0, bits: 64, channels: 1_024) == [8_192, 1, 8_192])
        for (bytes, frames) in [(-9, 0), (0, 0), (3, 0), (4, 1), (11, 2)] {
            #expect(try PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16)).frames(bytes: bytes) == frames)
        }
        #expect(completed(0, 0, 0, bits: 65) == [0, 1, 0] && completed(0, 0, 0, channels: 1_025) == [0, 1, 0])
    }
}

@Suite("Decibels")
struct DecibelTests {
    @Test("are those of a level, with -160 for silence")
    func levels() {
        for (level, decibels): (Float, Float) in [
            (1, 0), (0.1, -20), (10, 20), (0.5, -6.020_6), (1e-5, -100), (2e-8, -153.979_4), (1e-8, -160), (0, -160), (-1, -160),
            (.nan, -160), (.infinity, 0),
        ] {
            #expect(abs(Float.decibels(level) - decibels) < 0.001, "\(level)")
        }
    }
}

@Suite("The members of a configuration of AAC")
struct AACMemberTests {
    @Test("have long object types and written rates, for the packets and for the replication")
    func escapes() {
        let long = AACConfiguration(bits((31, 5), (10, 6), (4, 4), (2, 4)))
        #expect(long?.objectType == 42 && long?.rate == 44_100 && long?.channels == 2 && long?.framesPerPacket == 1_024)
        let written = AACConfiguration(bits((2, 5), (15, 4), (12_345, 24), (1, 4), (0, 3)))
        #expect(written?.rate == 12_345 && written?.channels == 1)
        let stereo = AACConfiguration(bits((29, 5), (7, 4), (1, 4), (4, 4), (2, 5), (0, 3)))
        #expect(stereo?.hasParametricStereo == true && stereo?.decodedChannels == 2 && stereo?.objectType == 5)
        let two = AACConfiguration(bits((29, 5), (7, 4), (2, 4), (4, 4), (2, 5), (0, 3)))
        #expect(two?.decodedChannels == 2)
        let six = AACConfiguration(bits((29, 5), (7, 4), (6, 4), (4, 4), (2, 5), (0, 3)))
        #expect(six?.decodedChannels == 6)
        #expect(
            AACConfiguration(bits((2, 5), (13, 4), (2, 4), (0, 3))) == nil
                && AACConfiguration(bits((0, 5), (4, 4), (2, 4), (0, 3))) == nil)
    }

    @Test("count the loudspeakers of a program: single ones and pairs, in front, at the sides, at the back, and for effects")
    func programs() {
        for (front, side, back, effects) in [(1, 0, 0, 0), (2, 1, 1, 1), (0, 2, 0, 0), (0, 0, 1, 3), (1, 1, 1, 0)]
            as [(UInt32, UInt32, UInt32, UInt32)]
        {
            for pairs: UInt32 in 0...1 {
                for mixes: UInt32 in 0...1 {
                    var fields: [(value: UInt32, width: Int)] = [
                        (2, 5), (4, 4), (0, 4), (0, 3), (0, 10), (front, 4), (side, 4), (back, 4), (effects, 2), (0, 3), (0, 4),
                    ]
                    for width in [4, 4, 3] {
                        fields.append((mixes, 1))
                        if mixes == 1 { fields.append((7, width)) }
                    }
                    for _ in 0..<front + side + back {
                        fields.append((pairs, 1))
                        fields.append((0, 4))
                    }
                    for _ in 0..<effects { fields.append((0, 4)) }
                    // A comment of no bytes, at a whole byte.
                    let packed = bits(fields) + [0]
                    let channels = (front + side + back) * (1 + pairs) + effects
                    let configuration = AACConfiguration(packed)
                    #expect(
                        configuration?.channels == (channels <= 8 ? channels : 0), "\(front) \(side) \(back) \(effects), \(pairs)"
                    )
                    // A decoder needs the description.
                    #expect(channels > 8 || configuration?.withoutExtension == packed)
                }
            }
        }
    }

    @Test("stay in the configuration of a decoder that ignores replication, but for the replication")
    func withoutExtension() throws {
        for type: UInt32 in 1...4 {
            let plain = try #require(AACConfiguration(objectType: type, rate: 32_000, channels: 6))
            #expect(AACConfiguration(plain.bytes)?.withoutExtension == plain.bytes + [0x56, 0xE5, 0])
        }
        // 960 frames.
        #expect(AACConfiguration([0x12, 0x14])?.withoutExtension == [0x12, 0x14])
    }

    @Test(
        "are found behind the members that a descriptor may have, and the bit rate is stated twice",
        arguments: 0...7 as ClosedRange<UInt8>)
    func descriptors(_ members: UInt8) throws {
        let plain = try #require(AACConfiguration(objectType: 2, rate: 48_000, channels: 1))
        let cookie = plain.cookie(bitRate: 0x0102_0304)
        #expect(cookie.indices.filter { cookie[$0...].starts(with: [1, 2, 3, 4]) }.count == 2)
        var changed = cookie
        changed[7] = members << 5
        // Another stream, an address and a clock.
        var extra: [UInt8] = members & 4 != 0 ? [9, 9] : []
        if members & 2 != 0 { extra += [3, 5, 5, 5] }
        if members & 1 != 0 { extra += [8, 8] }
        changed.insert(contentsOf: extra, at: 8)
        #expect(AACConfiguration(cookie: changed) == plain && AACConfiguration.streamKind(cookie: changed) == 0x40)
    }
}
