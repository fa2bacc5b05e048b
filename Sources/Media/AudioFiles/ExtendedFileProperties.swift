// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import LinuxSystem
import MediaFormats
import SoundFiles

/// The properties of extended files whose values are bytes. A property that has no row is not supported.
private struct ExtendedFileProperty {
    typealias Get = @Sendable (ExtendedFile) throws(ExtendedFileError) -> [UInt8]
    typealias Set = @Sendable (ExtendedFile, UnsafeRawBufferPointer) throws(ExtendedFileError) -> Void

    let id: UInt32
    let get: Get
    let set: Set?
    /// The property of the audio file that this one is.
    let fileID: UInt32?

    init(_ id: UInt32, fileID: UInt32? = nil, get: @escaping Get, set: Set? = nil) {
        self.id = id
        self.fileID = fileID
        self.get = get
        self.set = set
    }

    static let all: [ExtendedFileProperty] = [
        // 'ffmt'
        ExtendedFileProperty(FourCC.code("ffmt"), get: { $0.file.file.format.bytes }),
        // 'cfmt'
        ExtendedFileProperty(
            FourCC.code("cfmt"),
            get: { file throws(ExtendedFileError) in
                // Without a client format the property has the format of the file.
                (file.clientFormat ?? file.file.file.format).bytes
            },
            set: { file, value throws(ExtendedFileError) in
                guard value.count == StreamDescription.byteCount, let address = value.baseAddress else {
                    throw .invalidPropertySize
                }
                try file.setClientFormat(StreamDescription(at: address))
            }),
        // 'cclo': a layout of the channels of the program. The channels keep their order.
        ExtendedFileProperty(
            FourCC.code("cclo"),
            get: { ChannelLayout.bytes($0.clientLayout, channels: ($0.clientFormat ?? $0.file.file.format)) },
            set: { file, value throws(ExtendedFileError) in try file.setClientLayout(value) }),
        // 'cman': all codecs are software of this library. Programs that export sound set it first, and stop at an error.
        ExtendedFileProperty(
            FourCC.code("cman"), get: { [UInt8](nativeBytesOf: $0.codecManufacturer) },
            set: { file, value throws(ExtendedFileError) in
                guard value.count == 4 else { throw .invalidPropertySize }
                file.codecManufacturer = value.loadUnaligned(as: UInt32.self)
            }),
        // 'fclo' is 'cmap' of the file.
        ofFile(FourCC.code("fclo"), FourCC.code("cmap")),
        // 'fmps', 'cmps'
        ExtendedFileProperty(FourCC.code("fmps"), get: { [UInt8](nativeBytesOf: $0.file.largestPacket) }),
        ExtendedFileProperty(
            FourCC.code("cmps"),
            get: { file throws(ExtendedFileError) in
                guard let format = file.clientFormat else { return [UInt8](nativeBytesOf: file.file.largestPacket) }
                return [UInt8](nativeBytesOf: format.bytesPerPacket)
            }),
        // '#frm'
        ExtendedFileProperty(FourCC.code("#frm"), get: { [UInt8](nativeBytesOf: $0.currentLength) }),
        // 'iobs'
        ExtendedFileProperty(
            FourCC.code("iobs"), get: { [UInt8](nativeBytesOf: UInt32(clamping: $0.memory.count)) },
            set: { file, value throws(ExtendedFileError) in
                guard value.count == 4 else { throw .invalidPropertySize }
                file.setBufferSize(Int(value.loadUnaligned(as: UInt32.self)))
            }),
        // 'accf': the program has changed the converter. The value is NULL, or a list, which this library does not have.
        ExtendedFileProperty(
            FourCC.code("accf"), get: { _ throws(ExtendedFileError) in throw .invalidProperty },
            set: { file, value throws(ExtendedFileError) in
                guard value.count == MemoryLayout<UInt>.size else { throw .invalidPropertySize }
                guard value.loadUnaligned(as: UInt.self) == 0 else { throw .parameter }
                file.dropConverter()
            }),
        // 'xpti' is 'pnfo' of the file. A file that is read keeps its own table, and this one replaces it.
        ExtendedFileProperty(
            FourCC.code("xpti"),
            get: { file throws(ExtendedFileError) in
                if let table = file.packetTable { return table.bytes }
                return try inFile { () throws(AudioFileError) in
                    try file.file.property(FourCC.code("pnfo"), UnsafeRawBufferPointer(start: nil, count: 0))
                }
            },
            set: { file, value throws(ExtendedFileError) in
                guard !file.isForWriting else {
                    return try inFile { () throws(AudioFileError) in try file.file.setProperty(FourCC.code("pnfo"), value) }
                }
                guard value.count == PacketTable.byteCount else { throw .invalidPropertySize }
                try file.setPacketTable(PacketTable(value))
            }),
    ]

    /// A property of the audio file, with its identifiers in this API and in the API of audio files.
    private static func ofFile(_ id: UInt32, _ fileID: UInt32) -> ExtendedFileProperty {
        ExtendedFileProperty(
            id, fileID: fileID,
            get: { file throws(ExtendedFileError) in
                try inFile { () throws(AudioFileError) in
                    try file.file.property(fileID, UnsafeRawBufferPointer(start: nil, count: 0))
                }
            },
            set: { file, value throws(ExtendedFileError) in
                try inFile { () throws(AudioFileError) in try file.file.setProperty(fileID, value) }
            })
    }
}

extension ExtendedFile {
    /// The size of a property's value, and whether it can be set.
    public func propertyInfo(_ id: UInt32) throws(ExtendedFileError) -> (size: Int, isWritable: Bool) {
        let row = try ExtendedFile.row(id)
        // 'accf' can be set only.
        if id == FourCC.code("accf") { return (MemoryLayout<UInt>.size, true) }
        guard let fileID = row.fileID else { return (try value(row).count, row.set != nil) }
        return try lock.read { () throws(ExtendedFileError) in
            try inFile { () throws(AudioFileError) in try file.propertyInfo(fileID) }
        }
    }

    public func property(_ id: UInt32) throws(ExtendedFileError) -> [UInt8] { try value(ExtendedFile.row(id)) }

    private func value(_ row: ExtendedFileProperty) throws(ExtendedFileError) -> [UInt8] {
        try lock.read { () throws(ExtendedFileError) in try row.get(self) }
    }

    public func setProperty(_ id: UInt32, _ value: UnsafeRawBufferPointer) throws(ExtendedFileError) {
        guard let set = try ExtendedFile.row(id).set else { throw .invalidProperty }
        // The writing thread uses the converter, its memory and the file.
        guard !queue.isRunning else { throw .invalidOperationOrder }
        try set(self, value)
    }

    private static func row(_ id: UInt32) throws(ExtendedFileError) -> ExtendedFileProperty {
        guard let row = ExtendedFileProperty.all.first(where: { $0.id == id }) else { throw .invalidProperty }
        return row
    }
}
