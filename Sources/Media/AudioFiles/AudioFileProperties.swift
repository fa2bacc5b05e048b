// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import LinuxSystem
import MediaFormats
import SoundFiles

/// The properties of files whose values are bytes. A property that has no row is not supported.
private struct AudioFileProperty {
    typealias Get = @Sendable (AudioFile, UnsafeRawBufferPointer) throws(AudioFileError) -> [UInt8]
    typealias Set = @Sendable (AudioFile, UnsafeRawBufferPointer) throws(AudioFileError) -> Void

    let id: UInt32
    /// The size of a value that translates the content of the caller's buffer; 0 for other values.
    let translationSize: Int
    let get: Get
    let set: Set?

    init(_ id: UInt32, translationSize: Int = 0, get: @escaping Get, set: Set? = nil) {
        self.id = id
        self.translationSize = translationSize
        self.get = get
        self.set = set
    }

    static let all = kinds + sizes + contents + positions

    private static let kinds: [AudioFileProperty] = [
        // 'ffmt', 'dfmt'
        AudioFileProperty(FourCC.code("ffmt"), get: { file, _ in [UInt8](nativeBytesOf: file.file.type.rawValue) }),
        AudioFileProperty(
            FourCC.code("dfmt"), get: { file, _ in file.file.format.bytes },
            set: { file, value throws(AudioFileError) in
                guard value.count == StreamDescription.byteCount, let address = value.baseAddress else { throw .badPropertySize }
                try file.recreate(
                    format: StreamDescription(at: address), magicCookie: file.file.magicCookie,
                    channelLayout: file.file.channelLayout)
            }),
        // 'optm'
        AudioFileProperty(FourCC.code("optm"), get: { file, _ in [UInt8](nativeBytesOf: UInt32(file.isOptimized ? 1 : 0)) }),
        // 'flst'
        AudioFileProperty(FourCC.code("flst"), get: { file, _ in file.file.format.listItems(cookie: file.file.magicCookie) }),
        // 'atct'
        AudioFileProperty(FourCC.code("atct"), get: { _, _ in [UInt8](nativeBytesOf: UInt32(1)) }),
    ]

    private static let sizes: [AudioFileProperty] = [
        // 'bcnt', 'pcnt'
        AudioFileProperty(
            FourCC.code("bcnt"), get: { file, _ in [UInt8](nativeBytesOf: file.audioBytes) },
            set: { file, value throws(AudioFileError) in try file.shorten(to: try uint64(value)) }),
        AudioFileProperty(
            FourCC.code("pcnt"), get: { file, _ in [UInt8](nativeBytesOf: file.packetCount) },
            set: { file, value throws(AudioFileError) in
                let (size, overflow) = try uint64(value).multipliedReportingOverflow(by: UInt64(file.file.format.bytesPerPacket))
                guard !overflow, file.file.format.bytesPerPacket > 0 else { throw .operationNotSupported }
                try file.shorten(to: size)
            }),
        // 'psze', 'pkub'
        AudioFileProperty(FourCC.code("psze"), get: { file, _ in [UInt8](nativeBytesOf: file.largestPacket) }),
        AudioFileProperty(FourCC.code("pkub"), get: { file, _ in [UInt8](nativeBytesOf: file.largestPacket) }),
        // 'doff'
        AudioFileProperty(FourCC.code("doff"), get: { file, _ in [UInt8](nativeBytesOf: Int64(clamping: file.file.dataOffset)) }),
        // 'dszu'
        AudioFileProperty(
            FourCC.code("dszu"), get: { file, _ in [UInt8](nativeBytesOf: UInt32(file.defersSizes ? 1 : 0)) },
            set: { file, value throws(AudioFileError) in file.defersSizes = try uint32(value) != 0 }),
        // 'edur', 'brat'
        AudioFileProperty(FourCC.code("edur"), get: { file, _ in [UInt8](nativeBytesOf: file.duration.bitPattern) }),
        AudioFileProperty(FourCC.code("brat"), get: { file, _ in [UInt8](nativeBytesOf: file.bitRate) }),
    ]

