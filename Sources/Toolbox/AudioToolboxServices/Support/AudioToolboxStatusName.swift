// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolbox
import LinuxSystem

/// The text is valid until the next call on the same thread.
@c @implementation
public func AudioToolboxLinuxStatusName(_ status: OSStatus) -> UnsafePointer<CChar>? {
    CString.ofThread(status == 0 ? "noErr (0)" : UnitLog.text(status: status))
}
