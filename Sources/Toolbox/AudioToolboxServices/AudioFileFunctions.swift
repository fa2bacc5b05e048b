// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioConverters
import AudioFiles
public import CAudioToolbox
import LinuxSystem
import MediaFormats
import SoundFiles

// Functions of AudioFile.h for reading, writing, other chunks and properties.

// MARK: Bytes and packets

@c @implementation
public func AudioFileReadBytes(
    _ inAudioFile: AudioFileID?, _ inUseCache: UInt8, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>?,
    _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileReadBytes", isQuiet: true) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let ioNumBytes, let outBuffer else { throw .parameter }
        let wanted = Int(ioNumBytes.pointee)
        ioNumBytes.pointee = 0
        let read = try file.read(at: inStartingByte, UnsafeMutableRawBufferPointer(start: outBuffer, count: wanted))
        ioNumBytes.pointee = UInt32(clamping: read)
        guard read == wanted else { throw .endOfFile }
    }
}

@c @implementation
public func AudioFileWriteBytes(
    _ inAudioFile: AudioFileID?, _ inUseCache: UInt8, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>?,
    _ inBuffer: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioFileWriteBytes", isQuiet: true) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let ioNumBytes, let inBuffer else { throw .parameter }
        let count = Int(ioNumBytes.pointee)
        ioNumBytes.pointee = 0
        try file.write(UnsafeRawBufferPointer(start: inBuffer, count: count), at: inStartingByte)
        ioNumBytes.pointee = UInt32(clamping: count)
    }
}

/// Reads packets into a buffer of `room` bytes. False after the last packet.
private func readPackets(
    _ handle: AudioFileID?, _ room: Int?, _ bytes: UnsafeMutablePointer<UInt32>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ first: Int64,
    _ packets: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeMutableRawPointer?
) throws(AudioFileError) -> Bool {
    let file = try ProgramFile.object(handle)
    guard let bytes, let packets, let buffer else { throw .parameter }
    let wanted = Int(packets.pointee)
    // Without a size, the buffer has room for this number of the largest packets.
    let needed = wanted.multipliedReportingOverflow(by: Int(file.largestPacket))
    (bytes.pointee, packets.pointee) = (0, 0)
    let memory = UnsafeMutableRawBufferPointer(start: buffer, count: room ?? (needed.overflow ? .max : needed.partialValue))
    let read: (packets: Int, bytes: Int)
    if let descriptions {
        read = try file.readPackets(first, count: wanted, memory) { index, packet in
            descriptions[index] = AudioStreamPacketDescription(
                mStartOffset: packet.startOffset, mVariableFramesInPacket: packet.variableFrames, mDataByteSize: packet.byteSize)
        }
    } else {
        read = try file.readPackets(first, count: wanted, memory)
    }
    (bytes.pointee, packets.pointee) = (UInt32(clamping: read.bytes), UInt32(clamping: read.packets))
    return wanted == 0 || UInt64(clamping: first) < file.packetCount
}

@c @implementation
public func AudioFileReadPacketData(
    _ inAudioFile: AudioFileID?, _ inUseCache: UInt8, _ ioNumBytes: UnsafeMutablePointer<UInt32>?,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>?, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileReadPacketData", isQuiet: true) { () throws(AudioFileError) in
        let hasPackets = try readPackets(
            inAudioFile, ioNumBytes.map { Int($0.pointee) }, ioNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets,
            outBuffer)
        guard hasPackets else { throw .endOfFile }
    }
}

@c @implementation
public func AudioFileReadPackets(
    _ inAudioFile: AudioFileID?, _ inUseCache: UInt8, _ outNumBytes: UnsafeMutablePointer<UInt32>?,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>?, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileReadPackets", isQuiet: true) { () throws(AudioFileError) in
        // Programs that loop a sound test for 0 packets: the end is no error.
        _ = try readPackets(inAudioFile, nil, outNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer)
    }
}

