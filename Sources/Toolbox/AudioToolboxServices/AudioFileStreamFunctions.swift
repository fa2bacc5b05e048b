// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioFiles
public import CAudioToolbox
import LinuxSystem
import SoundFiles

// The functions of AudioFileStream.h.

/// A file stream of a program, and its procedures.
final class ProgramStream: SoundStreamClient {
    static let all = HandleTable<ProgramStream>(.fileStream)

    private let data: UnsafeMutableRawPointer?
    private let hasProperty: AudioFileStream_PropertyListenerProc
    private let hasPackets: AudioFileStream_PacketsProc
    fileprivate let parser: SoundStream
    fileprivate var handle: AudioFileStreamID?

    fileprivate init(
        _ data: UnsafeMutableRawPointer?, _ hasProperty: @escaping AudioFileStream_PropertyListenerProc,
        _ hasPackets: @escaping AudioFileStream_PacketsProc, hint: UInt32
    ) {
        self.data = data
        self.hasProperty = hasProperty
        self.hasPackets = hasPackets
        parser = SoundStream(hint: hint)
    }

    func streamHasHeader() {
        // The last property is kAudioFileStreamProperty_ReadyToProducePackets.
        for property in parser.knownProperties where ProgramStream.all.object(handle) != nil {
            var flags: UInt32 = 0
            hasProperty(data, handle, property.rawValue, &flags)
        }
    }

    func streamHasPackets(_ bytes: UnsafeRawBufferPointer, count: Int, _ packets: [SoundFile.Packet]) {
        guard !packets.isEmpty else {
            return hasPackets(data, UInt32(clamping: bytes.count), UInt32(clamping: count), bytes.baseAddress, nil)
        }
        var descriptions = packets.map {
            AudioStreamPacketDescription(
                mStartOffset: Int64(clamping: $0.offset), mVariableFramesInPacket: $0.frames, mDataByteSize: $0.size)
        }
        descriptions.withUnsafeMutableBufferPointer {
            hasPackets(data, UInt32(clamping: bytes.count), UInt32(clamping: count), bytes.baseAddress, $0.baseAddress)
        }
    }
}

extension SoundStreamError: CallError {
    public var status: OSStatus {
        switch self {
        case .unsupportedType: OSStatus(kAudioFileStreamError_UnsupportedFileType)
        case .unsupportedFormat: OSStatus(kAudioFileStreamError_UnsupportedDataFormat)
        case .unsupportedProperty: OSStatus(kAudioFileStreamError_UnsupportedProperty)
        case .propertySize: OSStatus(kAudioFileStreamError_BadPropertySize)
        case .notOptimized: OSStatus(kAudioFileStreamError_NotOptimized)
        case .packetOffset: OSStatus(kAudioFileStreamError_InvalidPacketOffset)
        case .invalidFile: OSStatus(kAudioFileStreamError_InvalidFile)
        case .unknownValue: OSStatus(kAudioFileStreamError_ValueUnknown)
        case .operation: OSStatus(kAudioFileStreamError_IllegalOperation)
        case .discontinuity: OSStatus(kAudioFileStreamError_DiscontinuityCantRecover)
        case .parameter: OSStatus(kAudio_ParamError)
        case .outOfMemory: OSStatus(kAudio_MemFullError)
        }
    }

    var mistake: String? {
        switch self {
        case .unsupportedType: "the bytes begin no known file, and 65,536 bytes have no packet of MPEG audio or ADTS"
        case .unsupportedFormat: "the type of file has no such format"
        case .unsupportedProperty: "streams have no such property"
        case .propertySize: "the buffer is too small"
        case .notOptimized: "what describes the packets lies behind them: parse a file with AudioFileOpenWithCallbacks"
        case .packetOffset: "the packet lies outside of the stream"
        case .invalidFile: "the header contradicts itself, or has more than 16 MB"
        case .unknownValue: "what decides the value has not arrived, or the file has no such value"
        case .operation: "the property cannot be set"
        case .discontinuity: "AudioFileStreamSeek comes first: the position of the bytes is not known"
        case .parameter: "a pointer is NULL, or the stream was closed"
        case .outOfMemory: "there are too many streams"
        }
    }

    static var results: [ConstantTable] { [.streamResults] }
}

