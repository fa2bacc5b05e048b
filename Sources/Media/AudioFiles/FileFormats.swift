// SPDX-License-Identifier: Apache-2.0
import AudioConverters
public import LinuxSystem
import MediaFormats
import SoundFiles

extension StreamDescription {
    /// The description with the members that follow from the others, which programs leave out.
    var completedForFile: StreamDescription {
        var format = self
        guard formatID == FormatID.linearPCM else {
            guard bytesPerPacket == 0, 1...8 ~= channelsPerFrame,
                let packet = StreamDescription.simplePacket(of: formatID, channels: channelsPerFrame)
            else { return completedForVariablePackets }
            format.bytesPerPacket = packet.bytes
            format.framesPerPacket = packet.frames
            if packet.frames == 1 {
                format.bytesPerFrame = packet.bytes
                format.bitsPerChannel = 8
            }
            return format
        }
        format.completeLinearSizes()
        return format
    }
}

extension StreamDescription {
    /// The usual frames of a packet, for formats whose packets differ in size.
    private var completedForVariablePackets: StreamDescription {
        guard bytesPerPacket == 0, framesPerPacket == 0 else { return self }
        var format = self
        switch formatID {
        case CodecFormat.aac: format.framesPerPacket = 1_024
        case CodecFormat.appleLossless: format.framesPerPacket = 4_096
        default: break
        }
        return format
    }
}

private let variableFormats: [UInt32] = [CodecFormat.aac, CodecFormat.appleLossless]
private let integerWidths: [UInt32] = [8, 16, 24, 32]
private let floatWidths: [UInt32] = [32, 64]
private let byteOrders: [FormatFlags] = [[], .bigEndian]
private let signs: [FormatFlags] = [[], .signedInteger]

extension FileTypes {
    /// The type that the extension of a file's name stands for, if the contents of such a file may not state their type. 0 for
    /// other names.
    public static func hint(for path: FilePath) -> UInt32 {
        let name = Array(path.text.utf8)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
        return FileTypeNames.with(extension: name[(dot + 1)...]).first { $0.type.consistsOfPackets }?.type.rawValue ?? 0
    }

    /// The type that a new file with this extension has; nil for an extension of no type.
    public static func type(forExtension suffix: String) -> UInt32? {
        FileTypeNames.with(extension: Array(suffix.utf8)[...]).first?.type.rawValue
    }
}

extension FileTypeNames {
    /// The types of files with this extension, which may be in capitals.
    fileprivate static func with(extension suffix: ArraySlice<UInt8>) -> [FileTypeNames] {
        let wanted = suffix.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return all.filter { names in
            names.extensions.contains { text in text.withUTF8Buffer { $0.elementsEqual(wanted) } }
        }
    }
}

/// The types of files that AudioFile reads and writes.
public enum FileTypes {
    public static let readable = SoundFileType.allCases.map { $0.rawValue }
    public static let writable = SoundFileType.allCases.filter { $0.isWritable }.map { $0.rawValue }

    /// The formats that a type can be written with, one description for each variant, without rate and channels.
    public static func formats(_ type: SoundFileType) -> [StreamDescription] {
        var formats: [StreamDescription] = []
        for format in candidates where type.holds(format) {
            var general = format
            general.sampleRate = 0
            general.channelsPerFrame = 0
            general.bytesPerFrame = 0
            general.bytesPerPacket = 0
            formats.append(general)
        }
        return formats
    }

    /// The arrays in its loops are constants at file scope: see tools/check-objects.
    private static let candidates: [StreamDescription] = {
        var formats: [StreamDescription] = []
        for bits in integerWidths {
            for order in byteOrders where bits > 8 || order == [] {
                for sign in signs { formats.append(pcm(bits, [order, sign, .packed])) }
            }
        }
        for bits in floatWidths {
            for order in byteOrders { formats.append(pcm(bits, [order, .float, .packed])) }
        }
        for id in PacketCodecs.formatIDs + variableFormats {
            formats.append(StreamDescription(sampleRate: 44_100, formatID: id, channelsPerFrame: 1).completedForFile)
        }
        return formats
    }()

    private static func pcm(_ bits: UInt32, _ flags: FormatFlags) -> StreamDescription {
        StreamDescription(
            sampleRate: 44_100, formatID: FormatID.linearPCM, formatFlags: flags, bytesPerPacket: bits / 8, framesPerPacket: 1,
            bytesPerFrame: bits / 8, channelsPerFrame: 1, bitsPerChannel: bits)
    }
}

/// The names of a type for users, file systems and networks.
public struct FileTypeNames: Sendable {
    public let type: SoundFileType
    public let name: StaticString
    public let extensions: [StaticString]
    public let mimeTypes: [StaticString]
    public let uti: StaticString

    public static let all: [FileTypeNames] = [
        FileTypeNames(
            type: .aiff, name: "AIFF", extensions: ["aif", "aiff"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            uti: "public.aiff-audio"),
        FileTypeNames(
            type: .aifc, name: "AIFC", extensions: ["aifc", "aif", "aiff"], mimeTypes: ["audio/aiff", "audio/x-aiff"],
            uti: "public.aifc-audio"),
        FileTypeNames(
            type: .wave, name: "WAVE", extensions: ["wav"],
            mimeTypes: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
            uti: "com.microsoft.waveform-audio"),
        FileTypeNames(
            type: .next, name: "NeXT/Sun", extensions: ["snd", "au"], mimeTypes: ["audio/basic", "audio/x-basic"],
            uti: "public.au-audio"),
        FileTypeNames(
            type: .caf, name: "CAF", extensions: ["caf"], mimeTypes: ["audio/x-caf"], uti: "com.apple.coreaudio-format"),
        FileTypeNames(
            type: .mp1, name: "MPEG Layer 1", extensions: ["mp1", "mpeg", "mpa"], mimeTypes: ["audio/mpeg"], uti: "public.mp1"),
        FileTypeNames(
            type: .mp2, name: "MPEG Layer 2", extensions: ["mp2", "mpeg", "mpa"], mimeTypes: ["audio/mpeg"],
            uti: "public.mp2"),
        FileTypeNames(
            type: .mp3, name: "MPEG Layer 3", extensions: ["mp3", "mpeg", "mpa"],
            mimeTypes: ["audio/mpeg", "audio/mp3", "audio/mpeg3"], uti: "public.mp3"),
        FileTypeNames(
            type: .adts, name: "AAC ADTS", extensions: ["aac", "adts"], mimeTypes: ["audio/aac", "audio/x-aac"],
            uti: "public.aac-audio"),
        FileTypeNames(
            type: .m4a, name: "Apple MPEG-4 Audio", extensions: ["m4a", "m4r"], mimeTypes: ["audio/x-m4a", "audio/m4a"],
            uti: "com.apple.m4a-audio"),
        FileTypeNames(
            type: .mp4, name: "MPEG-4 Audio", extensions: ["mp4"], mimeTypes: ["audio/mp4", "video/mp4"], uti: "public.mpeg-4"),
    ]
}
