// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// The file of the path /dev/null: it keeps no byte. A recorder whose levels alone count writes there.
final class DiscardedFile {
    private var file: AudioFileID?
    private var size: Int64 = 0

    static func isNamed(_ url: URL) -> Bool { url.isFileURL && url.path == "/dev/null" }

    /// The file for writing. The caller disposes of it before this object goes.
    func create(_ type: AudioFileTypeID, _ description: inout AudioStreamBasicDescription) throws -> ExtAudioFileRef {
        var created: ExtAudioFileRef?
        var status = AudioFileInitializeWithCallbacks(
            Unmanaged.passUnretained(self).toOpaque(),
            { _, _, _, _, count in
                count.pointee = 0
                return kAudioFileEndOfFileError
            },
            { reference, position, count, _, written in
                let discarded = Unmanaged<DiscardedFile>.fromOpaque(reference).takeUnretainedValue()
                discarded.size = max(discarded.size, position + Int64(count))
                written.pointee = count
                return noErr
            },
            { Unmanaged<DiscardedFile>.fromOpaque($0).takeUnretainedValue().size },
            { reference, size in
                Unmanaged<DiscardedFile>.fromOpaque(reference).takeUnretainedValue().size = size
                return noErr
            },
            type, &description, .eraseFile, &file)
        if status == noErr, let file { status = ExtAudioFileWrapAudioFileID(file, true, &created) }
        guard status == noErr, let created else {
            throw AudioCallError.make(status, "AudioFileInitializeWithCallbacks", "/dev/null cannot be written")
        }
        return created
    }

    deinit { if let file { _ = AudioFileClose(file) } }
}
