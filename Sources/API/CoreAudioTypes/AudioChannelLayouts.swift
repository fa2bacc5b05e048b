// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CCoreAudioTypes

/// The number of channels of a layout tag: its lower half.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 { inLayoutTag & 0xFFFF }

extension AudioChannelLayout {
    /// The size of a layout with room for this number of descriptions.
    public static func sizeInBytes(maximumDescriptions: Int) -> Int {
        precondition(maximumDescriptions >= 1, "a layout has room for 1 description or more")
        return MemoryLayout<AudioChannelLayout>.size
            + (maximumDescriptions - 1) * MemoryLayout<AudioChannelDescription>.stride
    }
}
