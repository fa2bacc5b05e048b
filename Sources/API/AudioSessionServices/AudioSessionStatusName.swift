// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioSessionServices
import LinuxSystem
import SessionModel

/// The text of a known code is constant. The text of another code is valid until the next call on the same thread.
@c @implementation
public func AudioSessionLinuxStatusName(_ status: OSStatus) -> UnsafePointer<CChar>? {
    if let known = statusNames.first(where: { $0.code.rawValue == status }) { return known.name }
    return CString.ofThread(Naming.status(status))
}

nonisolated(unsafe) private let statusNames: [(code: ResultCode, name: UnsafePointer<CChar>)] = ResultCode.allCases.map {
    ($0, UnsafePointer(CString.copy(Naming.nameAndCode($0))))
}