@c @implementation
public func AudioFileWritePackets(
    _ inAudioFile: AudioFileID?, _ inUseCache: UInt8, _ inNumBytes: UInt32,
    _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>?, _ inBuffer: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioFileWritePackets", isQuiet: true) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let ioNumPackets, let inBuffer else { throw .parameter }
        let count = Int(ioNumPackets.pointee)
        ioNumPackets.pointee = 0
        if let inPacketDescriptions, file.file.hasVariablePackets {
            let bytes = UnsafeRawBufferPointer(start: inBuffer, count: Int(inNumBytes))
            try appendPackets(file, inStartingPacket, bytes, UnsafeBufferPointer(start: inPacketDescriptions, count: count))
            ioNumPackets.pointee = UInt32(clamping: count)
            return
        }
        // The number of packets decides: programs leave inNumBytes 0, or count the bytes of one packet.
        let size = count.multipliedReportingOverflow(by: Int(file.file.format.bytesPerPacket))
        guard !size.overflow else { throw .parameter }
        try file.writePackets(
            inStartingPacket, count: count, UnsafeRawBufferPointer(start: inBuffer, count: size.partialValue))
        ioNumPackets.pointee = UInt32(clamping: count)
    }
}

/// Writes the packets of a program. They may lie anywhere in its buffer.
private func appendPackets(
    _ file: AudioFile, _ first: Int64, _ bytes: UnsafeRawBufferPointer,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>
) throws(AudioFileError) {
    var sizes: [UInt32] = []
    var end: Int64 = 0
    var isContiguous = true
    for packet in descriptions {
        let (packetEnd, overflow) = packet.mStartOffset.addingReportingOverflow(Int64(packet.mDataByteSize))
        guard packet.mStartOffset >= 0, !overflow, packetEnd <= Int64(bytes.count), packet.mDataByteSize > 0 else {
            Log.debug(
                "AudioFileWritePackets: packet description \(sizes.count) has \(packet.mDataByteSize) bytes from"
                    + " \(packet.mStartOffset) on, and inNumBytes is \(bytes.count)")
            throw .parameter
        }
        if packet.mStartOffset != end { isContiguous = false }
        end = packetEnd
        sizes.append(packet.mDataByteSize)
    }
    if isContiguous {
        return try file.appendPackets(
            first, UnsafeRawBufferPointer(rebasing: bytes[..<Int(end)]), sizes: sizes,
            framesOfLast: descriptions.last?.mVariableFramesInPacket ?? 0)
    }
    for (index, packet) in descriptions.enumerated() {
        let start = Int(packet.mStartOffset)
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(packet.mDataByteSize)])
        try file.appendPackets(
            first + Int64(index), content, sizes: [packet.mDataByteSize], framesOfLast: packet.mVariableFramesInPacket)
    }
}

// MARK: Other chunks

@c @implementation
public func AudioFileCountUserData(
    _ inAudioFile: AudioFileID?, _ inUserDataID: UInt32, _ outNumberItems: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioFileCountUserData") { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let outNumberItems else { throw .parameter }
        outNumberItems.pointee = UInt32(clamping: try file.userData(inUserDataID).count)
    }
}

@c @implementation
public func AudioFileGetUserDataSize(
    _ inAudioFile: AudioFileID?, _ inUserDataID: UInt32, _ inIndex: UInt32, _ outUserDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AudioFileGetUserDataSize") { () throws(AudioFileError) in
        let chunks = try ProgramFile.object(inAudioFile).userData(inUserDataID)
        guard let outUserDataSize else { throw .parameter }
        guard Int(inIndex) < chunks.count else { throw .invalidChunk }
        outUserDataSize.pointee = UInt32(clamping: chunks[Int(inIndex)].size)
    }
}

@c @implementation
public func AudioFileGetUserData(
    _ inAudioFile: AudioFileID?, _ inUserDataID: UInt32, _ inIndex: UInt32, _ ioUserDataSize: UnsafeMutablePointer<UInt32>?,
    _ outUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileGetUserData") { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let ioUserDataSize, let outUserData else { throw .parameter }
        let buffer = UnsafeMutableRawBufferPointer(start: outUserData, count: Int(ioUserDataSize.pointee))
        ioUserDataSize.pointee = UInt32(clamping: try file.userData(inUserDataID, Int(inIndex), into: buffer))
    }
}

