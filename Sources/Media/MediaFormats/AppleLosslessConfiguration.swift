// SPDX-License-Identifier: Apache-2.0

/// The fields of the configuration of Apple Lossless that describe the stream.
public struct AppleLosslessConfiguration: Equatable, Sendable {
    public let framesPerPacket: UInt32
    public let bits: UInt32
    public let channels: UInt32
    public let rate: UInt32

    /// Nil if the cookie has no configuration, or values that no stream has.
    public init?(cookie: [UInt8]) {
        guard let bytes = AppleLossless.configuration(in: cookie) else { return nil }
        func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        (framesPerPacket, bits, channels, rate) = (number(0), UInt32(bytes[5]), UInt32(bytes[9]), number(20))
        guard 1...65_536 ~= framesPerPacket, 1...32 ~= bits, 1...8 ~= channels, rate > 0 else { return nil }
    }
}
