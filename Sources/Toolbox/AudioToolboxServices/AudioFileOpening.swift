// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioFiles
import AudioUnits
public import CAudioToolbox
import CodecModules
import CoreFoundationTable
import LinuxSystem
import MediaFormats
import SoundFiles

// Functions of AudioFile.h and AudioToolboxLinux.h for opening, creating and closing files.

enum ProgramFile {
    static let all = HandleTable<AudioFile>(.file)

    /// The files that AudioFilePlayer units play.
    static let playable = PlayerFiles(
        hasFile: { all.object($0) != nil },
        open: { handle in
            all.object(handle).map {
                ExtendedFile(
                    $0, isForWriting: false,
                    decoders: { (file: AudioFile, client: StreamDescription) in
                        CodecModules.decoder(for: file.file.format, cookie: file.file.magicCookie, client: client)
                    })
            }
        })

    static func object(_ handle: AudioFileID?) throws(AudioFileError) -> AudioFile {
        guard let file = all.object(handle) else { throw .notOpen }
        return file
    }

    static func insert(_ file: AudioFile, _ out: UnsafeMutablePointer<AudioFileID?>) throws(AudioFileError) {
        guard let handle = all.insert(file) else { throw .outOfMemory }
        out.pointee = handle
    }

    /// Opens the file at a path. Without a hint, the extension of the name is one.
    static func open(
        _ path: FilePath, permissions: Int8, hint: UInt32
    ) throws(AudioFileError) -> AudioFile {
        // 0 is fsCurPerm of the File Manager: the file is opened for reading.
        guard 0...3 ~= permissions else { throw .parameter }
        let isWriting = permissions & 2 != 0
        let storage: FileStorage
        do throws(SystemError) {
            storage = try FileStorage.open(path, writing: isWriting)
        } catch { throw AudioFileError(error) }
        return try AudioFile.open(
            storage, isWriting ? storage : nil, mayRead: permissions != 2, hint: hint == 0 ? FileTypes.hint(for: path) : hint)
    }

    /// Creates the file at a path. `prepare` gives it to the program; after an error of `prepare` no new file remains.
    static func create(
        _ path: FilePath, type: UInt32, _ format: UnsafePointer<AudioStreamBasicDescription>, flags: UInt32,
        _ prepare: (AudioFile) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let erases = flags & UInt32(kAudioFileFlags_EraseFile) != 0
        try AudioFile.create(
            path, erasing: erases, type: type, format: StreamDescription(format.pointee), prepare)
    }
}

/// A path, for the log.
func name(_ path: UnsafePointer<CChar>?) -> String { path.map { String(cString: $0) } ?? "NULL" }
func name(ofURL url: UnsafeRawPointer?) -> String { path(ofURL: url)?.text ?? (url == nil ? "NULL" : "no URL of a file") }

/// The path of a file's CFURL. Nil for another object, and for a URL that names no file.
func path(ofURL url: UnsafeRawPointer?) -> FilePath? { CoreFoundation.inProcess?.path(ofURL: url) }

@c @implementation
public func AudioFileOpenURL(
    _ inFileRef: UnsafeRawPointer?, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileOpenURL", name(ofURL: inFileRef)) { () throws(AudioFileError) in
        guard let outAudioFile, let path = path(ofURL: inFileRef) else { throw .parameter }
        try ProgramFile.insert(
            ProgramFile.open(path, permissions: inPermissions, hint: inFileTypeHint), outAudioFile)
    }
}

@c @implementation
public func AudioFileLinuxOpenPath(
    _ path: UnsafePointer<CChar>?, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileLinuxOpenPath", name(path)) { () throws(AudioFileError) in
        guard let path, let outAudioFile else { throw .parameter }
        try ProgramFile.insert(
            ProgramFile.open(
                FilePath(path), permissions: inPermissions, hint: inFileTypeHint),
            outAudioFile)
    }
}

@c @implementation
public func AudioFileCreateWithURL(
    _ inFileRef: UnsafeRawPointer?, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inFlags: UInt32, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileCreateWithURL", "\(name(ofURL: inFileRef)), \(ToolboxLog.format(inFormat))") { () throws(AudioFileError) in
        guard let inFormat, let outAudioFile, let path = path(ofURL: inFileRef) else { throw .parameter }
        try ProgramFile.create(path, type: inFileType, inFormat, flags: inFlags) { (file: AudioFile) throws(AudioFileError) in
            try ProgramFile.insert(file, outAudioFile)
        }
    }
}

@c @implementation
public func AudioFileLinuxCreateWithPath(
    _ path: UnsafePointer<CChar>?, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inFlags: UInt32, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileLinuxCreateWithPath", "\(name(path)), \(ToolboxLog.format(inFormat))") { () throws(AudioFileError) in
        guard let path, let inFormat, let outAudioFile else { throw .parameter }
        try ProgramFile.create(FilePath(path), type: inFileType, inFormat, flags: inFlags) {
            (file: AudioFile) throws(AudioFileError) in
            try ProgramFile.insert(file, outAudioFile)
        }
    }
}

@c @implementation
public func AudioFileInitializeWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer?, _ inReadFunc: AudioFile_ReadProc?, _ inWriteFunc: AudioFile_WriteProc?,
    _ inGetSizeFunc: AudioFile_GetSizeProc?, _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileType: AudioFileTypeID,
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileInitializeWithCallbacks", ToolboxLog.format(inFormat)) { () throws(AudioFileError) in
        guard let inReadFunc, let inWriteFunc, let inGetSizeFunc, let inSetSizeFunc, let inFormat, let outAudioFile else {
            throw .parameter
        }
        let storage = CallbackStorage(
            inClientData, read: inReadFunc, write: inWriteFunc, size: inGetSizeFunc, setSize: inSetSizeFunc)
        try ProgramFile.insert(
            AudioFile.create(storage, storage, type: inFileType, format: StreamDescription(inFormat.pointee)), outAudioFile)
    }
}

@c @implementation
public func AudioFileOpenWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer?, _ inReadFunc: AudioFile_ReadProc?, _ inWriteFunc: AudioFile_WriteProc?,
    _ inGetSizeFunc: AudioFile_GetSizeProc?, _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answer("AudioFileOpenWithCallbacks") { () throws(AudioFileError) in
        guard let inReadFunc, let inGetSizeFunc, let outAudioFile else { throw .parameter }
        let storage = CallbackStorage(
            inClientData, read: inReadFunc, write: inWriteFunc, size: inGetSizeFunc, setSize: inSetSizeFunc)
        try ProgramFile.insert(
            AudioFile.open(storage, inWriteFunc == nil ? nil : storage, hint: inFileTypeHint), outAudioFile)
    }
}

@c @implementation
public func AudioFileClose(_ inAudioFile: AudioFileID?) -> OSStatus {
    answer("AudioFileClose") { () throws(AudioFileError) in
        guard let file = ProgramFile.all.remove(inAudioFile) else { throw .notOpen }
        try file.close()
    }
}

@c @implementation
public func AudioFileOptimize(_ inAudioFile: AudioFileID?) -> OSStatus {
    answer("AudioFileOptimize") { () throws(AudioFileError) in try ProgramFile.object(inAudioFile).optimize() }
}
