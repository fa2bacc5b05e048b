// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

/// Encodes interleaved linear PCM to packets that differ in size.
public protocol VariablePacketEncoder: AnyObject {
    var input: PCMFormat { get }
    var framesPerPacket: Int { get }
    /// The bytes of the largest packet.
    var largestPacket: Int { get }
    /// The frames that the encoder adds before the sound.
    var primingFrames: Int { get }
    /// The data that a decoder needs in addition to the packets.
    var magicCookie: [UInt8] { get }
    /// Bits per second; 0 where the encoder has no rate.
    var bitRate: UInt32 { get }
    func setBitRate(_ rate: UInt32) throws(ConverterError)
    /// Encodes the frames of one packet. Fewer frames than that are the last ones, and no frames state the end of the input.
    /// Returns the bytes of a packet, which can contain earlier frames. 0: the encoder needs more frames or, after the end, is
    /// empty.
    func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int
    /// Discards all frames.
    func reset()
}
