// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import Testing

@Suite("G.711")
struct G711Tests {
    @Test("decodes the codes of the recommendation")
    func knownCodes() {
        #expect([0xFF, 0x7F, 0x80, 0x00, 0xEF, 0xF0].map { ULaw.decode($0) } == [0, 0, 32_124, -32_124, 132, 120])
        #expect([0xD5, 0x55, 0xAA, 0x2A, 0xD4, 0x80].map { ALaw.decode($0) } == [8, -8, 32_256, -32_256, 24, 5_504])
    }

    @Test("gives each code again for the sample that it stands for")
    func roundTrip() {
        for code in UInt8.min...(.max) {
            // µ-law has two codes for 0.
            #expect(ULaw.encode(ULaw.decode(code)) == (code == 0x7F ? 0xFF : code))
            #expect(ALaw.encode(ALaw.decode(code)) == code)
        }
    }

    @Test("errs by at most half a step")
    func error() {
        for (decode, encode) in [(ULaw.decode, ULaw.encode), (ALaw.decode, ALaw.encode)] {
            let values = Set((UInt8.min...(.max)).map { Int(decode($0)) }).sorted()
            for sample in stride(from: -32_768, through: 32_767, by: 3) {
                let value = Int(decode(encode(Int16(sample))))
                guard let index = values.firstIndex(of: value), index > 0, index < values.count - 1 else { continue }
                let step = max(values[index + 1] - value, value - values[index - 1])
                #expect(abs(value - sample) <= step / 2)
            }
            #expect(decode(encode(.max)) == Int16(values.last!))
            #expect(decode(encode(.min)) == Int16(values.first!))
        }
    }
}

@Suite("IMA4")
struct IMA4Tests {
    private func decoded(_ packets: [UInt8], channels: Int) -> [Int16] {
        var decoder = IMA4Decoder(channels: channels)
        var samples = [Int16](repeating: 0, count: packets.count / 34 * 64)
        let count = packets.withUnsafeBytes { packets in
            samples.withUnsafeMutableBufferPointer { decoder.decode(packets, into: $0) }
        }
        #expect(count == packets.count / (34 * channels))
        return samples
    }

    @Test("decodes a packet by the steps of the standard")
    func knownPacket() {
        var packet = [UInt8](repeating: 0, count: 34)
        (packet[0], packet[1], packet[2]) = (0x01, 0x80 | 10, 0x97)
        let samples = decoded(packet, channels: 1)
        // Predictor 384, step 19: code 7 adds 19 + 9 + 4 + 2; then step 41: code 9 subtracts 10 + 5.
        #expect(samples[0] == 384 + 34)
        #expect(samples[1] == 384 + 34 - 15)
    }

    @Test(
        "begins a packet with the state of the packet if its step or its predictor is another one",
        arguments: [(0x00, 40, 337 + 168 + 84 + 42), (0x20, 0, 8_192 + 7 + 3 + 1), (0x00, 0, 7 + 3 + 1)]
            as [(UInt8, UInt8, Int16)])
    func statedState(predictor: UInt8, step: UInt8, wanted: Int16) {
        let packet = [predictor, step, 0x07] + [UInt8](repeating: 0, count: 31)
        #expect(decoded(packet, channels: 1)[0] == wanted)
        // The first packet ends with a small sound and its smallest step.
        let quiet = [UInt8](repeating: 0, count: 34)
        #expect(decoded(quiet + packet, channels: 1)[64] == wanted)
    }

    @Test("begins each packet with its own step, however wrong")
    func wrongStep() {
        var packet = [UInt8](repeating: 0x77, count: 34)
        (packet[0], packet[1]) = (0x7F, 0xFF)
        #expect(decoded(packet, channels: 1).last == .max)
    }

    @Test("follows a signal in every channel", arguments: [1, 2, 5])
    func roundTrip(channels: Int) {
        var samples: [Int16] = []
        for frame in 0..<64 * 20 {
            for channel in 0..<channels {
                let position = frame * (channel + 1) % 256
                samples.append(Int16((position < 128 ? position : 255 - position) * 100 - 6_400))
            }
        }
        var encoder = IMA4Encoder(channels: channels)
        var packets = [UInt8](repeating: 0, count: 34 * 20 * channels)
        let count = samples.withUnsafeBufferPointer { samples in
            packets.withUnsafeMutableBytes { encoder.encode(samples, into: $0) }
        }
        #expect(count == 20)
        let result = decoded(packets, channels: channels)
        let noise = zip(samples, result).dropFirst(256 * channels).map { abs(Int($0) - Int($1)) }
        #expect(noise.reduce(0, +) / noise.count < 150 && noise.max()! < 1_500)
    }

    @Test("processes whole packets only, and none without channels")
    func limits() {
        var decoder = IMA4Decoder(channels: 2)
        let packets = [UInt8](repeating: 0, count: 68 * 2 + 67)
        var samples = [Int16](repeating: 0, count: 128 + 127)
        func decode(_ decoder: inout IMA4Decoder) -> Int {
            packets.withUnsafeBytes { packets in samples.withUnsafeMutableBufferPointer { decoder.decode(packets, into: $0) } }
        }
        #expect(decode(&decoder) == 1)
        decoder.reset()
        var none = IMA4Decoder(channels: -1)
        #expect(decode(&none) == 0)
        var encoder = IMA4Encoder(channels: 0)
        var target: [UInt8] = [0]
        let count = samples.withUnsafeBufferPointer { samples in
            target.withUnsafeMutableBytes { encoder.encode(samples, into: $0) }
        }
        #expect(count == 0)
    }

    @Test("continues after a reset as a new codec, and not so without one, in each life", arguments: [1, 2])
    func reset(channels: Int) throws {
        let format = codec(FormatID.appleIMA4, channels: UInt32(channels))
        let samples = (0..<2 * 64 * channels).map { Int16(13 * $0) }
        let encoder = try #require(PacketCodecs.encoder(for: format))
        let second = Array(samples[(64 * channels)...])
        func encode(_ encoder: any PacketEncoder, _ samples: [Int16]) -> [UInt8] {
            var packets = [UInt8](repeating: 0, count: samples.count / 64 * 34)
            samples.withUnsafeBytes { samples in packets.withUnsafeMutableBytes { encoder.encode(samples, into: $0) } }
            return packets
        }
        let packets = encode(encoder, samples)
        let last = Array(packets[(34 * channels)...])
        let alone = encode(try #require(PacketCodecs.encoder(for: format)), second)
        #expect(alone != last)
        let decoder = try #require(PacketCodecs.decoder(for: format))
        func decode(_ decoder: any PacketDecoder, _ packets: [UInt8]) throws -> [Int16] {
            var samples = [Int16](repeating: 0, count: packets.count / 34 * 64)
            let frames = try packets.withUnsafeBytes { packets in
                try samples.withUnsafeMutableBytes { try decoder.decode(packets, into: $0) }
            }
            #expect(frames * channels == samples.count)
            return samples
        }
        let whole = try decode(decoder, packets)
        let lastAlone = try decode(try #require(PacketCodecs.decoder(for: format)), last)
        #expect(lastAlone != Array(whole[(64 * channels)...]))
        for _ in 1...2 {
            encoder.reset()
            #expect(encode(encoder, second) == alone)
            encoder.reset()
            #expect(encode(encoder, samples) == packets)
            decoder.reset()
            _ = try decode(decoder, Array(packets[..<(34 * channels)]))
            decoder.reset()
            #expect(try decode(decoder, last) == lastAlone)
            decoder.reset()
            #expect(try decode(decoder, packets) == whole)
        }
    }
}
