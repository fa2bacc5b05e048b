// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// A sound file, or a file in memory, as frames of interleaved floats.
final class PlayedSound: @unchecked Sendable {
    private let file: ExtAudioFileRef
    private let memory: SoundMemory?
    private let opened: AudioFileID?
    /// The format of the file.
    let fileFormat: AudioStreamBasicDescription
    /// The format of the frames.
    let format: AudioStreamBasicDescription
    let frames: Int64

    init(_ url: URL) throws {
        var opened: ExtAudioFileRef?
        let status = url.withUnsafeFileSystemRepresentation { ExtAudioFileLinuxOpenPath($0, &opened) }
        guard status == 0, let opened else {
            throw AudioCallError.make(status, "ExtAudioFileOpenURL", "opening \(url.path)", in: NSOSStatusErrorDomain)
        }
        (file, memory, self.opened) = (opened, nil, nil)
        do {
            (fileFormat, format, frames) = try PlayedSound.prepare(opened)
        } catch {
            _ = ExtAudioFileDispose(opened)
            throw error
        }
    }

    init(_ data: Data, hint: AudioFileTypeID) throws {
        let memory = SoundMemory(data)
        var opened: AudioFileID?
        let status = AudioFileOpenWithCallbacks(
            Unmanaged.passUnretained(memory).toOpaque(), SoundMemory.read, nil, SoundMemory.size, nil, hint, &opened)
        guard status == 0, let opened else {
            throw AudioCallError.make(status, "AudioFileOpenWithCallbacks", "reading the data", in: NSOSStatusErrorDomain)
        }
        var wrapped: ExtAudioFileRef?
        let wrapping = ExtAudioFileWrapAudioFileID(opened, false, &wrapped)
        guard wrapping == 0, let wrapped else {
            _ = AudioFileClose(opened)
            throw AudioCallError.make(wrapping, "ExtAudioFileWrapAudioFileID", "reading the data", in: NSOSStatusErrorDomain)
        }
        (file, self.memory, self.opened) = (wrapped, memory, opened)
        do {
            (fileFormat, format, frames) = try PlayedSound.prepare(wrapped)
        } catch {
            _ = ExtAudioFileDispose(wrapped)
            _ = AudioFileClose(opened)
            throw error
        }
    }

    deinit {
        _ = ExtAudioFileDispose(file)
        if let opened { _ = AudioFileClose(opened) }
    }

    /// The format of the file, that of the frames, and their number.
    private static func prepare(
        _ file: ExtAudioFileRef
    ) throws -> (AudioStreamBasicDescription, AudioStreamBasicDescription, Int64) {
        var own = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &own), "reading the format")
        let bytes = 4 * own.mChannelsPerFrame
        var floats = AudioStreamBasicDescription(
            mSampleRate: own.mSampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
            mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: own.mChannelsPerFrame,
            mBitsPerChannel: 32, mReserved: 0)
        size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &floats), "finding the decoder")
        var frames: Int64 = 0
        size = UInt32(MemoryLayout<Int64>.size)
        try check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &frames), "reading the length")
        return (own, floats, frames)
    }

    private static func check(_ status: OSStatus, _ what: String) throws {
        if status != 0 { throw AudioCallError.make(status, "ExtAudioFile", what, in: NSOSStatusErrorDomain) }
    }

    /// Goes to a frame.
    func seek(_ frame: Int64) throws {
        try PlayedSound.check(ExtAudioFileSeek(file, min(max(frame, 0), frames)), "going to frame \(frame)")
    }

    /// Reads frames; 0 at the end.
    func read(_ frames: UInt32, into memory: UnsafeMutableRawPointer) throws -> UInt32 {
        var count = frames
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: format.mChannelsPerFrame, mDataByteSize: frames * format.mBytesPerFrame, mData: memory))
        try PlayedSound.check(ExtAudioFileRead(file, &count, &list), "reading")
        return count
    }
}

/// The bytes of a file in memory.
private final class SoundMemory: @unchecked Sendable {
    private let data: NSData

    init(_ data: Data) { self.data = data as NSData }

    static let read: AudioFile_ReadProc = { reference, position, count, buffer, actual in
        let data = Unmanaged<SoundMemory>.fromOpaque(reference).takeUnretainedValue().data
        let start = Int(clamping: max(position, 0))
        let bytes = min(max(data.length - start, 0), Int(count))
        if bytes > 0 { data.getBytes(buffer, range: NSRange(location: start, length: bytes)) }
        actual.pointee = UInt32(bytes)
        return 0
    }

    static let size: AudioFile_GetSizeProc = { reference in
        Int64(Unmanaged<SoundMemory>.fromOpaque(reference).takeUnretainedValue().data.length)
    }
}
