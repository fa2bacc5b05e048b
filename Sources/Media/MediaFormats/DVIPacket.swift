// SPDX-License-Identifier: Apache-2.0

/// The blocks of DVI ADPCM in WAVE files. A block begins with the first sample of each channel, in 4 bytes. Groups of 4 bytes
/// follow, one for each channel, and each group has 8 samples.
public enum DVIPacket {
    public static let formatID: UInt32 = 0x6D73_0011

    /// Whether a block of this size contains this number of frames. It may contain more.
    public static func holds(frames: UInt32, bytes: UInt32, channels: UInt32) -> Bool {
        // A description can state any number of channels, and four times that number can overflow.
        guard 1...8 ~= channels else { return false }
        let group = 4 * channels
        guard bytes >= group, bytes % group == 0, bytes <= 1 << 16 else { return false }
        return 1...((bytes / group - 1) * 8 + 1) ~= frames
    }
}
