// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioFiles
public import CAudioToolbox
import CoreFoundationTable
import MediaFormats
import SoundFiles

// Functions of AudioFile.h for the properties of file types.

/// A fact: bytes, a text, or a list of texts.
private enum Fact {
    case bytes([UInt8])
    case text(String)
    case texts([String])

    var size: Int {
        if case .bytes(let bytes) = self { return bytes.count }
        return MemoryLayout<UInt>.size
    }

    var object: UnsafeRawPointer? {
        switch self {
        case .bytes: nil
        case .text(let text): FoundationValues.string(text)
        case .texts(let texts): FoundationValues.array(texts)
        }
    }

    init(_ numbers: [UInt32]) { self = .bytes(numbers.flatMap { [UInt8](nativeBytesOf: $0) }) }
    init(_ names: [StaticString]) { self = .texts(names.map { "\($0)" }) }
}

private func fact(_ id: UInt32, _ specifier: UnsafeRawBufferPointer) throws(AudioFileError) -> Fact {
    switch Int(id) {
    case Int(kAudioFileGlobalInfo_ReadableTypes): return Fact(FileTypes.readable)
    case Int(kAudioFileGlobalInfo_WritableTypes): return Fact(FileTypes.writable)
    case Int(kAudioFileGlobalInfo_FileTypeName): return .text("\(try names(specifier).name)")
    case Int(kAudioFileGlobalInfo_AvailableFormatIDs):
        var ids: [UInt32] = []
        for format in FileTypes.formats(try type(specifier)) where !ids.contains(format.formatID) { ids.append(format.formatID) }
        return Fact(ids)
    case Int(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat):
        guard specifier.count == 8 else { throw .badPropertySize }
        let formatID = specifier.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let formats = FileTypes.formats(try type(UnsafeRawBufferPointer(rebasing: specifier[..<4]))).filter {
            $0.formatID == formatID
        }
        guard !formats.isEmpty else { throw .unsupportedDataFormat }
        return .bytes(formats.flatMap { $0.bytes })
    case Int(kAudioFileGlobalInfo_AllExtensions): return allTexts { $0.extensions }
    case Int(kAudioFileGlobalInfo_AllUTIs): return allTexts { [$0.uti] }
    case Int(kAudioFileGlobalInfo_AllMIMETypes): return allTexts { $0.mimeTypes }
    case Int(kAudioFileGlobalInfo_ExtensionsForType): return Fact(try names(specifier).extensions)
    case Int(kAudioFileGlobalInfo_UTIsForType): return Fact([try names(specifier).uti])
    case Int(kAudioFileGlobalInfo_MIMETypesForType): return Fact(try names(specifier).mimeTypes)
    case Int(kAudioFileGlobalInfo_TypesForExtension): return try types(specifier) { $0.extensions }
    case Int(kAudioFileGlobalInfo_TypesForMIMEType): return try types(specifier) { $0.mimeTypes }
    case Int(kAudioFileGlobalInfo_TypesForUTI): return try types(specifier) { [$0.uti] }
    default: throw .unsupportedProperty
    }
}

private func type(_ specifier: UnsafeRawBufferPointer) throws(AudioFileError) -> SoundFileType {
    guard specifier.count == 4 else { throw .badPropertySize }
    guard let type = SoundFileType(rawValue: specifier.loadUnaligned(as: UInt32.self)) else { throw .unsupportedFileType }
    return type
}

private func names(_ specifier: UnsafeRawBufferPointer) throws(AudioFileError) -> FileTypeNames {
    let type = try type(specifier)
    guard let names = FileTypeNames.all.first(where: { $0.type == type }) else { throw .unsupportedFileType }
    return names
}

private func allTexts(_ list: (FileTypeNames) -> [StaticString]) -> Fact {
    var texts: [String] = []
    for names in FileTypeNames.all {
        for text in list(names).map({ "\($0)" }) where !texts.contains(text) { texts.append(text) }
    }
    return .texts(texts)
}

/// The types with the text of the specifier, which is a CFString.
private func types(
    _ specifier: UnsafeRawBufferPointer, _ list: (FileTypeNames) -> [StaticString]
) throws(AudioFileError) -> Fact {
    guard specifier.count == MemoryLayout<UInt>.size else { throw .badPropertySize }
    let string = UnsafeRawPointer(bitPattern: specifier.loadUnaligned(as: UInt.self))
    guard let text = CoreFoundation.inProcess?.text(ofString: string) else { throw .parameter }
    return Fact(
        FileTypeNames.all.filter { names in list(names).contains { "\($0)" == text } }.map { $0.type.rawValue })
}

@c @implementation
public func AudioFileGetGlobalInfoSize(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioFileGetGlobalInfoSize", ToolboxLog.property(inPropertyID, .globalFacts)) { () throws(AudioFileError) in
        guard let outDataSize else { throw .parameter }
        outDataSize.pointee = UInt32(clamping: try fact(inPropertyID, bytes(at: inSpecifier, count: inSpecifierSize)).size)
    }
}

@c @implementation
public func AudioFileGetGlobalInfo(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileGetGlobalInfo", ToolboxLog.property(inPropertyID, .globalFacts)) { () throws(AudioFileError) in
        guard let ioDataSize, let outPropertyData else { throw .parameter }
        let fact = try fact(inPropertyID, bytes(at: inSpecifier, count: inSpecifierSize))
        switch fact {
        case .bytes(let bytes):
            guard copyProperty(bytes, to: outPropertyData, sizeTo: ioDataSize) else { throw .badPropertySize }
        case .text, .texts:
            try copyObject(
                fact.object, to: outPropertyData, sizeTo: ioDataSize, tooSmall: AudioFileError.badPropertySize,
                missing: .unspecified)
        }
    }
}
