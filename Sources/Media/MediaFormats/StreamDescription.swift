// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The fields of `AudioStreamBasicDescription`, without `mReserved`.
public struct StreamDescription: Equatable, Hashable, Sendable {
    public var sampleRate: Double
    public var formatID: UInt32
    public var formatFlags: FormatFlags
    public var bytesPerPacket: UInt32
    public var framesPerPacket: UInt32
    public var bytesPerFrame: UInt32
    public var channelsPerFrame: UInt32
    public var bitsPerChannel: UInt32

    public init(
        sampleRate: Double, formatID: UInt32, formatFlags: FormatFlags = [], bytesPerPacket: UInt32 = 0,
        framesPerPacket: UInt32 = 0,
        bytesPerFrame: UInt32 = 0, channelsPerFrame: UInt32 = 0, bitsPerChannel: UInt32 = 0
    ) {
        self.sampleRate = sampleRate
        self.formatID = formatID
        self.formatFlags = formatFlags
        self.bytesPerPacket = bytesPerPacket
        self.framesPerPacket = framesPerPacket
        self.bytesPerFrame = bytesPerFrame
        self.channelsPerFrame = channelsPerFrame
        self.bitsPerChannel = bitsPerChannel
    }

    /// The fields of a description that an error names.
    public struct Fields: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let sampleRate = Fields(rawValue: 1 << 0)
        public static let formatID = Fields(rawValue: 1 << 1)
        public static let formatFlags = Fields(rawValue: 1 << 2)
        public static let bytesPerPacket = Fields(rawValue: 1 << 3)
        public static let framesPerPacket = Fields(rawValue: 1 << 4)
        public static let bytesPerFrame = Fields(rawValue: 1 << 5)
        public static let channelsPerFrame = Fields(rawValue: 1 << 6)
        public static let bitsPerChannel = Fields(rawValue: 1 << 7)
    }
}

/// The identifiers of formats: the values of `kAudioFormat…`.
public enum FormatID {
    /// `kAudioFormatLinearPCM`, 'lpcm'.
    public static let linearPCM = FourCC.code("lpcm")
    /// `kAudioFormatULaw`, 'ulaw'.
    public static let uLaw = FourCC.code("ulaw")
    /// `kAudioFormatALaw`, 'alaw'.
    public static let aLaw = FourCC.code("alaw")
    /// `kAudioFormatAppleIMA4`, 'ima4'.
    public static let appleIMA4 = FourCC.code("ima4")
}

/// The format flags of linear PCM: the values of `kAudioFormatFlag…`.
public struct FormatFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let float = FormatFlags(rawValue: 1 << 0)
    public static let bigEndian = FormatFlags(rawValue: 1 << 1)
    public static let signedInteger = FormatFlags(rawValue: 1 << 2)
    public static let packed = FormatFlags(rawValue: 1 << 3)
    public static let alignedHigh = FormatFlags(rawValue: 1 << 4)
    public static let nonInterleaved = FormatFlags(rawValue: 1 << 5)
    public static let nonMixable = FormatFlags(rawValue: 1 << 6)
    /// Stands for "no flag is set", because 0 means "no value".
    public static let allClear = FormatFlags(rawValue: 1 << 31)

    static let fractionShift: UInt32 = 7
    static let fractionMask = FormatFlags(rawValue: 0x3F << fractionShift)
    static let known: FormatFlags = [
        .float, .bigEndian, .signedInteger, .packed, .alignedHigh, .nonInterleaved, .nonMixable, .allClear, fractionMask,
    ]

    /// The fraction bits of a fixed-point format; 0 for integers.
    public static func fraction(_ bits: Int) -> FormatFlags {
        FormatFlags(rawValue: UInt32(truncatingIfNeeded: bits) << fractionShift).intersection(fractionMask)
    }

    public var fractionBits: Int { Int(intersection(.fractionMask).rawValue >> FormatFlags.fractionShift) }
}
