// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CAudioQueues
import EngineClient
import LinuxSystem
import MediaFormats
import Synchronization

/// One audio queue: its state under a lock, its voice, and the callbacks of the program, one at a time.
///
/// No lock is held during a callback. The lock is acquired before the locks of the streams.
public final class Queue: VoiceOwner, @unchecked Sendable {
    /// The functions of the program.
    public struct Handlers {
        /// Returns a buffer to the program.
        public var buffer: (_ queue: UInt, _ buffer: ReturnedBuffer) -> Void

        public init(buffer: @escaping (UInt, ReturnedBuffer) -> Void) { self.buffer = buffer }
    }

    public struct ReturnedBuffer: Equatable, Sendable {
        /// The address that `allocateBuffer` returned.
        public var address: UInt
        /// The recorded bytes.
        public var bytes: Int
        public var packets: Int
        /// The descriptions of the packets of a codec. Empty for packets of constant size.
        public var descriptions: [PacketDescription]
        public var startFrame: Double
        public var startTime: UInt64
    }

    /// The memory of a buffer: the header of the C API, the data, and packet descriptions.
    struct Buffer {
        var memory: UnsafeMutableRawPointer
        var data: UnsafeMutablePointer<UInt8>
        var capacity: Int
        /// The packet descriptions, which follow the data.
        var descriptions: UnsafeMutableRawPointer?
        var descriptionCapacity: UInt32
        /// The number of recorded frames in a buffer without `packets`.
        var recorded: UInt64 = 0
        /// The bytes of `packets`, which an encoder has written.
        var recordedBytes = 0
        var packets: [PacketDescription] = []
        var recordedFrame: UInt64 = 0
        var recordedTime: UInt64 = 0
    }

    struct Listener {
        struct Identity: Equatable {
            var property: UInt32
            var procedure: UInt
            var data: UInt
        }
        var identity: Identity
        var call: (UInt, UInt32) -> Void
    }

    /// The format of the links, and the format that the program has set.
    let format: SoundFormat
    let described: StreamDescription
    let service: QueueService
    let voice: Voice
    let stream: QueueStream
    let handlers: Handlers
    public private(set) var handle: UInt = 0

    let lock = ConditionLock()
    // Under the lock:
    var state = QueueState()
    var chain: LinkChain
    var buffers: [Buffer?] = []
    var indices: [UInt: Int] = [:]
    var listeners: [Listener] = []
    var settings = QueueSettings()
    /// Nil if the audio thread reads the program's buffers itself.
    let packets: PacketPlayback?
    /// Nil if the audio thread writes the program's buffers itself.
    let recording: PacketRecording?
    var enqueuedFrames: UInt64 = 0
    /// The start time of the last enqueued buffer that has one.
    var lastStart = 0.0
    var lastHeard = 0.0
    let defaultTimeline = GapCounter(seen: 0)
    /// The entry of the queue on the status page.
    var statusSlot: StatusSlot?
    var starts: UInt32 = 0
    /// The number of callbacks during which the queue ran out of sound.
    var lateCalls: UInt32 = 0
    private var delivery: (any QueueDelivery)?
    let turn = CallTurn()

    init(
        _ service: QueueService, _ stream: QueueStream, _ format: SoundFormat, _ described: StreamDescription, _ voice: Voice,
        _ first: Link, _ handlers: Handlers, packets: PacketPlayback? = nil, recording: PacketRecording? = nil
    ) {
        self.packets = packets
        self.recording = recording
        self.service = service
        self.format = format
        self.described = described
        self.voice = voice
        self.handlers = handlers
        self.stream = stream
        chain = LinkChain(first)
    }

    deinit {
        for case .some(let buffer) in buffers { queue_memory_free(buffer.memory) }
    }

    var isValid: Bool { lock.isValid }
    public var isInput: Bool { stream.isInput }
    var outputVoice: OutputVoice? { voice as? OutputVoice }

    func begin(_ handle: UInt, _ delivery: any QueueDelivery) {
        lock.withLock {
            self.handle = handle
            self.delivery = delivery
            assignBlocks()
        }
    }

    // MARK: Results of the audio thread. Under the lock

    /// Takes the buffers that were played or recorded.
    func collect() { collect(through: voice.finished.load(ordering: .acquiring)) }

