// SPDX-License-Identifier: Apache-2.0

/// Counts the frames that an encoder receives and the packets that it makes.
public struct EncodedSound {
    private let framesPerPacket: UInt64
    private let primingFrames: UInt64
    private var frames: UInt64 = 0
    private var packets: UInt64 = 0

    public init(_ encoder: any VariablePacketEncoder) {
        framesPerPacket = UInt64(encoder.framesPerPacket)
        primingFrames = UInt64(encoder.primingFrames)
    }

    public mutating func addFrames(_ count: Int) { frames &+= UInt64(count) }

    /// Counts a packet. Returns its number of frames when the sound ends in it, and 0 for a packet with the usual number: an
    /// encoder makes a packet only after it has received all frames of the packet, or the end of the sound.
    public mutating func addPacket() -> UInt32 {
        let before = packets &* framesPerPacket
        packets &+= 1
        let end = frames &+ primingFrames
        return end > before && end < before &+ framesPerPacket ? UInt32(clamping: end &- before) : 0
    }

    /// The frames that a decoder of the packets has added after the sound so far.
    var trailingFrames: Int {
        let (decoded, end) = (packets &* framesPerPacket, frames &+ primingFrames)
        return Int(clamping: decoded > end ? decoded &- end : 0)
    }
}
