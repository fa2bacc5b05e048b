// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A parameter of a mixer. Program threads, also audio threads, set it, and the rendering thread applies it. No
/// thread takes a lock.
final class RampedParameter: Sendable {
    struct Ramp: Equatable {
        /// Nil: the ramp starts at the present value.
        var start: Float?
        var end: Float
        /// Frames from the beginning of the next slice to the beginning of the ramp. Negative for a ramp that has begun.
        var offset: Int32 = 0
        /// 0: the ramp ends with the next slice.
        var frames: UInt32 = 0
    }

    /// Odd while a thread writes the two other members.
    private let sequence = Atomic<UInt32>(0)
    private let values: Atomic<UInt64>
    private let times = Atomic<UInt64>(0)
    private let last: Atomic<UInt32>

    init(_ value: Float) {
        values = Atomic(UInt64(Float.nan.bitPattern) << 32 | UInt64(value.bitPattern))
        last = Atomic(value.bitPattern)
    }

    /// The value to which the parameter was set.
    var value: Float { Float(bitPattern: last.load(ordering: .relaxed)) }

    func set(_ ramp: Ramp) {
        var even = sequence.load(ordering: .relaxed) & ~1
        while true {
            let exchange = sequence.weakCompareExchange(expected: even, desired: even | 1, ordering: .acquiringAndReleasing)
            if exchange.exchanged { break }
            // Another thread writes at this moment. Its write consists of three stores.
            even = exchange.original & ~1
        }
        values.store(
            UInt64((ramp.start ?? .nan).bitPattern) << 32 | UInt64(ramp.end.bitPattern), ordering: .sequentiallyConsistent)
        times.store(UInt64(UInt32(bitPattern: ramp.offset)) << 32 | UInt64(ramp.frames), ordering: .sequentiallyConsistent)
        last.store(ramp.end.bitPattern, ordering: .relaxed)
        sequence.store(even &+ 2, ordering: .sequentiallyConsistent)
    }

    /// The last ramp. Nil if its number is `number`, or if a thread sets another ramp at this moment.
    func ramp(after number: UInt32?) -> (ramp: Ramp, number: UInt32)? {
        let before = sequence.load(ordering: .sequentiallyConsistent)
        guard before & 1 == 0, before != number else { return nil }
        let (values, times) = (
            values.load(ordering: .sequentiallyConsistent), times.load(ordering: .sequentiallyConsistent)
        )
        guard sequence.load(ordering: .sequentiallyConsistent) == before else { return nil }
        let start = Float(bitPattern: UInt32(truncatingIfNeeded: values >> 32))
        let ramp = Ramp(
            start: start.isNaN ? nil : start, end: Float(bitPattern: UInt32(truncatingIfNeeded: values)),
            offset: Int32(truncatingIfNeeded: times >> 32), frames: UInt32(truncatingIfNeeded: times))
        return (ramp, before)
    }
}

/// The value of a parameter on the rendering thread, for each frame.
struct ParameterValue {
    private(set) var now: Float
    private var number: UInt32?
    private var ramp: RampedParameter.Ramp?
    /// Frames since the beginning of the ramp.
    private var position = 0
    private var start: Float = 0
    private var length = 0

    init(_ value: Float) { now = value }

    /// The value is the same in all frames of the slice.
    var isSteady: Bool { ramp == nil }

    /// Called at the beginning of a slice. The first value applies immediately, unless it is a ramp with a length.
    mutating func follow(_ parameter: RampedParameter, frames: Int) {
        if let ramp, position >= length {
            now = ramp.end
            self.ramp = nil
        }
        guard let (next, number) = parameter.ramp(after: number) else { return }
        let isFirst = self.number == nil
        self.number = number
        if isFirst, next.frames == 0 {
            now = next.end
            ramp = nil
            return
        }
        guard next.frames > 0 || next.end != now || ramp != nil else { return }
        ramp = next
        position = -Int(next.offset)
        length = next.frames == 0 ? max(frames, 1) : Int(next.frames)
        start = next.start ?? now
    }

    /// The value of the next frame.
    @inline(__always)
    mutating func next() -> Float {
        guard let ramp else { return now }
        if position >= length {
            now = ramp.end
            self.ramp = nil
        } else if position >= 0 {
            now = start + (ramp.end - start) * (Float(position) / Float(length))
        }
        position &+= 1
        return now
    }

    /// Advances by frames that are not rendered.
    mutating func skip(_ frames: Int) {
        guard let ramp else { return }
        position &+= frames
        if position >= length {
            now = ramp.end
            self.ramp = nil
        }
    }
}
