// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// A buffer or a part of a file that is scheduled on a player node, until it is complete.
final class ScheduledSound: @unchecked Sendable {
    typealias Completion = (AVAudioPlayerNodeCompletionCallbackType) -> Void

    /// Called when the unit no longer uses the sound.
    private let ended: @Sendable (ScheduledSound) -> Void
    private var buffer: AVAudioPCMBuffer?
    private var slice: UnsafeMutablePointer<ScheduledAudioSlice>?
    private(set) var file: AudioFileID?

    init(_ ended: @escaping @Sendable (ScheduledSound) -> Void) { self.ended = ended }

    deinit {
        slice?.deallocate()
        if let file { _ = AudioFileClose(file) }
    }

    // MARK: Buffers

    /// Schedules a buffer on a unit. The unit uses the memory of the buffer until it is complete.
    func schedule(
        _ buffer: AVAudioPCMBuffer, on unit: EngineUnit, at time: AVAudioTime?, _ flags: AUScheduledAudioSliceFlags
    ) throws {
        let made = UnsafeMutablePointer<ScheduledAudioSlice>.allocate(capacity: 1)
        made.initialize(to: ScheduledAudioSlice())
        (slice, self.buffer) = (made, buffer)
        if let time { made.pointee.mTimeStamp = time.audioTimeStamp }
        made.pointee.mFlags = flags
        made.pointee.mNumberFrames = buffer.frameLength
        made.pointee.mBufferList = buffer.mutableAudioBufferList
        made.pointee.mCompletionProc = { reference, _ in
            guard let reference else { return }
            Unmanaged<ScheduledSound>.fromOpaque(reference).takeRetainedValue().finish()
        }
        let reference = Unmanaged.passRetained(self)
        made.pointee.mCompletionProcUserData = reference.toOpaque()
        let status = AudioUnitSetProperty(
            unit.unit, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, made,
            UInt32(MemoryLayout<ScheduledAudioSlice>.size))
        guard status == 0 else {
            reference.release()
            throw AudioCallError.make(status, "AudioUnitSetProperty", "scheduling a buffer")
        }
    }

    // MARK: Files

    /// Opens the file of a region.
    func open(_ url: URL) throws -> AudioFileID {
        var opened: AudioFileID?
        let status = url.withUnsafeFileSystemRepresentation { path in
            AudioFileLinuxOpenPath(path, .readPermission, 0, &opened)
        }
        guard status == 0, let opened else { throw AudioCallError.make(status, "AudioFileOpenURL", "opening \(url.path)") }
        file = opened
        return opened
    }

    func schedule(from frame: Int64, frames: UInt32, on unit: EngineUnit, at time: AVAudioTime?) throws {
        var region = ScheduledAudioFileRegion()
        if let time { region.mTimeStamp = time.audioTimeStamp }
        region.mAudioFile = file
        (region.mStartFrame, region.mFramesToPlay) = (frame, frames)
        region.mCompletionProc = { reference, _, _ in
            guard let reference else { return }
            Unmanaged<ScheduledSound>.fromOpaque(reference).takeRetainedValue().finish()
        }
        let reference = Unmanaged.passRetained(self)
        region.mCompletionProcUserData = reference.toOpaque()
        let status = AudioUnitSetProperty(
            unit.unit, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region,
            UInt32(MemoryLayout<ScheduledAudioFileRegion>.size))
        guard status == 0 else {
            reference.release()
            throw AudioCallError.make(status, "AudioUnitSetProperty", "scheduling a file")
        }
    }

    private func finish() { ended(self) }
}
