// SPDX-License-Identifier: Apache-2.0

/// A gain that moves to its target in a straight line: frame i of a ramp of n frames has the start and i/n of the way, and the frame
/// after the last one has the target.
public struct GainRamp: Equatable, Sendable {
    /// The gain of the next frame.
    public private(set) var value: Float
    private var start: Float
    private var target: Float
    /// Frames since the beginning of the ramp; negative before it.
    private var position = 0
    private var length = 0

    public init(_ value: Float) {
        self.value = value
        start = value
        target = value
    }

    public var isSteady: Bool { position >= length }
    /// Frames until the target.
    public var remaining: Int { max(length - position, 0) }

    /// Begins a ramp in the middle of another one without a step. `delay`: the frames before the ramp; negative for a ramp that has
    /// begun. `start`: the first value of the ramp in place of the present one.
    public mutating func ramp(to target: Float, frames: Int, delay: Int = 0, from start: Float? = nil) {
        self.target = target
        self.start = start ?? value
        guard frames > 0, self.start != target || self.start != value else {
            value = target
            (position, length) = (0, 0)
            return
        }
        (position, length) = (-delay, frames)
        update()
    }

    /// The gain of the next frame, which is in the past afterwards.
    @inline(__always)
    public mutating func next() -> Float {
        guard !isSteady else { return value }
        let now = value
        position &+= 1
        update()
        return now
    }

    /// Advances by frames that are not rendered.
    public mutating func skip(_ frames: Int) {
        guard !isSteady else { return }
        position &+= frames
        update()
    }

    @inline(__always)
    private mutating func update() {
        if position >= length {
            value = target
        } else if position >= 0 {
            value = start + (target - start) * (Float(position) / Float(length))
        }
    }
}
