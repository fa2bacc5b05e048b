// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import CAudioStreams
import CLinux
public import EngineClient
public import LinuxSystem
import MediaFormats
import Synchronization

/// The queues of a process: their handles, the streams that they share, and the dispatcher, which the audio threads wake. System
/// sounds have a stream of their own, because they are no part of the program's session.
///
/// The audio threads write counters and wake at most one thread in a cycle, with a system call only if it sleeps: the
/// dispatcher, or the thread of the only queue that has finished buffers. The dispatcher reads the counters under the locks of
/// the queues, and signals their threads or run loops.
public final class QueueService: @unchecked Sendable {
    public let queues = HandleTable<Queue>(.queue)
    public let timelines = HandleTable<Timeline>(.timeline)
    public let client: any AudioEngineClient
    private let hasDispatcher: Bool
    let output: QueueStream
    let input: QueueStream
    let systemSounds: QueueStream
    let slices: SliceLengths
    private let wake = ThreadSignal()
    private let lock = Lock()
    private var endedThreads: [UnsafeMutableRawPointer] = []
    private var thread: UnsafeMutableRawPointer?
    private let isEnding = Atomic<Bool>(false)

    /// `slices` also has the slices of the units of the process, which also cancel the echo of the queues.
    public convenience init(
        _ client: any AudioEngineClient, slices: SliceLengths? = nil, reference: (any PlaybackReference)? = nil
    ) {
        self.init(client, slices: slices, reference: reference, hasDispatcher: true)
    }

    /// `dispatch` has to be called if there is no dispatcher thread.
    init(
        _ client: any AudioEngineClient, slices: SliceLengths? = nil, reference: (any PlaybackReference)? = nil,
        hasDispatcher: Bool
    ) {
        self.client = client
        self.hasDispatcher = hasDispatcher
        let slices = slices ?? SliceLengths(client)
        self.slices = slices
        output = QueueStream(client, slices, reference, .output, wake: wake)
        input = QueueStream(client, slices, nil, .input, wake: wake)
        systemSounds = QueueStream(client, slices, reference, .systemSounds, wake: wake)
    }

    /// Ends the streams and the dispatcher. The queues of this service must not be used afterwards.
    public func end() {
        for queue in queues.all { try? queue.dispose(immediately: true) }
        for stream in [output, input, systemSounds] { stream.destroy() }
        isEnding.store(true, ordering: .releasing)
        wake.signal()
        let thread = lock.withLock {
            defer { self.thread = nil }
            return self.thread
        }
        if let thread { linux_thread_join(thread) }
        joinEndedThreads()
    }

    // MARK: Queues

    /// Makes the delivery of a new queue; nil for a thread that belongs to the queue. The closure must not call the queue.
    public typealias MakeDelivery = (Queue) -> (any QueueDelivery)?

    /// Makes a queue that plays. `codec` decodes the packets of formats that the audio thread does not decode itself.
    public func makeOutput(
        _ description: StreamDescription, codec: (any PacketDecoder)? = nil, _ handlers: Queue.Handlers,
        on delivery: MakeDelivery? = nil
    ) throws(QueueStatus) -> UInt {
        try makeOutput(description, codec: codec, handlers, on: delivery, by: output)
    }

    /// Makes a queue that plays a system sound.
    func makeSystemSound(
        _ description: StreamDescription, _ handlers: Queue.Handlers, on delivery: MakeDelivery?
    ) throws(QueueStatus) -> UInt {
        try makeOutput(description, codec: nil, handlers, on: delivery, by: systemSounds)
    }

    private func makeOutput(
        _ description: StreamDescription, codec: (any PacketDecoder)?, _ handlers: Queue.Handlers,
        on delivery: MakeDelivery?, by stream: QueueStream
    ) throws(QueueStatus) -> UInt {
        let sound = codec?.output.streamDescription ?? description
        guard let format = SoundFormat(sound), let decoder = SoundDecoder(sound) else { throw .unsupportedFormat }
        guard let first = LinkChain.makeLink() else {
            decoder.destroy()
            throw .outOfMemory
        }
        let voice = OutputVoice(decoder: decoder, first: first)
        let packets = codec.map { PacketPlayback($0) }
        let described = codec == nil ? format.description : description
        return try add(Queue(self, stream, format, described, voice, first, handlers, packets: packets), delivery)
    }

