// SPDX-License-Identifier: Apache-2.0
import CLinux
import Synchronization

/// A parameter of a mixer. Program threads, also audio threads, set it, and the rendering thread applies it. No
/// thread takes a lock.
final class RampedParameter: @unchecked Sendable {
    struct Ramp: Equatable {
        /// Nil: the ramp starts at the present value.
        var start: Float?
        var end: Float
        /// Frames from the beginning of the next slice to the beginning of the ramp. Negative for a ramp that has begun.
        var offset: Int32 = 0
        /// 0: the ramp ends with the next slice.
        var frames: UInt32 = 0
    }

    /// Odd while a thread writes the words.
    private let sequence = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    /// The start and the end of the ramp, and its times.
    private let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
    private let last: Atomic<UInt32>

    init(_ value: Float) {
        sequence.initialize(to: 0)
        words.initialize(to: UInt64(Float.nan.bitPattern) << 32 | UInt64(value.bitPattern))
        (words + 1).initialize(to: 0)
        last = Atomic(value.bitPattern)
    }

    deinit {
        sequence.deallocate()
        words.deallocate()
    }

    /// The value to which the parameter was set.
    var value: Float { Float(bitPattern: last.load(ordering: .relaxed)) }

    /// If another thread writes at this moment, it has three stores left.
    func set(_ ramp: Ramp) {
        let begun = linux_sequence_begin(sequence)
        linux_store64(words, UInt64((ramp.start ?? .nan).bitPattern) << 32 | UInt64(ramp.end.bitPattern))
        linux_store64(words + 1, UInt64(UInt32(bitPattern: ramp.offset)) << 32 | UInt64(ramp.frames))
        last.store(ramp.end.bitPattern, ordering: .relaxed)
        linux_sequence_end(sequence, begun)
    }

    /// The last ramp. Nil if its number is `number`, or if a thread sets another ramp at this moment.
    func ramp(after number: UInt32?) -> (ramp: Ramp, number: UInt32)? {
        let before = linux_sequence_read(sequence)
        guard before != number else { return nil }
        let (values, times) = (linux_load64(words), linux_load64(words + 1))
        guard linux_sequence_is(sequence, before) else { return nil }
        let start = Float(bitPattern: UInt32(truncatingIfNeeded: values >> 32))
        let ramp = Ramp(
            start: start.isNaN ? nil : start, end: Float(bitPattern: UInt32(truncatingIfNeeded: values)),
            offset: Int32(truncatingIfNeeded: times >> 32), frames: UInt32(truncatingIfNeeded: times))
        return (ramp, before)
    }
}
