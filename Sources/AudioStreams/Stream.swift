public import CAudioStreams
import CLinux
import LinuxSystem
import SessionModel

/// A PCM that a program has opened. Its functions are called on the program's threads.
public final class Stream: @unchecked Sendable {
    public let isCapture: Bool
    public let choices: StreamChoices
    /// What it shares with the thread that moves its sound.
    public let ring: UnsafeMutablePointer<stream_ring>

    private let ready: FileDescriptor
    private var session: StreamSession?

    /// Written under the session's lock, and only on the program's behalf.
    var isRunning = false
    // Guarded by the session's lock:
    var port: Port?
    /// It ran when the interruption came that lasts.
    var wasInterrupted = false

    private let door = Lock()
    // Guarded by the door:
    private var situation = Situation()
    private var mover: Mover?

    public init(capture: Bool, _ choices: StreamChoices) {
        isCapture = capture
        self.choices = choices
        ready = FileDescriptor(owning: linux_eventfd())
        ring = .allocate(capacity: 1)
        ring.initialize(to: stream_ring())
        ring.pointee.is_capture = capture
        ring.pointee.ready = ready.number
    }

    public func join(_ session: StreamSession) throws(StreamError) {
        try session.add(self)
        self.session = session
    }

    deinit {
        ring.pointee.bytes?.deallocate()
        ring.deallocate()
    }

    // MARK: Its life

    public func configure(_ shape: StreamShape) throws(StreamError) {
        guard ready.number >= 0 else { throw StreamError(24) }
        endMover()
        ring.configure(shape)
        try beginMover(shape)
    }

    private func beginMover(_ shape: StreamShape) throws(StreamError) {
        let flow: any Flow =
            isCapture ? Capture(ring, shape, choices.onInterrupt) : Playback(ring, shape, choices.onInterrupt)
        let mover = try door.withLock { () throws(StreamError) in
            let mover = Mover(flow, ring, situation)
            try mover.begin()
            self.mover = mover
            return mover
        }
        try mover.command(.open)
    }

    private func endMover() {
        let mover = door.withLock {
            defer { self.mover = nil }
            return self.mover
        }
        mover?.end()
    }

    public func prepare() throws(StreamError) { try command(.prepare) }

    public func start() throws(StreamError) {
        guard let session else { throw .badState }
        do throws(StreamError) {
            try session.start(self)
            try command(.start)
        } catch {
            session.stopped(self)
            throw error
        }
    }

    public func pause(_ on: Bool) throws(StreamError) { try command(.pause(on)) }

    /// The ring is ready when the last frame has been heard.
    public func drain() throws(StreamError) {
        // What is shorter than the program's start threshold starts now.
        if !isRunning { try session?.start(self) }
        try command(.drain)
    }

    public func stop() {
        do throws(StreamError) { try command(.stop) } catch {}
        session?.stopped(self)
    }

    /// The device is free for others again.
    public func release() {
        do throws(StreamError) { try command(.close) } catch {}
        session?.stopped(self)
    }

    /// Ends the stream's thread, which gives its device back.
    public func endThread() { endMover() }

    /// The stream belongs to no session any more.
    public func leave() {
        session?.remove(self)
        session = nil
    }

    private func command(_ order: Mover.Order) throws(StreamError) {
        guard let mover = door.withLock({ mover }) else { throw .badState }
        try mover.command(order)
    }

    // MARK: The session's news

    /// What the session and the hardware last made of it.
    var target: Situation { door.withLock { situation } }

    func tell(_ news: Situation) {
        door.withLock {
            situation = news
            mover?.tell(news)
        }
    }
}
