/// Where a stream's sound goes or comes from.
public enum DeviceChoice: Equatable, Sendable {
    /// The first of these names of ALSA's configuration that can be opened.
    case alsa([String])
    /// A simulated machine: it plays by the clock, into a file if one is wished for.
    case simulated
    /// Nobody hears it, but time passes.
    case silence
}

/// Plays frames. Owned by one thread.
protocol Outlet: AnyObject {
    /// How much of it is on its way at most.
    var queue: UInt64 { get }
    /// In what steps it tells how far it has got.
    var period: UInt64 { get }
    /// Makes it ready to be started, after it was opened, stopped, or late.
    func prepare() throws(StreamError)
    /// The first frames come now.
    func start() throws(StreamError)
    /// Silent at once; what was on its way is lost: so many frames. Nil: a device that is gone can't tell.
    func stop() -> UInt64?
    /// Frames that were written and have not been heard. `late` when it has run dry.
    func pending() throws(StreamError) -> UInt64
    /// How many of them it took.
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) throws(StreamError) -> UInt64
}

/// Records frames. Owned by one thread.
protocol Inlet: AnyObject {
    var period: UInt64 { get }
    func prepare() throws(StreamError)
    func start() throws(StreamError)
    func stop()
    /// Frames that wait. `late` when some were lost.
    func available() throws(StreamError) -> UInt64
    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) throws(StreamError) -> UInt64
}
