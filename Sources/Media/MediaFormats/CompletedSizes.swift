// SPDX-License-Identifier: Apache-2.0
// Sizes that follow from other members of a description. Programs may leave them 0.

extension StreamDescription {
    /// The packets of µ-law, A-law or IMA4 with this number of channels. Nil for other formats.
    public static func simplePacket(of formatID: UInt32, channels: UInt32) -> (bytes: UInt32, frames: UInt32)? {
        switch formatID {
        case FormatID.uLaw, FormatID.aLaw: (channels, 1)
        case FormatID.appleIMA4: (34 &* channels, 64)
        default: nil
        }
    }

    /// Sets the bytes of a frame and of a packet of linear PCM, and the frames of a packet, if they are 0.
    public mutating func completeLinearSizes() {
        if framesPerPacket == 0 { framesPerPacket = 1 }
        if bytesPerFrame == 0, framesPerPacket == 1 { bytesPerFrame = bytesPerPacket }
        if bytesPerFrame == 0, bitsPerChannel <= 64, channelsPerFrame <= 1_024 {
            let channels = formatFlags.contains(.nonInterleaved) ? 1 : channelsPerFrame
            bytesPerFrame = (bitsPerChannel + 7) / 8 * channels
        }
        if bytesPerPacket == 0 { bytesPerPacket = bytesPerFrame }
    }
}
