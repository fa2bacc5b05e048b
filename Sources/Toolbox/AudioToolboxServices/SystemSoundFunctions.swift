// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
import AudioFiles
import AudioQueues
public import CAudioToolbox
import LinuxSystem
import MediaFormats
import SoundFiles

// The functions of SystemSounds.h, and AudioServicesLinuxCreateSystemSoundIDWithPath of AudioToolboxLinux.h.

/// A refusal of a function of system sounds.
private struct SystemSoundError: CallError {
    let code: QueueStatus
    /// The file that was not loaded.
    var file: FilePath?

    static let parameter = SystemSoundError(code: .parameter)
    static let noSound = SystemSoundError(code: SystemSounds.unspecified)
    static let unsupportedProperty = SystemSoundError(code: QueueStatus(Int32(kAudioServicesUnsupportedPropertyError)))
    static let badPropertySize = SystemSoundError(code: QueueStatus(Int32(kAudioServicesBadPropertySizeError)))
    static let badSpecifierSize = SystemSoundError(code: QueueStatus(Int32(kAudioServicesBadSpecifierSizeError)))

    var status: OSStatus { code.code }
    var mistake: String? { Log.isEnabled ? file.map(whyNotLoaded) ?? soundMistake(code) : nil }
    static var results: [ConstantTable] { [.soundResults, .queueResults] }
}

/// The likely mistake of the program.
private func soundMistake(_ error: QueueStatus) -> String? {
    switch error.code {
    case SystemSounds.unspecified.code: "no sound has this number"
    case QueueStatus.parameter.code: "the pointer to the file, the number or the procedure is NULL, or the URL has no path"
    case Int32(kAudioServicesUnsupportedPropertyError):
        "a sound has the properties IsUISound ('isui') and CompletePlaybackIfAppDies ('ifdi')"
    case Int32(kAudioServicesBadPropertySizeError): "the value is a UInt32"
    case Int32(kAudioServicesBadSpecifierSizeError): "the specifier is a SystemSoundID of 4 bytes"
    default: nil
    }
}

/// The reason why a sound was not loaded. The function reads the file again, for the log.
private func whyNotLoaded(_ path: FilePath) -> String {
    guard Queues.sounds != nil else { return "libAudioSession has another version" }
    let storage: FileStorage
    do throws(SystemError) { storage = try FileStorage.open(path, writing: false) } catch {
        return "the file cannot be opened: \(error.text)"
    }
    do throws(AudioFileError) {
        let file = try AudioFile.open(storage)
        if file.duration > SystemSounds.longestDuration { return "a system sound lasts at most 30 seconds" }
        return "the file has no sound, or no codec module decodes it: \(file.file.format.name)"
    } catch {
        return "this is not a sound file that can be read: \(error.mistake ?? "")"
    }
}

private func make(_ path: FilePath, _ out: UnsafeMutablePointer<SystemSoundID>) throws(SystemSoundError) {
    do throws(QueueStatus) {
        guard let sounds = Queues.sounds, let file = try? FileStorage.open(path, writing: false) else {
            throw SystemSounds.unspecified
        }
        if isPlayedDirectly(file) {
            out.pointee = try sounds.load(file)
        } else {
            guard let decoded = decodedSound(file) else { throw SystemSounds.unspecified }
            out.pointee = try sounds.load(decoded)
        }
    } catch { throw SystemSoundError(code: error, file: path) }
}

@c @implementation
public func AudioServicesCreateSystemSoundID(
    _ inFileURL: UnsafeRawPointer?, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
    answer("AudioServicesCreateSystemSoundID", name(ofURL: inFileURL)) { () throws(SystemSoundError) in
        guard let inFileURL, let outSystemSoundID else { throw .parameter }
        outSystemSoundID.pointee = 0
        guard let path = path(ofURL: inFileURL) else { throw .parameter }
        try make(path, outSystemSoundID)
    }
}

@c @implementation
public func AudioServicesLinuxCreateSystemSoundIDWithPath(
    _ path: UnsafePointer<CChar>?, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
    answer("AudioServicesLinuxCreateSystemSoundIDWithPath", name(path)) { () throws(SystemSoundError) in
        guard let path, let outSystemSoundID else { throw .parameter }
        outSystemSoundID.pointee = 0
        try make(FilePath(path), outSystemSoundID)
    }
}

@c @implementation
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    answer("AudioServicesDisposeSystemSoundID", "\(inSystemSoundID)") { () throws(SystemSoundError) in
        guard Queues.sounds?.remove(inSystemSoundID) == true else { throw .noSound }
    }
}

