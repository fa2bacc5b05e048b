// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
import AudioUnits
public import CAudioToolbox
import CodecModules
import LinuxSystem
import MediaFormats
import PCMConversion

// The functions of AudioConverter.h.

/// A converter of a program, with the buffer list that its input procedure fills.
final class ProgramConverter {
    static let all = HandleTable<ProgramConverter>(.converter)

    let converter: Converter
    private let input = OwnBufferList()

    init(_ converter: Converter) { self.converter = converter }

    /// Asks the procedure for packets.
    func packets(
        _ count: Int, _ procedure: AudioConverterComplexInputDataProc, _ handle: AudioConverterRef?,
        _ userData: UnsafeMutableRawPointer?
    ) throws(ConverterError) -> InputPackets {
        let side = converter.inputBuffers
        input.clear(side.count, channels: side.channels)
        var packets = UInt32(clamping: count)
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = procedure(handle, &packets, input.list, &descriptions, userData)
        // With an error there are no packets, whatever the number of packets is.
        guard status == 0 else { throw .program(status) }
        return InputPackets(
            buffers: BufferList(input.list).memory(side.count), count: Int(packets), descriptions: UnsafeRawPointer(descriptions))
    }
}

private func converter(_ handle: AudioConverterRef?) throws(ConverterError) -> ProgramConverter {
    guard let object = ProgramConverter.all.object(handle) else { throw .parameter }
    return object
}

/// Runs a conversion of one buffer or of one for each channel. Audio threads call it often.
@inline(__always)
private func convert(
    _ handle: AudioConverterRef?, _ body: (Converter) throws(ConverterError) -> Void
) throws(ConverterError) {
    let done: Void? = try ProgramConverter.all.withObject(handle) { object throws(ConverterError) in
        try body(object.converter)
    }
    if done == nil { throw .parameter }
}

private func make(
    _ source: UnsafePointer<AudioStreamBasicDescription>?, _ target: UnsafePointer<AudioStreamBasicDescription>?,
    _ out: UnsafeMutablePointer<AudioConverterRef?>?
) throws(ConverterError) {
    guard let source, let target, let out else { throw .parameter }
    let (from, to) = (StreamDescription(source.pointee), StreamDescription(target.pointee))
    let converter = try Converter.make(
        from: from, to: to, decoder: CodecModules.decoder(for: from, client: to), encoder: CodecModules.encoder(for: to))
    guard let handle = ProgramConverter.all.insert(ProgramConverter(converter)) else { throw .outOfMemory }
    out.pointee = handle
}

/// The formats of a converter, for the log.
private func formats(
    _ source: UnsafePointer<AudioStreamBasicDescription>?, _ target: UnsafePointer<AudioStreamBasicDescription>?
) -> String { "\(ToolboxLog.format(source)) -> \(ToolboxLog.format(target))" }

@c @implementation
public func AudioConverterNew(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
    answer("AudioConverterNew", formats(inSourceFormat, inDestinationFormat)) { () throws(ConverterError) in
        try make(inSourceFormat, inDestinationFormat, outAudioConverter)
    }
}

@c @implementation
public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>?,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
    answer("AudioConverterNewSpecific", formats(inSourceFormat, inDestinationFormat)) { () throws(ConverterError) in
        guard let inSourceFormat, let inDestinationFormat, let inClassDescriptions, inNumberClassDescriptions > 0 else {
            throw .parameter
        }
        for (format, type) in [
            (inSourceFormat.pointee.mFormatID, kAudioDecoderComponentType),
            (inDestinationFormat.pointee.mFormatID, kAudioEncoderComponentType),
        ] where format != FormatID.linearPCM {
            // All codecs are software.
            let isGiven = (0..<Int(inNumberClassDescriptions)).contains { index in
                let codec = inClassDescriptions[index]
                return codec.mType == OSType(type) && codec.mSubType == format
                    && codec.mManufacturer == OSType(kAppleSoftwareAudioCodecManufacturer)
            }
            guard isGiven else { throw .formatNotSupported }
        }
        try make(inSourceFormat, inDestinationFormat, outAudioConverter)
    }
}

@c @implementation
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef?) -> OSStatus {
    answer("AudioConverterDispose") { () throws(ConverterError) in
        if ProgramConverter.all.remove(inAudioConverter) == nil { throw .parameter }
    }
}

@c @implementation
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef?) -> OSStatus {
    answer("AudioConverterReset") { () throws(ConverterError) in try converter(inAudioConverter).converter.reset() }
}

