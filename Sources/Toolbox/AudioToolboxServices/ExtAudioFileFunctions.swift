// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
import AudioFiles
import AudioUnits
public import CAudioToolbox
import CodecModules
import LinuxSystem
import MediaFormats
import PCMConversion
import SoundFiles

// The functions of ExtendedAudioFile.h.

/// An extended file of a program, with the handles of its file and its converter.
final class ProgramExtendedFile {
    static let all = HandleTable<ProgramExtendedFile>(.extendedFile)

    let extended: ExtendedFile
    let fileHandle: AudioFileID
    /// The file is closed with this object.
    private let ownsFile: Bool
    private var converterHandle: AudioConverterRef?
    /// The converter that the handle identifies. A new client format creates another converter.
    private var shownConverter: Converter?

    init(_ extended: ExtendedFile, _ fileHandle: AudioFileID, ownsFile: Bool) {
        self.extended = extended
        self.fileHandle = fileHandle
        self.ownsFile = ownsFile
    }

    /// The handle of the converter.
    func converter() throws(ExtendedFileError) -> AudioConverterRef {
        let converter = try extended.prepared()
        if let converterHandle, shownConverter === converter { return converterHandle }
        _ = ProgramConverter.all.remove(converterHandle)
        guard let handle = ProgramConverter.all.insert(ProgramConverter(converter)) else { throw .converter(.outOfMemory) }
        (converterHandle, shownConverter) = (handle, converter)
        return handle
    }

    func close() throws(ExtendedFileError) {
        _ = ProgramConverter.all.remove(converterHandle)
        var failure: ExtendedFileError?
        do throws(ExtendedFileError) { try extended.finish() } catch { failure = error }
        if ownsFile, let file = ProgramFile.all.remove(fileHandle) {
            do throws(AudioFileError) { try file.close() } catch { failure = failure ?? .file(error) }
        }
        if let failure { throw failure }
    }
}

private func file(_ handle: ExtAudioFileRef?) throws(ExtendedFileError) -> ProgramExtendedFile {
    guard let object = ProgramExtendedFile.all.object(handle) else { throw .parameter }
    return object
}

private func insert(
    _ fileHandle: AudioFileID, _ file: AudioFile, isForWriting: Bool, ownsFile: Bool,
    _ out: UnsafeMutablePointer<ExtAudioFileRef?>
) throws(AudioFileError) {
    let extended = ExtendedFile(
        file, isForWriting: isForWriting,
        decoders: { (file: AudioFile, client: StreamDescription) in
            CodecModules.decoder(for: file.file.format, cookie: file.file.magicCookie, client: client)
        },
        encoders: { (format: StreamDescription) in CodecModules.encoder(for: format) })
    let object = ProgramExtendedFile(extended, fileHandle, ownsFile: ownsFile)
    guard let handle = ProgramExtendedFile.all.insert(object) else { throw .outOfMemory }
    out.pointee = handle
}

/// Gives a file to the program, with its own handle.
private func insert(
    _ file: AudioFile, isForWriting: Bool, _ out: UnsafeMutablePointer<ExtAudioFileRef?>
) throws(AudioFileError) {
    guard let handle = ProgramFile.all.insert(file) else { throw .outOfMemory }
    do throws(AudioFileError) {
        try insert(handle, file, isForWriting: isForWriting, ownsFile: true, out)
    } catch {
        _ = ProgramFile.all.remove(handle)
        throw error
    }
}

private func create(
    _ path: FilePath, _ type: UInt32,
    _ format: UnsafePointer<AudioStreamBasicDescription>, _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
    _ out: UnsafeMutablePointer<ExtAudioFileRef?>
) throws(ExtendedFileError) {
    do throws(AudioFileError) {
        try ProgramFile.create(path, type: type, format, flags: flags) { (file: AudioFile) throws(AudioFileError) in
            // Other types of files do not store a layout.
            if let layout, type == UInt32(kAudioFileCAFType) {
                let size = ChannelLayoutBytes.size(layout)
                try file.setProperty(
                    UInt32(kAudioFilePropertyChannelLayout), UnsafeRawBufferPointer(start: layout, count: size))
            }
            try insert(file, isForWriting: true, out)
        }
    } catch { throw .file(error) }
}

private func open(_ path: FilePath, _ out: UnsafeMutablePointer<ExtAudioFileRef?>) throws(ExtendedFileError) {
    do throws(AudioFileError) {
        try insert(try ProgramFile.open(path, permissions: 1, hint: 0), isForWriting: false, out)
    } catch { throw .file(error) }
}

@c @implementation
public func ExtAudioFileOpenURL(_ inURL: UnsafeRawPointer?, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?)
    -> OSStatus
{
    answer("ExtAudioFileOpenURL", name(ofURL: inURL)) { () throws(ExtendedFileError) in
        guard let outExtAudioFile, let path = path(ofURL: inURL) else { throw .parameter }
        try open(path, outExtAudioFile)
    }
}

@c @implementation
public func ExtAudioFileLinuxOpenPath(
    _ path: UnsafePointer<CChar>?, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    answer("ExtAudioFileLinuxOpenPath", name(path)) { () throws(ExtendedFileError) in
        guard let path, let outExtAudioFile else { throw .parameter }
        try open(FilePath(path), outExtAudioFile)
    }
}

@c @implementation
public func ExtAudioFileWrapAudioFileID(
    _ inFileID: AudioFileID?, _ inForWriting: UInt8, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    answer("ExtAudioFileWrapAudioFileID") { () throws(ExtendedFileError) in
        guard let inFileID, let file = ProgramFile.all.object(inFileID) else { throw .file(.notOpen) }
        guard let outExtAudioFile else { throw .parameter }
        guard inForWriting == 0 || file.isWritable else { throw .file(.permissions) }
        do throws(AudioFileError) {
            try insert(inFileID, file, isForWriting: inForWriting != 0, ownsFile: false, outExtAudioFile)
        } catch { throw .file(error) }
    }
}

