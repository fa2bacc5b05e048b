// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
public import CAudioToolbox
import CodecModules

// The functions of AudioFormat.h.

private func installedCodecs() -> InstalledCodecs {
    InstalledCodecs(decoded: CodecModules.decodedFormats, encoded: CodecModules.encodedFormats)
}

@c @implementation
public func AudioFormatGetPropertyInfo(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outPropertyDataSize else { return OSStatus(kAudio_ParamError) }
    return answer("AudioFormatGetPropertyInfo", ToolboxLog.property(inPropertyID, .formatProperties)) { () throws(FormatError) in
        let specifier = bytes(at: inSpecifier, count: inSpecifierSize)
        outPropertyDataSize.pointee = UInt32(clamping: try Formats.size(inPropertyID, specifier, codecs: installedCodecs))
    }
}

@c @implementation
public func AudioFormatGetProperty(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFormatGetProperty", ToolboxLog.property(inPropertyID, .formatProperties)) { () throws(FormatError) in
        let buffer = bytes(at: outPropertyData, count: ioPropertyDataSize?.pointee ?? 0)
        let value = try Formats.property(
            inPropertyID, bytes(at: inSpecifier, count: inSpecifierSize), buffer, codecs: installedCodecs)
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
            try copyObject(
                FoundationValues.string(text), to: outPropertyData, sizeTo: ioPropertyDataSize,
                tooSmall: FormatError.badPropertySize, missing: .unspecified)
        }
    }
}