    private static let contents: [AudioFileProperty] = [
        // 'mgic': linear PCM and the simple codecs have no cookie.
        AudioFileProperty(
            FourCC.code("mgic"),
            get: { file, _ throws(AudioFileError) in
                // Programs set the cookie of a new file only if the file has this property. Until then the value is empty.
                guard !file.file.magicCookie.isEmpty || file.lacksCookie else { throw .unsupportedProperty }
                return file.file.magicCookie
            },
            set: { file, value throws(AudioFileError) in
                guard file.file.type.hasPacketTable else { throw .unsupportedProperty }
                try file.recreate(
                    format: file.file.format, magicCookie: Array(value), channelLayout: file.file.channelLayout)
            }),
        // 'cmap'
        AudioFileProperty(
            FourCC.code("cmap"),
            get: { file, _ throws(AudioFileError) in
                if file.lacksLayout { return [] }
                guard let layout = swappedLayout(file.file.channelLayout) else { throw .unsupportedProperty }
                return layout
            },
            set: { file, value throws(AudioFileError) in
                guard file.file.type == .caf else { throw .unsupportedProperty }
                guard let layout = swappedLayout(Array(value)) else { throw .badPropertySize }
                try file.recreate(format: file.file.format, magicCookie: file.file.magicCookie, channelLayout: layout)
            }),
        // 'pnfo': only packets of more than one frame have frames to drop.
        AudioFileProperty(
            FourCC.code("pnfo"),
            get: { file, _ throws(AudioFileError) in
                guard file.file.format.framesPerPacket != 1 else { throw .unsupportedProperty }
                return [UInt8](nativeBytesOf: Int64(clamping: file.file.frameCount))
                    + [UInt8](nativeBytesOf: Int32(clamping: file.file.primingFrames))
                    + [UInt8](nativeBytesOf: Int32(clamping: file.file.remainderFrames))
            },
            set: { file, value throws(AudioFileError) in try file.setPacketTable(value) }),
        // 'chid'
        AudioFileProperty(
            FourCC.code("chid"),
            get: { file, _ throws(AudioFileError) in
                guard file.file.type.hasChunks else { throw .unsupportedProperty }
                return try file.otherChunks().flatMap { [UInt8](nativeBytesOf: $0.id) }
            }),
    ]

    /// The caller's buffer contains the position to translate, and receives the result.
    private static let positions: [AudioFileProperty] = [
        // 'pkfr'
        AudioFileProperty(
            FourCC.code("pkfr"), translationSize: 24,
            get: { file, value throws(AudioFileError) in
                let packet = value.loadUnaligned(fromByteOffset: 8, as: Int64.self)
                guard let frame = file.firstFrame(ofPacket: packet) else { throw .invalidPacketOffset }
                return [UInt8](nativeBytesOf: frame) + Array(value[8..<24])
            }),
        // 'frpk'
        AudioFileProperty(
            FourCC.code("frpk"), translationSize: 24,
            get: { file, value throws(AudioFileError) in
                let frame = value.loadUnaligned(as: Int64.self)
                guard let found = file.packet(ofFrame: frame) else { throw .position }
                return Array(value[..<8]) + [UInt8](nativeBytesOf: found.packet)
                    + [UInt8](nativeBytesOf: UInt32(clamping: found.frame)) + Array(value[20..<24])
            }),
        // 'pkby'
        AudioFileProperty(
            FourCC.code("pkby"), translationSize: 24,
            get: { file, value throws(AudioFileError) in
                guard let packet = file.packet(value.loadUnaligned(fromByteOffset: 8, as: Int64.self)) else {
                    throw .invalidPacketOffset
                }
                return [UInt8](nativeBytesOf: Int64(clamping: packet.offset)) + Array(value[8..<20])
                    + [UInt8](nativeBytesOf: UInt32(0))
            }),
        // 'bypk'
        AudioFileProperty(
            FourCC.code("bypk"), translationSize: 24,
            get: { file, value throws(AudioFileError) in
                guard let found = file.packet(ofByte: value.loadUnaligned(as: Int64.self)) else { throw .position }
                return Array(value[..<8]) + [UInt8](nativeBytesOf: found.packet)
                    + [UInt8](nativeBytesOf: UInt32(clamping: found.byte)) + [UInt8](nativeBytesOf: UInt32(0))
            }),
    ]

