// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import LinuxSystem

/// The input of a pulled stream on one device: the frames that were captured and not consumed. Only the stream's
/// thread uses it. After the initialization nothing allocates, except when a device fails.
final class PullInput: PullSide {
    let layout: SampleLayout
    private(set) var source: ClockSource
    let slice: UInt64

    private let clock: any DeviceClock
    private let counters: PullCounters
    private var device: any CaptureDevice
    /// Captured frames, the oldest first.
    private let frames: UnsafeMutablePointer<Float>
    private let capacity: UInt64
    private var count: UInt64 = 0
    /// Frames captured since the last cycle.
    private(set) var fresh: UInt64 = 0
    /// The frames of one read, in the format of the device.
    private let bytes: UnsafeMutableRawPointer
    private let longestRead: UInt64
    private(set) var loop: DelayLockedLoop
    /// The number of the oldest frame.
    private var frame: UInt64 = 0

    init(
        _ opened: OpenedInput, _ source: ClockSource, _ length: SliceLength, by clock: any DeviceClock,
        _ counters: PullCounters, after former: PullInput?
    ) {
        device = opened.device
        layout = opened.layout
        self.source = source
        self.clock = clock
        self.counters = counters
        slice = length.frames(at: opened.layout.rate)
        capacity = max(slice * 8, opened.layout.frames(inMilliseconds: 100))
        longestRead = slice
        let samples = Int(capacity) * Int(opened.layout.channels)
        frames = .allocate(capacity: samples)
        frames.initialize(repeating: 0, count: samples)
        bytes = .allocate(byteCount: Int(longestRead) * opened.layout.frameSize, alignment: 16)
        loop = DelayLockedLoop(rate: layout.rate, after: former?.loop)
        frame = former.map { layout.frames(lasting: $0.frame &+ $0.count, of: $0.layout) } ?? 0
    }

    deinit {
        frames.deallocate()
        bytes.deallocate()
    }

    // MARK: Start and stop

    func start() {
        do throws(SystemError) { try startDevice() } catch { useClock(after: error) }
    }

    private func startDevice() throws(SystemError) {
        try device.prepare()
        try device.start()
        drop(count)
        let lost = loop.start(at: clock.now)
        frame &+= lost
        counters.addLost(lost)
    }

    func halt() { device.stop() }

    func release() { device = silentDevice }

    private var silentDevice: ClockCapture {
        ClockCapture(StreamShape(layout: layout, period: slice, buffer: slice * 2), by: clock)
    }

    private func useClock(after error: SystemError) {
        Log.debug("the input device failed: \(error.text). The stream records silence until the route changes")
        device = silentDevice
        source = .system
        do throws(SystemError) { try startDevice() } catch {}
    }

    private func recover(from error: SystemError) {
        guard error == .late || error == .suspended else { return useClock(after: error) }
        counters.addOverrun()
        start()
    }

    /// Drops the frames that were captured up to now.
    func restart() {
        capture()
        drop(count)
    }

    private func drop(_ number: UInt64) {
        counters.addLost(number)
        remove(number)
    }

    private func remove(_ number: UInt64) {
        let number = min(number, count)
        let channels = Int(layout.channels)
        count &-= number
        frame &+= number
        guard number > 0, count > 0 else { return }
        stream_copy(frames, frames + Int(number) * channels, Int(count) * channels)
    }

    // MARK: A cycle

    /// Reads the frames that the device has captured. When there is no room, the oldest frames are dropped.
    func capture() {
        do throws(SystemError) {
            let position = try device.position()
            var left = position.available
            var taken: UInt64 = 0
            var overruns = false
            while left > 0 {
                let read = try device.read(bytes, min(left, longestRead))
                guard read > 0 else { break }
                if count &+ read > capacity {
                    overruns = true
                    drop(count &+ read &- capacity)
                }
                append(read)
                left &-= min(read, left)
                taken &+= read
            }
            if overruns { counters.addOverrun() }
            let delay = position.delay > taken ? position.delay &- taken : 0
            let now = clock.now
            let age = layout.nanoseconds(of: delay)
            _ = loop.update(measured: now > age ? now &- age : 0)
        } catch { recover(from: error) }
    }

    private func append(_ number: UInt64) {
        let channels = Int(layout.channels)
        stream_to_float(layout.sample, bytes, frames + Int(count) * channels, Int(number) * channels)
        count &+= number
        fresh &+= number
        loop.advance(by: number)
    }

    func describe(_ cycle: inout pull_cycle) {
        cycle.input = UnsafePointer(frames)
        cycle.input_frames = UInt32(clamping: count)
        cycle.input_frame = frame
        cycle.input_time = loop.expected(before: count)
    }

    /// The number of frames to wait until a slice of new frames is available; 0: now.
    var framesToWait: UInt64 { fresh >= slice ? 0 : max(slice &- fresh, slice / 8) }

    func consume(_ number: UInt32) {
        remove(UInt64(number))
        fresh = 0
    }
}
