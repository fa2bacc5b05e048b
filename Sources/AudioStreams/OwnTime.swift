import CLinux

/// How far frames have got that pass by the clock alone.
struct OwnTime {
    private let layout: SampleLayout
    /// 0: it does not pass.
    private var startTime: UInt64 = 0

    init(_ layout: SampleLayout) { self.layout = layout }

    private var passes: Bool { startTime > 0 }
    /// Frames since it began.
    var elapsed: UInt64 { passes ? layout.frames(in: linux_monotonic_nanoseconds() &- startTime) : 0 }

    /// What has not passed yet of so many; nil when all has.
    func left(of written: UInt64) -> UInt64? {
        let elapsed = elapsed
        return elapsed < written || !passes ? written &- elapsed : nil
    }

    /// What has passed since so many were taken.
    func elapsed(beyond taken: UInt64) -> UInt64 {
        let elapsed = elapsed
        return elapsed > taken ? elapsed &- taken : 0
    }

    /// When so many had passed.
    func moment(of frames: UInt64) -> UInt64 { startTime &+ layout.nanoseconds(of: frames) }

    mutating func start() { startTime = linux_monotonic_nanoseconds() }
    mutating func stop() { startTime = 0 }
}
