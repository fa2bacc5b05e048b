// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import LinuxSystem
import MediaFormats
import Synchronization

// The properties by which a program schedules sound on a player.
extension Unit {
    func schedule(_ property: UnitProperty, _ data: UnsafeRawBufferPointer) throws(UnitError) {
        guard let player, let start = data.baseAddress else { throw .invalidPropertyValue }
        switch property {
        case .scheduleAudioSlice:
            // The unit writes to the slice of the program, and passes its address to the completion procedure.
            let slice = UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: ScheduledAudioSlice.self)
            guard UInt(bitPattern: start) % UInt(MemoryLayout<ScheduledAudioSlice>.alignment) == 0 else {
                throw .invalidPropertyValue
            }
            try player.schedule(slice, read { $0.programOutput.pcm })
        case .scheduleStartTimeStamp: try player.setStart(try PropertyBytes.read(AudioTimeStamp.self, data))
        case .scheduledFileIDs:
            let size = MemoryLayout<OpaquePointer?>.size
            try player.setFiles(
                (0..<(data.count / size)).map { data.loadUnaligned(fromByteOffset: $0 * size, as: OpaquePointer?.self) })
        case .scheduledFileRegion: try player.schedule(try PropertyBytes.read(ScheduledAudioFileRegion.self, data))
        case .scheduledFilePrime: player.prime(try PropertyBytes.read(UInt32.self, data))
        default: break
        }
    }

    /// The player reads ahead in the format of an initialized unit. Another format drops what is scheduled.
    func preparePlayer() {
        guard let player else { return }
        let (isInitialized, format) = read { ($0.isInitialized, $0.programOutput.pcm) }
        if isInitialized { player.prepare(format, isRendering: context.isRendering) }
    }

    /// A thread that renders with the unit must not wait: that of a device, or one of a program that says so.
    private var rendersInRealTime: Bool {
        kind.isIO || kind == .genericOutput && !rendersOffline.load(ordering: .relaxed)
    }

    func renderPlayed(
        _ player: SoundPlayer, _ path: PlayerPath, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        path.begin(frames)
        // A thread that renders offline waits for the files.
        let hasSound = player.render(path, time.pointee, frames) {
            !context.table.contains { $0.rendersInRealTime && $0.isRendering }
        }
        path.finish(frames, to: BufferList(list).memory())
        if !hasSound { flags |= outputIsSilence }
        return 0
    }
}
