// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import SoundFiles
import Synchronization

/// Plays short sound files, one at a time. Each sound is a queue with one buffer. The sounds are no part of the program's session:
/// they never activate it, interrupt none, and no interruption stops them.
public final class SystemSounds: @unchecked Sendable {
    public static let longestDuration = 30.0
    /// `kSystemSoundID_…`
    public static let vibration: UInt32 = 0xFFF
    public static let preferredAlert: UInt32 = 0x1000
    private static let constants: ClosedRange<UInt32> = 0xFFE...0x1000
    /// `kAudioServicesSystemSoundUnspecifiedError`
    public static let unspecified = QueueStatus(-1_500)

    /// The properties of a sound that a program sets.
    public struct Settings: Sendable {
        public var isUISound: UInt32 = 1
        public var completesIfProgramDies: UInt32 = 0
    }

    private final class Sound: @unchecked Sendable {
        let id: UInt32
        let queue: Queue
        let buffer: UInt
        let bytes: UInt32
        let options: Queue.EnqueueOptions
        let isPlaying = Atomic<Bool>(false)
        var settings = Settings()

        init(_ id: UInt32, _ queue: Queue, _ buffer: UInt, _ bytes: UInt32, _ options: Queue.EnqueueOptions) {
            self.id = id
            self.queue = queue
            self.buffer = buffer
            self.bytes = bytes
            self.options = options
        }
    }

    private let service: QueueService
    private let thread = DeliveryThread()
    private let lock = Lock()
    private var sounds: [Sound] = []
    private var completions: [(id: UInt32, call: () -> Void)] = []
    private var nextID = SystemSounds.preferredAlert + 1
    private var current: Sound?

    public init(_ service: QueueService) { self.service = service }

    /// Ends the thread. No sound may be used afterwards.
    public func end() {
        for sound in lock.withLock({ sounds }) { remove(sound.id) }
        thread.end()
    }

    // MARK: Sounds

    /// Loads a sound of at most 30 seconds.
    public func load(_ source: any ByteSource) throws(QueueStatus) -> UInt32 {
        guard let file = try? SoundFile(source), thread.start() else { throw SystemSounds.unspecified }
        let rate = file.format.sampleRate
        let bytes = UInt32(clamping: file.dataSize)
        guard rate > 0, Double(file.frameCount) <= SystemSounds.longestDuration * rate, bytes > 0, bytes < .max else {
            throw SystemSounds.unspecified
        }
        let handle: UInt
        do throws(QueueStatus) {
            handle = try service.makeSystemSound(file.format, Queue.Handlers { _, _ in }, on: thread.delivery)
        } catch {
            throw error == .unsupportedFormat ? SystemSounds.unspecified : error
        }
        let queue = try service.queues.object(handle)
        do throws(QueueStatus) {
            return try add(queue, file, bytes, source)
        } catch {
            try? queue.dispose(immediately: true)
            throw error
        }
    }

    private func add(_ queue: Queue, _ file: SoundFile, _ bytes: UInt32, _ source: any ByteSource) throws(QueueStatus) -> UInt32 {
        let allocation = try queue.allocateBuffer(bytes: bytes)
        let room = UnsafeMutableRawBufferPointer(start: allocation.data, count: Int(clamping: bytes))
        guard (try? source.read(at: file.dataOffset, into: room)) == room.count else { throw SystemSounds.unspecified }
        var options = Queue.EnqueueOptions()
        options.trimAtStart = file.primingFrames
        options.trimAtEnd = file.remainderFrames
        let sound = lock.withLock {
            let sound = Sound(nextID, queue, UInt(bitPattern: allocation.header), bytes, options)
            nextID += 1
            sounds.append(sound)
            return sound
        }
        try queue.addListener(QueueState.isRunningProperty, procedure: 0, data: 0) { [self] _, _ in
            if !sound.queue.hasSound { finish(sound) }
        }
        return sound.id
    }

    /// Stops a sound and frees it. No effect for an unknown sound.
    @discardableResult
    public func remove(_ id: UInt32) -> Bool {
        let sound = lock.withLock { () -> Sound? in
            guard let index = sounds.firstIndex(where: { $0.id == id }) else { return nil }
            if current?.id == id { current = nil }
            return sounds.remove(at: index)
        }
        setCompletion(id, nil)
        guard let sound else { return false }
        sound.isPlaying.store(false, ordering: .relaxed)
        try? sound.queue.dispose(immediately: true)
        return true
    }

    private func sound(_ id: UInt32) -> Sound? { lock.withLock { sounds.first { $0.id == id } } }

    // MARK: Playing

    /// Plays a sound from its beginning, and ends the sound that plays now.
    public func play(_ id: UInt32, isAlert: Bool = false) {
        if isAlert || id == SystemSounds.vibration {
            Log.debug("system sound \(id): vibration is requested, and this machine has no vibration motor")
        }
        guard let sound = sound(id) else {
            if id != SystemSounds.vibration { Log.debug("system sound \(id): no sound has this number") }
            complete(id)
            return
        }
        let former = lock.withLock {
            defer { current = sound }
            return current
        }
        if let former, former !== sound { end(former) }
        end(sound)
        sound.isPlaying.store(true, ordering: .releasing)
        do throws(QueueStatus) {
            try sound.queue.enqueue(sound.buffer, bytes: sound.bytes, sound.options)
            // Before the start, so that a sound that a dead server stops at once is complete as well.
            try sound.queue.stop(immediately: false)
            try sound.queue.start()
        } catch {
            Log.debug("system sound \(id) cannot be played: result code \(error.code)")
            finish(sound)
        }
    }

    private func end(_ sound: Sound) {
        try? sound.queue.stop(immediately: true)
        finish(sound)
    }

    /// Calls the completion procedure once for each time that the sound was played.
    private func finish(_ sound: Sound) {
        if sound.isPlaying.exchange(false, ordering: .acquiringAndReleasing) { complete(sound.id) }
    }

    private func complete(_ id: UInt32) { lock.withLock({ completions.first { $0.id == id }?.call })?() }

    /// Sets the completion procedure of a sound, which is called after it has been played. Nil removes the procedure. Returns
    /// false if the number is not the number of a loaded sound and not one of `kSystemSoundID_…`.
    @discardableResult
    public func setCompletion(_ id: UInt32, _ call: (() -> Void)?) -> Bool {
        lock.withLock {
            guard call == nil || SystemSounds.constants.contains(id) || sounds.contains(where: { $0.id == id }) else {
                return false
            }
            completions.removeAll { $0.id == id }
            if let call { completions.append((id, call)) }
            return true
        }
    }

    // MARK: Settings

    public func settings(_ id: UInt32) -> Settings? { lock.withLock { sounds.first { $0.id == id }?.settings } }

    public func change(_ id: UInt32, _ body: (inout Settings) -> Void) {
        lock.withLock { if let sound = sounds.first(where: { $0.id == id }) { body(&sound.settings) } }
    }
}

extension Queue {
    /// The value of IsRunning.
    var hasSound: Bool { lock.withLock { state.hasSound } }
}
