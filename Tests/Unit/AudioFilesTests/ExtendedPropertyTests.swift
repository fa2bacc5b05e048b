// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

private func native(_ values: UInt32...) -> [UInt8] { values.flatMap { [UInt8](nativeBytesOf: $0) } }

private func table(_ valid: Int64, _ priming: Int32, _ remainder: Int32) -> [UInt8] {
    [UInt8](nativeBytesOf: valid) + [UInt8](nativeBytesOf: priming) + [UInt8](nativeBytesOf: remainder)
}

extension ExtendedFile {
    fileprivate func set(_ id: StaticString, _ value: [UInt8]) throws {
        try value.withUnsafeBytes { try setProperty(code(id), $0) }
    }
}

@Suite("Properties of extended files that a program sets before it reads or writes")
struct ExtendedPropertyTests {
    @Test("take any manufacturer of codecs", arguments: [false, true])
    func manufacturer(isForWriting: Bool) throws {
        let storage = try file(.wave, pcm(16, signed), sound(10, rate: 22_050))
        let extended = ExtendedFile(
            isForWriting ? try create(TestStorage(), .wave, pcm(16, signed)) : try AudioFile.open(storage),
            isForWriting: isForWriting)
        #expect(try extended.property(code("cman")) == native(code("appl")))
        #expect(try extended.propertyInfo(code("cman")) == (4, true))
        for value: UInt32 in [code("aphw"), code("appl"), 0, .max] {
            try extended.set("cman", native(value))
            #expect(try extended.property(code("cman")) == native(value))
        }
        for value in [[], [1], native(1, 2)] {
            #expect(throws: ExtendedFileError.invalidPropertySize) { try extended.set("cman", value) }
        }
    }

    @Test("take a layout with the channels of the client's format, which a format with other channels removes")
    func clientLayout() throws {
        let extended = try reader(try file(.wave, pcm(16, signed), sound(10, rate: 22_050)))
        #expect(try extended.property(code("cclo")) == native(101 << 16 | 2, 0, 0))
        let layout = native(0, 0, 2) + native(2, 0, 0, 0, 0) + native(1, 0, 0, 0, 0)
        try extended.set("cclo", layout)
        #expect(try extended.property(code("cclo")) == layout && extended.propertyInfo(code("cclo")) == (52, true))
        try extended.setClientFormat(floats(44_100))
        #expect(try extended.property(code("cclo")) == layout)
        #expect(throws: ExtendedFileError.parameter) { try extended.set("cclo", native(100 << 16 | 1, 0, 0)) }
        #expect(throws: ExtendedFileError.invalidPropertySize) { try extended.set("cclo", [1, 2]) }
        try extended.setClientFormat(floats(44_100, channels: 1))
        #expect(try extended.property(code("cclo")) == native(100 << 16 | 1, 0, 0))
        // The channels keep their order.
        try extended.setClientFormat(floats(22_050))
        try extended.set("cclo", layout)
        try extended.seek(0)
        #expect(
            try extended.read(10).prefix(4)
                == reader(try file(.wave, pcm(16, signed), sound(10, rate: 22_050))).read(10).prefix(4))
    }

    @Test("take a packet table, which replaces that of a file that is read")
    func packetTable() throws {
        let storage = try file(.caf, codec(FormatID.appleIMA4, channels: 2), sound(1_000, rate: 22_050))
        let extended = try reader(storage)
        let whole = try extended.readAll()
        // 1,024 frames in 16 packets.
        #expect(whole.count == 2_000 && extended.length == 1_000)
        for (valid, priming, remainder) in [(1_024, 0, 0), (1_000, 10, 14), (0, 1_024, 0), (0, 0, 1_024), (500, 500, 24)] {
            try extended.set("xpti", table(Int64(valid), Int32(priming), Int32(remainder)))
            #expect(try extended.property(code("xpti")) == table(Int64(valid), Int32(priming), Int32(remainder)))
            #expect(extended.length == Int64(valid))
            try extended.seek(0)
            let read = try extended.readAll()
            #expect(read.count == 2 * valid && extended.position == Int64(valid))
            let same = min(valid, max(1_000 - priming, 0))
            // After a seek, a decoder of IMA4 knows 9 bits of the last sample.
            #expect(zip(read.prefix(2 * same), whole.dropFirst(2 * priming)).allSatisfy { abs($0 - $1) < 0.01 })
            #expect(throws: ExtendedFileError.invalidSeek) { try extended.seek(Int64(valid) + 1) }
        }
        // The position in the sound stays.
        try extended.set("xpti", table(1_024, 0, 0))
        try extended.seek(300)
        try extended.set("xpti", table(1_000, 24, 0))
        #expect(extended.position == 300)
        #expect(zip(try extended.read(1), whole[648..<650]).allSatisfy { abs($0 - $1) < 0.01 })
        for (valid, priming, remainder) in [
            (1_023, 0, 0), (1_025, 0, 0), (1_024, 1, 0), (1_025, -1, 0), (1_025, 0, -1), (-1, 1_025, 0), (Int64.max, 1, 0),
        ] {
            #expect(throws: ExtendedFileError.parameter) {
                try extended.set("xpti", table(valid, Int32(priming), Int32(remainder)))
            }
        }
        #expect(throws: ExtendedFileError.invalidPropertySize) { try extended.set("xpti", [1]) }
        #expect(try extended.property(code("xpti")) == table(1_000, 24, 0))
        // Another object reads the table of the file.
        #expect(try reader(storage).property(code("xpti")) == table(1_000, 0, 24))
        let wave = try reader(try file(.wave, pcm(16, signed), sound(10, rate: 22_050)))
        #expect(throws: ExtendedFileError.file(.unsupportedProperty)) { try wave.property(code("xpti")) }
        try wave.set("xpti", table(6, 3, 1))
        #expect(try wave.property(code("xpti")) == table(6, 3, 1))
        let read = try wave.readAll()
        #expect(wave.length == 6 && wave.position == 6 && read.count == 6 * Int(wave.file.file.format.channelsPerFrame))
    }
}

