// SPDX-License-Identifier: Apache-2.0
extension StreamDescription {
    /// The size of `AudioStreamBasicDescription`.
    public static let byteCount = 40

    /// Reads an `AudioStreamBasicDescription`. The address needs no alignment; `mReserved` is ignored.
    public init(at address: UnsafeRawPointer) {
        func field(_ offset: Int) -> UInt32 { address.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        self.init(
            sampleRate: address.loadUnaligned(as: Double.self), formatID: field(8), formatFlags: FormatFlags(rawValue: field(12)),
            bytesPerPacket: field(16), framesPerPacket: field(20), bytesPerFrame: field(24), channelsPerFrame: field(28),
            bitsPerChannel: field(32))
    }

    /// The `AudioStreamBasicDescription` of this value.
    public var bytes: [UInt8] {
        var bytes = [UInt8](nativeBytesOf: sampleRate.bitPattern)
        for field in [
            formatID, formatFlags.rawValue, bytesPerPacket, framesPerPacket, bytesPerFrame, channelsPerFrame, bitsPerChannel, 0,
        ] {
            bytes += [UInt8](nativeBytesOf: field)
        }
        return bytes
    }
}

extension [UInt8] {
    /// The bytes of an integer in native order.
    public init<Integer: FixedWidthInteger & BitwiseCopyable>(nativeBytesOf value: Integer) {
        self = Swift.withUnsafeBytes(of: value) { Array($0) }
    }
}
