// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import MediaTestSupport
import SoundFiles
import Testing

/// A packet of ADTS with a channel configuration and the number of a sample rate.
private func packet(configuration: UInt8, rate: UInt8 = 4) -> [UInt8] {
    let size = 64
    let header: [UInt8] = [
        0xFF, 0xF1, 0x40 | rate << 2 | configuration >> 2, configuration << 6, UInt8(size >> 3), UInt8(size & 7) << 5 | 0x1F,
        0xFC,
    ]
    return header + [UInt8](repeating: 3, count: size - header.count)
}

/// A film whose only track is one of AC-3 with this box `dac3`.
private func film(mode: UInt32, hasSubwoofer: Bool) -> [UInt8] {
    // fscod 2 bits, bsid 5, bsmod 3, acmod 3, lfeon 1, bit_rate_code 5, reserved 5.
    let word = mode << 11 | (hasSubwoofer ? 1 : 0) << 10 | 8 << 17 | 15 << 5
    let dac3 = box("dac3", Array(words(word).dropFirst()))
    // Two channels and 16 bits, as every description of AC-3 states.
    let entry = box("ac-3", words(0, 1, 0, 0, 2 << 16 | 16, 0, 48_000 << 16), dac3)
    let table = box(
        "stbl", box("stsd", words(0, 1), entry), box("stts", words(0, 1, 1, 1_536)), box("stsc", words(0, 1, 1, 1, 1)),
        box("stsz", words(0, 100, 1)), box("stco", words(0, 1, 24)))
    let media = box(
        "mdia", box("mdhd", words(0, 0, 0, 48_000, 1_536, 0)), box("hdlr", words(0, 0) + Array("soun".utf8)),
        box("minf", table))
    let data = box("ftyp", Array("mp42".utf8), words(0)) + box("mdat", [UInt8](repeating: 0, count: 100))
    return data + box("moov", box("trak", box("tkhd", words(0, 0, 0, 1)), media))
}

@Suite("The number of channels")
struct ChannelCountTests {
    @Test("of ADTS is that of its configuration, for each one and in a second file", arguments: 1...7 as ClosedRange<UInt8>)
    func adts(configuration: UInt8) throws {
        for _ in 1...2 {
            let bytes = packet(configuration: configuration) + packet(configuration: configuration)
            let file = try SoundFile(ByteMemory(bytes), hint: SoundFileType.adts.rawValue)
            #expect(file.format.channelsPerFrame == [1, 2, 3, 4, 5, 6, 8][Int(configuration) - 1])
            #expect(file.packets.count == 2)
        }
    }

    @Test("and the rate of ADTS are independent", arguments: 0...12 as ClosedRange<UInt8>)
    func rates(rate: UInt8) throws {
        let rates: [Double] = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
        ]
        for (configuration, channels) in zip(1...7 as ClosedRange<UInt8>, [1, 2, 3, 4, 5, 6, 8] as [UInt32]) {
            let bytes = packet(configuration: configuration, rate: rate) + packet(configuration: configuration, rate: rate)
            let file = try SoundFile(ByteMemory(bytes), hint: SoundFileType.adts.rawValue)
            #expect(file.format.sampleRate == rates[Int(rate)] && file.format.channelsPerFrame == channels)
        }
    }

    @Test("of AC-3 is that of its loudspeakers, with and without a subwoofer", arguments: 0...7 as ClosedRange<UInt32>)
    func ac3(mode: UInt32) throws {
        // 1+1, 1/0, 2/0, 3/0, 2/1, 3/1, 2/2, 3/2.
        let loudspeakers: UInt32 = [2, 1, 2, 3, 3, 4, 4, 5][Int(mode)]
        for hasSubwoofer in [false, true] {
            let file = try SoundFile(ByteMemory(film(mode: mode, hasSubwoofer: hasSubwoofer)))
            #expect(file.format.channelsPerFrame == loudspeakers + (hasSubwoofer ? 1 : 0))
            #expect(file.format.formatID == code("ac-3") && file.format.sampleRate == 48_000)
        }
    }
}
