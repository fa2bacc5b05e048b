// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats

/// The format of the samples in a file to write.
enum TargetEncoding: Equatable, CaseIterable {
    case int8, int16, int24, int32, float32, float64, ulaw, alaw, ima4, aac, alac

    var word: StaticString {
        switch self {
        case .int8: "int8"
        case .int16: "int16"
        case .int24: "int24"
        case .int32: "int32"
        case .float32: "float32"
        case .float64: "float64"
        case .ulaw: "ulaw"
        case .alaw: "alaw"
        case .ima4: "ima4"
        case .aac: "aac"
        case .alac: "alac"
        }
    }

    init?(_ word: String) {
        guard let encoding = TargetEncoding.allCases.first(where: { "\($0.word)" == word }) else { return nil }
        self = encoding
    }

    static var words: [String] { allCases.map { "\($0.word)" } }

    /// The number of bits of linear PCM; nil for other formats.
    var bits: UInt32? {
        switch self {
        case .int8: 8
        case .int16: 16
        case .int24: 24
        case .int32, .float32: 32
        case .float64: 64
        default: nil
        }
    }

    var isFloat: Bool { self == .float32 || self == .float64 }

    var formatID: UInt32 {
        switch self {
        case .ulaw: FormatID.uLaw
        case .alaw: FormatID.aLaw
        case .ima4: FormatID.appleIMA4
        case .aac: CodecFormat.aac
        case .alac: CodecFormat.appleLossless
        default: FormatID.linearPCM
        }
    }
}

/// The type of a file to write. The end of the file's name decides.
enum Container: Equatable {
    case wave, aiff, aifc, caf, au, m4a

    static let endings: [(String, Container)] = [
        (".wav", .wave), (".aif", .aiff), (".aiff", .aiff), (".aifc", .aifc), (".caf", .caf), (".au", .au), (".snd", .au),
        (".m4a", .m4a),
    ]

    init(_ file: String) throws(UsageError) {
        let name = file.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        for (ending, container) in Container.endings where name.count > ending.utf8.count {
            if name.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
                self = container
                return
            }
        }
        throw UsageError(
            "the name \"\(file)\" does not say the type of the file; it ends with one of .wav .aif .aiff .aifc .caf .au .snd .m4a"
        )
    }

    func holds(_ encoding: TargetEncoding) -> Bool {
        switch self {
        case .caf: true
        case .m4a: encoding == .aac || encoding == .alac
        case .aiff, .aifc: encoding != .aac && encoding != .alac
        case .wave, .au: encoding != .aac && encoding != .alac && encoding != .ima4
        }
    }

    /// The words of the encodings that this type holds.
    var encodings: String {
        var text = ""
        for encoding in TargetEncoding.allCases where holds(encoding) { text += (text.isEmpty ? "" : " ") + "\(encoding.word)" }
        return text
    }

    /// The type for an encoding. An AIFF file contains only integers: other encodings need AIFC.
    func type(for encoding: TargetEncoding) -> UInt32 {
        switch self {
        case .wave: UInt32(kAudioFileWAVEType)
        case .aiff where !encoding.isFloat && encoding.bits != nil: UInt32(kAudioFileAIFFType)
        case .aiff, .aifc: UInt32(kAudioFileAIFCType)
        case .caf: UInt32(kAudioFileCAFType)
        case .au: UInt32(kAudioFileNextType)
        case .m4a: UInt32(kAudioFileM4AType)
        }
    }

    var isBigEndian: Bool { self == .aiff || self == .aifc || self == .au }

    /// The format of the file.
    func description(_ encoding: TargetEncoding, rate: Double, channels: UInt32, bits lossless: UInt32 = 16) -> StreamDescription
    {
        var format = StreamDescription(sampleRate: rate, formatID: encoding.formatID, channelsPerFrame: channels)
        if encoding == .alac { format.formatFlags = AppleLossless.flags(holding: lossless) }
        guard let bits = encoding.bits else { return format }
        var flags: FormatFlags = [.packed]
        if encoding.isFloat {
            flags.insert(.float)
        } else if bits > 8 || self != .wave {
            flags.insert(.signedInteger)
        }
        if isBigEndian, bits > 8 { flags.insert(.bigEndian) }
        format.formatFlags = flags
        format.bitsPerChannel = bits
        format.framesPerPacket = 1
        format.completeLinearSizes()
        return format
    }
}
