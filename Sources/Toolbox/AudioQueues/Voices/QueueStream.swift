// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import CLinux
import EngineClient
import LinuxSystem
import Synchronization

/// The queue that owns a voice.
protocol VoiceOwner: AnyObject, Sendable {
    /// Called on the dispatcher's thread: the voice has changed its answers or counters.
    func voiceChanged()
    /// Called on any thread, without the lock of the owner: the session has stopped the stream, which no longer has the voice.
    func streamStopped()
}

/// The voices of one direction, which share one stream and its thread.
///
/// The stream runs while it has a voice, and the session counts as playing while it runs. If all voices are suspended, it runs
/// without cycles. The audio thread takes no lock: it visits an immutable list of voices. Only the queue uses a
/// voice that was removed or suspended. Playing voices are grouped by their rate.
final class QueueStream: EngineStreamOwner, @unchecked Sendable {
    enum Kind { case output, input, systemSounds }

    let kind: Kind
    var isInput: Bool { kind == .input }
    private let client: any AudioEngineClient
    private let reference: (any PlaybackReference)?
    private let wake: ThreadSignal
    private let voices = RealtimeCell<VoiceList>()
    let clock = UnsafeMutablePointer<heard_clock>.allocate(capacity: 1)

    private let lock = Lock()
    private var stream: (any EngineStream)?
    private var isStarted = false { didSet { describe(statusSlot, isRunning: hasCycles) } }
    /// The stream runs without cycles.
    private var isSuspended = false { didSet { describe(statusSlot, isRunning: hasCycles) } }
    private var hasCycles: Bool { isStarted && !isSuspended }
    private var statusSlot: StatusSlot?
    private(set) var members: StreamMembers
    private var slices: QueueSlices
    /// Owners that have not been notified yet that the stream has stopped.
    private var stopped: [any VoiceOwner] = []
    /// Held while these owners are notified. Acquired before the locks of the queues.
    private let notifying = Lock()

    private let hasStopped = Atomic<Bool>(false)
    /// A group is prepared for another device.
    private let isMismatched = Atomic<Bool>(false)

    // The stream's thread alone:
    private var counter: SliceCounter
    /// Nil when too many streams play.
    private var writer: (any PlaybackWriter)?

    init(
        _ client: any AudioEngineClient, _ slices: SliceLengths, _ reference: (any PlaybackReference)?, _ kind: Kind,
        wake: ThreadSignal
    ) {
        self.client = client
        self.reference = reference
        self.kind = kind
        self.wake = wake
        members = StreamMembers(isInput: kind == .input)
        self.slices = QueueSlices(client, slices, isInSession: kind != .systemSounds)
        counter = SliceCounter(isInput: kind == .input)
        clock.initialize(to: heard_clock())
    }

    deinit {
        clock.deallocate()
    }

    /// Ends the stream. Its owner must not use it afterwards.
    func destroy() {
        let (stream, statusSlot) = lock.withLock {
            defer { (self.stream, self.statusSlot) = (nil, nil) }
            return (self.stream, self.statusSlot)
        }
        // The stream writes its counters into the slot.
        withExtendedLifetime(statusSlot) { stream?.destroy() }
        lock.withLock {
            members.removeAll()
            publish()
        }
    }

    // MARK: Voices

    /// Adds a voice and starts the stream. If the session refuses, throws its result code and leaves the voice unchanged.
    func activate(_ voice: Voice, _ owner: any VoiceOwner) throws(QueueStatus) {
        try lock.withLock { () throws(QueueStatus) in
            let stream = try existingStream()
            noticeStop()
            let isNew = !members.renders(voice)
            let former = members.removeSuspended(voice)
            if isNew {
                stopped.removeAll { $0 === owner }
                // The audio thread reports once that nothing was enqueued.
                voice.isIdle.store(false, ordering: .relaxed)
                if let format = stream.format { voice.configure(format) }
                members.insert(StreamMembers.Member(voice: voice, owner: owner))
                publish()
            }
            guard !hasCycles else { return }
            do throws(QueueStatus) {
                try start(stream)
            } catch {
                if isNew { remove(voice) }
                if let former { members.suspend(former) }
                throw error
            }
        }
    }

