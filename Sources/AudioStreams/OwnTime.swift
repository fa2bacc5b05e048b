import CLinux

/// How far frames have got that pass by the clock alone.
struct OwnTime {
    private let layout: SampleLayout
    /// 0: it does not pass.
    private var startTime: UInt64 = 0

    init(_ layout: SampleLayout) { self.layout = layout }

    var passes: Bool { startTime > 0 }
    /// Frames since it began.
    var elapsed: UInt64 { passes ? layout.frames(in: linux_monotonic_nanoseconds() &- startTime) : 0 }

    mutating func start() { startTime = linux_monotonic_nanoseconds() }
    mutating func stop() { startTime = 0 }
}
