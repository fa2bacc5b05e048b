// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolboxFunctions
public import CCoreAudioTypes
public import Foundation

/// Writes the name of a component, which the caller releases.
@discardableResult
public func AudioComponentCopyName(
    _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    var name: UnsafeRawPointer?
    let status = __AudioComponentCopyName(inComponent, &name)
    outName.pointee = name.map { Unmanaged<CFString>.fromOpaque($0) }
    return status
}
