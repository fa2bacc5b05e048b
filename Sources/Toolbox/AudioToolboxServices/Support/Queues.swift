// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioQueues
import CAudioToolbox
import CodecModules
import LinuxSystem
import MediaFormats

/// The queues and system sounds of this process.
enum Queues {
    /// Nil when libAudioSession has another version.
    static var service: QueueService? { ProcessAudio.own.queues }
    static var sounds: SystemSounds? { ProcessAudio.own.sounds }

    static func running() throws(QueueStatus) -> QueueService {
        guard let service else { throw .cannotStart }
        return service
    }

    /// The decoder of a format that the audio thread does not decode. Nil for linear PCM and for formats without any decoder.
    static func decoder(_ format: StreamDescription) throws(QueueStatus) -> (any PacketDecoder)? {
        if format.formatID == DVIPacket.formatID { return PacketCodecs.decoder(for: format) }
        guard !CodecSource.packages(decoding: format.formatID).isEmpty else { return nil }
        guard let decoder = CodecModules.decoder(for: format) else { throw .codecNotFound }
        return decoder
    }

    /// The encoder of a format that queues do not encode themselves. Nil for linear PCM and for formats without any encoder.
    static func encoder(_ format: StreamDescription) throws(QueueStatus) -> (any VariablePacketEncoder)? {
        guard !CodecSource.packages(encoding: format.formatID).isEmpty else { return nil }
        guard let encoder = CodecModules.encoder(for: format) else { throw .codecNotFound }
        return encoder
    }

    static func queue(_ handle: AudioQueueRef?) throws(QueueStatus) -> Queue {
        guard let handle, let service else { throw .parameter }
        return try service.queues.object(UInt(bitPattern: handle))
    }

    /// The likely mistake of the program, for the log.
    static func hint(_ handle: AudioQueueRef?, _ text: (Queue) -> String?) -> String? {
        guard Log.isEnabled else { return nil }
        do throws(QueueStatus) { return text(try queue(handle)) } catch { return nil }
    }
}

/// Calls the callbacks of a queue on the run loop that the program has given.
final class RunLoopDelivery: QueueDelivery, @unchecked Sendable {
    private let source: RunLoopSource

    private init(_ source: RunLoopSource) { self.source = source }

    static func make(_ queue: Queue, _ runLoop: UnsafeRawPointer, _ mode: UnsafeRawPointer?) -> RunLoopDelivery? {
        // The listeners of IsRunning are called before the session's listener of an interruption.
        guard let source = RunLoopSource.make(runLoop, mode, inCommonModes: true, order: -1, { queue.deliver() }) else {
            Log.debug("an audio queue has a run loop, but the process has no CoreFoundation: its callbacks run on its own thread")
            return nil
        }
        return RunLoopDelivery(source)
    }

    func signal() { source.signal() }
    func invalidate() { source.invalidate() }
}

extension AudioTimeStamp {
    /// A time stamp with sample time and host time.
    init(_ time: SoundTime) {
        self.init()
        mSampleTime = time.frame
        mHostTime = time.hostTime
        mRateScalar = time.rateScalar
        mFlags = UInt32(kAudioTimeStampSampleHostTimeValid) | UInt32(kAudioTimeStampRateScalarValid)
    }

    var hasFrame: Bool { mFlags & UInt32(kAudioTimeStampSampleTimeValid) != 0 }
    var hasHostTime: Bool { mFlags & UInt32(kAudioTimeStampHostTimeValid) != 0 }

    var startTime: StartTime {
        if hasHostTime { return .time(mHostTime) }
        return hasFrame && mSampleTime.isFinite ? .frame(mSampleTime) : .now
    }
}
