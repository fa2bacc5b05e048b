// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLIOutput
import CLinux
import CToolboxFunctions
import LinuxSystem
import MediaFormats

/// A sound file that is read or written as linear PCM.
final class OpenSoundFile {
    let name: String
    /// Keeps a temporary file. Nil for a file that is written.
    private let input: SoundInput?
    private let toolbox: Toolbox
    private var file: ExtAudioFileRef?
    /// The audio file that `file` reads. Nil for a file that is written.
    private var packets: AudioFileID?
    private var isWritten = false
    /// The format of the file, and of the samples that are read or written.
    private(set) var format = AudioStreamBasicDescription()
    private(set) var client = AudioStreamBasicDescription()

    init(reading input: SoundInput, _ toolbox: Toolbox) throws(SoundError) {
        name = input.name
        self.input = input
        self.toolbox = toolbox
        try input.checkReadable()
        var status = toolbox.open(input, &packets)
        if status == 0 { status = toolbox.ExtAudioFileWrapAudioFileID(packets, 0, &file) }
        guard status == 0, let file else { throw SoundError(name, OpenSoundFile.reason(status, toolbox)) }
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let read = toolbox.ExtAudioFileGetProperty(file, UInt32(kExtAudioFileProperty_FileDataFormat), &size, &format)
        guard read == 0 else { throw SoundError(name, OpenSoundFile.reason(read, toolbox)) }
    }

    /// Creates the file. Without a codec for its format an existing file is not changed.
    init(writing name: String, _ toolbox: Toolbox, type: UInt32, _ format: StreamDescription, replaces: Bool) throws(SoundError) {
        self.name = name
        input = nil
        self.toolbox = toolbox
        var status = linux_file_status()
        if !replaces, exists(name.path, &status) {
            throw SoundError(name, "the file exists; --force replaces it")
        }
        self.format = AudioStreamBasicDescription(format)
        isWritten = true
        if !isCodecInstalled, let codecReason { throw SoundError(name, codecReason) }
        let flags = UInt32(replaces ? kAudioFileFlags_EraseFile : 0)
        let result =
            name.path.withCString {
                toolbox.ExtAudioFileLinuxCreateWithPath($0, type, &self.format, nil, flags, &file)
            } ?? Int32(kAudio_MemFullError)
        guard result == 0 else { throw SoundError(name, OpenSoundFile.reason(result, toolbox)) }
    }

    deinit {
        if let file { _ = toolbox.ExtAudioFileDispose(file) }
        if let packets { _ = toolbox.AudioFileClose(packets) }
    }

    /// Closes a file that has been written.
    func close() throws(SoundError) {
        guard let file else { return }
        self.file = nil
        try check(toolbox.ExtAudioFileDispose(file))
    }

    /// The number of frames of the file at its own rate; nil if the file does not state it.
    var frames: Int64? {
        var frames: Int64 = 0
        var size = UInt32(MemoryLayout<Int64>.size)
        let status = toolbox.ExtAudioFileGetProperty(file, UInt32(kExtAudioFileProperty_FileLengthFrames), &size, &frames)
        return status == 0 ? frames : nil
    }

    var seconds: Double? { frames.map { format.mSampleRate > 0 ? Double($0) / format.mSampleRate : 0 } }

    var description: SoundObject.Format { SoundObject.Format(format) }

    /// Sets the format of the samples. Fails if a codec is missing.
    func setClient(_ format: StreamDescription) throws(SoundError) {
        client = AudioStreamBasicDescription(format)
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let status = toolbox.ExtAudioFileSetProperty(file, UInt32(kExtAudioFileProperty_ClientDataFormat), size, &client)
        guard status != Int32(kAudioFileUnsupportedDataFormatError) || codecReason != nil else {
            throw SoundError(name, "there is no \(isWritten ? "encoder" : "decoder") of \(description.text)")
        }
        guard status == 0 else { throw SoundError(name, codecReason ?? OpenSoundFile.reason(status, toolbox)) }
    }

