// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import audiosessionctl

@Suite("The options of a file to write")
struct SoundOptionTests {
    private func options(_ line: String) -> OutputOptions? {
        guard case .record(let options)? = try? Command(["record"] + line.split(separator: " ").map(String.init)) else {
            return nil
        }
        return options
    }

    @Test("A number is accepted up to its limits, and not beyond them")
    func limits() {
        for rate in [4_000, 44_100, 192_000] as [Double] { #expect(options("--rate \(rate) a.wav")?.rate == rate) }
        for rate in ["3999.9", "192000.1", "-8000", "inf", "x"] { #expect(options("--rate \(rate) a.wav") == nil, "\(rate)") }
        for count in [1, 2, 8] as [UInt32] { #expect(options("--channels \(count) a.wav")?.channels == count) }
        for count in ["0", "9", "2.5", "-1"] { #expect(options("--channels \(count) a.wav") == nil, "\(count)") }
        for (text, seconds) in [("0.001", 0.001), ("1", 1), ("1000000", 1e6)] {
            #expect(options("--seconds \(text) a.wav")?.seconds == seconds)
        }
        for seconds in ["0", "0.0009", "1000001", "-1"] { #expect(options("--seconds \(seconds) a.wav") == nil, "\(seconds)") }
    }

    @Test("Each word of a format stands for the format")
    func encodings() throws {
        let rows: [(word: String, id: String, bits: UInt32?, isFloat: Bool)] = [
            ("int8", "lpcm", 8, false), ("int16", "lpcm", 16, false), ("int24", "lpcm", 24, false), ("int32", "lpcm", 32, false),
            ("float32", "lpcm", 32, true), ("float64", "lpcm", 64, true), ("ulaw", "ulaw", nil, false),
            ("alaw", "alaw", nil, false),
            ("ima4", "ima4", nil, false), ("aac", "aac ", nil, false), ("alac", "alac", nil, false),
        ]
        #expect(rows.map { $0.word } == TargetEncoding.words)
        for row in rows {
            let encoding = try #require(TargetEncoding(row.word))
            #expect(encoding.formatID == row.id.utf8.reduce(0) { $0 << 8 | UInt32($1) }, "\(row.word)")
            #expect(
                encoding.bits == row.bits && encoding.isFloat == row.isFloat
                    && options("--format \(row.word) a.caf")?.encoding == encoding)
        }
        #expect(TargetEncoding("INT16") == nil && TargetEncoding("") == nil)
    }

    private static let containers: [(ending: String, integers: String, others: String, isBigEndian: Bool)] = [
        (".wav", "WAVE", "WAVE", false), (".aif", "AIFF", "AIFC", true), (".aiff", "AIFF", "AIFC", true),
        (".aifc", "AIFC", "AIFC", true),
        (".caf", "caff", "caff", false), (".au", "NeXT", "NeXT", true), (".snd", "NeXT", "NeXT", true),
        (".m4a", "m4af", "m4af", false),
    ]

    @Test(
        "The end of a name decides the type of the file and its byte order, in upper and lower case",
        arguments: containers.indices)
    func types(row: Int) throws {
        let (ending, integers, others, isBigEndian) = Self.containers[row]
        func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
        for name in ["a\(ending)", "a b.c\(ending.uppercased())", "/x/.wave\(ending)"] {
            let container = try Container(name)
            for encoding in TargetEncoding.allCases {
                let isInteger = encoding.bits != nil && !encoding.isFloat
                #expect(container.type(for: encoding) == code(isInteger ? integers : others), "\(name) \(encoding.word)")
                let format = container.description(encoding, rate: 8_000, channels: 3)
                #expect(format.sampleRate == 8_000 && format.channelsPerFrame == 3 && format.formatID == encoding.formatID)
                guard let bits = encoding.bits else { continue }
                #expect(format.bitsPerChannel == bits && format.framesPerPacket == 1)
                #expect(format.bytesPerFrame == 3 * bits / 8 && format.bytesPerPacket == 3 * bits / 8)
                #expect(format.formatFlags.contains(.bigEndian) == (isBigEndian && bits > 8), "\(name) \(encoding.word)")
                #expect(format.formatFlags.contains(.float) == encoding.isFloat && format.formatFlags.contains(.packed))
                #expect(format.formatFlags.contains(.signedInteger) == (isInteger && (bits > 8 || ending != ".wav")))
            }
        }
        #expect(throws: UsageError.self) { try Container(ending) }
        #expect(throws: UsageError.self) { try Container("a\(ending)x") }
    }

    @Test("The bits of a lossless file are those of its source")
    func lossless() throws {
        for (bits, flags) in [(16, 1), (20, 2), (24, 3), (32, 4)] as [(UInt32, UInt32)] {
            #expect(try Container("a.m4a").description(.alac, rate: 8_000, channels: 1, bits: bits).formatFlags.rawValue == flags)
        }
    }
}

@Suite("The bytes of an argument")
struct ArgumentTextTests {
    private func text(_ bytes: [UInt8]) -> String {
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { String(argument: $0.baseAddress!) }
        }
    }

    @Test(
        "Any bytes are kept, whether they are characters or not, also those of the characters that stand for bytes",
        arguments: [
            [], Array("plain".utf8), Array("Gerät 音 🎧".utf8), [0x80], [0xFF, 0x61], [0x61, 0xC3], [0xC3, 0x28], [0xE9, 0x9F],
            [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBD, 0xBF], [0xED, 0xA0, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func bytes(bytes: [UInt8]) { #expect(text(bytes).argumentBytes == bytes) }

    @Test("A message has a mark of replacement for each byte that is no character")
    func messages() {
        #expect(text(Array("Gerät".utf8)).withReplacedBytes == "Gerät")
        #expect(text([0x61, 0xFF, 0x80, 0x62]).withReplacedBytes == "a\u{FFFD}\u{FFFD}b")
        #expect(text([0xF4, 0x8F, 0xBE, 0x80]).withReplacedBytes == String(repeating: "\u{FFFD}", count: 4))
    }
}

@Suite("The role of the streams of a session")
struct StreamRoleTests {
    @Test("A mode decides before a category")
    func roles() {
        for category in SessionModel.Category.allCases {
            for mode in Mode.allCases {
                let settings = SessionSettings(category: category, mode: mode, mixes: false)
                let role = settings.role
                let expected: (String, String) =
                    switch (mode, category) {
                    case (.voiceChat, _), (.gameChat, _), (.videoChat, _): ("phone", "Communication")
                    case (.moviePlayback, _): ("video", "Movie")
                    case (.spokenAudio, _): ("a11y", "Accessibility")
                    case (_, .ambientSound), (_, .soloAmbientSound), (_, .userInterfaceSoundEffects): ("game", "Game")
                    case (_, .playAndRecord), (_, .recordAudio), (_, .audioProcessing): ("production", "Production")
                    default: ("music", "Music")
                    }
                #expect(role == expected, "\(category) \(mode)")
            }
        }
    }
}
