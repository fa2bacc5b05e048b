// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioFiles
public import CAudioToolbox
import LinuxSystem
import MediaFormats

// Opening, creating and closing files: of AudioFile.h and AudioToolboxLinux.h.

enum ProgramFile {
    static let all = HandleTable<AudioFile>(kind: 2)

    static func object(_ handle: AudioFileID?) throws(AudioFileError) -> AudioFile {
        guard let file = all.object(handle) else { throw .notOpen }
        return file
    }

    static func insert(_ file: AudioFile, _ out: UnsafeMutablePointer<AudioFileID?>) throws(AudioFileError) {
        guard let handle = all.insert(file) else { throw .outOfMemory }
        out.pointee = handle
    }

    /// Opens the file at a path.
    static func open(
        _ function: StaticString, _ path: UnsafePointer<CChar>, permissions: Int8, hint: UInt32
    ) throws(AudioFileError) -> AudioFile {
        // 0 was the permission of the file's creator.
        guard 0...3 ~= permissions else { throw .parameter }
        let isWriting = permissions & 2 != 0
        return try logged(function, path) { (path: String) throws(AudioFileError) in
            let storage = try system { () throws(SystemError) in try FileStorage.open(path, writing: isWriting) }
            return try AudioFile.open(storage, isWriting ? storage : nil, mayRead: permissions != 2, hint: hint)
        }
    }

    /// Creates the file at a path. A file that is there is erased once its format is known to be possible.
    static func create(
        _ function: StaticString, _ path: UnsafePointer<CChar>, type: UInt32,
        _ format: UnsafePointer<AudioStreamBasicDescription>, flags: UInt32
    ) throws(AudioFileError) -> AudioFile {
        let format = StreamDescription(format.pointee)
        let erases = flags & UInt32(kAudioFileFlags_EraseFile) != 0
        return try logged(function, path) { (path: String) throws(AudioFileError) in
            try AudioFile.check(type: type, format: format)
            let storage = try system { () throws(SystemError) in try FileStorage.create(path, erasing: erases) }
            return try AudioFile.create(storage, storage, type: type, format: format)
        }
    }

    private static func logged(
        _ function: StaticString, _ path: UnsafePointer<CChar>, _ body: (String) throws(AudioFileError) -> AudioFile
    ) throws(AudioFileError) -> AudioFile {
        let path = String(cString: path)
        do throws(AudioFileError) { return try body(path) } catch {
            Log.debug("\(function)(\(path)): \(error.text)")
            throw error
        }
    }

    private static func system<Result>(_ body: () throws(SystemError) -> Result) throws(AudioFileError) -> Result {
        do throws(SystemError) { return try body() } catch { throw AudioFileError(error) }
    }
}

@inline(__always)
func answerFile(_ body: () throws(AudioFileError) -> Void) -> OSStatus {
    do throws(AudioFileError) {
        try body()
        return 0
    } catch { return error.status }
}

/// Calls `body` with the path of a URL.
func withPath<Failure: Error, Result>(
    ofURL url: UnsafeRawPointer?, else failure: Failure, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
) throws(Failure) -> Result {
    guard let path = FoundationValues.path(ofURL: url) else { throw failure }
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: path.count)
    defer { copy.deallocate() }
    for index in path.indices { copy[index] = CChar(bitPattern: path[index]) }
    return try body(copy)
}

@c @implementation
public func AudioFileOpenURL(
    _ inFileRef: UnsafeRawPointer?, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answerFile { () throws(AudioFileError) in
        guard let outAudioFile else { throw .parameter }
        try withPath(ofURL: inFileRef, else: AudioFileError.parameter) { (path: UnsafePointer<CChar>) throws(AudioFileError) in
            try ProgramFile.insert(
                ProgramFile.open("AudioFileOpenURL", path, permissions: inPermissions, hint: inFileTypeHint), outAudioFile)
        }
    }
}

@c @implementation
public func AudioFileLinuxOpenPath(
    _ path: UnsafePointer<CChar>?, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answerFile { () throws(AudioFileError) in
        guard let path, let outAudioFile else { throw .parameter }
        try ProgramFile.insert(
            ProgramFile.open("AudioFileLinuxOpenPath", path, permissions: inPermissions, hint: inFileTypeHint), outAudioFile)
    }
}

@c @implementation
public func AudioFileCreateWithURL(
    _ inFileRef: UnsafeRawPointer?, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inFlags: UInt32, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answerFile { () throws(AudioFileError) in
        guard let inFormat, let outAudioFile else { throw .parameter }
        try withPath(ofURL: inFileRef, else: AudioFileError.parameter) { (path: UnsafePointer<CChar>) throws(AudioFileError) in
            try ProgramFile.insert(
                ProgramFile.create("AudioFileCreateWithURL", path, type: inFileType, inFormat, flags: inFlags), outAudioFile)
        }
    }
}

@c @implementation
public func AudioFileLinuxCreateWithPath(
    _ path: UnsafePointer<CChar>?, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inFlags: UInt32, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answerFile { () throws(AudioFileError) in
        guard let path, let inFormat, let outAudioFile else { throw .parameter }
        try ProgramFile.insert(
            ProgramFile.create("AudioFileLinuxCreateWithPath", path, type: inFileType, inFormat, flags: inFlags), outAudioFile)
    }
}

@c @implementation
public func AudioFileInitializeWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer?, _ inReadFunc: AudioFile_ReadProc?, _ inWriteFunc: AudioFile_WriteProc?,
    _ inGetSizeFunc: AudioFile_GetSizeProc?, _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileType: AudioFileTypeID,
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    answerFile { () throws(AudioFileError) in
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
    answerFile { () throws(AudioFileError) in
        guard let inReadFunc, let inGetSizeFunc, let outAudioFile else { throw .parameter }
        let storage = CallbackStorage(
            inClientData, read: inReadFunc, write: inWriteFunc, size: inGetSizeFunc, setSize: inSetSizeFunc)
        try ProgramFile.insert(
            AudioFile.open(storage, inWriteFunc == nil ? nil : storage, hint: inFileTypeHint), outAudioFile)
    }
}

@c @implementation
public func AudioFileClose(_ inAudioFile: AudioFileID?) -> OSStatus {
    answerFile { () throws(AudioFileError) in
        guard let file = ProgramFile.all.remove(inAudioFile) else { throw .notOpen }
        try file.close()
    }
}

@c @implementation
public func AudioFileOptimize(_ inAudioFile: AudioFileID?) -> OSStatus {
    answerFile { () throws(AudioFileError) in try ProgramFile.object(inAudioFile).optimize() }
}
