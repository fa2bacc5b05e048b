// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import MediaFormats
public import SoundFiles

/// A sound file as bytes and packets.
public final class AudioFile {
    public private(set) var file: SoundFile
    private let source: any ByteSource
    /// Nil for a file that is open for reading only.
    private var writer: SoundFileWriter?
    private let mayRead: Bool
    /// The bytes of the largest packet, for a file whose packets differ in size.
    var largestVariablePacket: UInt32
    private let sink: (any ByteSink)?
    /// Sizes in the header are written only when the file is closed, or its chunks are looked for.
    var defersSizes = false
    /// The chunks that the program has stored. In the file they follow the data.
    private var userChunks: [(id: UInt32, content: [UInt8])] = []
    /// `userChunks` does not contain the chunks after the data, because they are too large or cannot be read, or because other
    /// bytes follow the data. They cannot change.
    private var hasFixedChunks = false
    private var isClosed = false

    private init(_ file: SoundFile, _ source: any ByteSource, _ sink: (any ByteSink)?, mayRead: Bool) {
        self.file = file
        self.source = source
        self.sink = sink
        self.mayRead = mayRead
        largestVariablePacket = file.packets.reduce(0) { max($0, $1.size) }
    }

    /// Opens a file. Its contents decide the type. The hint decides when the contents do not.
    public static func open(
        _ source: any ByteSource, _ sink: (any ByteSink)? = nil, mayRead: Bool = true, hint: UInt32 = 0
    ) throws(AudioFileError) -> AudioFile {
        let parsed = try containers { () throws(SoundFileError) in try SoundFile(source, hint: hint) }
        let file = AudioFile(parsed, source, sink, mayRead: mayRead)
        if let sink {
            // A file of a type that cannot be written is opened for reading, and its writes fail.
            do throws(SoundFileError) {
                file.writer = try SoundFileWriter(changing: parsed, source, sink)
            } catch {
                guard error == .unsupportedFormat else { throw AudioFileError(error) }
            }
            file.loadUserChunks()
        }
        return file
    }

    /// Throws for a type that cannot be written, and for a format that the type cannot contain.
    private static func check(type: UInt32, format: StreamDescription) throws(AudioFileError) {
        guard let type = SoundFileType(rawValue: type), type.isWritable else { throw .unsupportedFileType }
        guard type.holds(format.completedForFile) else { throw .unsupportedDataFormat }
    }

    /// Writes the header of a new file.
    public static func create(
        _ source: any ByteSource, _ sink: any ByteSink, type: UInt32, format: StreamDescription
    ) throws(AudioFileError) -> AudioFile {
        guard let type = SoundFileType(rawValue: type), type.isWritable else { throw .unsupportedFileType }
        let format = format.completedForFile
        try containers { () throws(SoundFileError) in if source.size > 0 { try sink.setSize(0) } }
        let writer = try containers { () throws(SoundFileError) in try SoundFileWriter(sink, type: type, format: format) }
        let file = AudioFile(writer.file, source, sink, mayRead: true)
        file.writer = writer
        return file
    }

    /// Creates a file of the system. An existing file is an error, unless `erasing`: it is erased after the format has been
    /// checked. After an error, also of `prepare`, a file that this call has created is removed.
    public static func create(
        _ path: FilePath, erasing: Bool, type: UInt32, format: StreamDescription,
        _ prepare: (AudioFile) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        try check(type: type, format: format)
        let storage: FileStorage
        do throws(SystemError) { storage = try FileStorage.create(path, erasing: erasing) } catch { throw AudioFileError(error) }
        do throws(AudioFileError) {
            try prepare(try create(storage, storage, type: type, format: format))
        } catch {
            storage.removeIfCreated()
            throw error
        }
    }

    /// Writes the sizes into the header of a file that was changed. A second call fails.
    public func close() throws(AudioFileError) {
        guard !isClosed else { throw .notOpen }
        isClosed = true
        guard writer != nil, isChanged else { return }
        try synchronize()
    }

    deinit {
        if !isClosed, writer != nil, isChanged {
            do throws(AudioFileError) { try synchronize() } catch {}
        }
    }

    // MARK: Bytes