    /// Removes a voice. Returns when the audio thread does not use it any more. The stream stops when it has no voice.
    func deactivate(_ voice: Voice) {
        lock.withLock {
            remove(voice)
            _ = members.removeSuspended(voice)
            guard isStarted, members.rendered.isEmpty else { return }
            guard members.suspended.isEmpty else { return suspendStream() }
            stream?.stop()
            (isStarted, isSuspended) = (false, false)
            stream?.counters.logLateness("stop of the last audio queue")
        }
    }

    /// Removes a voice without sound from the audio thread until it is activated again. Its queue still runs, and stops with the
    /// stream. No effect on a voice that the stream does not have.
    func suspend(_ voice: Voice) {
        lock.withLock {
            guard let member = remove(voice) else { return }
            members.suspend(member)
            if isStarted, members.rendered.isEmpty { suspendStream() }
        }
    }

    private func suspendStream() {
        guard !isSuspended else { return }
        stream?.suspend()
        isSuspended = true
    }

    /// Changes a voice while the audio thread does not use it.
    func withoutRendering(_ voice: Voice, _ change: () -> Void) {
        lock.withLock {
            let member = remove(voice)
            change()
            guard let member else { return }
            members.insert(member)
            publish()
        }
    }

    /// Whether the audio thread uses the voice.
    func has(_ voice: Voice) -> Bool { lock.withLock { members.renders(voice) } }

    /// Prepares a voice that was made for another device.
    func reconfigure(_ voice: Voice) {
        lock.withLock {
            guard members.renders(voice), let format = stream?.format, let member = remove(voice) else { return }
            voice.configure(format)
            members.insert(member)
            publish()
        }
    }

    @discardableResult
    private func remove(_ voice: Voice) -> StreamMembers.Member? {
        guard let member = members.remove(voice) else { return nil }
        publish()
        return member
    }

    /// Returns when the audio thread does not use the former list any more.
    private func publish() { voices.exchangeWaiting(members.list(for: stream?.format)) }

    /// Prepares the groups that were made for the former device.
    private func reconfigureGroups() {
        guard isMismatched.exchange(false, ordering: .acquiringAndReleasing), let format = stream?.format else { return }
        voices.exchangeWaiting(nil)
        for group in members.groups { group.configure(format) }
        publish()
    }

    // MARK: The stream

    private func existingStream() throws(QueueStatus) -> any EngineStream {
        if let stream { return stream }
        let result =
            switch kind {
            case .output: client.makeStream(for: self, .output)
            case .input: client.makeStream(for: self, .input)
            case .systemSounds: client.makeSystemSoundStream(for: self)
            }
        switch result {
        case .stream(let made):
            stream = made
            statusSlot = makeSlot(client, for: made)
            describe(statusSlot, isRunning: false)
            return made
        case .refused(let status): throw QueueStream.status(status)
        }
    }

    /// The session publishes the length of a slice while a queue exists.
    func addQueue() { lock.withLock { slices.addQueue(of: ObjectIdentifier(self)) } }

    func removeQueue() { lock.withLock { slices.removeQueue(of: ObjectIdentifier(self)) } }

    private func start(_ stream: any EngineStream) throws(QueueStatus) {
        let seconds = slices.seconds
        let granted = stream.format
        let grantedRate = (isInput ? granted?.input_rate : granted?.output_rate) ?? 0
        let rate = grantedRate > 0 ? grantedRate : 44_100
        let status = stream.start(frames: rate * seconds, rate: rate)
        guard status == 0 else {
            Log.debug("an audio queue cannot start its stream: the result of the engine is \(status)")
            throw QueueStream.status(status)
        }
        (isStarted, isSuspended) = (true, false)
        slices.publish(seconds, of: ObjectIdentifier(self))
    }

