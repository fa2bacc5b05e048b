// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The contents of a sound file.
public struct SoundFileReport: Sendable {
    public let name: String
    /// The four characters of the type.
    public let type: UInt32
    public let format: SoundObject.Format
    /// The frames of the whole sound, without priming and remainder.
    public let frames: Int64
    public let packets: UInt64
    public let bytes: UInt64
    /// Bits per second.
    public let bitRate: UInt32
    /// Empty if the file can be decoded, or if an installed decoder refuses it; otherwise the packages that contain a decoder.
    public let missingPackages: [String]
    /// An installed decoder refuses the format.
    public let isRefused: Bool
    public let isDecodable: Bool

    public init(
        name: String, type: UInt32, format: SoundObject.Format, frames: Int64, packets: UInt64, bytes: UInt64, bitRate: UInt32,
        isDecodable: Bool, isRefused: Bool = false, missingPackages: [String]
    ) {
        self.name = name
        self.type = type
        self.format = format
        self.frames = frames
        self.packets = packets
        self.bytes = bytes
        self.bitRate = bitRate
        self.isDecodable = isDecodable
        self.isRefused = isRefused
        self.missingPackages = isRefused ? [] : missingPackages
    }

    public var seconds: Double { format.rate > 0 ? Double(max(frames, 0)) / format.rate : 0 }

    private var typeName: String {
        for (type, name) in SoundFileReport.types where type == self.type { return "\(name)" }
        return FourCC.text(type)
    }

    private static let types: [(UInt32, StaticString)] = [
        (FourCC.code("AIFF"), "AIFF"), (FourCC.code("AIFC"), "AIFC"), (FourCC.code("WAVE"), "WAVE"), (FourCC.code("NeXT"), "AU"),
        (FourCC.code("caff"), "CAF"),
        (FourCC.code("MPG1"), "MPEG layer 1"), (FourCC.code("MPG2"), "MPEG layer 2"), (FourCC.code("MPG3"), "MPEG layer 3"),
        (FourCC.code("adts"), "ADTS"),
        (FourCC.code("m4af"), "M4A"), (FourCC.code("mp4f"), "MPEG-4"),
    ]

    public var text: String {
        var text = "\(printable(name))\n"
        text += row("type", typeName)
        text += row("format", format.text)
        text += row("duration", "\(soundTime(seconds)), \(max(frames, 0)) frames")
        text += row("data", "\(bytes) bytes, \(packets) packets, \(bitRate / 1000) kbit/s")
        if !isDecodable { text += row("decoder", decoderText) }
        return text
    }

    private var decoderText: String {
        if isRefused { return "refuses the format" }
        return missingPackages.isEmpty ? "none" : "not installed: \(joined(missingPackages))"
    }

    public var json: JSON {
        .object(
            [("file", .string(name)), ("type", .string(typeName))] + format.members
                + [
                    ("frames", .integer(Int(clamping: frames))), ("seconds", .double(seconds)),
                    ("packets", .integer(Int(clamping: packets))), ("bytes", .integer(Int(clamping: bytes))),
                    ("bitRate", .integer(Int(bitRate))), ("decodable", .bool(isDecodable)),
                    ("packages", .array(missingPackages.map { .string($0) })),
                ])
    }

    private func row(_ title: String, _ value: String) -> String { "  \(padded(title, 10))\(value)\n" }
}