    /// Makes the encoder of a format that the audio thread does not encode itself; nil for other formats. The description has a
    /// rate.
    public typealias MakeEncoder = (StreamDescription) throws(QueueStatus) -> (any VariablePacketEncoder)?

    /// Makes a queue that records. A rate of 0 stands for the rate of the hardware.
    public func makeInput(
        _ description: StreamDescription, codec makeCodec: MakeEncoder? = nil, _ handlers: Queue.Handlers,
        on delivery: MakeDelivery? = nil
    ) throws(QueueStatus) -> UInt {
        var described = description
        if described.sampleRate == 0 {
            guard let rate = hardwareRate else { throw .invalidDevice }
            described.sampleRate = rate
        }
        let codec = try makeCodec?(described)
        guard let format = SoundFormat(codec?.input.streamDescription ?? described), let encoder = SoundEncoder.make(format)
        else { throw .unsupportedFormat }
        var recording: PacketRecording?
        if let codec {
            recording = PacketRecording.make(codec)
            guard recording != nil else { throw .outOfMemory }
            (described.framesPerPacket, described.bytesPerPacket) = (UInt32(clamping: codec.framesPerPacket), 0)
        } else {
            described = format.description
        }
        guard let first = LinkChain.makeLink() else { throw .outOfMemory }
        let voice = InputVoice(format, encoder, first: first, isForCodec: codec != nil)
        return try add(Queue(self, input, format, described, voice, first, handlers, recording: recording), delivery)
    }

    /// The rate at which a queue would record now. The category of the session may allow that later: until then the rate
    /// is that of the output.
    private var hardwareRate: Double? {
        var rate = input.deviceFormat?.input_rate ?? 0
        if rate == 0 { rate = client.hardwareRate(isInput: true) }
        if rate == 0 { rate = client.hardwareRate(isInput: false) }
        return rate > 0 ? rate : nil
    }

    private func add(_ queue: Queue, _ makeDelivery: MakeDelivery?) throws(QueueStatus) -> UInt {
        guard queue.isValid, startDispatcher(), let pointer = queues.insert(queue) else { throw .outOfMemory }
        guard let delivery = makeDelivery?(queue) ?? startThread(queue) else {
            queues.remove(pointer)
            throw .outOfMemory
        }
        let handle = UInt(bitPattern: pointer)
        queue.stream.addQueue()
        queue.begin(handle, delivery)
        queue.claimStatusSlot()
        return handle
    }

    private func startThread(_ queue: Queue) -> QueueThread? {
        guard let thread = QueueThread.start(queue, ended: { [self] in joinLater($0) }) else { return nil }
        // The dispatcher decodes and encodes packets, whatever the program does in a callback.
        if queue.packets == nil, queue.recording == nil { queue.voice.thread = thread.wake }
        return thread
    }

    /// No effect for a queue that was removed.
    func remove(_ queue: Queue, _ handle: UInt) {
        if queues.remove(OpaquePointer(bitPattern: handle)) != nil { queue.stream.removeQueue() }
    }

    // MARK: The dispatcher

    private func startDispatcher() -> Bool {
        lock.withLock {
            if thread != nil || !hasDispatcher { return true }
            let reference = Unmanaged.passRetained(self)
            thread = linux_thread_start(
                { if let context = $0 { Unmanaged<QueueService>.fromOpaque(context).takeRetainedValue().run() } },
                reference.toOpaque(), "audioqueue-disp")
            if thread == nil { reference.release() }
            return thread != nil
        }
    }

    private func run() {
        while !isEnding.load(ordering: .acquiring) {
            wake.wait()
            dispatch()
        }
    }

    func dispatch() {
        output.dispatch()
        input.dispatch()
        systemSounds.dispatch()
        joinEndedThreads()
    }

    private func joinLater(_ thread: UnsafeMutableRawPointer) {
        lock.withLock { endedThreads.append(thread) }
        wake.signal()
    }

    private func joinEndedThreads() {
        let threads = lock.withLock {
            defer { endedThreads = [] }
            return endedThreads
        }
        for thread in threads { linux_thread_join(thread) }
    }
}
