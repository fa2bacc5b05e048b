// SPDX-License-Identifier: Apache-2.0
import CALSA
import CLinux
import LinuxSystem

/// An opened device of ALSA's configuration, as it was granted.
struct OpenStream: ~Copyable {
    let handle: OpaquePointer
    let layout: SampleLayout
    let period: UInt64
    let buffer: UInt64
    /// The memory of the device is filled, instead of writes.
    let isMapped: Bool
    /// The device plays what was mixed, also after a drop.
    let isMixer: Bool

    /// Opens the first name that has a device for the layout. Throws the error of the last name.
    init(_ names: [String], playback: Bool, _ shape: StreamShape, period: UInt64, buffer: UInt64) throws(SystemError) {
        self = try OpenStream.first(of: names) { name throws(SystemError) in
            try OpenStream(name, playback: playback, shape, period: period, buffer: buffer)
        }
    }

    /// Opens the first name that has a device, at the rate of the device nearest to the wanted one.
    init(_ names: [String], playback: Bool, near target: DeviceTarget, _ slice: SliceLength) throws(SystemError) {
        self = try OpenStream.first(of: names) { name throws(SystemError) in
            try OpenStream(name, playback: playback, near: target, slice)
        }
    }

    private static func first(of names: [String], _ open: (String) throws(SystemError) -> OpenStream) throws(SystemError)
        -> OpenStream
    {
        var failure = SystemError.noDevice
        for name in names {
            do throws(SystemError) { return try open(name) } catch {
                Log.debug("\(name): \(error.text)")
                failure = error
            }
        }
        throw failure
    }

    private init(_ name: String, playback: Bool, _ shape: StreamShape, period: UInt64, buffer: UInt64) throws(SystemError) {
        let opened = try OpenStream.open(name, playback: playback)
        var (period, buffer, isMapped) = (period, buffer, false)
        let result = alsa_stream_configure(
            opened, shape.layout.sample, shape.layout.channels, shape.layout.rate, shape.buffer, &period, &buffer, &isMapped)
        guard result >= 0, period > 0, buffer >= period else {
            alsa_stream_close(opened)
            throw result < 0 ? SystemError(result: result) : .invalid
        }
        handle = opened
        layout = shape.layout
        isMixer = PCMNames.isMixer(name)
        self.period = period
        self.buffer = buffer
        self.isMapped = isMapped
    }

    private init(_ name: String, playback: Bool, near target: DeviceTarget, _ slice: SliceLength) throws(SystemError) {
        let opened = try OpenStream.open(name, playback: playback)
        var setup = alsa_stream_setup()
        setup.rate = target.rate
        setup.channels = target.channels
        setup.period_seconds = target.period(of: slice)
        // A recording waits longer. The position of a card moves in steps, so that two slices seem to need more room than they do. Silence behind them lasts
        // until the card notices at the end of a period that frames are missing.
        setup.buffer_seconds =
            playback ? slice.seconds * 2 + setup.period_seconds * 2 + 0.005 : max(slice.seconds * 8, 0.1)
        let result = alsa_stream_negotiate(opened, &setup)
        guard result >= 0, setup.period > 0, setup.buffer >= setup.period,
            let layout = SampleLayout(sample: setup.sample, channels: setup.channels, rate: setup.rate)
        else {
            alsa_stream_close(opened)
            throw result < 0 ? SystemError(result: result) : .invalid
        }
        handle = opened
        self.layout = layout
        isMixer = PCMNames.isMixer(name)
        period = setup.period
        buffer = setup.buffer
        isMapped = setup.is_mapped
    }

    private static func open(_ name: String, playback: Bool) throws(SystemError) -> OpaquePointer {
        var opened: OpaquePointer?
        try SystemError.check(alsa_stream_open(&opened, name, playback))
        guard let opened else { throw .noDevice }
        return opened
    }

    deinit { alsa_stream_close(handle) }

    func position() throws(SystemError) -> (available: Int64, delay: Int64) {
        var (available, delay) = (Int64(0), Int64(0))
        try SystemError.check(alsa_stream_where(handle, &available, &delay))
        return (available, delay)
    }

