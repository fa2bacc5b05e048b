// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

private func completed(_ id: UInt32, _ cookie: [UInt8]) throws -> StreamDescription {
    let format = StreamDescription(sampleRate: 0, formatID: id)
    let value = try cookie.withUnsafeBytes { cookie in
        try format.bytes.withUnsafeBytes { try Formats.property(code("fmti"), cookie, $0) }
    }
    guard case .bytes(let bytes) = value else { throw FormatError.unspecified }
    return bytes.withUnsafeBytes { StreamDescription(at: $0.baseAddress!) }
}

/// The configuration inside the descriptors of MPEG-4.
private func descriptors(_ configuration: [UInt8]) throws -> [UInt8] {
    var any = try #require(AACConfiguration(objectType: 2, rate: 44_100, channels: 2))
    any.bytes = configuration
    return any.cookie(bitRate: 64_000)
}

@Suite("The facts that a magic cookie states")
struct CookieFactTests {
    private static let cases: [(configuration: [UInt8], id: UInt32, rate: Double, channels: UInt32, frames: UInt32)] = [
        // LC; LC with 960 frames; LC with a core coder and its delay.
        ([0x12, 0x10], CodecFormat.aac, 44_100, 2, 1_024), ([0x12, 0x14], CodecFormat.aac, 44_100, 2, 960),
        ([0x11, 0x8A, 0, 0x80], CodecFormat.aac, 48_000, 1, 1_024),
        // A rate that has no number.
        ([0x17, 0x80, 0x15, 0x88, 0x88], CodecFormat.aac, 11_025, 1, 1_024),
        // Replication behind LC, with and without parametric stereo.
        ([0x13, 0x90, 0x56, 0xE5, 0xA0], CodecFormat.aac, 22_050, 2, 1_024),
        ([0x13, 0x90, 0x56, 0xE5, 0xA0], CodecFormat.aacHE, 44_100, 2, 2_048),
        ([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], CodecFormat.aac, 22_050, 1, 1_024),
        ([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], CodecFormat.aacHE, 44_100, 1, 2_048),
        ([0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], CodecFormat.aacHEv2, 44_100, 2, 2_048),
        // The statement that there is no replication.
        ([0x13, 0x90, 0x56, 0xE5, 0x00], CodecFormat.aac, 22_050, 2, 1_024),
        // Replication before LC, with and without parametric stereo.
        ([0x2B, 0x92, 0x08, 0x00], CodecFormat.aac, 22_050, 2, 1_024),
        ([0x2B, 0x92, 0x08, 0x00], CodecFormat.aacHE, 44_100, 2, 2_048),
        ([0xEB, 0x8A, 0x08, 0x00], CodecFormat.aacHEv2, 44_100, 2, 2_048),
        // Channels 0: the configuration describes two loudspeakers in front, and a subwoofer.
        ([0x12, 0x00, 0x05, 0x04, 0x01, 0x00, 0x20, 0x00, 0x00], CodecFormat.aac, 44_100, 3, 1_024),
    ]

    @Test("of AAC complete a description, with a bare configuration and inside descriptors", arguments: 0..<cases.count)
    func aac(_ index: Int) throws {
        let row = CookieFactTests.cases[index]
        for cookie in [row.configuration, try descriptors(row.configuration)] {
            let format = try completed(row.id, cookie)
            #expect(format.formatID == row.id && format.sampleRate == row.rate && format.channelsPerFrame == row.channels)
            #expect(format.framesPerPacket == row.frames && format.bytesPerPacket == 0)
        }
    }

