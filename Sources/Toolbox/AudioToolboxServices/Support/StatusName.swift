// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolbox
import CLinux

/// The text is valid until the next call on the same thread.
@c @implementation
public func AudioToolboxLinuxStatusName(_ status: OSStatus) -> UnsafePointer<CChar>? {
    guard let buffer = linux_thread_buffer() else { return nil }
    var end = 0
    for byte in (status == 0 ? "noErr (0)" : UnitLog.text(status: status)).utf8 where end < Int(LINUX_THREAD_BUFFER_SIZE) - 1 {
        buffer[end] = CChar(bitPattern: byte)
        end += 1
    }
    buffer[end] = 0
    return UnsafePointer(buffer)
}
