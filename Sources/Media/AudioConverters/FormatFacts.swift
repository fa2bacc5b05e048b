// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import MediaFormats

/// The packets of a format. The table includes formats that this library does not decode.
struct FormatFacts {
    let id: UInt32
    /// The frames of a packet; 0 where the packets differ.
    let framesPerPacket: UInt32
    /// Packets differ in size.
    let isVariable: Bool
    /// A packet does not state its own size.
    let isExternallyFramed: Bool

    static func of(_ id: UInt32) throws(FormatError) -> FormatFacts {
        for facts in all where facts.id == id { return facts }
        throw .unknownFormat
    }

    private init(_ id: UInt32, _ framesPerPacket: UInt32, isVariable: Bool = false, isExternallyFramed: Bool = false) {
        self.id = id
        self.framesPerPacket = framesPerPacket
        self.isVariable = isVariable
        self.isExternallyFramed = isExternallyFramed
    }

    private static let all: [FormatFacts] = [
        FormatFacts(FormatID.linearPCM, 1), FormatFacts(FormatID.uLaw, 1), FormatFacts(FormatID.aLaw, 1),
        FormatFacts(FormatID.appleIMA4, 64),
        // MPEG layers
        FormatFacts(FourCC.code(".mp1"), 384, isVariable: true), FormatFacts(FourCC.code(".mp2"), 1_152, isVariable: true),
        FormatFacts(FourCC.code(".mp3"), 1_152, isVariable: true),
        // AAC: LC, HE, HE v2, LD, ELD
        FormatFacts(CodecFormat.aac, 1_024, isVariable: true, isExternallyFramed: true),
        FormatFacts(CodecFormat.aacHE, 2_048, isVariable: true, isExternallyFramed: true),
        FormatFacts(CodecFormat.aacHEv2, 2_048, isVariable: true, isExternallyFramed: true),
        FormatFacts(FourCC.code("aacl"), 512, isVariable: true, isExternallyFramed: true),
        FormatFacts(FourCC.code("aace"), 512, isVariable: true, isExternallyFramed: true),
        // Apple Lossless, AC-3, AMR, iLBC
        FormatFacts(CodecFormat.appleLossless, 4_096, isVariable: true, isExternallyFramed: true),
        FormatFacts(FourCC.code("ac-3"), 1_536),
        FormatFacts(FourCC.code("samr"), 160, isVariable: true), FormatFacts(FourCC.code("ilbc"), 0),
        // FLAC and Opus
        FormatFacts(CodecFormat.flac, 0, isVariable: true),
        FormatFacts(CodecFormat.opus, 0, isVariable: true, isExternallyFramed: true),
        // DVI ADPCM and Microsoft GSM
        FormatFacts(0x6D73_0011, 0), FormatFacts(0x6D73_0031, 320),
    ]

    /// Fills in the members of a description that follow from the others.
    static func completed(_ format: StreamDescription) throws(FormatError) -> StreamDescription {
        let facts = try of(format.formatID)
        var complete = format
        guard format.formatID == FormatID.linearPCM else {
            if let simple = format.completedForSimpleCodec() { return simple }
            guard format.framesPerPacket == 0 else { return format }
            complete.framesPerPacket =
                CodecFormat.mpegFrames(format.formatID, rate: format.sampleRate) ?? facts.framesPerPacket
            return complete
        }
        complete.framesPerPacket = 1
        complete.completeLinearSizes()
        return complete
    }
}

extension StreamDescription {
    /// An `AudioFormatListItem`: this description, the tag of the usual channel layout, and padding.
    public var listItem: [UInt8] {
        bytes + [UInt8](nativeBytesOf: ChannelLayout.usualTag(of: self)) + [UInt8](nativeBytesOf: UInt32(0))
    }
}

/// A fact about a format is not known: the values of `kAudioFormat…Error`.
public enum FormatError: Error, Equatable, Sendable {
    case unspecified
    case unsupportedProperty
    case badPropertySize
    case badSpecifierSize
    case unsupportedDataFormat
    case unknownFormat

    /// The result code of the C interface.
    public var status: Int32 {
        switch self {
        case .unspecified: FourCC.status("what")
        case .unsupportedProperty: FourCC.status("prop")
        case .badPropertySize: FourCC.status("!siz")
        case .badSpecifierSize: FourCC.status("!spc")
        case .unsupportedDataFormat: FourCC.status("fmt?")
        case .unknownFormat: FourCC.status("!fmt")
        }
    }
}
