// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import MediaFormats
import MediaTestSupport
import PCMConversion
import SoundFiles
import Testing

extension ExtendedFile {
    fileprivate func set(_ id: StaticString, _ value: [UInt8]) throws {
        try value.withUnsafeBytes { try setProperty(code(id), $0) }
    }
}

@Suite("The rules of an extended file")
struct ExtendedRuleTests {
    @Test("The buffer has 1,024 bytes to 16 MiB, and another size changes no sample that is read after it")
    func bufferSizes() throws {
        let storage = try file(.wave, pcm(16, signed), sound(6_000, rate: 22_050))
        let whole = try reader(storage).readAll()
        let extended = try reader(storage)
        var samples: [Float] = []
        for (size, stored) in [
            (1, 1_024), (1_024, 1_024), (5_000, 5_000), (1 << 24 + 1, 1 << 24), (UInt32.max, 1 << 24), (2_000, 2_000),
        ] as [(UInt32, UInt32)] {
            samples += try extended.read(301)
            try extended.set("iobs", [UInt8](nativeBytesOf: size))
            #expect(try extended.property(code("iobs")) == [UInt8](nativeBytesOf: stored))
        }
        samples += try extended.readAll()
        #expect(samples == whole)
    }

    /// Blocks of DVI ADPCM in stereo. Zeros repeat the samples of the header. The program sets the size of the buffer never, before
    /// its format, or after it.
    @Test(
        "The buffer grows to the largest packet of the file", arguments: [4_096, 32_768, 32_776, 65_528] as [UInt16],
        [nil, false, true] as [Bool?])
    func largePackets(block: UInt16, setsSizeLast: Bool?) throws {
        func words(_ value: UInt32) -> [UInt8] { [UInt8](nativeBytesOf: value) }
        func half(_ value: UInt16) -> [UInt8] { [UInt8](nativeBytesOf: value) }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + words(UInt32(content.count)) + content }
        let frames = block - 7
        var format = half(0x11) + half(2) + words(8_000) + words(8_000)
        format += half(block) + half(4) + half(2) + half(frames)
        let levels: [UInt16] = [8_192, 16_384]
        let data = levels.flatMap { half($0) + half(0) + half($0) + [UInt8](repeating: 0, count: Int(block) - 6) }
        let chunks = Array("WAVE".utf8) + chunk("fmt ", format) + chunk("data", data)
        let extended = ExtendedFile(try AudioFile.open(TestStorage(chunk("RIFF", chunks))), isForWriting: false)
        let wanted = levels.flatMap { [Float](repeating: Float($0) / 32_768, count: 2 * Int(frames)) }
        for life in 0..<2 {
            if setsSizeLast == false { try extended.set("iobs", words(1_024)) }
            try extended.setClientFormat(floats(8_000, channels: 2))
            if setsSizeLast == true { try extended.set("iobs", words(1_024)) }
            try extended.seek(0)
            let samples = try extended.read(2 * Int(frames) + 1, channels: 2)
            let isEqual = samples == wanted
            #expect(isEqual, "\(samples.count) samples in life \(life)")
            guard setsSizeLast != nil else { continue }
            #expect(try extended.property(code("iobs")) == [UInt8](nativeBytesOf: UInt32(block)))
        }
    }

    @Test("The buffer has room for a packet that is larger than those before it", arguments: [false, true])
    func largerPacket(setsSizeLast: Bool) throws {
        let storage = TestStorage()
        var format = rawPackets
        format.framesPerPacket = 2_048
        let written = try create(storage, .caf, format)
        let (sizes, bytes) = ([256, 8_192, 256] as [UInt32], noise(8_704))
        try bytes.withUnsafeBytes { try written.appendPackets(0, $0, sizes: sizes) }
        try written.close()
        let extended = ExtendedFile(
            try AudioFile.open(storage), isForWriting: false,
            decoders: { (_: AudioFile, _: StreamDescription) throws(ConverterError) in try RawDecoder(framesPerPacket: 2_048) })
        for _ in 0..<2 {
            if !setsSizeLast { try extended.set("iobs", [UInt8](nativeBytesOf: UInt32(1_024))) }
            try extended.setClientFormat(pcm(16, signed))
            if setsSizeLast { try extended.set("iobs", [UInt8](nativeBytesOf: UInt32(1_024))) }
            try extended.seek(0)
            var samples = [UInt8](repeating: 0, count: 3 * 8_192)
            let frames = try samples.withUnsafeMutableBytes { try extended.read(3 * 2_048, into: SampleBuffers($0)) }
            let isEqual = samples[..<(4 * frames)] == bytes[...]
            #expect(isEqual, "\(frames) frames")
        }
    }

    @Test("The buffer of a file that is written has room for the largest packet of the encoder", arguments: [false, true])
    func largeEncodedPackets(setsSizeLast: Bool) throws {
        let storage = TestStorage()
        var format = rawPackets
        format.framesPerPacket = 2_048
        let extended = ExtendedFile(
            try create(storage, .caf, format), isForWriting: true,
            encoders: { (_: StreamDescription) throws(ConverterError) in try RawEncoder(framesPerPacket: 2_048) })
        let size = [UInt8](nativeBytesOf: UInt32(4_096))
        if !setsSizeLast { try extended.set("iobs", size) }
        try extended.setClientFormat(floats(22_050))
        let samples = sound(3 * 2_048, rate: 22_050)
        // A second time after frames have been written.
        for packet in 0..<3 {
            if setsSizeLast { try extended.set("iobs", size) }
            #expect(try extended.property(code("iobs")) == [UInt8](nativeBytesOf: UInt32(8_192)))
            try extended.write(Array(samples[(packet * 4_096)..<((packet + 1) * 4_096)]))
        }
        try extended.finish()
        #expect(extended.file.packetCount == 3 && extended.file.file.dataSize == 3 * 8_192)
    }

    @Test("A position before the first frame is none, also where a file has frames before its sound")
    func negativePosition() throws {
        let storage = TestStorage()
        try writeCAFWithEverything(to: storage).file.close()
        let extended = ExtendedFile(try AudioFile.open(storage), isForWriting: false)
        try extended.setClientFormat(floats(22_050, channels: 1))
        for frame in [-1, -10, .min, 611] as [Int64] {
            #expect(throws: ExtendedFileError.invalidSeek) { try extended.seek(frame) }
        }
        try extended.seek(610)
        #expect(extended.position == 610)
    }

    @Test("A position behind the end of a shorter sound is its end")
    func shorterSound() throws {
        let extended = try reader(try file(.caf, codec(FormatID.appleIMA4, channels: 2), sound(1_000, rate: 22_050)))
        try extended.seek(900)
        try extended.set("xpti", [UInt8](nativeBytesOf: Int64(500)) + [UInt8](nativeBytesOf: Int32(500)) + [24, 0, 0, 0])
        #expect(extended.position == 500)
        #expect(try extended.read(10).isEmpty)
        try extended.seek(499)
        #expect(try extended.read(10).count == 2)
    }

    @Test("An error of the storage is reported once")
    func storageError() throws {
        let storage = try file(.wave, pcm(16, signed), sound(1_000, rate: 22_050))
        let extended = try reader(storage)
        storage.failsReads = true
        #expect(throws: ExtendedFileError.file(.program(-77))) { try extended.read(10) }
        storage.failsReads = false
        #expect(throws: ExtendedFileError.converter(.invalidOutputSize)) { try extended.read(10, into: SampleBuffers()) }
        #expect(try extended.read(10).count == 20)
    }

    @Test("A rate of 0 of the client is that of the file", arguments: [false, true])
    func clientRate(isForWriting: Bool) throws {
        let extended =
            isForWriting
            ? ExtendedFile(try create(TestStorage(), .wave, pcm(16, signed)), isForWriting: true)
            : try reader(try file(.wave, pcm(16, signed), sound(100, rate: 22_050)), nil)
        var client = floats(22_050)
        client.sampleRate = 0
        try extended.setClientFormat(client)
        #expect(try extended.property(code("cfmt")) == floats(22_050).bytes && extended.clientFormat?.sampleRate == 22_050)
    }

    @Test("A write of no frames leaves the format of the client open, and a failed change of it leaves the former one")
    func emptyWrite() throws {
        let storage = TestStorage()
        let extended = ExtendedFile(try create(storage, .wave, pcm(16, signed)), isForWriting: true)
        try extended.setClientFormat(floats(22_050))
        try extended.write([])
        try extended.setClientFormat(floats(44_100))
        var wrong = floats(44_100)
        wrong.bitsPerChannel = 31
        #expect(throws: ExtendedFileError.self) { try extended.setClientFormat(wrong) }
        #expect(extended.clientFormat == floats(44_100))
        try extended.write(sound(2_000, rate: 44_100))
        #expect(throws: ExtendedFileError.invalidOperationOrder) { try extended.setClientFormat(floats(22_050)) }
        // Properties of a converter that has frames discard none of them.
        try extended.set("accf", [UInt8](nativeBytesOf: UInt(0)))
        try extended.finish()
        #expect(try reader(storage).length == 1_000)
    }
}
