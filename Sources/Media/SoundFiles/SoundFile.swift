// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// The types of files: the values of `AudioFileTypeID`.
public enum SoundFileType: UInt32, CaseIterable, Sendable {
    case aiff = 0x4149_4646  // 'AIFF'
    case aifc = 0x4149_4643  // 'AIFC'
    case wave = 0x5741_5645  // 'WAVE'
    case next = 0x4E65_5854  // 'NeXT'
    case caf = 0x6361_6666  // 'caff'
    case mp1 = 0x4D50_4731  // 'MPG1'
    case mp2 = 0x4D50_4732  // 'MPG2'
    case mp3 = 0x4D50_4733  // 'MPG3'
    case adts = 0x6164_7473  // 'adts'
    case m4a = 0x6D34_6166  // 'm4af'
    case mp4 = 0x6D70_3466  // 'mp4f'

    /// The file has no header: its packets state what they are.
    public var consistsOfPackets: Bool {
        switch self {
        case .mp1, .mp2, .mp3, .adts: true
        default: false
        }
    }

    /// This library writes files of the type.
    public var isWritable: Bool {
        switch self {
        case .aiff, .aifc, .wave, .next, .caf, .m4a, .mp4: true
        case .mp1, .mp2, .mp3, .adts: false
        }
    }
}

/// The content of a sound file's header. The data stays in the file.
public struct SoundFile: Equatable, Sendable {
    /// A packet of variable size, by its offset from the start of the data.
    public struct Packet: Equatable, Sendable {
        public var offset: UInt64
        public var size: UInt32
        /// The number of frames; 0 if all packets have the same number.
        public var frames: UInt32

        public init(offset: UInt64, size: UInt32, frames: UInt32) {
            self.offset = offset
            self.size = size
            self.frames = frames
        }
    }

    public var type: SoundFileType
    public var format: StreamDescription
    /// The offset and the size of the data in the file.
    public var dataOffset: UInt64
    public var dataSize: UInt64
    /// The packets, if they differ in size; empty otherwise.
    public var packets: [Packet] = []
    /// Frames before and after the sound that a decoder produces and a player drops.
    public var primingFrames: UInt32 = 0
    public var remainderFrames: UInt32 = 0
    /// The number of frames that the header states; nil if it states none.
    public var statedFrames: UInt64?
    public var magicCookie: [UInt8] = []
    /// The bytes of an `AudioChannelLayout`, big-endian, as CAF stores them.
    public var channelLayout: [UInt8] = []
    /// Other chunks that a writer places before the data, as bytes of the file.
    public var leadingChunks: [UInt8] = []
    /// True for a WAVE file with sizes of 64 bits: RF64 or BW64.
    var hasLargeSizes = false
    /// The number of bytes of the chunks after the data. The sizes in the header of some types include them.
    public var trailingSize: UInt64 = 0

    public var packetCount: UInt64 {
        format.bytesPerPacket > 0 ? dataSize / UInt64(format.bytesPerPacket) : UInt64(packets.count)
    }

    /// The frames of the packets, including those that a player drops.
    public var framesOfPackets: UInt64 {
        let framesPerPacket = UInt64(format.framesPerPacket)
        guard framesPerPacket == 0 else {
            let (frames, overflow) = packetCount.multipliedReportingOverflow(by: framesPerPacket)
            return overflow ? .max : frames
        }
        return packets.reduce(0) { $0 &+ UInt64($1.frames) }
    }

    /// The number of frames of sound: the frames of the packets without priming and remainder.
    public var frameCount: UInt64 {
        var frames = framesOfPackets
        let dropped = UInt64(primingFrames) + UInt64(remainderFrames)
        frames = frames > dropped ? frames - dropped : 0
        return min(frames, statedFrames ?? .max)
    }

    /// Reads the header of a file. The first bytes of the file decide its type. The hint is a type for files whose first bytes
    /// do not state a type.
    public init(_ source: any ByteSource, hint: UInt32 = 0) throws(SoundFileError) {
        var reader = ByteReader(source)
        let magic = try reader.uint32()
        switch magic {
        case FourCC.riff, FourCC.rf64, FourCC.bw64: self = try readWave(&reader, isLarge: magic != FourCC.riff)
        case FourCC.form: self = try readAIFF(&reader)
        case FourCC.caff: self = try readCAF(&reader)
        case FourCC.snd: self = try readAU(&reader)
        default: self = try readPackets(&reader, magic, hint: hint)
        }
        // The cookie states the bits of the source. The description may not state them, or was written before the codec was
        // known.
        switch format.formatID {
        case CodecFormat.appleLossless: format.formatFlags = AppleLossless.flags(ofCookie: magicCookie) ?? format.formatFlags
        case CodecFormat.flac: format.formatFlags = FLACConfiguration.flags(ofCookie: magicCookie) ?? format.formatFlags
        default: break
        }
    }

