// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation
internal import LinuxSystem

/// A sound file, which is read or written as linear PCM. The C API's `ExtAudioFile` does the work: a file can have each type
/// and format that it reads or writes.
///
/// Any thread may call any function.
open class AVAudioFile: NSObject, @unchecked Sendable {
    public let url: URL
    /// The format of the sound in the file.
    public let fileFormat: AVAudioFormat
    /// The format in which the file is read or written.
    public let processingFormat: AVAudioFormat
    private let isForWriting: Bool
    private let discarded: DiscardedFile?
    private let lock = Lock()
    /// Nil after the file was closed.
    private var file: ExtAudioFileRef?
    private var lengthAtClose: AVAudioFramePosition = 0

    // MARK: Opening

    /// Opens a file for reading in the standard format.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for reading.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        let file = try Self.open(fileURL)
        do {
            fileFormat = try Self.fileFormat(file, fileURL)
            processingFormat = try Self.processingFormat(fileFormat, format, interleaved)
            try ExtendedFileProperty.setClientFormat(file, processingFormat, fileURL)
        } catch {
            ExtAudioFileDispose(file)
            throw error
        }
        self.file = file
        url = fileURL
        (isForWriting, discarded) = (false, nil)
        super.init()
    }

    /// Creates a file, which is written in the standard format. The settings, or the extension of the name, state its type.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file. An existing file is replaced.
    public init(forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool)
        throws
    {
        let settings = try SoundFileSettings(settings, fileURL)
        let given = AVAudioFormat(settings.description, settings.channelLayout)
        processingFormat = try Self.processingFormat(given, format, interleaved)
        discarded = DiscardedFile.isNamed(fileURL) ? DiscardedFile() : nil
        let file = try settings.create(fileURL, client: processingFormat, discarded: discarded)
        do { fileFormat = try Self.fileFormat(file, fileURL) } catch {
            ExtAudioFileDispose(file)
            throw error
        }
        self.file = file
        url = fileURL
        isForWriting = true
        super.init()
    }

    deinit { if let file { ExtAudioFileDispose(file) } }

    /// Writes pending data and closes the file. Reads and writes throw from then on.
    open func close() { _ = finish() }

    /// Closes the file. False, with a message in the log, when pending data cannot be written.
    final func finish() -> Bool {
        lock.withLock {
            guard let open = file else { return true }
            lengthAtClose = Self.length(open)
            file = nil
            let status = ExtAudioFileDispose(open)
            guard status != noErr else { return true }
            AudioCallError.refuse(
                AudioCallError.make(status, "ExtAudioFileDispose", "\(url.path) is incomplete").localizedDescription)
            return false
        }
    }

    /// Whether the file has not been closed.
    public var isOpen: Bool { lock.withLock { file != nil } }

    private static func open(_ url: URL) throws -> ExtAudioFileRef {
        var opened: ExtAudioFileRef?
        let status = ExtAudioFileOpenURL(url as CFURL, &opened)
        guard status == noErr, let opened else {
            throw AudioCallError.make(status, "ExtAudioFileOpenURL", "\(url.path) cannot be opened")
        }
        return opened
    }

    private static func fileFormat(_ file: ExtAudioFileRef, _ url: URL) throws -> AVAudioFormat {
        guard
            let description: AudioStreamBasicDescription = ExtendedFileProperty.value(file, kExtAudioFileProperty_FileDataFormat)
        else { throw AudioCallError.make(kAudioFileUnspecifiedError, "ExtAudioFileGetProperty", "\(url.path) has no format") }
        let layout = ExtendedFileProperty.bytes(file, kExtAudioFileProperty_FileChannelLayout).flatMap {
            AVAudioChannelLayout(bytes: $0)
        }
        let isComplete = layout?.channelCount == description.mChannelsPerFrame
        return AVAudioFormat(description, isComplete ? layout : nil, cookie: ExtendedFileProperty.magicCookie(file))
    }

    /// Linear PCM with the rate and the channels of the file.
    private static func processingFormat(
        _ fileFormat: AVAudioFormat, _ format: AVAudioCommonFormat, _ isInterleaved: Bool
    ) throws -> AVAudioFormat {
        guard format != .otherFormat else {
            throw AudioCallError.argument("otherFormat is no format to read or write a file in: choose floats or integers")
        }
        let channels = fileFormat.channelCount
        // Formats of more than two channels state the order.
        let layout =
            fileFormat.channelLayout
            ?? (channels > 2 ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels) : nil)
        if let layout {
            return AVAudioFormat(
                commonFormat: format, sampleRate: fileFormat.sampleRate, interleaved: isInterleaved, channelLayout: layout)
        }
        guard
            let processing = AVAudioFormat(
                commonFormat: format, sampleRate: fileFormat.sampleRate, channels: channels, interleaved: isInterleaved)
        else { throw AudioCallError.argument("\(fileFormat) has no rate or no channels") }
        return processing
    }

    // MARK: Positions

    /// The number of frames in the file.
    public var length: AVAudioFramePosition { lock.withLock { file.map { Self.length($0) } ?? lengthAtClose } }

    /// The frame that is read next, or the number of frames that were written. A file that is written keeps its position.
    public var framePosition: AVAudioFramePosition {
        get {
            lock.withLock {
                var position: Int64 = 0
                guard let file, ExtAudioFileTell(file, &position) == noErr else { return 0 }
                return position
            }
        }
        set {
            lock.withLock {
                guard let file else { return AudioCallError.refuse("AVAudioFile: \(url.path) is closed and has no position") }
                let status = ExtAudioFileSeek(file, newValue)
                if status != noErr {
                    AudioCallError.refuse(
                        AudioCallError.make(status, "ExtAudioFileSeek", "frame \(newValue) of \(url.path) is refused")
                            .localizedDescription)
                }
            }
        }
    }

    private static func length(_ file: ExtAudioFileRef) -> AVAudioFramePosition {
        ExtendedFileProperty.value(file, kExtAudioFileProperty_FileLengthFrames) ?? 0
    }

    // MARK: Reading and writing

    /// Reads frames until the buffer is full or the file ends. At the end of the file the length of the buffer is 0.
    open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads at most this number of frames.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        try check(buffer, "read")
        let wanted = min(frames, buffer.frameCapacity)
        var done = AVAudioFrameCount(0)
        defer { buffer.frameLength = done }
        try withFile { file in
            while done < wanted {
                var count = wanted - done
                let status = buffer.memory.withRoom(
                    from: Int(done) * buffer.bytesPerFrame, bytes: Int(count) * buffer.bytesPerFrame
                ) { ExtAudioFileRead(file, &count, $0) }
                try AudioCallError.check(status, "ExtAudioFileRead", "\(url.path) cannot be read")
                guard count > 0 else { break }
                done += count
            }
        }
    }

    /// Writes the frames of the buffer behind those of the file.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        try check(buffer, "written")
        try withFile { file in
            guard isForWriting else {
                throw AudioCallError.argument("\(url.path) was opened for reading: open it with forWriting")
            }
            guard buffer.frameLength > 0 else { return }
            let status = ExtAudioFileWrite(file, buffer.frameLength, buffer.audioBufferList)
            try AudioCallError.check(status, "ExtAudioFileWrite", "\(url.path) cannot be written")
        }
    }

    private func check(_ buffer: AVAudioPCMBuffer, _ verb: String) throws {
        guard !buffer.format.isEqual(processingFormat) else { return }
        throw AudioCallError.argument(
            "\(url.path) is \(verb) as \(processingFormat), and the buffer has \(buffer.format): make it with processingFormat")
    }

    private func withFile(_ body: (ExtAudioFileRef) throws -> Void) throws {
        try lock.withLock {
            guard let file else { throw AudioCallError.argument("\(url.path) is closed: open it again") }
            try body(file)
        }
    }
}
