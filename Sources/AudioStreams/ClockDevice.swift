import CLinux

/// Plays by the clock alone: what is heard of it, if anything, is a file.
final class ClockOutlet: Outlet {
    private let layout: SampleLayout
    private let file: WaveFile?
    let queue: UInt64
    let period: UInt64
    /// Since it was started; 0: it has not been.
    private var startTime: UInt64 = 0
    private var written: UInt64 = 0

    init(_ shape: StreamShape, into file: WaveFile?) {
        layout = shape.layout
        self.file = file
        queue = max(shape.usualQueue, 2)
        period = shape.usualPeriod
    }

    func prepare() {
        startTime = 0
        written = 0
    }

    func start() { startTime = linux_monotonic_nanoseconds() }

    func stop() -> UInt64? {
        defer { prepare() }
        let heard = min(written, elapsed)
        if written > 0 { file?.end(after: heard, at: linux_monotonic_nanoseconds()) }
        return written &- heard
    }

    private var elapsed: UInt64 { startTime == 0 ? 0 : layout.frames(in: linux_monotonic_nanoseconds() &- startTime) }

    func pending() throws(StreamError) -> UInt64 {
        let elapsed = elapsed
        guard elapsed < written || startTime == 0 else {
            file?.end(after: written, at: linux_monotonic_nanoseconds())
            throw .late
        }
        return written &- elapsed
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64) -> UInt64 {
        if written == 0 { file?.begin(at: linux_monotonic_nanoseconds()) }
        file?.write(frames, count, after: written)
        written &+= count
        return count
    }
}

/// Silence, as fast as a microphone would bring it.
final class ClockInlet: Inlet {
    private let layout: SampleLayout
    let period: UInt64
    private var startTime: UInt64 = 0
    private var taken: UInt64 = 0

    init(_ shape: StreamShape) {
        layout = shape.layout
        period = shape.usualPeriod
    }

    func prepare() { taken = 0 }
    func start() { startTime = linux_monotonic_nanoseconds() }
    func stop() { startTime = 0 }

    func available() -> UInt64 {
        guard startTime > 0 else { return 0 }
        let elapsed = layout.frames(in: linux_monotonic_nanoseconds() &- startTime)
        return elapsed > taken ? elapsed &- taken : 0
    }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) -> UInt64 {
        frames.initializeMemory(as: UInt8.self, repeating: 0, count: Int(clamping: count) * layout.frameSize)
        taken &+= count
        return count
    }
}