    /// Reads frames into memory of `room` bytes. Returns 0 at the end.
    func read(_ memory: UnsafeMutableRawPointer, room: Int) throws(SoundError) -> Int {
        var list = bufferList(memory, bytes: room)
        var frames = UInt32(clamping: room / max(1, Int(client.mBytesPerFrame)))
        try check(toolbox.ExtAudioFileRead(file, &frames, &list))
        return Int(frames)
    }

    func write(_ memory: UnsafeMutableRawPointer, frames: Int) throws(SoundError) {
        var list = bufferList(memory, bytes: frames * Int(client.mBytesPerFrame))
        try check(toolbox.ExtAudioFileWrite(file, UInt32(clamping: frames), &list))
    }

    private func bufferList(_ memory: UnsafeMutableRawPointer, bytes: Int) -> AudioBufferList {
        let buffer = AudioBuffer(
            mNumberChannels: client.mChannelsPerFrame, mDataByteSize: UInt32(clamping: bytes), mData: memory)
        return AudioBufferList(mNumberBuffers: 1, mBuffers: buffer)
    }

    // MARK: Errors

    private func check(_ status: Int32) throws(SoundError) {
        guard status == 0 else { throw SoundError(name, OpenSoundFile.reason(status, toolbox)) }
    }

    /// The reason why no codec accepts the file's format: the installed codec refuses it, or none is installed. Nil if the
    /// format needs no codec.
    private var codecReason: String? {
        let packages = CodecSource.list(for: format.mFormatID, encoding: isWritten)
        if packages.isEmpty { return nil }
        if isCodecInstalled { return "the installed \(isWritten ? "encoder" : "decoder") refuses \(description.text)" }
        return "no codec of \(description.text): install \(packages)"
    }

    private var isCodecInstalled: Bool {
        (isWritten ? toolbox.encodedFormats : toolbox.decodedFormats).contains(format.mFormatID)
    }

    static func reason(_ status: Int32, _ toolbox: Toolbox) -> String {
        switch Int(status) {
        case kAudioFileUnsupportedFileTypeError: "this is no sound file of a known type"
        case kAudioFileUnsupportedDataFormatError: "the format is not supported"
        case kAudioFileInvalidFileError: "the file contradicts itself, or is cut off before its sound"
        case kAudioFileInvalidChunkError: "a chunk of the file is damaged"
        case kAudioFilePermissionsError: "the file may not be opened or written"
        case kAudioFileFileNotFoundError: "No such file or directory"
        // The library stores the system error in errno.
        case kAudioFileUnspecifiedError: SystemError(linux_last_error()).text
        case kAudioConverterErr_InputSampleRateOutOfRange: "only rates of 4000 to 192000 Hz are converted to another rate"
        case kAudioFileDoesNotAllow64BitDataSizeError: "this type of file holds no more than 4 GB"
        default: "failed: \(toolbox.name(of: status))"
        }
    }
}

extension AudioStreamBasicDescription {
    init(_ format: StreamDescription) {
        self.init(
            mSampleRate: format.sampleRate, mFormatID: format.formatID, mFormatFlags: format.formatFlags.rawValue,
            mBytesPerPacket: format.bytesPerPacket, mFramesPerPacket: format.framesPerPacket,
            mBytesPerFrame: format.bytesPerFrame, mChannelsPerFrame: format.channelsPerFrame,
            mBitsPerChannel: format.bitsPerChannel, mReserved: 0)
    }
}

extension SoundObject.Format {
    init(_ format: AudioStreamBasicDescription) {
        self.init(
            rate: format.mSampleRate, id: format.mFormatID, flags: format.mFormatFlags, channels: format.mChannelsPerFrame,
            bits: format.mBitsPerChannel)
    }
}

/// True if the file exists. Reads its status.
func exists(_ path: FilePath, _ status: inout linux_file_status) -> Bool {
    path.withCString { linux_status_of_path($0, true, &status) } ?? -1 >= 0
}

/// Interleaved samples in native byte order.
func clientFormat(rate: Double, channels: UInt32, isDouble: Bool = false) -> StreamDescription {
    Container.caf.description(isDouble ? .float64 : .float32, rate: rate, channels: channels)
}
