// SPDX-License-Identifier: Apache-2.0
import CALSA
public import CAudioStreams
import CLinux
import LinuxSystem
import SessionModel

/// A PCM that a program has opened. Its functions are called on the program's threads.
public final class PushedStream: GroupMember, ManagedStream, @unchecked Sendable {
    public let isCapture: Bool
    public let options: StreamOptions
    /// Shared with the thread that moves the frames.
    public let ring: UnsafeMutablePointer<stream_ring>

    private let ready: FileDescriptor
    private var group: StreamGroup?

    var directions: StreamDirections { isCapture ? .input : .output }
    var hasOptions: Bool { true }

    /// Written under the group's lock, by the program's calls only.
    var isRunning = false
    /// Always false: the program's calls of a pushed stream come one at a time, and the group needs only `isRunning`.
    var isStarted: Bool { false }
    // Guarded by the group's lock:
    var port: Port?
    /// The stream ran when the present interruption began.
    var wasInterrupted = false

    private let lock = Lock()
    // Guarded by the lock:
    private var currentTarget = StreamTarget()
    private var thread: StreamThread?

    public init(capture: Bool, _ options: StreamOptions) {
        isCapture = capture
        self.options = options
        ready = FileDescriptor(owning: linux_eventfd())
        ring = .allocate(capacity: 1)
        ring.initialize(to: stream_ring())
        ring.pointee.is_capture = capture
        ring.pointee.ready = ready.number
    }

    /// True on a thread that opens the device of a stream: the device has led back to the plug-in.
    public static var isOpeningDevice: Bool { alsa_stream_is_opening() }

    public func join(_ group: StreamGroup) throws(SystemError) {
        try group.add(self)
        self.group = group
    }

    deinit {
        ring.pointee.bytes?.deallocate()
        ring.deallocate()
    }

    // MARK: The program's calls

    public func configure(_ shape: StreamShape) throws(SystemError) {
        guard ready.number >= 0 else { throw .tooManyFiles }
        joinThread()
        ring.configure(shape)
        try startThread(shape)
    }

    private func startThread(_ shape: StreamShape) throws(SystemError) {
        let pump: any StreamPump =
            isCapture ? RingCapture(ring, shape, options.onInterrupt) : RingPlayback(ring, shape, options.onInterrupt)
        let thread = try lock.withLock { () throws(SystemError) in
            let thread = StreamThread(pump, ring, currentTarget)
            try thread.begin()
            self.thread = thread
            return thread
        }
        try thread.perform(.open)
    }

    private func joinThread() {
        let thread = lock.withLock {
            defer { self.thread = nil }
            return self.thread
        }
        thread?.end()
    }

    public func prepare() throws(SystemError) { try perform(.prepare) }

    public func start() throws(SystemError) {
        guard let group else { throw .badState }
        do throws(SystemError) {
            try group.start(self)
            try perform(.start)
        } catch {
            group.stopped(self)
            throw error
        }
    }

    public func pause(_ on: Bool) throws(SystemError) { try perform(.pause(on)) }

    /// Starts to drain. The ring becomes ready when the last frame has been played.
    public func drain() throws(SystemError) {
        // A sound that is shorter than the start threshold of the program starts now.
        if !isRunning { try group?.start(self) }
        try perform(.drain)
    }

    public func stop() {
        do throws(SystemError) { try perform(.stop) } catch {}
        group?.stopped(self)
    }

    /// Gives the device back.
    public func release() {
        do throws(SystemError) { try perform(.close) } catch {}
        group?.stopped(self)
    }

    public func endThreads() { joinThread() }

    public func leave() {
        group?.remove(self)
        group = nil
    }

    private func perform(_ command: StreamThread.Command) throws(SystemError) {
        guard let thread = lock.withLock({ thread }) else { throw .badState }
        try thread.perform(command)
    }

    // MARK: The group's calls

    var target: StreamTarget { lock.withLock { currentTarget } }

    func apply(_ conditions: StreamConditions) {
        let target = conditions.target(of: self)
        lock.withLock {
            currentTarget = target
            thread?.apply(target)
        }
    }
}
