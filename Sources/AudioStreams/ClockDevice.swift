import CLinux

/// Plays by the clock alone: what is heard of it, if anything, is a file.
final class ClockOutlet: Outlet {
    private let file: WaveFile?
    let queue: UInt64
    let period: UInt64
    private var time: OwnTime
    private var written: UInt64 = 0

    init(_ shape: StreamShape, into file: WaveFile?) {
        time = OwnTime(shape.layout)
        self.file = file
        queue = max(shape.usualQueue, 2)
        period = shape.usualPeriod
    }

    func prepare() {
        time.stop()
        written = 0
    }

    func start() { time.start() }

    func stop() -> UInt64? {
        defer { prepare() }
        let heard = min(written, time.elapsed)
        if written > 0 { file?.end(after: heard, at: linux_monotonic_nanoseconds()) }
        return written &- heard
    }

    func pending() throws(StreamError) -> UInt64 {
        guard let left = time.left(of: written) else {
            // It ran dry then, however late that is noticed.
            file?.end(after: written, at: time.moment(of: written))
            throw .late
        }
        return left
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
    private var time: OwnTime
    private var taken: UInt64 = 0

    init(_ shape: StreamShape) {
        layout = shape.layout
        time = OwnTime(layout)
        period = shape.usualPeriod
    }

    func prepare() { taken = 0 }
    func start() { time.start() }
    func stop() { time.stop() }

    func available() -> UInt64 { time.elapsed(beyond: taken) }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) -> UInt64 {
        frames.initializeMemory(as: UInt8.self, repeating: 0, count: Int(clamping: count) * layout.frameSize)
        taken &+= count
        return count
    }
}