    public var isWritable: Bool { writer != nil }
    private var isChanged = false
    /// The header does not state the sizes of the last change.
    private var owesSizes = false

    /// Reads bytes of the data. Returns fewer at its end.
    public func read(at offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        guard mayRead else { throw .permissions }
        guard let offset = UInt64(exactly: offset) else { throw .position }
        guard offset < file.dataSize else { return 0 }
        let count = Int(min(UInt64(buffer.count), file.dataSize - offset))
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        return try containers { () throws(SoundFileError) in try source.read(at: file.dataOffset + offset, into: wanted) }
    }

    /// Writes bytes of the data. They begin at the end of the data at the latest.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        _ = try changeableWriter()
        guard let offset = UInt64(exactly: offset), offset <= file.dataSize else { throw .position }
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in
            let size = writer.file.dataSize
            try writer.write(bytes, at: offset)
            guard !defersSizes else { return }
            do throws(SoundFileError) { try writer.synchronize() } catch {
                // For instance the disk has no room for the padding.
                writer.revert(to: size)
                throw error
            }
        }
    }

    // MARK: Changes

    /// Throws for a file that is open for reading only, and for a type that cannot be written.
    func changeableWriter() throws(AudioFileError) -> SoundFileWriter {
        guard sink != nil else { throw .permissions }
        guard let writer else { throw .operationNotSupported }
        return writer
    }

    /// Changes the file by its writer.
    func change(_ body: (inout SoundFileWriter) throws(SoundFileError) -> Void) throws(AudioFileError) {
        var writer = try changeableWriter()
        (isChanged, owesSizes) = (true, defersSizes)
        self.writer = nil
        // The writer becomes the only owner of the table of packets, so that the table grows without a copy.
        file.packets = []
        defer {
            self.writer = writer
            file = writer.file
        }
        try containers { () throws(SoundFileError) in try body(&writer) }
    }

    /// Writes the sizes into the header.
    public func synchronize() throws(AudioFileError) {
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in try writer.synchronize() }
        owesSizes = false
    }

    /// Writes the sizes that were deferred: without them, the chunks of the file cannot be found.
    private func writeOwedSizes() throws(AudioFileError) { if owesSizes { try synchronize() } }

    /// Writes the header again, before the first packet. Values that are already set need no new header.
    func recreate(
        format: StreamDescription, magicCookie: [UInt8], channelLayout: [UInt8]
    ) throws(AudioFileError) {
        guard let sink else { throw .permissions }
        guard writer != nil else { throw .operationNotSupported }
        let format = format.completedForFile
        if format == file.format, magicCookie == file.magicCookie, channelLayout == file.channelLayout { return }
        guard file.dataSize == 0 else { throw .operationNotSupported }
        guard !hasFixedChunks else { throw .notOptimized }
        writer = try containers { () throws(SoundFileError) in
            try SoundFileWriter(
                sink, type: file.type, format: format, magicCookie: magicCookie, channelLayout: channelLayout)
        }
        file = writer?.file ?? file
        isChanged = true
        try storeUserChunks()
    }

    /// The header can change: the file is open for writing and has no data.
    private var takesHeader: Bool { writer != nil && file.dataSize == 0 && !hasFixedChunks }
    /// The program has created the file, has not closed it, and has not written packets.
    var hasOnlyHeader: Bool { takesHeader && packetCount == 0 && !isClosed }
    /// The file has no magic cookie or channel layout, and the program can set one.
    var lacksCookie: Bool { takesHeader && file.hasVariablePackets && file.magicCookie.isEmpty }
    var lacksLayout: Bool { takesHeader && file.type == .caf && file.channelLayout.isEmpty }

    /// Moves other chunks before the data, so that the file ends with the data.
    public func optimize() throws(AudioFileError) {
        guard try changeableWriter().hasOnlyChunks else { throw .notOptimized }
        guard file.trailingSize > 0 else { return }
        try writeOwedSizes()
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in try writer.optimize(source) }
        userChunks = []
    }

    // MARK: Other chunks

    /// The description of the sound in words: title, artist and so on.
    public var tags: [SoundFileTag] {
        // Without the sizes the tags are those that can be found.
        do throws(AudioFileError) { try writeOwedSizes() } catch {}
        return file.tags(source)
    }

    /// The chunks of the file that do not state its format.
    func otherChunks() throws(AudioFileError) -> [SoundFileChunk] {
        try writeOwedSizes()
        return try containers { () throws(SoundFileError) in try file.type.chunks(source) }.filter { !$0.isStructural }
    }

    public func userData(_ id: UInt32) throws(AudioFileError) -> [SoundFileChunk] {
        guard file.type.hasChunks else { throw .operationNotSupported }
        return try otherChunks().filter { $0.id == id }
    }

    /// Reads the content of the chunk with this name and number.
    public func userData(_ id: UInt32, _ index: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        let chunks = try userData(id)
        guard chunks.indices.contains(index) else { throw .invalidChunk }
        let count = min(buffer.count, Int(clamping: chunks[index].size))
        return try containers { () throws(SoundFileError) in
            try source.read(at: chunks[index].offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Stores a chunk: replaces the chunk with this number, or appends it after the last one.
    public func setUserData(_ id: UInt32, _ index: Int, _ content: [UInt8]) throws(AudioFileError) {
        guard file.type.hasChunks else { throw .operationNotSupported }
        guard sink != nil, writer != nil else { throw .permissions }
        guard !SoundFileChunk.isStructural(id), content.count <= 1 << 24 else { throw .invalidChunk }
        guard !hasFixedChunks else { throw .notOptimized }
        let position = try indexOfUserData(id, index, mayAppend: true)
        if position < userChunks.count { userChunks[position].content = content } else { userChunks.append((id, content)) }
        try storeUserChunks()
    }

    public func removeUserData(_ id: UInt32, _ index: Int) throws(AudioFileError) {
        guard sink != nil, writer != nil else { throw .permissions }
        guard !hasFixedChunks else { throw .notOptimized }
        userChunks.remove(at: try indexOfUserData(id, index, mayAppend: false))
        try storeUserChunks()
    }

    /// The index in `userChunks` of the chunk with this name and number. Chunks before the data cannot change.
    private func indexOfUserData(_ id: UInt32, _ index: Int, mayAppend: Bool) throws(AudioFileError) -> Int {
        let count = try userData(id).count
        let indices = userChunks.indices.filter { userChunks[$0].id == id }
        if index == count, mayAppend { return userChunks.count }
        guard 0..<count ~= index else { throw .invalidChunk }
        let number = index - (count - indices.count)
        guard indices.indices.contains(number) else { throw .operationNotSupported }
        return indices[number]
    }

    private func storeUserChunks() throws(AudioFileError) {
        guard !userChunks.isEmpty || file.trailingSize > 0 else { return }
        var bytes: [UInt8] = []
        for chunk in userChunks { bytes += file.type.chunk(chunk.id, chunk.content) }
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in
            writer.setTrailingChunks(bytes)
            try writer.synchronize()
            guard !writer.file.hasVariablePackets else { return }
            let padding = writer.file.type.padsChunks ? writer.file.dataSize & 1 : 0
            try sink?.setSize(writer.file.dataOffset + writer.file.dataSize + padding + UInt64(bytes.count))
        }
    }

    /// Reads the chunks after the data of a file that is opened for writing.
    private func loadUserChunks() {
        guard let writer, writer.file.trailingSize > 0 else { return }
        file = writer.file
        guard file.trailingSize <= SoundFileWriter.largestTrailingSize, writer.hasOnlyChunks else {
            hasFixedChunks = true
            return
        }
        do throws(SoundFileError) {
            for chunk in try file.type.chunks(source) where chunk.offset > file.dataOffset + file.dataSize {
                var content = [UInt8](repeating: 0, count: Int(clamping: chunk.size))
                var failure: SoundFileError?
                content.withUnsafeMutableBytes { buffer in
                    do throws(SoundFileError) { _ = try source.read(at: chunk.offset, into: buffer) } catch { failure = error }
                }
                if let failure { throw failure }
                userChunks.append((chunk.id, content))
            }
        } catch {
            userChunks = []
            hasFixedChunks = true
        }
    }
}
