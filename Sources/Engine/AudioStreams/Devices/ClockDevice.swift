// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem

/// Playback by a clock. A simulated machine records it into a file.
final class ClockPlayback: PlaybackDevice {
    private let file: WaveFile?
    let queue: UInt64
    let period: UInt64
    private var time: FrameClock
    private var written: UInt64 = 0

    init(_ shape: StreamShape, into file: WaveFile?, by clock: any DeviceClock = MonotonicClock.shared) {
        time = FrameClock(shape.layout, by: clock)
        self.file = file
        queue = max(shape.usualQueue, 2)
        period = shape.usualPeriod
    }

    func prepare() {
        time.stop()
        written = 0
    }

    func start() { time.start() }

    func stop(waits: Bool) -> UInt64? {
        defer { prepare() }
        let played = min(written, time.elapsed)
        if written > 0 { file?.end(after: played, at: time.now) }
        return written &- played
    }

    func pending() throws(SystemError) -> UInt64 {
        guard let left = time.left(of: written) else {
            // The playback ended with its last frame, even if this is noticed later.
            file?.end(after: written, at: time.moment(of: written))
            throw .late
        }
        file?.reach(written &- left)
        return left
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64) -> UInt64 {
        if written == 0 { file?.begin(at: time.now) }
        file?.write(frames, count, after: written)
        written &+= count
        return count
    }
}

/// Capture by a clock: the sound of a file, or silence.
final class ClockCapture: CaptureDevice {
    private let layout: SampleLayout
    private let file: MicrophoneFile?
    let period: UInt64
    private var time: FrameClock
    private var recorded: UInt64 = 0

    init(_ shape: StreamShape, from file: MicrophoneFile? = nil, by clock: any DeviceClock = MonotonicClock.shared) {
        layout = shape.layout
        self.file = file
        time = FrameClock(layout, by: clock)
        period = shape.usualPeriod
    }

    func prepare() { recorded = 0 }
    func start() {
        time.start()
        file?.start(at: time.now)
    }
    func stop() { time.stop() }

    func available() -> UInt64 { time.elapsed(beyond: recorded) }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) -> UInt64 {
        if let file {
            file.read(into: frames, count, at: recorded)
        } else {
            frames.initializeMemory(as: UInt8.self, repeating: 0, count: Int(clamping: count) * layout.frameSize)
        }
        recorded &+= count
        return count
    }
}