@c @implementation
public func AudioFileSetUserData(
    _ inAudioFile: AudioFileID?, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inUserDataSize: UInt32,
    _ inUserData: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioFileSetUserData") { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let inUserData, inUserDataSize <= 1 << 24 else { throw .parameter }
        try file.setUserData(
            inUserDataID, Int(inIndex), Array(UnsafeRawBufferPointer(start: inUserData, count: Int(inUserDataSize))))
    }
}

@c @implementation
public func AudioFileRemoveUserData(_ inAudioFile: AudioFileID?, _ inUserDataID: UInt32, _ inIndex: UInt32) -> OSStatus {
    answer("AudioFileRemoveUserData") { () throws(AudioFileError) in
        try ProgramFile.object(inAudioFile).removeUserData(inUserDataID, Int(inIndex))
    }
}

// MARK: Properties

/// The function that makes the CoreFoundation object of a property. Nil for properties that are bytes.
private func object(_ id: UInt32) -> ((AudioFile) -> UnsafeRawPointer?)? {
    switch Int(id) {
    case Int(kAudioFilePropertyDataFormatName): { FoundationValues.string($0.file.format.name) }
    case Int(kAudioFilePropertyInfoDictionary):
        { file in
            FoundationValues.dictionary(
                [(kAFInfoDictionary_ApproximateDurationInSeconds, decimal(file.duration))]
                    + file.tags.filter { $0.key != kAFInfoDictionary_ApproximateDurationInSeconds }.map { ($0.key, $0.value) })
        }
    default: nil
    }
}

/// A number of seconds with three decimal places.
private func decimal(_ seconds: Double) -> String {
    guard let milliseconds = Int(exactly: (seconds * 1_000).rounded()) else { return "0" }
    let rest = "\(milliseconds % 1_000)"
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
}

@c @implementation
public func AudioFileGetPropertyInfo(
    _ inAudioFile: AudioFileID?, _ inPropertyID: AudioFilePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    // Programs use the size even after an error that they ignore.
    outDataSize?.pointee = 0
    isWritable?.pointee = 0
    return answer("AudioFileGetPropertyInfo", ToolboxLog.property(inPropertyID, .fileProperties)) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        let info = object(inPropertyID) != nil ? (MemoryLayout<UInt>.size, false) : try file.propertyInfo(inPropertyID)
        outDataSize?.pointee = UInt32(clamping: info.0)
        isWritable?.pointee = info.1 ? 1 : 0
    }
}

@c @implementation
public func AudioFileGetProperty(
    _ inAudioFile: AudioFileID?, _ inPropertyID: AudioFilePropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>?,
    _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AudioFileGetProperty", ToolboxLog.property(inPropertyID, .fileProperties)) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let ioDataSize, let outPropertyData else { throw .parameter }
        if let make = object(inPropertyID) {
            return try copyObject(
                make(file), to: outPropertyData, sizeTo: ioDataSize, tooSmall: AudioFileError.badPropertySize,
                missing: .unspecified)
        }
        let bytes = try file.property(
            inPropertyID, UnsafeRawBufferPointer(start: outPropertyData, count: Int(ioDataSize.pointee)))
        guard copyProperty(bytes, to: outPropertyData, sizeTo: ioDataSize) else { throw .badPropertySize }
    }
}

@c @implementation
public func AudioFileSetProperty(
    _ inAudioFile: AudioFileID?, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32, _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
    answer("AudioFileSetProperty", ToolboxLog.property(inPropertyID, .fileProperties)) { () throws(AudioFileError) in
        let file = try ProgramFile.object(inAudioFile)
        guard let inPropertyData else { throw .parameter }
        guard object(inPropertyID) == nil else { throw .operationNotSupported }
        try file.setProperty(inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inDataSize)))
    }
}
