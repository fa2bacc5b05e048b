// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolboxFunctions
public import CCoreAudioTypes
public import Foundation

// The functions that take the URL of a file. A URL that names no file is kAudio_ParamError.

/// Opens a sound file. Without a hint, the extension of its name is one.
@discardableResult
public func AudioFileOpenURL(
    _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    withPath(of: inFileRef) { AudioFileLinuxOpenPath($0, inPermissions, inFileTypeHint, outAudioFile) }
}

/// Creates a sound file.
@discardableResult
public func AudioFileCreateWithURL(
    _ inFileRef: CFURL, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    withPath(of: inFileRef) { AudioFileLinuxCreateWithPath($0, inFileType, inFormat, inFlags, outAudioFile) }
}

/// Opens a sound file for reading as linear PCM.
@discardableResult
public func ExtAudioFileOpenURL(_ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
    withPath(of: inURL) { ExtAudioFileLinuxOpenPath($0, outExtAudioFile) }
}

/// Creates a sound file, which is written as linear PCM.
@discardableResult
public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    withPath(of: inURL) {
        ExtAudioFileLinuxCreateWithPath($0, inFileType, inStreamDesc, inChannelLayout, inFlags, outExtAudioFile)
    }
}

/// Loads a short sound.
@discardableResult
public func AudioServicesCreateSystemSoundID(_ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>)
    -> OSStatus
{
    withPath(of: inFileURL) { AudioServicesLinuxCreateSystemSoundIDWithPath($0, outSystemSoundID) }
}

private func withPath(of url: NSURL, _ body: (UnsafePointer<CChar>) -> OSStatus) -> OSStatus {
    guard let path = url.path, url.isFileURL else { return OSStatus(kAudio_ParamError) }
    return path.withCString(body)
}
