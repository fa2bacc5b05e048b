// SPDX-License-Identifier: Apache-2.0
/// The representation of one sample in memory.
///
/// Equal formats have equal values: a sample of one byte is little-endian, and a sample that fills its
/// container is aligned low.
public struct SampleFormat: Equatable, Hashable, Sendable {
    public enum Encoding: Sendable {
        case signedInteger
        /// The middle of the range is silence.
        case unsignedInteger
        case float
    }

    public enum ByteOrder: Sendable {
        case little, big

        #if _endian(little)
            public static let native = ByteOrder.little
        #else
            public static let native = ByteOrder.big
        #endif
    }

    /// The end of the container at which the bits of the sample lie.
    public enum Alignment: Sendable { case low, high }

    public let encoding: Encoding
    /// The number of bits of the sample.
    public let bits: Int
    /// The number of bytes of the container.
    public let bytes: Int
    /// The bits right of the binary point: an integer n has the value n / 2^fractionBits. 0 for floats.
    public let fractionBits: Int
    public let byteOrder: ByteOrder
    public let alignment: Alignment

    /// Signed 16-bit integers as the processor has them.
    public var isNativeInt16: Bool { self == SampleFormat.nativeInt16 }
    private static let nativeInt16 = SampleFormat(
        encoding: .signedInteger, bits: 16, bytes: 2, fractionBits: 15, byteOrder: .native, alignment: .low)

    /// An integer whose full scale is 1. `bytes` is the container; nil is the smallest.
    public static func integer(
        _ bits: Int, bytes: Int? = nil, isSigned: Bool = true, byteOrder: ByteOrder = .native, alignment: Alignment = .low
    ) throws(PCMFormatError) -> SampleFormat {
        try fixedPoint(
            bits, fractionBits: bits &- 1, bytes: bytes, isSigned: isSigned, byteOrder: byteOrder, alignment: alignment)
    }

    /// A number with a binary point: 8.24 has 32 bits and 24 fraction bits.
    public static func fixedPoint(
        _ bits: Int, fractionBits: Int, bytes: Int? = nil, isSigned: Bool = true, byteOrder: ByteOrder = .native,
        alignment: Alignment = .low
    ) throws(PCMFormatError) -> SampleFormat {
        guard 8...32 ~= bits else { throw .bitCount }
        let bytes = bytes ?? (bits + 7) / 8
        guard bytes <= 4 else { throw .containerSize }
        guard bytes >= 1, bits <= bytes * 8 else { throw .sampleExceedsContainer }
        guard 1...bits ~= fractionBits else { throw .fractionExceedsSample }
        return SampleFormat(
            encoding: isSigned ? .signedInteger : .unsignedInteger, bits: bits, bytes: bytes, fractionBits: fractionBits,
            byteOrder: bytes == 1 ? .little : byteOrder, alignment: bits == bytes * 8 ? .low : alignment)
    }

    public static func float32(_ byteOrder: ByteOrder = .native) -> SampleFormat { float(bytes: 4, byteOrder) }
    public static func float64(_ byteOrder: ByteOrder = .native) -> SampleFormat { float(bytes: 8, byteOrder) }

    private static func float(bytes: Int, _ byteOrder: ByteOrder) -> SampleFormat {
        SampleFormat(encoding: .float, bits: bytes * 8, bytes: bytes, fractionBits: 0, byteOrder: byteOrder, alignment: .low)
    }

    private init(
        encoding: Encoding, bits: Int, bytes: Int, fractionBits: Int, byteOrder: ByteOrder, alignment: Alignment
    ) {
        self.encoding = encoding
        self.bits = bits
        self.bytes = bytes
        self.fractionBits = fractionBits
        self.byteOrder = byteOrder
        self.alignment = alignment
    }

    /// No bit of the container is padding.
    public var isPacked: Bool { bits == bytes * 8 }
    /// Full scale is 1.
    public var isPlainInteger: Bool { encoding != .float && fractionBits == bits - 1 }
}

extension SampleFormat {
    /// Reads flags and sizes of a description. `bytes` is the number of bytes of a frame per sample.
    ///
    /// Flags that have no meaning for the rest of the description are ignored, as on the platform:
    /// signed for floats, the alignment of a packed sample, the byte order of one byte.
    init(flags: FormatFlags, bits: Int, bytes: Int) throws(PCMFormatError) {
        let byteOrder: ByteOrder = flags.contains(.bigEndian) ? .big : .little
        if flags.contains(.float) {
            guard flags.fractionBits == 0 else { throw .floatWithFraction }
            guard bits == 32 || bits == 64 else { throw .floatSize }
            guard bits <= bytes * 8 else { throw .sampleExceedsContainer }
            guard bits == bytes * 8 else { throw .floatWithPadding }
            self = .float(bytes: bytes, byteOrder)
            return
        }
        self = try .fixedPoint(
            bits, fractionBits: flags.fractionBits == 0 ? bits &- 1 : flags.fractionBits, bytes: bytes,
            isSigned: flags.contains(.signedInteger), byteOrder: byteOrder,
            alignment: flags.contains(.alignedHigh) ? .high : .low)
        guard isPacked || !flags.contains(.packed) else { throw .packedWithPadding }
    }

    var flags: FormatFlags {
        var flags: FormatFlags = []
        switch encoding {
        case .float: flags.insert(.float)
        case .signedInteger: flags.insert(.signedInteger)
        case .unsignedInteger: break
        }
        if byteOrder == .big { flags.insert(.bigEndian) }
        if isPacked { flags.insert(.packed) }
        if alignment == .high { flags.insert(.alignedHigh) }
        if encoding != .float, !isPlainInteger { flags.formUnion(.fraction(fractionBits)) }
        return flags
    }
}
