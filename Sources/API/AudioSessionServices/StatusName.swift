// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioSessionServices
import CLinux
import SessionModel

/// The text of a known code is constant. The text of another code is valid until the next call on the same thread.
@c @implementation
public func AudioSessionLinuxStatusName(_ status: OSStatus) -> UnsafePointer<CChar>? {
    if let known = statusNames.first(where: { $0.code.rawValue == status }) { return known.name }
    guard let buffer = linux_thread_buffer() else { return nil }
    copy(Naming.status(status), to: buffer, size: Int(LINUX_THREAD_BUFFER_SIZE))
    return UnsafePointer(buffer)
}

nonisolated(unsafe) private let statusNames: [(code: ResultCode, name: UnsafePointer<CChar>)] = {
    var names: [(code: ResultCode, name: UnsafePointer<CChar>)] = []
    for code in ResultCode.allCases {
        let text = Naming.nameAndCode(code)
        let size = text.utf8.count + 1
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        copy(text, to: memory, size: size)
        names.append((code, UnsafePointer(memory)))
    }
    return names
}()

/// As a C string, truncated to the size of the buffer.
private func copy(_ text: String, to buffer: UnsafeMutablePointer<CChar>, size: Int) {
    var end = 0
    for byte in text.utf8 where end < size - 1 {
        buffer[end] = CChar(bitPattern: byte)
        end += 1
    }
    buffer[end] = 0
}
