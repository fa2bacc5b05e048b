// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The state of a queue: whether it runs, the owner of each buffer, and the pending calls of the program.
///
/// A buffer belongs to the program or to the queue. The queue owns it from the call that enqueues it until the queue takes it
/// out of `work` to call the program with it. The lock of the queue guards the state.
public struct QueueState: Sendable {
    public enum Run: Sendable { case stopped, running, paused }
    public enum Disposal: Sendable { case none, pending, done }

    /// A pending call of the program.
    public enum Work: Equatable, Sendable {
        /// Returns the buffer with this index to the program.
        case buffer(Int)
        /// Calls the listeners of this property.
        case change(UInt32)
    }

    /// `kAudioQueueProperty_IsRunning`
    public static let isRunningProperty = FourCC.code("aqrn")
    /// `kAudioQueueProperty_ConverterError`
    public static let converterErrorProperty = FourCC.code("qcve")

    public private(set) var run = Run.stopped
    /// The queue stops when its last buffer has been played or recorded.
    public private(set) var isStopping = false
    /// A stop waited for the last buffer when the session stopped the queue, or was called while the queue did not run. The next
    /// start continues it, unless the program enqueues a buffer first.
    private var wasStopping = false
    /// The session has stopped the queue, and the program has not started or stopped it since.
    public private(set) var isInterrupted = false
    public private(set) var disposal = Disposal.none
    /// The value of IsRunning: from the first sound to the last. A paused queue runs.
    public private(set) var hasSound = false
    /// The queue has been started at least once.
    public private(set) var hasStarted = false
    /// Calls of Stop and Reset that are returning buffers at this moment.
    private var handBacks = 0
    /// Whether the queue owns the buffer of each index; nil without a buffer.
    private var isOwned: [Bool?] = []
    private var unused: [Int] = []
    /// The buffers that the queue owns, in their order, and the number of buffers that have ever been enqueued.
    private var enqueued = FIFO<Int>()
    public private(set) var enqueuedCount: UInt64 = 0
    public private(set) var finishedCount: UInt64 = 0
    private var work = FIFO<Work>()

    public init() {}

    public var buffersInQueue: Int { enqueued.count }
    public var hasWork: Bool { !work.isEmpty }
    public var workCount: Int { work.count }
    public var isUsable: Bool { disposal == .none }

    // MARK: Buffers

    /// The caller has checked that the queue is usable.
    public mutating func addBuffer() -> Int {
        if let index = unused.popLast() {
            isOwned[index] = false
            return index
        }
        isOwned.append(false)
        return isOwned.count - 1
    }

    public mutating func removeBuffer(_ index: Int) throws(QueueStatus) {
        try checkUsable()
        guard isOwned.indices.contains(index), let owned = isOwned[index] else { throw .invalidBuffer }
        guard !owned else { throw .bufferInQueue }
        isOwned[index] = nil
        unused.append(index)
    }

    public func checkEnqueue(_ index: Int) throws(QueueStatus) {
        try checkUsable()
        guard isOwned.indices.contains(index), let owned = isOwned[index] else { throw .invalidBuffer }
        guard !owned else { throw .bufferEnqueuedTwice }
        guard handBacks == 0, !isStopping else { throw .enqueueDuringReset }
    }

    public mutating func enqueue(_ index: Int) throws(QueueStatus) {
        try checkEnqueue(index)
        isOwned[index] = true
        wasStopping = false
        enqueued.append(index)
        enqueuedCount += 1
    }

    /// The first `count` buffers that were ever enqueued have been played or recorded.
    public mutating func finish(through count: UInt64) {
        while finishedCount < count, let index = enqueued.popFirst() {
            finishedCount += 1
            if disposal == .none { work.append(.buffer(index)) }
        }
    }

    /// The next call to make. Its buffer belongs to the program from now on.
    public mutating func popWork() -> Work? {
        guard let next = work.popFirst() else { return nil }
        if case .buffer(let index) = next { isOwned[index] = false }
        return next
    }

    // MARK: Running

    /// The start of a queue that does not run continues a stop that waits for the last buffer, and that of a running queue
    /// cancels it.
    public var startsToStop: Bool { run != .running && (isStopping || wasStopping) }

    public mutating func start() throws(QueueStatus) {
        try checkUsable()
        (isStopping, wasStopping, isInterrupted) = (startsToStop, false, false)
        run = .running
        hasStarted = true
    }

    public mutating func pause() throws(QueueStatus) {
        try checkUsable()
        if run == .running { run = .paused }
    }

    /// When a stop that waits for the last buffer takes place.
    public enum WaitingStop: Sendable {
        /// The queue plays or records its buffers now.
        case afterBuffers
        /// The next start plays or records the enqueued buffers before the stop.
        case afterNextStart
        /// No buffer has to be waited for: the caller stops the queue.
        case now
    }

    /// Stops when all buffers are finished. A paused queue returns its buffers at once.
    public mutating func stopWhenFinished() throws(QueueStatus) -> WaitingStop {
        try checkUsable()
        if run == .running {
            isStopping = true
            return .afterBuffers
        }
        guard run == .stopped || isInterrupted, !enqueued.isEmpty else { return .now }
        wasStopping = true
        return .afterNextStart
    }

    /// Returns all buffers and stops.
    public mutating func stop() {
        finish(through: enqueuedCount)
        run = .stopped
        (isStopping, wasStopping, isInterrupted) = (false, false, false)
        soundEnds()
    }

    /// The session stopped the queue. The queue keeps its buffers, also if a stop waited for them. The program may have paused
    /// the queue before, in its interruption listener. The listeners of the end are called even if no sound had begun: they
    /// would wait for it.
    public mutating func interrupt() {
        let wasWaiting = !hasSound && (isStopping || run == .running)
        (isStopping, wasStopping) = (false, isStopping || wasStopping)
        guard run != .stopped else { return }
        (run, isInterrupted) = (.paused, true)
        if wasWaiting { change(QueueState.isRunningProperty) }
        soundEnds()
    }

    public mutating func soundBegins() {
        guard run == .running, !hasSound else { return }
        hasSound = true
        change(QueueState.isRunningProperty)
    }

    private mutating func soundEnds() {
        guard hasSound else { return }
        hasSound = false
        change(QueueState.isRunningProperty)
    }

    /// Requests calls of the listeners of a property.
    public mutating func change(_ property: UInt32) {
        if disposal == .none { work.append(.change(property)) }
    }

    /// No buffer can be enqueued until `endHandBack`.
    public mutating func beginHandBack() {
        handBacks += 1
        wasStopping = false
    }
    public mutating func endHandBack() { handBacks -= 1 }

    // MARK: The end

    /// Removes all pending calls. Returns whether the queue continues to play until its buffers are finished.
    public mutating func dispose(immediately: Bool) throws(QueueStatus) -> Bool {
        guard disposal == .none || (immediately && disposal == .pending) else { throw .disposalPending }
        work.removeAll()
        disposal = !immediately && run == .running && !enqueued.isEmpty ? .pending : .done
        if disposal == .pending { isStopping = true } else { finishDisposal() }
        return disposal == .pending
    }

    public mutating func finishDisposal() {
        disposal = .done
        run = .stopped
        (isStopping, wasStopping) = (false, false)
        hasSound = false
    }

    public func checkUsable() throws(QueueStatus) {
        switch disposal {
        case .none: return
        case .pending: throw .disposalPending
        case .done: throw .queueInvalidated
        }
    }
}
