import CALSA
import LinuxSystem

/// An opened device of ALSA's configuration, as it was granted.
struct OpenStream: ~Copyable {
    let handle: OpaquePointer
    let period: UInt64
    let buffer: UInt64

    /// The first of the names that opens and takes the layout; the error is the last one's.
    init(_ names: [String], playback: Bool, _ shape: StreamShape, buffer: UInt64) throws(StreamError) {
        var failure = StreamError.noDevice
        for name in names {
            do throws(StreamError) {
                self = try OpenStream(name, playback: playback, shape, buffer: buffer)
                return
            } catch {
                Log.line("\(name): \(String(cString: alsa_error_text(-error.number)))")
                failure = error
            }
        }
        throw failure
    }

    private init(_ name: String, playback: Bool, _ shape: StreamShape, buffer: UInt64) throws(StreamError) {
        var opened: OpaquePointer?
        try StreamError.check(alsa_stream_open(&opened, name, playback))
        guard let opened else { throw .noDevice }
        var (period, buffer) = (shape.usualPeriod, buffer)
        let result = alsa_stream_configure(
            opened, shape.layout.sample, shape.layout.channels, shape.layout.rate, &period, &buffer)
        guard result >= 0, period > 0, buffer >= period else {
            alsa_stream_close(opened)
            throw StreamError(result < 0 ? -result : StreamError.invalid.number)
        }
        handle = opened
        self.period = period
        self.buffer = buffer
    }

    deinit { alsa_stream_close(handle) }
}

final class ALSAOutlet: Outlet {
    private let stream: OpenStream
    let queue: UInt64
    var period: UInt64 { stream.period }

    /// Not a failing initializer: in Embedded Swift (6.3.1) an object of a class that fails before it is
    /// complete is never freed.
    static func open(_ names: [String], _ shape: StreamShape) throws(StreamError) -> ALSAOutlet {
        ALSAOutlet(try OpenStream(names, playback: true, shape, buffer: shape.usualQueue), shape)
    }

    private init(_ stream: consuming OpenStream, _ shape: StreamShape) {
        // Two periods are the least that plays without a gap.
        queue = min(max(shape.usualQueue, stream.period &* 2), shape.longestQueue, stream.buffer)
        self.stream = stream
    }

    func prepare() throws(StreamError) { try StreamError.check(alsa_stream_prepare(stream.handle)) }
    func start() throws(StreamError) { try StreamError.check(alsa_stream_start(stream.handle)) }
    func stop() -> UInt64? {
        defer { _ = alsa_stream_drop(stream.handle) }
        do throws(StreamError) { return try pending() } catch { return error == .late ? 0 : nil }
    }

    func pending() throws(StreamError) -> UInt64 {
        var (available, delay) = (Int64(0), Int64(0))
        try StreamError.check(alsa_stream_where(stream.handle, &available, &delay))
        // Some devices never say late: they stand with everything played.
        return UInt64(clamping: max(delay, 0))
    }

    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(StreamError) -> UInt64 {
        try moved(alsa_stream_write(stream.handle, frames, count))
    }
}

final class ALSAInlet: Inlet {
    private let stream: OpenStream
    var period: UInt64 { stream.period }

    static func open(_ names: [String], _ shape: StreamShape) throws(StreamError) -> ALSAInlet {
        ALSAInlet(try OpenStream(names, playback: false, shape, buffer: max(shape.buffer, shape.usualQueue)))
    }

    private init(_ stream: consuming OpenStream) { self.stream = stream }

    func prepare() throws(StreamError) { try StreamError.check(alsa_stream_prepare(stream.handle)) }
    func start() throws(StreamError) { try StreamError.check(alsa_stream_start(stream.handle)) }
    func stop() { _ = alsa_stream_drop(stream.handle) }

    func available() throws(StreamError) -> UInt64 {
        var (available, delay) = (Int64(0), Int64(0))
        try StreamError.check(alsa_stream_where(stream.handle, &available, &delay))
        return UInt64(clamping: max(available, 0))
    }

    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(StreamError) -> UInt64 {
        try moved(alsa_stream_read(stream.handle, frames, count))
    }
}

/// How many frames ALSA has moved: none where it would have had to wait.
private func moved(_ result: Int) throws(StreamError) -> UInt64 {
    guard result < 0 else { return UInt64(result) }
    guard result == -Int(StreamError.tryAgain.number) else { throw StreamError(Int32(clamping: -result)) }
    return 0
}
