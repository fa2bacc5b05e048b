// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// A moment: as host time, as a number of frames, or both.
open class AVAudioTime: NSObject, NSCopying, @unchecked Sendable {
    /// The time as the C functions have it.
    public let audioTimeStamp: AudioTimeStamp
    /// The rate in which frames are counted; 0 without a number of frames.
    public let sampleRate: Double

    /// The time of a time stamp.
    public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        audioTimeStamp = ts.pointee
        self.sampleRate = sampleRate
        super.init()
    }

    /// A host time.
    public init(hostTime: UInt64) {
        var time = AudioTimeStamp()
        time.mHostTime = hostTime
        time.mFlags = .hostTimeValid
        audioTimeStamp = time
        sampleRate = 0
        super.init()
    }

    /// A number of frames.
    public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var time = AudioTimeStamp()
        time.mSampleTime = Float64(sampleTime)
        time.mFlags = .sampleTimeValid
        audioTimeStamp = time
        self.sampleRate = sampleRate
        super.init()
    }

    /// A host time, and the number of frames at this time.
    public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var time = AudioTimeStamp()
        time.mHostTime = hostTime
        time.mSampleTime = Float64(sampleTime)
        time.mFlags = [.hostTimeValid, .sampleTimeValid]
        audioTimeStamp = time
        self.sampleRate = sampleRate
        super.init()
    }

    /// The host time of a number of seconds.
    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        let nanoseconds = (seconds * 1_000_000_000).rounded()
        return nanoseconds > 0 ? UInt64(exactly: nanoseconds) ?? .max : 0
    }

    /// The number of seconds of a host time.
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { TimeInterval(hostTime) / 1_000_000_000 }

    public var isHostTimeValid: Bool { audioTimeStamp.mFlags.contains(.hostTimeValid) }

    public var hostTime: UInt64 { audioTimeStamp.mHostTime }

    public var isSampleTimeValid: Bool { audioTimeStamp.mFlags.contains(.sampleTimeValid) }

    public var sampleTime: AVAudioFramePosition {
        let frames = audioTimeStamp.mSampleTime.rounded(.down)
        return AVAudioFramePosition(exactly: frames) ?? (frames < 0 ? .min : frames > 0 ? .max : 0)
    }

    /// This time with both of its values, which follow from another time that has both. Nil if the other one lacks a value, or
    /// this one has none.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid, isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, anchorTime.sampleRate > 0 else { return nil }
        if isHostTimeValid {
            let distance = Double(hostTime) - Double(anchorTime.hostTime)
            let frames = anchorTime.audioTimeStamp.mSampleTime + (distance / 1_000_000_000 * anchorTime.sampleRate).rounded()
            guard let frames = AVAudioFramePosition(exactly: frames.rounded()) else { return nil }
            return AVAudioTime(hostTime: hostTime, sampleTime: frames, atRate: anchorTime.sampleRate)
        }
        guard isSampleTimeValid, sampleRate > 0 else { return nil }
        // The frames of both times are counted from one beginning, each in its rate.
        let distance = audioTimeStamp.mSampleTime / sampleRate - anchorTime.audioTimeStamp.mSampleTime / anchorTime.sampleRate
        let host = Double(anchorTime.hostTime) + (distance * 1_000_000_000).rounded()
        guard let host = UInt64(exactly: host.rounded()) else { return nil }
        return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: sampleRate)
    }

    /// The time itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        let host = isHostTimeValid ? "\(hostTime) ns" : "no host time"
        let frames = isSampleTimeValid ? "\(sampleTime)/\(sampleRate) Hz" : "no frames"
        return "<AVAudioTime: \(host), \(frames)>"
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioTime else { return false }
        return audioTimeStamp.mFlags == other.audioTimeStamp.mFlags && hostTime == other.hostTime
            && audioTimeStamp.mSampleTime == other.audioTimeStamp.mSampleTime && sampleRate == other.sampleRate
    }

    open override var hash: Int { Int(truncatingIfNeeded: hostTime) ^ Int(truncatingIfNeeded: sampleTime) }
}
