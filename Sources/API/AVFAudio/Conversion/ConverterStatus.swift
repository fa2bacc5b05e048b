// SPDX-License-Identifier: Apache-2.0

/// The result of the block that supplies the input of a converter.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// The buffer has sound.
    case haveData = 0
    /// There is no sound now, and there may be some later.
    case noDataNow = 1
    /// There is no further sound.
    case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The buffer has sound. It is not full only if the input has ended.
    case haveData = 0
    /// There was less input than necessary. The buffer has the sound that could be converted.
    case inputRanDry = 1
    /// The input has ended, and the buffer has no sound.
    case endOfStream = 2
    case error = 3
}

/// Returns the next input of a converter: sound for this number of packets, or any other number. The memory must not change until
/// the next call or until the converter is reset.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// The frames before the first and after the last frame of the input that a conversion of the rate uses.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// Input on both sides.
    case pre = 0
    /// Silence before, and input after the end.
    case normal = 1
    /// Silence on both sides.
    case none = 2
}

/// The numbers of frames that a conversion of the rate needs before and after the input.
public struct AVAudioConverterPrimeInfo: Sendable, Equatable {
    public var leadingFrames: AVAudioFrameCount
    public var trailingFrames: AVAudioFrameCount

    public init(leadingFrames: AVAudioFrameCount = 0, trailingFrames: AVAudioFrameCount = 0) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}