private func find(_ handle: AudioFileStreamID?) throws(SoundStreamError) -> ProgramStream {
    guard let stream = ProgramStream.all.object(handle) else { throw .parameter }
    return stream
}

@c @implementation
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?, _ inPropertyListenerProc: AudioFileStream_PropertyListenerProc?,
    _ inPacketsProc: AudioFileStream_PacketsProc?, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>?
) -> OSStatus {
    answer("AudioFileStreamOpen") { () throws(SoundStreamError) in
        guard let inPropertyListenerProc, let inPacketsProc, let outAudioFileStream else { throw .parameter }
        let stream = ProgramStream(inClientData, inPropertyListenerProc, inPacketsProc, hint: inFileTypeHint)
        guard let handle = ProgramStream.all.insert(stream) else { throw .outOfMemory }
        stream.handle = handle
        outAudioFileStream.pointee = handle
    }
}

@c @implementation
public func AudioFileStreamParseBytes(
    _ inAudioFileStream: AudioFileStreamID?, _ inDataByteSize: UInt32, _ inData: UnsafeRawPointer?, _ inFlags: UInt32
) -> OSStatus {
    answer("AudioFileStreamParseBytes", isQuiet: true) { () throws(SoundStreamError) in
        let stream = try find(inAudioFileStream)
        guard inData != nil || inDataByteSize == 0 else { throw .parameter }
        try stream.parser.parse(
            bytes(at: inData, count: inDataByteSize), isDiscontinuous: inFlags & 1 != 0, for: stream)
    }
}

@c @implementation
public func AudioFileStreamSeek(
    _ inAudioFileStream: AudioFileStreamID?, _ inPacketOffset: Int64, _ outDataByteOffset: UnsafeMutablePointer<Int64>?,
    _ ioFlags: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioFileStreamSeek") { () throws(SoundStreamError) in
        guard let outDataByteOffset else { throw .parameter }
        let found = try find(inAudioFileStream).parser.seek(toPacket: inPacketOffset)
        outDataByteOffset.pointee = Int64(clamping: found.offset)
        ioFlags?.pointee = found.isEstimated ? UInt32(kAudioFileStreamSeekFlag_OffsetIsEstimated) : 0
    }
}

private func property(_ id: UInt32) throws(SoundStreamError) -> StreamProperty {
    guard let property = StreamProperty(rawValue: id) else { throw .unsupportedProperty }
    return property
}

@c @implementation
public func AudioFileStreamGetPropertyInfo(
    _ inAudioFileStream: AudioFileStreamID?, _ inPropertyID: AudioFileStreamPropertyID,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    answer("AudioFileStreamGetPropertyInfo", ToolboxLog.property(inPropertyID, .streamProperties)) {
        () throws(SoundStreamError) in
        let stream = try find(inAudioFileStream).parser
        let property = try property(inPropertyID)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        outPropertyDataSize?.pointee = property.translates ? 24 : UInt32(clamping: try stream.value(property, none).count)
        outWritable?.pointee = 0
    }
}

@c @implementation
public func AudioFileStreamGetProperty(
    _ inAudioFileStream: AudioFileStreamID?, _ inPropertyID: AudioFileStreamPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileStreamGetProperty", ToolboxLog.property(inPropertyID, .streamProperties)) { () throws(SoundStreamError) in
        let stream = try find(inAudioFileStream).parser
        guard let ioPropertyDataSize, let outPropertyData else { throw .parameter }
        let value = try stream.value(
            try property(inPropertyID), bytes(at: outPropertyData, count: ioPropertyDataSize.pointee))
        guard copyProperty(value, to: outPropertyData, sizeTo: ioPropertyDataSize) else { throw .propertySize }
    }
}

@c @implementation
public func AudioFileStreamSetProperty(
    _ inAudioFileStream: AudioFileStreamID?, _ inPropertyID: AudioFileStreamPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioFileStreamSetProperty", ToolboxLog.property(inPropertyID, .streamProperties)) { () throws(SoundStreamError) in
        _ = try find(inAudioFileStream)
        _ = try property(inPropertyID)
        throw .operation
    }
}

@c @implementation
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID?) -> OSStatus {
    answer("AudioFileStreamClose") { () throws(SoundStreamError) in
        guard let stream = ProgramStream.all.remove(inAudioFileStream) else { throw .parameter }
        stream.parser.close()
    }
}
