// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// The time of a player: frames since its start. Each start time that the program sets has a clock of its own.
final class PlayerClock: @unchecked Sendable {
    enum Start {
        /// The program has set no start time.
        case none
        /// With the next render.
        case now
        case sampleTime(Double)
        case hostTime(UInt64)
    }

    private let start: Start
    /// The sample time of the start, and the one of the next render. Only the rendering thread uses them.
    private var origin: Double?
    private var expected: Double?
    /// The bits of the position after the last render.
    private let position = Atomic<UInt64>((-1.0).bitPattern)

    init(_ start: Start) { self.start = start }

    /// The next frame to render; -1 before the start.
    var playTime: Double { Double(bitPattern: position.load(ordering: .relaxed)) }

    var isSet: Bool {
        if case .none = start { return false }
        return true
    }

    /// The position of the first frame of a render; negative if the start is later. Nil if the start is not in sight. If the sample
    /// time goes back, for example because the output has been started again, the position continues.
    func advance(_ time: AudioTimeStamp, frames: Int, rate: Double) -> Int? {
        guard let origin = origin(time, frames, rate) else { return nil }
        var first = time.mSampleTime - origin
        if let expected, expected > origin, time.mSampleTime < expected {
            self.origin = origin + time.mSampleTime - expected
            first = expected - origin
        }
        guard let position = Int(exactly: first.rounded()) else { return nil }
        expected = time.mSampleTime + Double(frames)
        let next = position &+ frames
        self.position.store((next > 0 ? Double(next) : -1).bitPattern, ordering: .relaxed)
        return position
    }

    private func origin(_ time: AudioTimeStamp, _ frames: Int, _ rate: Double) -> Double? {
        if let origin { return origin }
        switch start {
        case .none: return nil
        case .now: origin = time.mSampleTime
        case .sampleTime(let start): origin = start
        case .hostTime(let start):
            guard time.mFlags & UInt32(kAudioTimeStampHostTimeValid) != 0, start > time.mHostTime else {
                origin = time.mSampleTime
                break
            }
            let ahead = (Double(start &- time.mHostTime) / 1e9 * rate).rounded()
            guard ahead < Double(frames) else { return nil }
            origin = time.mSampleTime + ahead
        }
        return origin
    }
}

extension PlayerClock.Start {
    /// The sample time precedes the host time; -1 and the host time 0 stand for the next render.
    init(_ time: AudioTimeStamp) throws(UnitError) {
        if time.mFlags & UInt32(kAudioTimeStampSampleTimeValid) != 0 {
            guard time.mSampleTime.isFinite else { throw .invalidPropertyValue }
            self = time.mSampleTime < 0 ? .now : .sampleTime(time.mSampleTime)
        } else if time.mFlags & UInt32(kAudioTimeStampHostTimeValid) != 0 {
            self = time.mHostTime == 0 ? .now : .hostTime(time.mHostTime)
        } else {
            throw .invalidPropertyValue
        }
    }
}