    init(type: SoundFileType, format: StreamDescription, dataOffset: UInt64, dataSize: UInt64) {
        self.type = type
        self.format = format
        self.dataOffset = dataOffset
        self.dataSize = dataSize
    }
}

private let packetTypes = [
    SoundFileType.mp1.rawValue, SoundFileType.mp2.rawValue, SoundFileType.mp3.rawValue, SoundFileType.adts.rawValue,
]

/// Reads a file that begins with a packet, with a tag, or with a box of MPEG-4.
private func readPackets(_ reader: inout ByteReader, _ magic: UInt32, hint: UInt32) throws(SoundFileError) -> SoundFile {
    if reader.remaining >= 4, try reader.uint32() == FourCC.code("ftyp") { return try readM4A(&reader) }
    let isTag = magic >> 8 == FourCC.code("ID3 ") >> 8
    // Two bytes may look like a packet by coincidence. Therefore the readers look for a second packet.
    guard isTag || magic >> 21 == 0x7FF || packetTypes.contains(hint) else { throw .unsupportedType }
    reader.offset = 0
    try skipID3(&reader)
    let start = reader.offset
    guard reader.remaining >= 4 else { throw .invalidFile }
    let first = try reader.uint32()
    reader.offset = start
    // The layer of AAC is 0. If the file begins with other bytes, the hint decides.
    let isADTS = first >> 20 == 0xFFF ? first >> 17 & 3 == 0 : hint == SoundFileType.adts.rawValue
    do throws(SoundFileError) {
        return isADTS ? try readADTS(&reader) : try readMPEG(&reader)
    } catch {
        // A file that begins in the middle of a packet may begin with bytes that look like a packet of another kind than the hint.
        let hintsAtADTS = hint == SoundFileType.adts.rawValue
        guard error == .unsupportedType, packetTypes.contains(hint), hintsAtADTS != isADTS else { throw error }
        reader.offset = start
        return hintsAtADTS ? try readADTS(&reader) : try readMPEG(&reader)
    }
}

/// The description of a format whose packets have one size.
func constantPackets(
    _ formatID: UInt32, rate: Double, channels: UInt32, bytesPerPacket: UInt32, framesPerPacket: UInt32
) -> StreamDescription {
    StreamDescription(
        sampleRate: rate, formatID: formatID, bytesPerPacket: bytesPerPacket, framesPerPacket: framesPerPacket,
        bytesPerFrame: framesPerPacket == 1 ? bytesPerPacket : 0, channelsPerFrame: channels,
        bitsPerChannel: framesPerPacket == 1 ? 8 : 0)
}

/// The description of interleaved linear PCM. Throws where a sample has more than 4 bytes of integer or no
/// whole number of bytes.
func linearPCM(
    rate: Double, channels: UInt32, bits: UInt32, bytes: UInt32, flags: FormatFlags
) throws(SoundFileError) -> StreamDescription {
    let sizes: ClosedRange<UInt32> = flags.contains(.float) ? 4...8 : 1...4
    guard sizes.contains(bytes), 1...64 ~= bits, bits <= bytes * 8, 1...1_024 ~= channels else { throw .unsupportedFormat }
    guard !flags.contains(.float) || (bits == bytes * 8 && bytes != 5 && bytes != 6 && bytes != 7) else {
        throw .unsupportedFormat
    }
    var flags = flags
    if bits == bytes * 8 { flags.insert(.packed) } else { flags.insert(.alignedHigh) }
    if bytes == 1 { flags.remove(.bigEndian) }
    return StreamDescription(
        sampleRate: rate, formatID: FormatID.linearPCM, formatFlags: flags, bytesPerPacket: bytes * channels, framesPerPacket: 1,
        bytesPerFrame: bytes * channels, channelsPerFrame: channels, bitsPerChannel: bits)
}

/// The description of one of the simple codecs; nil for other formats.
func simpleCodec(_ formatID: UInt32, rate: Double, channels: UInt32) throws(SoundFileError) -> StreamDescription? {
    guard 1...1_024 ~= channels else { throw .unsupportedFormat }
    guard let packet = StreamDescription.simplePacket(of: formatID, channels: channels) else { return nil }
    return constantPackets(
        formatID, rate: rate, channels: channels, bytesPerPacket: packet.bytes, framesPerPacket: packet.frames)
}
