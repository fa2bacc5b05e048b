// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

/// The code of four characters.
public func code(_ text: StaticString) -> UInt32 { text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

/// Interleaved linear PCM whose samples fill their bytes.
public func pcm(_ bits: UInt32, _ flags: FormatFlags, channels: UInt32 = 2, rate: Double = 22_050) -> StreamDescription {
    StreamDescription(
        sampleRate: rate, formatID: FormatID.linearPCM, formatFlags: flags.union(.packed), bytesPerPacket: bits / 8 * channels,
        framesPerPacket: 1, bytesPerFrame: bits / 8 * channels, channelsPerFrame: channels, bitsPerChannel: bits)
}