    func collect(through number: UInt64) {
        var completed: UInt64 = 0
        chain.finish(through: number) { link in
            completed = link.pointee.completes
            if let recording { return recording.append(link) }
            let index = Int(link.pointee.buffer)
            buffers[index]?.recorded = link.pointee.recorded
            buffers[index]?.recordedFrame = link.pointee.recorded_frame
            buffers[index]?.recordedTime = link.pointee.recorded_time
        }
        state.finish(through: completed)
        show()
    }

    /// Takes all buffers from the audio thread, which no longer uses the voice.
    func collectAll() {
        collectRecorded()
        packets?.removeAll()
        encodeLast()
        lastStart = 0
        settings.reportedError = 0
        state.finish(through: state.enqueuedCount)
        show()
    }

    /// Takes all links from the audio thread, also the one that is not full.
    func collectRecorded() {
        if let partial = (voice as? InputVoice)?.partial { voice.cursor.pointee.recorded = partial.frames }
        collect(through: chain.last.pointee.number)
        voice.skip(to: chain.last)
    }

    func signalDelivery() { if state.hasWork || recording?.canEncode == true { delivery?.signal() } }

    // MARK: The dispatcher's thread

    func voiceChanged() {
        let isDisposed = lock.withLock { () -> Bool in
            guard state.disposal != .done else { return false }
            collect()
            decodeAhead()
            let wanted = voice.currentRequest
            if voice.begun.load(ordering: .acquiring) == wanted.rawValue, wanted.kind != .pause { state.soundBegins() }
            if voice.isMismatched.load(ordering: .acquiring) { stream.reconfigure(voice) }
            let isDisposed = detachVoice(wanted)
            signalDelivery()
            return isDisposed
        }
        if isDisposed { remove() }
    }

    /// Removes the voice from the audio thread: it has paused or ended, or has nothing to play. Returns whether the queue was
    /// disposed before.
    private func detachVoice(_ wanted: VoiceRequest) -> Bool {
        if voice.completed.load(ordering: .acquiring) == wanted.rawValue {
            if wanted.kind == .drain, hasPacketsToPlay {
                // The audio thread has reached the end of the decoded frames, and not of the enqueued packets.
                request(.drain)
                return false
            }
            stream.deactivate(voice)
            guard wanted.kind == .drain else { return false }
            let isDisposed = state.disposal == .pending
            finishStop()
            if isDisposed { state.finishDisposal() }
            return isDisposed
        }
        if voice.isIdle.load(ordering: .acquiring), state.buffersInQueue == 0, state.disposal == .none {
            stream.suspend(voice)
        }
        return false
    }

    func streamStopped() {
        let isDisposed = lock.withLock { () -> Bool in
            // The program may have started the queue again meanwhile.
            guard state.disposal != .done, !stream.has(voice) else { return false }
            collect()
            outputVoice?.cut()
            let isDisposed = state.disposal == .pending
            if isDisposed { state.finishDisposal() } else { state.interrupt() }
            show()
            signalDelivery()
            return isDisposed
        }
        Log.debug("an audio queue was paused: its stream has stopped; AudioQueueStart continues with the next frame")
        if isDisposed { remove() }
    }

    // MARK: The end

    /// No callback begins after this returns, unless a callback calls it.
    public func dispose(immediately: Bool) throws(QueueStatus) {
        let playsOn = try lock.withLock { () throws(QueueStatus) in
            collect()
            // A disposed queue calls no callback, so a queue that records with a codec does not wait for further packets.
            let playsOn = try state.dispose(immediately: immediately || !stream.has(voice) || recording != nil)
            if playsOn { request(.drain) } else { stream.deactivate(voice) }
            lock.broadcast()
            turn.awaitOther(lock)
            return playsOn
        }
        if !playsOn { remove() }
    }

    private func remove() {
        service.remove(self, handle)
        lock.withLock {
            delivery?.invalidate()
            delivery = nil
            // The listeners can reference the queue.
            listeners = []
            voice.counters = nil
            statusSlot = nil
        }
    }

    /// Sends a new request to the audio thread.
    func request(_ kind: VoiceRequest.Kind) {
        voice.request.store(voice.currentRequest.next(kind).rawValue, ordering: .releasing)
    }
}
