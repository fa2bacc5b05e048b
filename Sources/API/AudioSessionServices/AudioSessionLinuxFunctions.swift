// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioHardware
import AudioSession
public import CAudioSessionServices
import CLinux
import LinuxSystem
import SessionModel

// The functions of AudioSessionLinux.h.

@c @implementation
public func AudioSessionLinuxEventDescriptor() -> Int32 {
    var descriptor: Int32 = -1
    let status = answer { () throws(ResultCode) in
        descriptor = try SessionAPI.current().delivery.eventDescriptor()
    }
    CallLog.linux("AudioSessionLinuxEventDescriptor() -> \(descriptor)", status)
    return descriptor
}

@c @implementation
public func AudioSessionLinuxDispatchEvents() -> OSStatus {
    let status = answer { () throws(ResultCode) in try SessionAPI.current().delivery.deliver() }
    // A program may call this many times a second. Therefore only a failure is logged.
    if status != 0 { CallLog.linux("AudioSessionLinuxDispatchEvents()", status) }
    return status
}

@c @implementation
public func AudioSessionLinuxCopyDeviceName(
    _ input: UInt8, _ buffer: UnsafeMutablePointer<CChar>?, _ ioSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let buffer, let ioSize else { throw .parameter }
        let value = try process.session.value(of: input != 0 ? .inputDevice : .outputDevice)
        guard case .string(var name) = value else { throw .unspecified }
        let needed = UInt32(clamping: name.utf8.count) &+ 1
        let fits = ioSize.pointee >= needed
        ioSize.pointee = needed
        guard fits else { throw .badPropertySize }
        name.withUTF8 { bytes in
            for index in bytes.indices { buffer[index] = CChar(bitPattern: bytes[index]) }
            buffer[bytes.count] = 0
        }
    }
    CallLog.linux(
        "AudioSessionLinuxCopyDeviceName(\(input != 0 ? "input" : "output"))", status,
        Diagnostics.inCopy(hasBuffer: buffer != nil, size: ioSize?.pointee, status))
    return status
}

@c @implementation
public func AudioSessionLinuxSetDisplayName(_ utf8: UnsafePointer<CChar>?) -> OSStatus {
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let utf8 else { throw .parameter }
        try process.session.rename(String(cString: utf8))
    }
    CallLog.linux(
        "AudioSessionLinuxSetDisplayName(\(utf8.map { "\"\(String(cString: $0))\"" } ?? "NULL"))",
        status,
        utf8 == nil ? Diagnostics.missing([("utf8", false)]) : nil)
    return status
}

@c @implementation
public func AudioSessionLinuxSimulate(_ command: UnsafePointer<CChar>?) -> OSStatus {
    var diagnosis: String?
    let status = answer { () throws(ResultCode) in
        let process = try SessionAPI.current()
        guard let command else { throw .parameter }
        try process.session.simulate(try parse(String(cString: command), &diagnosis))
    }
    CallLog.linux(
        "AudioSessionLinuxSimulate(\(command.map { "\"\(String(cString: $0))\"" } ?? "NULL"))", status,
        diagnosis ?? Diagnostics.inSimulate(hasCommand: command != nil, status))
    return status
}

private func parse(_ command: String, _ diagnosis: inout String?) throws(ResultCode)
    -> SimulationCommand
{
    do throws(SimulationCommand.Malformed) { return try SimulationCommand(command) } catch {
        diagnosis = error.text
        throw .unsupportedProperty
    }
}
