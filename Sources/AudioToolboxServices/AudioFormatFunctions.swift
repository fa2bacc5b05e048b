// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
public import CAudioToolbox

// The functions of AudioFormat.h.

@inline(__always)
private func answer(_ body: () throws(FormatError) -> Void) -> OSStatus {
    do throws(FormatError) {
        try body()
        return 0
    } catch { return error.status }
}

@c @implementation
public func AudioFormatGetPropertyInfo(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outPropertyDataSize else { return OSStatus(kAudio_ParamError) }
    return answer { () throws(FormatError) in
        let specifier = UnsafeRawBufferPointer(start: inSpecifier, count: inSpecifier == nil ? 0 : Int(inSpecifierSize))
        outPropertyDataSize.pointee = UInt32(clamping: try Formats.size(inPropertyID, specifier))
    }
}

@c @implementation
public func AudioFormatGetProperty(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer { () throws(FormatError) in
        let specifier = UnsafeRawBufferPointer(start: inSpecifier, count: inSpecifier == nil ? 0 : Int(inSpecifierSize))
        let room = ioPropertyDataSize.map { Int($0.pointee) } ?? 0
        let buffer = UnsafeRawBufferPointer(start: outPropertyData, count: outPropertyData == nil ? 0 : room)
        let value = try Formats.property(inPropertyID, specifier, buffer)
        // A validation has no value, and needs no buffer.
        if case .bytes(let bytes) = value, bytes.isEmpty {
            ioPropertyDataSize?.pointee = 0
            return
        }
        guard let ioPropertyDataSize, let outPropertyData else { throw .badPropertySize }
        switch value {
        case .bytes(let bytes):
            guard copyProperty(bytes, to: outPropertyData, sizeTo: ioPropertyDataSize) else { throw .badPropertySize }
        case .text(let text):
            guard room >= MemoryLayout<UInt>.size else { throw .badPropertySize }
            guard let object = FoundationValues.string(text) else { throw .unspecified }
            writeObject(object, outPropertyData, ioPropertyDataSize)
        }
    }
}
