// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The identifiers of formats that need a codec of another library.
public enum CodecFormat {
    public static let aac = FourCC.code("aac ")
    public static let aacHE = FourCC.code("aach")
    public static let aacHEv2 = FourCC.code("aacp")
    public static let appleLossless = FourCC.code("alac")
    public static let flac = FourCC.code("flac")
    public static let opus = FourCC.code("opus")

    public static let withConfiguration = [aac, aacHE, aacHEv2, appleLossless, flac]
    public static let lossless = [appleLossless, flac]
    /// MPEG audio, layers 1 to 3.
    public static let mpegLayers: [UInt32] = [FourCC.code(".mp1"), FourCC.code(".mp2"), FourCC.code(".mp3")]

    /// The frames of a packet of MPEG audio. Nil for other formats.
    public static func mpegFrames(_ formatID: UInt32, rate: Double) -> UInt32? {
        guard let layer = mpegLayers.firstIndex(of: formatID) else { return nil }
        if layer == 0 { return 384 }
        // Layer 3 has half the frames at low rates. A rate of 0 is not known.
        return layer == 2 && 0.1..<32_000 ~= rate ? 576 : 1_152
    }
}

// At file scope, because the compiler may confuse constant arrays in initializers.
private let mpegFormats: [UInt32] = [FourCC.code(".mp1"), FourCC.code(".mp2"), FourCC.code(".mp3")]
private let ffmpegFormats: [UInt32] =
    [CodecFormat.aac, CodecFormat.aacHE, CodecFormat.aacHEv2, CodecFormat.opus, FourCC.code("ac-3")] + CodecFormat.lossless
    + mpegFormats + [GSMPacket.formatID]
private let ffmpegEncodedFormats: [UInt32] = [CodecFormat.aac, CodecFormat.appleLossless]

/// A module with codecs of another library. It may be installed or not.
public struct CodecSource: Sendable {
    public let name: StaticString
    public let package: StaticString
    /// The formats for which the module is loaded.
    public let decodedFormats: [UInt32]
    public let encodedFormats: [UInt32]

    /// The modules in the order in which they are tried: the fastest decoder of a format first.
    public static let all: [CodecSource] = [
        CodecSource(
            name: "mpg123", package: "audiotoolbox-codecs-mpg123", decodedFormats: mpegFormats, encodedFormats: []),
        CodecSource(
            name: "ffmpeg", package: "audiotoolbox-codecs-ffmpeg", decodedFormats: ffmpegFormats,
            encodedFormats: ffmpegEncodedFormats),
        CodecSource(
            name: "sndfile", package: "audiotoolbox-codecs-sndfile", decodedFormats: CodecFormat.lossless,
            encodedFormats: []),
    ]

    /// The packages that have a decoder of the format.
    public static func packages(decoding formatID: UInt32) -> [StaticString] {
        all.filter { $0.decodedFormats.contains(formatID) }.map { $0.package }
    }

    /// The packages that have an encoder of the format.
    public static func packages(encoding formatID: UInt32) -> [StaticString] {
        all.filter { $0.encodedFormats.contains(formatID) }.map { $0.package }
    }
}
