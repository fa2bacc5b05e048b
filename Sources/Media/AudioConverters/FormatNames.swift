// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import MediaFormats

extension StreamDescription {
    /// The format as users read it.
    public var name: String {
        let channels = "\(channelsPerFrame) channel\(channelsPerFrame == 1 ? "" : "s")"
        let rate = Int(exactly: sampleRate.rounded()).map { ", \($0) Hz" } ?? ""
        guard formatID == FormatID.linearPCM else { return "\(FormatNames.name(formatID)), \(channels)\(rate)" }
        let order = bitsPerChannel <= 8 ? "" : formatFlags.contains(.bigEndian) ? " big-endian" : " little-endian"
        let kind =
            formatFlags.contains(.float)
            ? "floating point" : formatFlags.contains(.signedInteger) ? "signed integer" : "unsigned integer"
        let layout = formatFlags.contains(.nonInterleaved) ? ", deinterleaved" : ""
        return "Linear PCM, \(bitsPerChannel) bit\(order) \(kind), \(channels)\(layout)\(rate)"
    }
}

enum FormatNames {
    /// The name of a format; its four characters where it has none.
    static func name(_ id: UInt32) -> String {
        for row in all where row.id == id { return "\(row.name)" }
        return "'\(FourCC.characters(id))'"
    }

    private static let all: [(id: UInt32, name: StaticString)] = [
        (FormatID.linearPCM, "Linear PCM"), (FormatID.uLaw, "µLaw 2:1"), (FormatID.aLaw, "ALaw 2:1"),
        (FormatID.appleIMA4, "IMA 4:1"), (CodecFormat.aac, "MPEG-4 AAC"), (CodecFormat.aacHE, "MPEG-4 AAC HE"),
        (CodecFormat.aacHEv2, "MPEG-4 AAC HE v2"), (FourCC.code(".mp1"), "MPEG layer 1"), (FourCC.code(".mp2"), "MPEG layer 2"),
        (FourCC.code(".mp3"), "MPEG layer 3"), (CodecFormat.appleLossless, "Apple Lossless"), (FourCC.code("ac-3"), "AC-3"),
        (CodecFormat.flac, "FLAC"), (CodecFormat.opus, "Opus"),
        (0x6D73_0011, "DVI ADPCM"), (0x6D73_0031, "Microsoft GSM"),
    ]
}
