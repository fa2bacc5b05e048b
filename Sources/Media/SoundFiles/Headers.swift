// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// The bytes of a header. The size depends only on the format, so that the header can be written again.
struct ByteWriter {
    var bytes: [UInt8] = []
    var isBigEndian = true

    private mutating func put<Integer: FixedWidthInteger>(_ value: Integer) {
        let big = bigEndianBytes(value)
        bytes += isBigEndian ? big : big.reversed()
    }

    mutating func put16(_ value: UInt32) { put(UInt16(truncatingIfNeeded: value)) }
    mutating func put32(_ value: UInt32) { put(value) }
    mutating func put64(_ value: UInt64) { put(value) }
    mutating func put(_ data: [UInt8]) { bytes += data }
    mutating func putCode(_ code: UInt32) { bytes += bigEndianBytes(code) }
}

extension SoundFile {
    var header: [UInt8] {
        switch type {
        case .wave: waveHeader
        case .aiff, .aifc: aiffHeader
        case .next: auHeader
        case .caf: cafHeader
        case .m4a, .mp4: m4aHeader
        case .mp1, .mp2, .mp3, .adts: []
        }
    }

    private var channels: UInt32 { format.channelsPerFrame }
    private var wholeRate: UInt32 { UInt32(format.sampleRate.rounded()) }
    private var isFloat: Bool { format.formatFlags.contains(.float) }
    private var size32: UInt32 { UInt32(truncatingIfNeeded: dataSize) }
    private var padding: UInt32 { size32 & 1 }
    private var otherChunks: UInt32 { UInt32(truncatingIfNeeded: UInt64(leadingChunks.count) &+ trailingSize) }

    private var waveHeader: [UInt8] {
        let isPCM = format.formatID == FormatID.linearPCM
        let tag =
            isPCM
            ? isFloat ? WaveTag.float : WaveTag.pcm : format.formatID == FormatID.uLaw ? WaveTag.uLaw : WaveTag.aLaw
        // All formats except integers state their frames and the size of their extra fields, which is 0.
        let isPlain = tag == WaveTag.pcm
        var writer = ByteWriter(isBigEndian: false)
        writer.putCode(FourCC.riff)
        writer.put32((isPlain ? 36 : 50) &+ size32 &+ padding &+ otherChunks)
        writer.putCode(FourCC.wave)
        writer.putCode(FourCC.fmt)
        writer.put32(isPlain ? 16 : 18)
        writer.put16(tag)
        writer.put16(channels)
        writer.put32(wholeRate)
        writer.put32(UInt32(clamping: UInt64(wholeRate) * UInt64(format.bytesPerFrame)))
        writer.put16(format.bytesPerFrame)
        writer.put16(isPCM ? format.bitsPerChannel : 8)
        if !isPlain {
            writer.put16(0)
            writer.putCode(FourCC.fact)
            writer.put32(4)
            writer.put32(UInt32(clamping: packetCount))
        }
        writer.put(leadingChunks)
        writer.putCode(FourCC.data)
        writer.put32(size32)
        return writer.bytes
    }

    private var aiffHeader: [UInt8] {
        var writer = ByteWriter()
        writer.putCode(FourCC.form)
        writer.put32((type == .aifc ? 64 : 46) &+ size32 &+ padding &+ otherChunks)
        writer.putCode(type == .aifc ? FourCC.aifc : FourCC.aiff)
        if type == .aifc {
            writer.putCode(FourCC.fver)
            writer.put32(4)
            // The type has only this version.
            writer.put32(0xA280_5140)
        }
        writer.putCode(FourCC.comm)
        writer.put32(type == .aifc ? 24 : 18)
        writer.put16(channels)
        writer.put32(UInt32(clamping: packetCount))
        writer.put16(format.formatID == FormatID.linearPCM ? format.bitsPerChannel : 16)
        writer.put(ExtendedFloat.bytes(format.sampleRate))
        if type == .aifc {
            writer.putCode(aifcCompression)
            // The name of the compression: an empty string and its padding.
            writer.put16(0)
        }
        writer.put(leadingChunks)
        writer.putCode(FourCC.ssnd)
        writer.put32(size32 &+ 8)
        writer.put32(0)
        writer.put32(0)
        return writer.bytes
    }

    private var aifcCompression: UInt32 {
        guard format.formatID == FormatID.linearPCM else { return format.formatID }
        if isFloat { return format.bitsPerChannel == 32 ? FourCC.code("fl32") : FourCC.code("fl64") }
        let isBigEndian = format.formatFlags.contains(.bigEndian) || format.bitsPerChannel == 8
        return isBigEndian ? FourCC.code("NONE") : FourCC.code("sowt")
    }

    private var auHeader: [UInt8] {
        let encoding: UInt32 =
            switch (format.formatID, isFloat) {
            case (FormatID.uLaw, _): 1
            case (FormatID.aLaw, _): 27
            case (_, true): format.bitsPerChannel == 32 ? 6 : 7
            case (_, false): format.bitsPerChannel / 8 + 1
            }
        var writer = ByteWriter()
        writer.putCode(FourCC.snd)
        // An annotation of 4 bytes follows: some readers expect one.
        for field in [28, size32, encoding, wholeRate, channels, 0] { writer.put32(field) }
        return writer.bytes
    }

    private var cafHeader: [UInt8] {
        var writer = ByteWriter()
        writer.putCode(FourCC.caff)
        writer.put16(1)
        writer.put16(0)
        writer.putCode(FourCC.desc)
        writer.put64(32)
        writer.put64(format.sampleRate.bitPattern)
        writer.put32(format.formatID)
        writer.put32(cafFlags)
        for field in [format.bytesPerPacket, format.framesPerPacket, channels, cafBits] { writer.put32(field) }
        if !magicCookie.isEmpty { writer.putChunk(FourCC.kuki, magicCookie) }
        if !channelLayout.isEmpty { writer.putChunk(FourCC.chan, channelLayout) }
        // A table of packets follows the data.
        if format.framesPerPacket > 1, !hasVariablePackets {
            writer.putCode(FourCC.pakt)
            writer.put64(24)
            writer.put64(packetCount)
            writer.put64(frameCount)
            writer.put32(primingFrames)
            writer.put32(remainderFrames)
        }
        writer.put(leadingChunks)
        writer.putCode(FourCC.data)
        // The chunk of the data begins with a count of edits.
        writer.put64(dataSize + 4)
        writer.put32(0)
        return writer.bytes
    }

    private var cafFlags: UInt32 {
        if format.formatID == FourCC.code("alac") { return appleLosslessFlags }
        guard format.formatID == FormatID.linearPCM else { return hasVariablePackets ? format.formatFlags.rawValue : 0 }
        return (isFloat ? 1 : 0) | (format.formatFlags.contains(.bigEndian) ? 0 : 2)
    }

    /// A file states the bits of the source. If the flags of the format are 0, the encoder has chosen the bits, and its cookie
    /// states them.
    private var appleLosslessFlags: UInt32 {
        if let flags = AppleLossless.flags(ofCookie: magicCookie) { return flags.rawValue }
        return format.formatFlags.rawValue == 0 ? AppleLossless.flags(holding: 16).rawValue : format.formatFlags.rawValue
    }

    /// The bits of a sample; 0 for compressed formats.
    private var cafBits: UInt32 { format.formatID == FormatID.appleIMA4 ? 0 : format.bitsPerChannel }
}

extension ByteWriter {
    fileprivate mutating func putChunk(_ id: UInt32, _ content: [UInt8]) {
        putCode(id)
        put64(UInt64(content.count))
        put(content)
    }
}
