// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLIOutput
import CLinux
import CToolboxFunctions
import LinuxSystem
import SessionModel

/// Records into a file until a signal, or for the duration in the options.
func record(_ options: OutputOptions) -> Int32 {
    withToolbox { (toolbox) throws(SoundError) in
        let transport = try Transport(toolbox, .recordAudio)
        try transport.checkDevice()
        try Recorder(options, toolbox, transport).record()
        return true
    }
}

/// A queue that records, and the file that its thread writes.
private final class Recorder {
    private static let buffers = 3

    private let toolbox: Toolbox
    private let transport: Transport
    private let options: OutputOptions
    private var queue: AudioQueueRef?
    private var file: OpenSoundFile?
    /// The number of frames to write; nil without a limit. The queue's thread decrements it.
    private var left: Int?
    /// Set by the queue's thread when the recording is complete.
    private let isDone = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    /// Written by the queue's thread until the queue has stopped.
    private var frames = 0
    private var failure: SoundError?

    init(_ options: OutputOptions, _ toolbox: Toolbox, _ transport: Transport) {
        self.options = options
        self.toolbox = toolbox
        self.transport = transport
        isDone.initialize(to: 0)
    }

    deinit {
        if let queue { _ = toolbox.AudioQueueDispose(queue, 1) }
        isDone.deallocate()
    }

    func record() throws(SoundError) {
        transport.setName(options.file)
        let sound = try makeQueue()
        let file = try makeFile(sound)
        self.file = file
        left = options.seconds.map { Int($0 * sound.rate + 0.5) }
        try enqueueBuffers(of: sound)
        transport.print("\(options.file): \(file.description.text)")
        var end: SoundError?
        do throws(SoundError) {
            try transport.run(sound) { linux_load(isDone) != 0 }
        } catch { end = error }
        // Returns the buffers with the sound recorded so far. The queue's thread writes nothing afterwards.
        _ = toolbox.AudioQueueStop(sound.queue, 1)
        do throws(SoundError) { try file.close() } catch { end = end ?? error }
        // The first error. Others follow from it.
        let failure = failure ?? end
        if let failure, frames == 0 {
            _ = options.file.path.withCString { linux_unlink($0) }
            throw failure
        }
        transport.print("\(options.file): \(soundTime(Double(frames) / sound.rate)), \(frames) frames")
        if let failure { throw failure }
    }

    private func makeQueue() throws(SoundError) -> QueueSound {
        // A rate of 0 stands for the rate of the hardware.
        var format = AudioStreamBasicDescription(clientFormat(rate: options.rate ?? 0, channels: options.channels ?? channels))
        let status = toolbox.AudioQueueNewInput(
            &format,
            { data, _, buffer, _, _, _ in
                guard let data, let buffer else { return }
                Unmanaged<Recorder>.fromOpaque(data).takeUnretainedValue().store(buffer)
            }, Unmanaged.passUnretained(self).toOpaque(), nil, nil, 0, &queue)
        guard status == 0, let queue else { throw SoundError(options.file, "no queue: \(toolbox.name(of: status))") }
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let read = toolbox.AudioQueueGetProperty(queue, UInt32(kAudioQueueProperty_StreamDescription), &format, &size)
        guard read == 0 else { throw SoundError(options.file, "no queue: \(toolbox.name(of: read))") }
        let sound = QueueSound(
            name: options.file, queue: queue, rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame),
            duration: options.seconds)
        sound.enableLevels(toolbox)
        return sound
    }

    /// The number of channels of the hardware's input, at most 2.
    private var channels: UInt32 {
        var count: UInt32 = 1
        var size = UInt32(MemoryLayout<UInt32>.size)
        let id = UInt32(kAudioSessionProperty_CurrentHardwareInputNumberChannels)
        guard toolbox.AudioSessionGetProperty(id, &size, &count) == 0 else { return 1 }
        return min(max(count, 1), 2)
    }

    private func makeFile(_ sound: QueueSound) throws(SoundError) -> OpenSoundFile {
        let encoding = options.encoding ?? (options.container == .m4a ? .aac : .int16)
        return try options.create(toolbox, encoding, rate: sound.rate, channels: UInt32(sound.channels), isDouble: false)
    }

    private func enqueueBuffers(of sound: QueueSound) throws(SoundError) {
        let size = UInt32(sound.rate / 10) * UInt32(4 * sound.channels)
        for _ in 0..<Recorder.buffers {
            var buffer: AudioQueueBufferRef?
            let status = toolbox.AudioQueueAllocateBuffer(sound.queue, size, &buffer)
            guard status == 0, let buffer, toolbox.AudioQueueEnqueueBuffer(sound.queue, buffer, 0, nil) == 0 else {
                throw SoundError(options.file, "no buffer: \(toolbox.name(of: status))")
            }
        }
    }

    /// Called on the queue's thread, and by AudioQueueStop.
    private func store(_ buffer: AudioQueueBufferRef) {
        guard linux_load(isDone) == 0, let queue, let file, let memory = buffer.pointee.mAudioData else { return }
        let recorded = Int(buffer.pointee.mAudioDataByteSize / max(1, file.client.mBytesPerFrame))
        let count = min(recorded, left ?? recorded)
        do throws(SoundError) {
            if count > 0 { try file.write(memory, frames: count) }
            frames += count
            left = left.map { $0 - count }
        } catch { failure = error }
        if failure == nil, left ?? 1 > 0 {
            _ = toolbox.AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
        } else {
            linux_store(isDone, 1)
            transport.notify()
        }
    }
}

extension OutputOptions {
    /// Creates the file. Without a codec for its format no file remains.
    func create(
        _ toolbox: Toolbox, _ encoding: TargetEncoding, rate: Double, channels: UInt32, bits: UInt32 = 16, isDouble: Bool
    ) throws(SoundError) -> OpenSoundFile {
        let format = container.description(encoding, rate: rate, channels: channels, bits: bits)
        let written = try OpenSoundFile(writing: file, toolbox, type: container.type(for: encoding), format, replaces: replaces)
        do throws(SoundError) { try written.setClient(clientFormat(rate: rate, channels: channels, isDouble: isDouble)) } catch {
            _ = file.path.withCString { linux_unlink($0) }
            throw error
        }
        return written
    }
}