@c @implementation
public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    answer("AudioConverterGetPropertyInfo", ToolboxLog.property(inPropertyID, .converterProperties)) {
        () throws(ConverterError) in
        let info = try converter(inAudioConverter).converter.propertyInfo(inPropertyID)
        outSize?.pointee = UInt32(clamping: info.size)
        outWritable?.pointee = info.isWritable ? 1 : 0
    }
}

@c @implementation
public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioConverterGetProperty", ToolboxLog.property(inPropertyID, .converterProperties)) { () throws(ConverterError) in
        let object = try converter(inAudioConverter)
        guard let ioPropertyDataSize, let outPropertyData else { throw .parameter }
        let buffer = UnsafeRawBufferPointer(start: outPropertyData, count: Int(ioPropertyDataSize.pointee))
        let bytes = try object.converter.property(inPropertyID, buffer)
        guard copyProperty(bytes, to: outPropertyData, sizeTo: ioPropertyDataSize) else { throw .badPropertySize }
    }
}

@c @implementation
public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioConverterSetProperty", ToolboxLog.property(inPropertyID, .converterProperties)) { () throws(ConverterError) in
        let object = try converter(inAudioConverter)
        guard let inPropertyData else { throw .parameter }
        try object.converter.setProperty(
            inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
    }
}

@c @implementation
public func AudioConverterConvertBuffer(
    _ inAudioConverter: AudioConverterRef?, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer?,
    _ ioOutputDataSize: UnsafeMutablePointer<UInt32>?, _ outOutputData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioConverterConvertBuffer", isQuiet: true) { () throws(ConverterError) in
        try convert(inAudioConverter) { converter throws(ConverterError) in
            guard let inInputData, let ioOutputDataSize, let outOutputData else { throw .parameter }
            let bytes = try converter.convert(
                UnsafeRawBufferPointer(start: inInputData, count: Int(inInputDataSize)),
                into: UnsafeMutableRawBufferPointer(start: outOutputData, count: Int(ioOutputDataSize.pointee)))
            ioOutputDataSize.pointee = UInt32(clamping: bytes)
        }
    }
}

@c @implementation
public func AudioConverterFillComplexBuffer(
    _ inAudioConverter: AudioConverterRef?, _ inInputDataProc: AudioConverterComplexInputDataProc?,
    _ inInputDataProcUserData: UnsafeMutableRawPointer?, _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>?,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>?,
    _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    guard let object = ProgramConverter.all.object(inAudioConverter), let inInputDataProc, let ioOutputDataPacketSize,
        let outOutputData
    else { return answer("AudioConverterFillComplexBuffer", isQuiet: true) { () throws(ConverterError) in throw .parameter } }
    let list = BufferList(outOutputData)
    let side = object.converter.outputBuffers
    let filled = object.converter.fill(
        list.memory(side.count), packets: Int(ioOutputDataPacketSize.pointee),
        { (count: Int) throws(ConverterError) in
            try object.packets(count, inInputDataProc, inAudioConverter, inInputDataProcUserData)
        },
        describe: { index, packet in
            outPacketDescription?[index] = AudioStreamPacketDescription(
                mStartOffset: packet.startOffset, mVariableFramesInPacket: packet.variableFrames, mDataByteSize: packet.byteSize)
        })
    ioOutputDataPacketSize.pointee = UInt32(clamping: filled.packets)
    list.setSize(filled.bytes, side.count)
    if let outPacketDescription, side.bytesPerPacket > 0 {
        for index in 0..<filled.packets {
            outPacketDescription[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(index * side.bytesPerPacket), mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(clamping: side.bytesPerPacket))
        }
    }
    guard let error = filled.error else { return 0 }
    return answer("AudioConverterFillComplexBuffer", isQuiet: true) { () throws(ConverterError) in throw error }
}

@_optimize(speed)
@c @implementation
public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef?, _ inNumberPCMFrames: UInt32, _ inInputData: UnsafePointer<AudioBufferList>?,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    answer("AudioConverterConvertComplexBuffer", isQuiet: true) { () throws(ConverterError) in
        try convert(inAudioConverter) { converter throws(ConverterError) in
            guard let inInputData, let outOutputData else { throw .parameter }
            let (source, target) = (BufferList(reading: inInputData), BufferList(outOutputData))
            let (from, to, frames) = (converter.inputBuffers, converter.outputBuffers, Int(inNumberPCMFrames))
            let isDone = try converter.convert(
                UnsafeRawBufferPointer(source.firstMemory), into: target.firstMemory, frames: frames)
            if !isDone { try converter.convert(source.memory(from.count), into: target.memory(to.count), frames: frames) }
            target.setSize(frames * to.bytesPerPacket, to.count)
        }
    }
}