    /// Returns the number of frames that the device accepted.
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        try moved(
            isMapped
                ? alsa_stream_fill(handle, frames, count, layout.frameSize) : alsa_stream_write(handle, frames, count))
    }

    /// The whole buffer can be written or read. This is the case with a device without a clock.
    var offersEverything: Bool {
        do throws(SystemError) { return UInt64(clamping: try position().available) >= buffer } catch { return false }
    }
}

/// Plays on an ALSA device. A device without a clock, such as `null`, accepts all frames at once: it is written in
/// real time.
///
/// The device starts with silence, and frames follow while it runs. A mixer starts at the frame that the hardware
/// plays, and loses frames that it mixes too late: a slow start loses silence only.
final class ALSAPlayback: PlaybackDevice {
    private let stream: OpenStream
    private var time: FrameClock
    private var hasClock = true
    private var written: UInt64 = 0
    private let silence: UnsafeMutableRawPointer
    let lead: UInt64
    let queue: UInt64
    var capacity: UInt64 { stream.buffer }
    var period: UInt64 { stream.period }

    /// Not a failable initializer: Embedded Swift (6.3.1) never frees an object whose initializer fails.
    static func open(_ names: [String], _ shape: StreamShape, period: UInt64) throws(SystemError) -> ALSAPlayback {
        let stream = try OpenStream(names, playback: true, shape, period: period, buffer: max(shape.usualQueue, period &* 2))
        let longestLead = stream.buffer / 3
        return ALSAPlayback(stream, shape, longestLead: longestLead)
    }

    static func open(_ names: [String], near target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> ALSAPlayback {
        let stream = try OpenStream(names, playback: true, near: target, slice)
        let shape = StreamShape(layout: stream.layout, period: slice.frames(at: stream.layout.rate), buffer: stream.buffer)
        let longestLead = min(shape.period * 2, stream.buffer) / 3
        return ALSAPlayback(stream, shape, longestLead: longestLead)
    }

    var layout: SampleLayout { stream.layout }

    private init(_ stream: consuming OpenStream, _ shape: StreamShape, longestLead: UInt64) {
        // Two periods are the shortest queue without a gap.
        queue = min(max(shape.usualQueue, stream.period &* 2), shape.longestQueue, stream.buffer)
        time = FrameClock(shape.layout)
        // The lead is longer than the step of the position of any hardware.
        lead = min(shape.layout.frames(inMilliseconds: 10), longestLead)
        silence = .allocate(byteCount: Int(lead) * shape.layout.frameSize, alignment: 16)
        silence.initializeMemory(as: UInt8.self, repeating: 0, count: Int(lead) * shape.layout.frameSize)
        self.stream = stream
    }

    deinit { silence.deallocate() }

    func prepare() throws(SystemError) {
        time.stop()
        written = 0
        try SystemError.check(alsa_stream_prepare(stream.handle))
        _ = try stream.write(silence, lead)
    }

    func start() throws(SystemError) {
        time.start()
        try SystemError.check(alsa_stream_start(stream.handle))
        hasClock = !stream.offersEverything || time.elapsed >= lead
    }

    func stop(waits: Bool) -> UInt64? {
        defer { _ = alsa_stream_drop(stream.handle) }
        do throws(SystemError) {
            let pending = try pending()
            return hasClock ? min(pending, takeBack(pending, waits)) : pending
        } catch { return error == .late ? 0 : nil }
    }

    /// Returns how many of the pending frames are not heard. A drop discards them, but a mixer plays what it has mixed: rewind first.
    ///
    /// The card plays on, in steps of up to 4 ms, while a mixer takes frames out of its memory. Frames that the card has played
    /// meanwhile leave their opposites there, to which other sound is added. So a mixer keeps the frames of the next 5 ms. Behind
    /// other devices may be a mixer as well: these frames are the last ones to be taken back, which takes little time.
    private func takeBack(_ pending: UInt64, _ waits: Bool) -> UInt64 {
        let next = layout.frames(inMilliseconds: 5)
        var taken: UInt64 = 0
        if pending > next {
            taken = rewind(pending &- next)
            guard taken > 0 else { return pending }
        }
        do throws(SystemError) {
            if !stream.isMixer { taken &+= rewind(try self.pending()) } else if waits { try awaitEnd() }
            // On other devices a drop discards the frames that cannot be rewound.
            return taken &+ (try self.pending())
        } catch { return taken }
    }

    /// Waits until a mixer has played what it keeps: it loses that when its last stream is closed. The kernel has no event for
    /// a single frame. A card that has not played these frames after 20 ms stands still.
    private func awaitEnd() throws(SystemError) {
        let limit = linux_monotonic_nanoseconds() &+ 20_000_000
        while linux_monotonic_nanoseconds() < limit {
            let left = try pending()
            guard left > 0 else { return }
            linux_sleep_nanoseconds(layout.nanoseconds(of: left))
        }
    }

    private func rewind(_ frames: UInt64) -> UInt64 { UInt64(clamping: max(alsa_stream_rewind(stream.handle, frames), 0)) }

    func pending() throws(SystemError) -> UInt64 {
        guard hasClock else {
            guard let left = time.left(of: written) else { throw .late }
            return left
        }
        // Some devices report no underrun: they stop with an empty queue.
        return UInt64(clamping: max(try stream.position().delay, 0))
    }

    /// The delay can be longer than the queue: a sound server has a queue of its own.
    func position() throws(SystemError) -> PlaybackPosition {
        guard hasClock else {
            let pending = try pending()
            return PlaybackPosition(queued: pending, delay: pending)
        }
        let (available, delay) = try stream.position()
        let free = min(UInt64(clamping: max(available, 0)), stream.buffer)
        return PlaybackPosition(queued: stream.buffer &- free, delay: UInt64(clamping: max(delay, 0)))
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        let accepted = try stream.write(frames, count)
        written &+= accepted
        return accepted
    }
}

/// Records from an ALSA device. A device without a clock is read in real time.
final class ALSACapture: CaptureDevice {
    private let stream: OpenStream
    private var time: FrameClock
    private var hasClock = true
    private var recorded: UInt64 = 0
    var period: UInt64 { stream.period }

