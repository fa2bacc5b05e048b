// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

@Suite("The configuration of AAC")
struct AACConfigurationTests {
    @Test("has a number for each rate")
    func plain() throws {
        #expect(AACConfiguration(objectType: 2, rate: 44_100, channels: 2)?.bytes == [0x12, 0x10])
        #expect(AACConfiguration(objectType: 2, rate: 8_000, channels: 8)?.bytes == [0x15, 0xB8])
        #expect(AACConfiguration(objectType: 2, rate: 44_101, channels: 2) == nil)
        #expect(AACConfiguration(objectType: 2, rate: 44_100, channels: 7) == nil)
    }

    @Test("is read as it is, and in the descriptors of a stream")
    func cookie() throws {
        let plain = try #require(AACConfiguration(objectType: 2, rate: 48_000, channels: 1))
        let read = try #require(AACConfiguration(cookie: plain.cookie(bitRate: 64_000)))
        #expect(read == plain && AACConfiguration(cookie: plain.bytes) == plain)
        #expect(AACConfiguration.streamKind(cookie: plain.cookie(bitRate: 1)) == 0x40)
        for count in 0..<plain.cookie(bitRate: 0).count - 3 {
            let cut = Array(plain.cookie(bitRate: 64_000).prefix(count))
            #expect(AACConfiguration(cookie: cut) == nil || count > 24, "\(count)")
        }
    }

    @Test("has two rates with spectral band replication, and one without")
    func replication() throws {
        // Object type 5, 22,050 Hz, 2 channels, extended to 44,100 Hz; then LC.
        let extended = try #require(AACConfiguration([0x2B, 0x92, 0x08, 0x00]))
        #expect(extended.objectType == 5 && extended.rate == 22_050 && extended.extendedRate == 44_100 && extended.channels == 2)
        #expect(extended.withoutExtension == [0x13, 0x90, 0x56, 0xE5, 0x00])
        #expect(AACConfiguration([0x12, 0x10])?.withoutExtension == [0x12, 0x10, 0x56, 0xE5, 0x00])
        #expect(AACConfiguration([]) == nil && AACConfiguration([0x12]) == nil)
    }

    @Test("is made for each rate whose half has a number, with spectral band replication")
    func madeReplication() throws {
        #expect(AACConfiguration(extendedRate: 44_100, channels: 2)?.bytes == [0x2B, 0x92, 0x08, 0x00])
        #expect(
            AACConfiguration(extendedRate: 44_100, channels: 1, hasParametricStereo: true)?.bytes == [0xEB, 0x8A, 0x08, 0x00])
        for rate in AACConfiguration.rates {
            for channels: UInt32 in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] {
                for isStereo in [false, true] {
                    let made = AACConfiguration(extendedRate: rate, channels: channels, hasParametricStereo: isStereo)
                    let exists =
                        rate % 2 == 0 && AACConfiguration.rates.contains(rate / 2) && (1...6 ~= channels || channels == 8)
                    #expect((made != nil) == exists, "\(rate) Hz, \(channels) channels")
                    guard let made else { continue }
                    #expect(made.rate == rate / 2 && made.extendedRate == rate && made.channels == channels)
                    #expect(AACConfiguration(made.bytes) == made && AACConfiguration(cookie: made.cookie(bitRate: 1)) == made)
                }
            }
        }
        for rate: UInt32 in [0, 1, 14_700, 44_101, 192_000, .max] {
            #expect(AACConfiguration(extendedRate: rate, channels: 2) == nil)
        }
    }

    @Test("of any bytes has a rate and at most eight channels, or is none")
    func anyBytes() {
        var random = SeededGenerator(2)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Object types from 32 on have a longer number, rates behind 15 are written out.
            for candidate in [bytes, [0xF8 | (bytes.first ?? 0) & 7] + bytes, [0x17, 0x80 | (bytes.first ?? 0)] + bytes] {
                guard let found = AACConfiguration(candidate) else { continue }
                #expect(found.rate > 0 && (0...8).contains(found.channels))
            }
        }
    }
}
