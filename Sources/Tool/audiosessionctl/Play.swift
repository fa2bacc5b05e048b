// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLIOutput
import CLinux
import CToolboxFunctions
import SessionModel

/// Plays the files one after another. After a file that cannot be played, the next file is played.
func play(_ files: [String]) -> Int32 {
    withToolbox { (toolbox) throws(SoundError) in
        // Standard input is read to its end before signals are held back for the transport.
        let inputs = files.map { SoundInput($0) }
        let transport = try Transport(toolbox, .mediaPlayback)
        try transport.checkDevice()
        var isGood = true
        for input in inputs where !transport.isStopped {
            do throws(SoundError) { try Player(input, toolbox, transport).play() } catch {
                Output.error(error.text)
                isGood = false
            }
        }
        return isGood
    }
}

/// A file and the queue that plays it. After the start, the queue's thread reads the file.
private final class Player {
    private static let buffers = 3

    private let toolbox: Toolbox
    private let transport: Transport
    private let file: OpenSoundFile
    private var queue: AudioQueueRef?
    /// The number of enqueued buffers. The queue's thread decrements it.
    private let enqueued = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    /// Written by the queue's thread before the last buffer.
    private var failure: SoundError?

    init(_ input: SoundInput, _ toolbox: Toolbox, _ transport: Transport) throws(SoundError) {
        self.toolbox = toolbox
        self.transport = transport
        enqueued.initialize(to: 0)
        file = try OpenSoundFile(reading: input, toolbox)
        let rate = file.format.mSampleRate
        guard OutputOptions.rates.contains(rate) else {
            throw SoundError(file.name, "\(file.description.text) cannot be played: the rate is not in 4000 to 192000 Hz")
        }
        try file.setClient(clientFormat(rate: rate, channels: file.format.mChannelsPerFrame))
    }

    deinit {
        if let queue { _ = toolbox.AudioQueueDispose(queue, 1) }
        enqueued.deallocate()
    }

    func play() throws(SoundError) {
        let sound = try makeQueue()
        transport.setName(file.name)
        transport.print("\(file.name): \(file.description.text)\(sound.duration.map { ", " + soundTime($0) } ?? "")")
        try fillBuffers(of: sound)
        guard linux_load(enqueued) > 0 else { return transport.print("\(file.name): nothing to play") }
        // The last frame is heard after the last buffer has come back.
        try transport.run(sound) { linux_load(enqueued) == 0 && sound.hasEnded(toolbox) }
        let seconds = sound.seconds(toolbox)
        _ = toolbox.AudioQueueStop(sound.queue, 1)
        if let failure { throw failure }
        if transport.isStopped { transport.print("\(file.name): stopped at \(soundTime(seconds))") }
    }

    private func makeQueue() throws(SoundError) -> QueueSound {
        var format = file.client
        let status = toolbox.AudioQueueNewOutput(
            &format,
            { data, _, buffer in
                guard let data, let buffer else { return }
                Unmanaged<Player>.fromOpaque(data).takeUnretainedValue().refill(buffer)
            }, Unmanaged.passUnretained(self).toOpaque(), nil, nil, 0, &queue)
        guard status == 0, let queue else { throw SoundError(file.name, "no queue: \(toolbox.name(of: status))") }
        let listens = toolbox.AudioQueueAddPropertyListener(
            queue, UInt32(kAudioQueueProperty_IsRunning),
            { data, _, _ in
                guard let data else { return }
                Unmanaged<Player>.fromOpaque(data).takeUnretainedValue().transport.notify()
            }, Unmanaged.passUnretained(self).toOpaque())
        guard listens == 0 else { throw SoundError(file.name, "no queue: \(toolbox.name(of: listens))") }
        let sound = QueueSound(
            name: file.name, queue: queue, rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame),
            duration: file.seconds)
        sound.enableLevels(toolbox)
        return sound
    }

    private func fillBuffers(of sound: QueueSound) throws(SoundError) {
        let size = UInt32(sound.rate / 10) * file.client.mBytesPerFrame
        for _ in 0..<Player.buffers {
            var buffer: AudioQueueBufferRef?
            let status = toolbox.AudioQueueAllocateBuffer(sound.queue, size, &buffer)
            guard status == 0, let buffer else { throw SoundError(file.name, "no buffer: \(toolbox.name(of: status))") }
            if enqueue(buffer, of: sound.queue) { linux_store(enqueued, linux_load(enqueued) + 1) }
        }
        if let failure { throw failure }
    }

    /// Called on the queue's thread after a buffer has been played.
    private func refill(_ buffer: AudioQueueBufferRef) {
        guard let queue, !enqueue(buffer, of: queue) else { return }
        linux_store(enqueued, linux_load(enqueued) &- 1)
        // Stops after the enqueued buffers.
        _ = toolbox.AudioQueueStop(queue, 0)
        transport.notify()
    }

    /// False at the end of the file, and when the queue returns its buffers because it stops.
    private func enqueue(_ buffer: AudioQueueBufferRef, of queue: AudioQueueRef) -> Bool {
        guard failure == nil, let memory = buffer.pointee.mAudioData else { return false }
        do throws(SoundError) {
            let frames = try file.read(memory, room: Int(buffer.pointee.mAudioDataBytesCapacity))
            buffer.pointee.mAudioDataByteSize = UInt32(frames) * file.client.mBytesPerFrame
            guard frames > 0 else { return false }
            let status = toolbox.AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
            guard status != Int32(kAudioQueueErr_EnqueueDuringReset) else { return false }
            guard status == 0 else { throw SoundError(file.name, "the queue refuses a buffer: \(toolbox.name(of: status))") }
            return true
        } catch {
            failure = error
            return false
        }
    }
}