    static func open(_ names: [String], _ shape: StreamShape, period: UInt64) throws(SystemError) -> ALSACapture {
        let buffer = max(shape.buffer, shape.usualQueue, period &* 2)
        return ALSACapture(try OpenStream(names, playback: false, shape, period: period, buffer: buffer), shape)
    }

    static func open(_ names: [String], near target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> ALSACapture {
        let stream = try OpenStream(names, playback: false, near: target, slice)
        let shape = StreamShape(layout: stream.layout, period: slice.frames(at: stream.layout.rate), buffer: stream.buffer)
        return ALSACapture(stream, shape)
    }

    var layout: SampleLayout { stream.layout }

    private init(_ stream: consuming OpenStream, _ shape: StreamShape) {
        time = FrameClock(shape.layout)
        self.stream = stream
    }

    func prepare() throws(SystemError) {
        recorded = 0
        try SystemError.check(alsa_stream_prepare(stream.handle))
    }

    func start() throws(SystemError) {
        time.start()
        try SystemError.check(alsa_stream_start(stream.handle))
        hasClock = !stream.offersEverything || time.elapsed >= stream.buffer
    }

    func stop() { _ = alsa_stream_drop(stream.handle) }

    func available() throws(SystemError) -> UInt64 {
        guard hasClock else { return time.elapsed(beyond: recorded) }
        return UInt64(clamping: max(try stream.position().available, 0))
    }

    func position() throws(SystemError) -> CapturePosition {
        guard hasClock else {
            let available = try available()
            return CapturePosition(available: available, delay: available)
        }
        let (available, delay) = try stream.position()
        return CapturePosition(available: UInt64(clamping: max(available, 0)), delay: UInt64(clamping: max(delay, 0)))
    }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(SystemError) -> UInt64 {
        let got = try moved(alsa_stream_read(stream.handle, frames, count))
        recorded &+= got
        return got
    }
}

/// The number of frames that ALSA has moved; 0 when the call would have blocked.
private func moved(_ result: Int) throws(SystemError) -> UInt64 {
    guard result < 0 else { return UInt64(result) }
    let error = SystemError(result: Int32(clamping: result))
    guard error == .tryAgain else { throw error }
    return 0
}