    @Test("of lossless formats complete a description")
    func lossless() throws {
        let configuration = words(4_096) + [0, 24, 40, 10, 14, 6, 0, 255] + words(0, 0, 96_000)
        let boxes =
            words(12) + Array("frma".utf8) + Array("alac".utf8) + words(36) + Array("alac".utf8) + words(0) + configuration
        for cookie in [configuration, boxes] {
            let format = try completed(CodecFormat.appleLossless, cookie)
            #expect(format.sampleRate == 96_000 && format.channelsPerFrame == 6 && format.framesPerPacket == 4_096)
            #expect(format.formatFlags.rawValue == 3)
        }
        // 4,608 frames, 48,000 Hz, 2 channels, 16 bits.
        let block: [UInt8] = [0x12, 0, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x0B, 0xB8, 0x02, 0xF0] + [UInt8](repeating: 0, count: 20)
        let format = try completed(CodecFormat.flac, Array("fLaC".utf8) + [0x80, 0, 0, 34] + block)
        #expect(format.sampleRate == 48_000 && format.channelsPerFrame == 2 && format.framesPerPacket == 4_608)
        #expect(format.formatFlags.rawValue == 1)
        #expect(try completed(CodecFormat.flac, [1] + block.dropFirst()).framesPerPacket == 0)
    }

    @Test("are an error in a cookie that has no configuration, and ignored in formats without cookies")
    func others() throws {
        let invalid: [[UInt8]] = [[0], [0xFF, 0xFF], [3, 1, 2], [0x12]]
        for id in [CodecFormat.aac, CodecFormat.aacHE, CodecFormat.appleLossless, CodecFormat.flac] {
            for cookie in invalid {
                #expect(throws: FormatError.unsupportedDataFormat) { try completed(id, cookie) }
            }
        }
        let noRate = words(4_096) + [0, 16, 40, 10, 14, 2, 0, 255] + words(0, 0, 0)
        #expect(throws: FormatError.unsupportedDataFormat) { try completed(CodecFormat.appleLossless, noRate) }
        #expect(try completed(FormatID.uLaw, [1, 2, 3]).sampleRate == 0)
        #expect(throws: FormatError.badSpecifierSize) { try completed(CodecFormat.aac, [UInt8](repeating: 0, count: 65_537)) }
        #expect(try completed(CodecFormat.aac, []).framesPerPacket == 1_024)
    }

    @Test("are lists of formats, the best one first")
    func lists() throws {
        func list(_ id: UInt32, _ rate: Double, _ channels: UInt32, _ cookie: [UInt8]) -> [String] {
            let format = StreamDescription(
                sampleRate: rate, formatID: id, formatFlags: FormatFlags(rawValue: 2), framesPerPacket: 1_024,
                channelsPerFrame: channels)
            return format.formatList(cookie: cookie).map { item in
                let name = item.formatID == CodecFormat.aacHEv2 ? "v2" : item.formatID == CodecFormat.aacHE ? "HE" : "LC"
                return "\(name) \(Int(item.sampleRate)) \(item.channelsPerFrame) \(item.framesPerPacket)"
            }
        }
        let (plain, he, v2) = ("LC 22050 1 1024", "HE 44100 1 2048", "v2 44100 2 2048")
        #expect(list(CodecFormat.aac, 22_050, 1, [0x13, 0x88]) == [plain])
        #expect(list(CodecFormat.aac, 22_050, 1, [0x13, 0x88, 0x56, 0xE5, 0xA0]) == [he, plain])
        #expect(list(CodecFormat.aac, 22_050, 1, [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80]) == [v2, he, plain])
        #expect(list(CodecFormat.aacHE, 44_100, 1, [0xEB, 0x8A, 0x08, 0x00]) == [v2, he, plain])
        #expect(list(CodecFormat.aacHEv2, 44_100, 2, [0xEB, 0x8A, 0x08, 0x00]) == [v2, he, plain])
    }

    @Test("of any bytes are no trap")
    func anyBytes() {
        var random = SeededGenerator(16)
        for _ in 0..<20_000 {
            let start: [UInt8] = [[], [3], [0x12, 0x10, 0x56, 0xE5], [0x12, 0x00], [0x2B, 0x92], [0xF8]].randomElement(
                using: &random)!
            let cookie =
                start + (0..<Int.random(in: 0...50, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            for id in [CodecFormat.aac, CodecFormat.aacHE, CodecFormat.aacHEv2, CodecFormat.appleLossless, CodecFormat.flac] {
                guard let format = try? completed(id, cookie) else { continue }
                #expect(format.channelsPerFrame <= 8 && format.framesPerPacket <= 65_536)
                #expect((1...3).contains(format.formatList(cookie: cookie).count))
            }
        }
    }
}
