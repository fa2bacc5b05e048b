// SPDX-License-Identifier: Apache-2.0
/// The state of a queue: whether it runs, to whom each buffer belongs, and the calls that it owes the program.
///
/// A buffer belongs to the program or to the queue. It is the queue's from its enqueuing until the queue takes it
/// out of `work` to call the program with it. The queue keeps the state under its lock.
public struct QueueState: Sendable {
    public enum Run: Sendable { case stopped, running, paused }
    public enum Disposal: Sendable { case none, pending, done }

    /// A call that the queue owes the program.
    public enum Work: Equatable, Sendable {
        /// The buffer at this index is the program's again.
        case buffer(Int)
        /// The listeners of this property.
        case change(UInt32)
    }

    /// `kAudioQueueProperty_IsRunning`
    public static let isRunningProperty: UInt32 = 0x6171_726E
    /// `kAudioQueueProperty_ConverterError`
    public static let converterErrorProperty: UInt32 = 0x7163_7665

    public private(set) var run = Run.stopped
    /// The queue stops when its last buffer has been played or recorded.
    public private(set) var isStopping = false
    public private(set) var disposal = Disposal.none
    /// The value of IsRunning: from the first sound to the last. A paused queue runs.
    public private(set) var hasSound = false
    /// The queue has been started at least once.
    public private(set) var hasStarted = false
    /// Calls of Stop and Reset that hand buffers back at this moment.
    private var handBacks = 0
    /// Whether the buffer of each index is the queue's; nil where there is no buffer.
    private var isOwned: [Bool?] = []
    private var unused: [Int] = []
    /// The queue's buffers in their order, and how many have ever been enqueued.
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

    public mutating func addBuffer() throws(QueueStatus) -> Int {
        try checkUsable()
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

    /// The next call to make. Its buffer is the program's from now on.
    public mutating func takeWork() -> Work? {
        guard let next = work.popFirst() else { return nil }
        if case .buffer(let index) = next { isOwned[index] = false }
        return next
    }

    // MARK: Running

    public mutating func start() throws(QueueStatus) {
        try checkUsable()
        run = .running
        isStopping = false
        hasStarted = true
    }

    public mutating func pause() throws(QueueStatus) {
        try checkUsable()
        if run == .running { run = .paused }
    }

    /// Stops when all buffers are finished. Returns false where nothing runs: then the queue has to stop at once.
    public mutating func stopWhenFinished() throws(QueueStatus) -> Bool {
        try checkUsable()
        guard run == .running else { return false }
        isStopping = true
        return true
    }

    /// Gives all buffers back and stops.
    public mutating func stop() {
        finish(through: enqueuedCount)
        run = .stopped
        isStopping = false
        soundEnds()
    }

    /// The session stopped the queue: it keeps its buffers, also those that a stop waited for. The program may have paused it
    /// before, in its interruption listener. The listeners that wait for the end are called also where no sound had begun.
    public mutating func interrupt() {
        let wasStopping = isStopping
        isStopping = false
        guard run != .stopped else { return }
        run = .paused
        if wasStopping, !hasSound { change(QueueState.isRunningProperty) }
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

    /// The listeners of a property shall be called.
    public mutating func change(_ property: UInt32) {
        if disposal == .none { work.append(.change(property)) }
    }

    /// Between these two calls no buffer can be enqueued.
    public mutating func beginHandBack() { handBacks += 1 }
    public mutating func endHandBack() { handBacks -= 1 }

    // MARK: The end

    /// No call is owed any more. Returns whether the queue plays on until its buffers are finished.
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
        isStopping = false
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
