// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Synchronization

/// The time of the last render, which the rendering thread writes and other threads read without a lock.
final class RenderClock: Sendable {
    /// Odd while the rendering thread writes.
    private let sequence = Atomic<UInt32>(0)
    private let sampleTime = Atomic<UInt64>(0)
    private let hostTime = Atomic<UInt64>(0)
    private let rateScalar = Atomic<UInt64>(0)
    private let flags = Atomic<UInt32>(0)
    private let frames = Atomic<UInt32>(0)

    struct Reading {
        var time: AudioTimeStamp
        var frames: UInt32
    }

    /// The rendering thread.
    func publish(_ time: UnsafePointer<AudioTimeStamp>, _ count: UInt32) {
        let next = sequence.load(ordering: .relaxed) &+ 1
        sequence.store(next, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        sampleTime.store(time.pointee.mSampleTime.bitPattern, ordering: .relaxed)
        hostTime.store(time.pointee.mHostTime, ordering: .relaxed)
        rateScalar.store(time.pointee.mRateScalar.bitPattern, ordering: .relaxed)
        flags.store(time.pointee.mFlags.rawValue, ordering: .relaxed)
        frames.store(count, ordering: .relaxed)
        sequence.store(next &+ 1, ordering: .releasing)
    }

    func clear() { flags.store(0, ordering: .relaxed) }

    /// Nil before the first render.
    var last: Reading? {
        while true {
            let before = sequence.load(ordering: .acquiring)
            var time = AudioTimeStamp()
            time.mSampleTime = Double(bitPattern: sampleTime.load(ordering: .relaxed))
            time.mHostTime = hostTime.load(ordering: .relaxed)
            time.mRateScalar = Double(bitPattern: rateScalar.load(ordering: .relaxed))
            time.mFlags = AudioTimeStampFlags(rawValue: flags.load(ordering: .relaxed))
            let reading = Reading(time: time, frames: frames.load(ordering: .relaxed))
            atomicMemoryFence(ordering: .acquiring)
            // A write takes a few instructions.
            guard before & 1 == 0, before == sequence.load(ordering: .relaxed) else { continue }
            return time.mFlags.rawValue == 0 ? nil : reading
        }
    }
}
