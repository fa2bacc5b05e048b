// SPDX-License-Identifier: Apache-2.0
/// The error of a description that is not linear PCM that this library processes.
public enum PCMFormatError: Error, Equatable, Hashable, CaseIterable, Sendable {
    case notLinearPCM
    case unknownFlags
    case sampleRate
    case channelCount
    case framesPerPacket
    case packetSize
    case frameSize
    case bitCount
    case sampleExceedsContainer
    case containerSize
    case packedWithPadding
    case floatSize
    case floatWithPadding
    case floatWithFraction
    case fractionExceedsSample

    /// The fields that are wrong, or that contradict each other.
    public var fields: StreamDescription.Fields { row.fields }

    /// The rule that the fields break.
    public var text: StaticString { row.text }

    private var row: (fields: StreamDescription.Fields, text: StaticString) {
        switch self {
        case .notLinearPCM: (.formatID, "mFormatID is not 'lpcm'")
        case .unknownFlags: (.formatFlags, "mFormatFlags has a flag that linear PCM does not have")
        case .sampleRate: (.sampleRate, "mSampleRate is not a finite number above 0")
        case .channelCount: (.channelsPerFrame, "mChannelsPerFrame is not in 1...8")
        case .framesPerPacket: (.framesPerPacket, "mFramesPerPacket of linear PCM is 1")
        case .packetSize: ([.bytesPerPacket, .bytesPerFrame], "mBytesPerPacket of linear PCM equals mBytesPerFrame")
        case .frameSize:
            (
                [.bytesPerFrame, .channelsPerFrame, .formatFlags],
                "mBytesPerFrame of interleaved PCM is a multiple of mChannelsPerFrame, and not 0"
            )
        case .bitCount: (.bitsPerChannel, "mBitsPerChannel of an integer format is not in 8...32")
        case .sampleExceedsContainer:
            (
                [.bitsPerChannel, .bytesPerFrame, .channelsPerFrame, .formatFlags],
                "mBitsPerChannel exceeds the bytes that mBytesPerFrame leaves for one sample"
            )
        case .containerSize:
            (
                [.bytesPerFrame, .channelsPerFrame, .formatFlags],
                "mBytesPerFrame leaves more than 4 bytes for one integer sample"
            )
        case .packedWithPadding:
            (
                [.formatFlags, .bitsPerChannel, .bytesPerFrame],
                "kAudioFormatFlagIsPacked is set, and mBytesPerFrame leaves more bits for one sample than mBitsPerChannel"
            )
        case .floatSize: ([.formatFlags, .bitsPerChannel], "mBitsPerChannel of a float format is neither 32 nor 64")
        case .floatWithPadding:
            (
                [.formatFlags, .bitsPerChannel, .bytesPerFrame, .channelsPerFrame],
                "mBytesPerFrame leaves more bits for one float sample than mBitsPerChannel"
            )
        case .floatWithFraction: (.formatFlags, "mFormatFlags has both kAudioFormatFlagIsFloat and fraction bits")
        case .fractionExceedsSample:
            ([.formatFlags, .bitsPerChannel], "mFormatFlags has more fraction bits than mBitsPerChannel")
        }
    }
}