@c @implementation
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) { Queues.sounds?.play(inSystemSoundID) }

@c @implementation
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
    Queues.sounds?.play(inSystemSoundID, isAlert: true)
}

// MARK: Completions

/// Calls a procedure on its run loop once for each time that the sound was played.
private final class Completion: @unchecked Sendable {
    private let lock = Lock()
    private var count = 0
    private var source: RunLoopSource?
    private let call: () -> Void

    private init(_ call: @escaping () -> Void) { self.call = call }

    /// Without CoreFoundation the procedure is called on a thread of the library.
    static func make(_ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?, _ call: @escaping () -> Void) -> Completion {
        let completion = Completion(call)
        completion.source = RunLoopSource.make(runLoop, mode, inCommonModes: false) { completion.perform() }
        return completion
    }

    func signal() {
        guard let source else { return call() }
        lock.withLock { count += 1 }
        source.signal()
    }

    private func perform() {
        let count = lock.withLock {
            defer { self.count = 0 }
            return self.count
        }
        for _ in 0..<count { call() }
    }

    func invalidate() {
        source?.invalidate()
        // Breaks the cycle: the source references this object.
        source = nil
    }
}

/// Invalidates a completion when its last reference is released.
private final class CompletionOwner: @unchecked Sendable {
    private let completion: Completion
    init(_ completion: Completion) { self.completion = completion }
    deinit { completion.invalidate() }
    func signal() { completion.signal() }
}

@c @implementation
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID, _ inRunLoop: UnsafeMutableRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
    _ inCompletionRoutine: AudioServicesSystemSoundCompletionProc?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioServicesAddSystemSoundCompletion", "\(inSystemSoundID)") { () throws(SystemSoundError) in
        guard let sounds = Queues.sounds, let inCompletionRoutine else { throw .parameter }
        let owner = CompletionOwner(
            Completion.make(UnsafeRawPointer(inRunLoop), inRunLoopMode) { inCompletionRoutine(inSystemSoundID, inClientData) })
        guard sounds.setCompletion(inSystemSoundID, { owner.signal() }) else { throw .noSound }
    }
}

@c @implementation
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
    Queues.sounds?.setCompletion(inSystemSoundID, nil)
}

// MARK: Properties

private let isUISound = UInt32(kAudioServicesPropertyIsUISound)
private let completesIfAppDies = UInt32(kAudioServicesPropertyCompletePlaybackIfAppDies)

/// The settings of the sound that a specifier names.
private func settings(
    _ id: AudioServicesPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?
) throws(SystemSoundError) -> (UInt32, SystemSounds.Settings) {
    guard id == isUISound || id == completesIfAppDies else {
        throw .unsupportedProperty
    }
    guard size == 4, let specifier else { throw .badSpecifierSize }
    let sound = specifier.loadUnaligned(as: UInt32.self)
    guard let settings = Queues.sounds?.settings(sound) else { throw .noSound }
    return (sound, settings)
}

@c @implementation
public func AudioServicesGetPropertyInfo(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    answer("AudioServicesGetPropertyInfo", FourCC.text(inPropertyID)) { () throws(SystemSoundError) in
        _ = try settings(inPropertyID, inSpecifierSize, inSpecifier)
        outPropertyDataSize?.pointee = 4
        outWritable?.pointee = 1
    }
}

@c @implementation
public func AudioServicesGetProperty(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioServicesGetProperty", FourCC.text(inPropertyID)) { () throws(SystemSoundError) in
        let (_, settings) = try settings(inPropertyID, inSpecifierSize, inSpecifier)
        guard let ioPropertyDataSize, let outPropertyData else { throw .parameter }
        guard ioPropertyDataSize.pointee >= 4 else { throw .badPropertySize }
        let value = inPropertyID == isUISound ? settings.isUISound : settings.completesIfProgramDies
        outPropertyData.storeBytes(of: value, as: UInt32.self)
        ioPropertyDataSize.pointee = 4
    }
}

@c @implementation
public func AudioServicesSetProperty(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioServicesSetProperty", FourCC.text(inPropertyID)) { () throws(SystemSoundError) in
        let (sound, _) = try settings(inPropertyID, inSpecifierSize, inSpecifier)
        guard let inPropertyData else { throw .parameter }
        guard inPropertyDataSize == 4 else { throw .badPropertySize }
        let value: UInt32 = inPropertyData.loadUnaligned(as: UInt32.self) != 0 ? 1 : 0
        Queues.sounds?.change(sound) {
            if inPropertyID == isUISound { $0.isUISound = value } else { $0.completesIfProgramDies = value }
        }
    }
}
