// SPDX-License-Identifier: Apache-2.0
import AudioHardware

/// The progress of frames by a clock.
struct FrameClock {
    private let layout: SampleLayout
    private let clock: any DeviceClock
    /// 0: stopped.
    private var startTime: UInt64 = 0

    init(_ layout: SampleLayout, by clock: any DeviceClock = MonotonicClock.shared) {
        self.layout = layout
        self.clock = clock
    }

    private var isRunning: Bool { startTime > 0 }
    var now: UInt64 { clock.now }
    /// Frames since the start.
    var elapsed: UInt64 { isRunning ? layout.frames(in: clock.now &- startTime) : 0 }

    /// The number of the `written` frames that have not elapsed; nil when all have.
    func left(of written: UInt64) -> UInt64? {
        let elapsed = elapsed
        return elapsed < written || !isRunning ? written &- elapsed : nil
    }

    /// The number of frames that have elapsed since `read` frames were read.
    func elapsed(beyond read: UInt64) -> UInt64 {
        let elapsed = elapsed
        return elapsed > read ? elapsed &- read : 0
    }

    /// The time at which `frames` frames have elapsed.
    func moment(of frames: UInt64) -> UInt64 { startTime &+ layout.nanoseconds(of: frames) }

    mutating func start() { startTime = clock.now }
    mutating func stop() { startTime = 0 }
}