@Suite("A file without frames")
struct FileWithoutFramesTests {
    @Test("has the configuration of its packets", arguments: [SoundFileType.caf, .m4a], [false, true])
    func cookie(_ type: SoundFileType, _ hasClientFormat: Bool) throws {
        let storage = TestStorage()
        let audio = try create(storage, type, rawPackets)
        let extended = ExtendedFile(
            audio, isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
        if hasClientFormat { try extended.setClientFormat(floats(22_050)) }
        try extended.finish()
        try extended.finish()
        try audio.close()
        let file = try AudioFile.open(storage)
        #expect(file.file.magicCookie == [1, 2, 3, 4] && file.packetCount == 0)
        #expect(try file.property(code("pnfo"), UnsafeRawBufferPointer(start: nil, count: 0))[..<8].allSatisfy { $0 == 0 })
    }

    @Test("keeps the configuration of the program, and packets of the program")
    func ownCookie() throws {
        for hasPackets in [false, true] {
            let storage = TestStorage()
            let audio = try create(storage, .caf, rawPackets)
            if !hasPackets { try audio.set(code("mgic"), [9]) }
            let extended = ExtendedFile(
                audio, isForWriting: true,
                encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
            if hasPackets { try [UInt8](repeating: 1, count: 10).withUnsafeBytes { try audio.appendPackets(0, $0, sizes: [10]) } }
            try extended.finish()
            try audio.close()
            let file = try AudioFile.open(storage)
            #expect(file.file.magicCookie == (hasPackets ? [] : [9]) && file.packetCount == (hasPackets ? 1 : 0))
        }
        // Without an encoder the file is closed as it is. A closed file does not change.
        let storage = TestStorage()
        let audio = try create(storage, .caf, rawPackets)
        try ExtendedFile(audio, isForWriting: true).finish()
        let late = ExtendedFile(
            audio, isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder() })
        try audio.close()
        try late.finish()
        #expect(try AudioFile.open(storage).file.magicCookie.isEmpty)
    }
}