@c @implementation
public func ExtAudioFileCreateWithURL(
    _ inURL: UnsafeRawPointer?, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>?,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    answer("ExtAudioFileCreateWithURL", "\(name(ofURL: inURL)), \(ToolboxLog.format(inStreamDesc))") {
        () throws(ExtendedFileError) in
        guard let inStreamDesc, let outExtAudioFile, let path = path(ofURL: inURL) else { throw .parameter }
        try create(path, inFileType, inStreamDesc, inChannelLayout, inFlags, outExtAudioFile)
    }
}

@c @implementation
public func ExtAudioFileLinuxCreateWithPath(
    _ path: UnsafePointer<CChar>?, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>?,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    answer("ExtAudioFileLinuxCreateWithPath", "\(name(path)), \(ToolboxLog.format(inStreamDesc))") {
        () throws(ExtendedFileError) in
        guard let path, let inStreamDesc, let outExtAudioFile else { throw .parameter }
        try create(
            FilePath(path), inFileType, inStreamDesc, inChannelLayout, inFlags,
            outExtAudioFile)
    }
}

@c @implementation
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef?) -> OSStatus {
    answer("ExtAudioFileDispose") { () throws(ExtendedFileError) in
        guard let object = ProgramExtendedFile.all.remove(inExtAudioFile) else { throw .parameter }
        try object.close()
    }
}

@c @implementation
public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef?, _ ioNumberFrames: UnsafeMutablePointer<UInt32>?,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    answer("ExtAudioFileRead", isQuiet: true) { () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        guard let ioNumberFrames, let ioData else { throw .parameter }
        let side = try object.extended.prepared().outputBuffers
        let list = BufferList(ioData)
        let frames = try object.extended.read(Int(ioNumberFrames.pointee), into: list.memory(side.count))
        ioNumberFrames.pointee = UInt32(clamping: frames)
        list.setSize(frames * side.bytesPerPacket, side.count)
    }
}

@c @implementation
public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef?, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    answer("ExtAudioFileWrite", isQuiet: true) { () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        guard let ioData else { throw .parameter }
        let side = try object.extended.prepared().inputBuffers
        try object.extended.write(Int(inNumberFrames), from: BufferList(reading: ioData).memory(side.count))
    }
}

@c @implementation
public func ExtAudioFileWriteAsync(
    _ inExtAudioFile: ExtAudioFileRef?, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    answer("ExtAudioFileWriteAsync", isQuiet: true) { () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        try object.extended.writeAsync(
            Int(inNumberFrames), from: ioData.map { BufferList(reading: $0).memory(SampleBuffers.capacity) })
    }
}

@c @implementation
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef?, _ inFrameOffset: Int64) -> OSStatus {
    answer("ExtAudioFileSeek") { () throws(ExtendedFileError) in try file(inExtAudioFile).extended.seek(inFrameOffset) }
}

@c @implementation
public func ExtAudioFileTell(_ inExtAudioFile: ExtAudioFileRef?, _ outFrameOffset: UnsafeMutablePointer<Int64>?) -> OSStatus {
    answer("ExtAudioFileTell", isQuiet: true) { () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        guard let outFrameOffset else { throw .parameter }
        outFrameOffset.pointee = object.extended.position
    }
}

/// The text of a property that is set, for the log.
private func setting(_ id: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32) -> String {
    let isFormat = id == UInt32(kExtAudioFileProperty_ClientDataFormat)
    return ToolboxLog.setting(id, .extendedFileProperties, format: isFormat, data, size)
}

/// The value of a property that is a handle. Nil for other properties.
private func handle(_ id: UInt32, of object: ProgramExtendedFile) throws(ExtendedFileError) -> UInt? {
    switch Int(id) {
    case Int(kExtAudioFileProperty_AudioConverter): UInt(bitPattern: try object.converter())
    case Int(kExtAudioFileProperty_AudioFile): UInt(bitPattern: object.fileHandle)
    default: nil
    }
}

@c @implementation
public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    answer("ExtAudioFileGetPropertyInfo", ToolboxLog.property(inPropertyID, .extendedFileProperties)) {
        () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        var info = (size: MemoryLayout<UInt>.size, isWritable: false)
        if try handle(inPropertyID, of: object) == nil { info = try object.extended.propertyInfo(inPropertyID) }
        outSize?.pointee = UInt32(clamping: info.size)
        outWritable?.pointee = info.isWritable ? 1 : 0
    }
}

@c @implementation
public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("ExtAudioFileGetProperty", ToolboxLog.property(inPropertyID, .extendedFileProperties)) {
        () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        guard let ioPropertyDataSize, let outPropertyData else { throw .parameter }
        let bytes: [UInt8]
        if let handle = try handle(inPropertyID, of: object) {
            bytes = [UInt8](nativeBytesOf: handle)
        } else {
            bytes = try object.extended.property(inPropertyID)
        }
        guard copyProperty(bytes, to: outPropertyData, sizeTo: ioPropertyDataSize) else { throw .invalidPropertySize }
    }
}

@c @implementation
public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
    answer("ExtAudioFileSetProperty", setting(inPropertyID, inPropertyData, inPropertyDataSize)) { () throws(ExtendedFileError) in
        let object = try file(inExtAudioFile)
        guard let inPropertyData else { throw .parameter }
        try object.extended.setProperty(
            inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
    }
}
