// SPDX-License-Identifier: Apache-2.0

/// The blocks of Microsoft's GSM 6.10 in WAVE files: two frames of the codec in 65 bytes, of one channel.
public enum GSMPacket {
    public static let formatID: UInt32 = 0x6D73_0031
    public static let bytes: UInt32 = 65
    public static let frames: UInt32 = 320

    /// Whether a description has these sizes. Programs may leave them 0.
    public static func fits(_ format: StreamDescription) -> Bool {
        format.channelsPerFrame == 1 && [0, bytes].contains(format.bytesPerPacket)
            && [0, frames].contains(format.framesPerPacket)
    }
}