    private static func uint32(_ value: UnsafeRawBufferPointer) throws(AudioFileError) -> UInt32 {
        guard value.count == 4 else { throw .badPropertySize }
        return value.loadUnaligned(as: UInt32.self)
    }

    private static func uint64(_ value: UnsafeRawBufferPointer) throws(AudioFileError) -> UInt64 {
        guard value.count == 8 else { throw .badPropertySize }
        return value.loadUnaligned(as: UInt64.self)
    }
}

extension AudioFile {
    /// The properties that a file can have.
    public var propertyIDs: [UInt32] { AudioFileProperty.all.map { $0.id } }

    /// The size of a property's value, and whether it can be set.
    public func propertyInfo(_ id: UInt32) throws(AudioFileError) -> (size: Int, isWritable: Bool) {
        let row = try AudioFile.row(id)
        let isWritable = row.set != nil && self.isWritable
        if row.translationSize > 0 { return (row.translationSize, isWritable) }
        return (try row.get(self, UnsafeRawBufferPointer(start: nil, count: 0)).count, isWritable)
    }

    /// The bytes of a property. `argument` is the content of the caller's buffer.
    public func property(_ id: UInt32, _ argument: UnsafeRawBufferPointer) throws(AudioFileError) -> [UInt8] {
        let row = try AudioFile.row(id)
        guard argument.count >= row.translationSize else { throw .badPropertySize }
        return try row.get(self, argument)
    }

    public func setProperty(_ id: UInt32, _ value: UnsafeRawBufferPointer) throws(AudioFileError) {
        guard let set = try AudioFile.row(id).set else { throw .operationNotSupported }
        guard isWritable else { throw .permissions }
        try set(self, value)
    }

    private static func row(_ id: UInt32) throws(AudioFileError) -> AudioFileProperty {
        guard let row = AudioFileProperty.all.first(where: { $0.id == id }) else { throw .unsupportedProperty }
        return row
    }

    fileprivate func shorten(to size: UInt64) throws(AudioFileError) {
        guard size <= file.dataSize else { throw .operationNotSupported }
        guard size < file.dataSize else { return }
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in try writer.shorten(to: size) }
    }

    fileprivate func setPacketTable(_ value: UnsafeRawBufferPointer) throws(AudioFileError) {
        guard value.count == 16 else { throw .badPropertySize }
        let priming = value.loadUnaligned(fromByteOffset: 8, as: Int32.self)
        let remainder = value.loadUnaligned(fromByteOffset: 12, as: Int32.self)
        guard let priming = UInt32(exactly: priming), let remainder = UInt32(exactly: remainder) else { throw .parameter }
        try setFrames(priming: priming, remainder: remainder)
    }

    /// Sets the frames that a decoder produces before and after the sound.
    public func setFrames(priming: UInt32, remainder: UInt32) throws(AudioFileError) {
        guard file.type.hasPacketTable, file.format.framesPerPacket != 1 else { throw .unsupportedProperty }
        try change { (writer: inout SoundFileWriter) throws(SoundFileError) in
            writer.setFrames(priming: priming, remainder: remainder)
            // The header of the table of packets contains these numbers.
            if !writer.file.hasVariablePackets { try writer.synchronize() }
        }
    }
}

/// Changes the byte order of an `AudioChannelLayout`. Nil when the size contradicts the number of descriptions.
///
/// CAF stores layouts big-endian. A layout without descriptions ends after its header; the C type has room for one.
func swappedLayout(_ layout: [UInt8]) -> [UInt8]? {
    guard layout.count >= 12, layout.count % 4 == 0 else { return nil }
    #if _endian(little)
        var swapped: [UInt8] = []
        for index in stride(from: 0, to: layout.count, by: 4) { swapped += layout[index..<index + 4].reversed() }
        return swapped
    #else
        return layout
    #endif
}