    /// Returns a result code of the session unchanged, and translates an errno value, which is small.
    private static func status(_ code: Int32) -> QueueStatus {
        code < 0 && code > -200 && code != QueueStatus.parameter.code ? .cannotStart : QueueStatus(code)
    }

    /// The format that the hardware grants now.
    var deviceFormat: pull_format? {
        lock.withLock {
            do throws(QueueStatus) { return try existingStream().format } catch { return nil }
        }
    }

    var isRunning: Bool { lock.withLock { hasCycles } }

    /// The stream has stopped by itself: removes all voices.
    private func noticeStop() {
        guard isStarted, let stream, !stream.isRunning else { return }
        (isStarted, isSuspended) = (false, false)
        stopped += members.owners
        members.removeAll()
        publish()
    }

    /// Tells the queues of a stream that has stopped by itself. They have been told when this returns, also if another thread
    /// does it at the same time.
    private func notifyOwners() {
        notifying.withLock {
            let owners = lock.withLock {
                noticeStop()
                defer { stopped = [] }
                return stopped
            }
            for owner in owners { owner.streamStopped() }
        }
    }

    override func sessionStopped() { notifyOwners() }

    // MARK: The dispatcher's thread

    func dispatch() {
        if hasStopped.exchange(false, ordering: .acquiringAndReleasing) || lock.withLock({ !stopped.isEmpty }) { notifyOwners() }
        let news = lock.withLock { () -> [any VoiceOwner] in
            reconfigureGroups()
            return members.rendered.filter { $0.voice.hasNews.exchange(false, ordering: .acquiringAndReleasing) }.map { $0.owner }
        }
        for owner in news { owner.voiceChanged() }
    }

    // MARK: The stream's threads

    override func configure(_ format: pull_format) {
        let list = voices.enter()
        defer { voices.leave() }
        if writer == nil || format.output_rate != counter.format.output_rate {
            writer = nil
            writer = reference?.makeWriter(deviceRate: format.output_rate)
        }
        counter.configure(format)
        list?.configure(format)
    }

    override func render(_ cycle: UnsafeMutablePointer<pull_cycle>) {
        let slice = counter.next(cycle.pointee)
        let list = voices.enter()
        var result: VoiceList.Result?
        if let integers = cycle.pointee.output_int16, writer?.isWanted != true { result = list?.copy(slice, to: integers) }
        let isCopied = result != nil
        if !isCopied {
            slice.output?.update(repeating: 0, count: slice.frames * slice.channels)
            result = list?.render(slice)
        }
        publish(slice)
        if let result { notify(result) }
        voices.leave()
        if !isCopied, let writer, let output = slice.output {
            writer.write(output, channels: slice.channels, frames: slice.frames, heardAt: slice.time)
        }
        cycle.pointee.produces_int16 = isCopied
        if isInput { cycle.pointee.consumed = cycle.pointee.input_frames } else { cycle.pointee.produced = UInt32(slice.frames) }
    }

    /// Wakes the dispatcher, or the thread of the only queue with news. Called in the visit of the list, which references the voices.
    private func notify(_ result: VoiceList.Result) {
        var result = result
        if result.isMismatched, !isMismatched.exchange(true, ordering: .acquiringAndReleasing) { result.useDispatcher() }
        if result.hasNews { wake.signal() } else { result.voice?.takeUnretainedValue().thread?.signal() }
    }

    /// Publishes the time of the device, also while no queue plays.
    private func publish(_ slice: Slice) {
        var record = heard_record(
            time: slice.time, position: 0, end: 0, floor: 0, frames_per_second: slice.rate * slice.rateScalar,
            device_frame: Double(slice.frame), device_rate: slice.rate, rate_scalar: slice.rateScalar)
        heard_clock_write(clock, &record)
    }

    override func stopped(_ reason: StopReason) {
        hasStopped.store(true, ordering: .releasing)
        wake.signal()
    }

    override func formatChanged() {}
}
