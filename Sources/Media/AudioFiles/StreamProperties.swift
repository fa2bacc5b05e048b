// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
public import SoundFiles

/// The properties of file streams: the values of `kAudioFileStreamProperty_…`.
public enum StreamProperty: UInt32, CaseIterable, Sendable {
    case fileFormat = 0x6666_6D74  // 'ffmt'
    case dataFormat = 0x6466_6D74  // 'dfmt'
    case formatList = 0x666C_7374  // 'flst'
    case magicCookie = 0x6D67_6963  // 'mgic'
    case dataByteCount = 0x6263_6E74  // 'bcnt'
    case dataPacketCount = 0x7063_6E74  // 'pcnt'
    case maximumPacketSize = 0x7073_7A65  // 'psze'
    case dataOffset = 0x646F_6666  // 'doff'
    case channelLayout = 0x636D_6170  // 'cmap'
    case packetTableInfo = 0x706E_666F  // 'pnfo'
    case packetSizeUpperBound = 0x706B_7562  // 'pkub'
    case averageBytesPerPacket = 0x6162_7070  // 'abpp'
    case bitRate = 0x6272_6174  // 'brat'
    case packetToFrame = 0x706B_6672  // 'pkfr'
    case frameToPacket = 0x6672_706B  // 'frpk'
    case packetToByte = 0x706B_6279  // 'pkby'
    case byteToPacket = 0x6279_706B  // 'bypk'
    case readyToProducePackets = 0x7265_6479  // 'redy'

    /// The property translates the content of the caller's buffer.
    public var translates: Bool {
        switch self {
        case .packetToFrame, .frameToPacket, .packetToByte, .byteToPacket: true
        default: false
        }
    }
}

extension SoundStream {
    /// The bytes of a property. `argument` is the content of the caller's buffer.
    public func value(
        _ property: StreamProperty, _ argument: UnsafeRawBufferPointer
    ) throws(SoundStreamError) -> [UInt8] {
        guard let file else {
            guard property == .readyToProducePackets else { throw .unknownValue }
            return [UInt8](nativeBytesOf: UInt32(0))
        }
        switch property {
        case .readyToProducePackets: return [UInt8](nativeBytesOf: UInt32(1))
        case .fileFormat: return [UInt8](nativeBytesOf: file.type.rawValue)
        case .dataFormat: return file.format.bytes
        case .formatList: return file.format.listItems(cookie: file.magicCookie)
        case .magicCookie:
            guard !file.magicCookie.isEmpty else { throw .unknownValue }
            return file.magicCookie
        case .channelLayout:
            guard let layout = swappedLayout(file.channelLayout) else { throw .unknownValue }
            return layout
        case .dataOffset: return [UInt8](nativeBytesOf: Int64(clamping: file.dataOffset))
        case .dataByteCount: return [UInt8](nativeBytesOf: try knownSize(file))
        case .dataPacketCount:
            let size = try knownSize(file)
            return [UInt8](
                nativeBytesOf: file.packets.isEmpty ? size / UInt64(max(file.format.bytesPerPacket, 1)) : file.packetCount)
        case .maximumPacketSize, .packetSizeUpperBound: return [UInt8](nativeBytesOf: largestPacket(file))
        case .packetTableInfo: return try packetTableInfo(file)
        case .averageBytesPerPacket: return [UInt8](nativeBytesOf: try average().bitPattern)
        case .bitRate: return [UInt8](nativeBytesOf: try bitRate(file))
        default: return try translate(property, argument, file)
        }
    }

    /// The properties that are known now.
    public var knownProperties: [StreamProperty] {
        StreamProperty.allCases.filter { property in
            guard !property.translates else { return false }
            return (try? value(property, UnsafeRawBufferPointer(start: nil, count: 0))) != nil
        }
    }

    /// The bytes of the data, if the header states them.
    private func knownSize(_ file: SoundFile) throws(SoundStreamError) -> UInt64 {
        guard !hasFrameHeaders, !hasFragments, file.dataSize < 1 << 61 else { throw .unknownValue }
        return file.dataSize
    }

    private func largestPacket(_ file: SoundFile) -> UInt32 {
        if hasFrameHeaders { return file.type == .adts ? 8_191 : 2_881 }
        if hasFragments { return largestFragmentPacket(file) }
        return file.packets.isEmpty ? file.format.bytesPerPacket : file.packets.reduce(0) { max($0, $1.size) }
    }

    /// The size of the largest packet that the codec can produce. A lossless codec may store samples without compression.
    private func largestFragmentPacket(_ file: SoundFile) -> UInt32 {
        let isLossless = CodecFormat.lossless.contains(file.format.formatID)
        let frames = UInt64(file.format.framesPerPacket) * UInt64(file.format.channelsPerFrame)
        return max(8_191, isLossless ? UInt32(clamping: min(frames * 4 + 512, 1 << 20)) : 0)
    }

    private func packetTableInfo(_ file: SoundFile) throws(SoundStreamError) -> [UInt8] {
        guard file.format.framesPerPacket != 1 else { throw .unknownValue }
        _ = try knownSize(file)
        return [UInt8](nativeBytesOf: Int64(clamping: file.frameCount))
            + [UInt8](nativeBytesOf: Int32(clamping: file.primingFrames))
            + [UInt8](nativeBytesOf: Int32(clamping: file.remainderFrames))
    }

    private func average() throws(SoundStreamError) -> Double {
        guard let average = averagePacketSize else { throw .unknownValue }
        return average
    }

    private func bitRate(_ file: SoundFile) throws(SoundStreamError) -> UInt32 {
        guard file.format.framesPerPacket > 0, file.format.sampleRate > 0 else { throw .unknownValue }
        let rate = try average() * 8 * file.format.sampleRate / Double(file.format.framesPerPacket)
        return UInt32(min(rate.rounded(), 4_294_967_295))
    }

    // MARK: Translations

    private func translate(
        _ property: StreamProperty, _ argument: UnsafeRawBufferPointer, _ file: SoundFile
    ) throws(SoundStreamError) -> [UInt8] {
        guard argument.count >= 24 else { throw .propertySize }
        let (first, second) = (argument.loadUnaligned(as: Int64.self), argument.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        let frames = Int64(file.format.framesPerPacket)
        switch property {
        case .packetToFrame:
            guard frames > 0 else { throw .unknownValue }
            let (frame, overflow) = second.multipliedReportingOverflow(by: frames)
            guard second >= 0, !overflow else { throw .packetOffset }
            return [UInt8](nativeBytesOf: frame) + Array(argument[8..<24])
        case .frameToPacket:
            guard frames > 0 else { throw .unknownValue }
            guard first >= 0 else { throw .packetOffset }
            return Array(argument[..<8]) + [UInt8](nativeBytesOf: first / frames)
                + [UInt8](nativeBytesOf: UInt32(clamping: first % frames)) + Array(argument[20..<24])
        case .packetToByte:
            guard let index = UInt64(exactly: second) else { throw .packetOffset }
            let found = try offset(ofPacket: index, file)
            return [UInt8](nativeBytesOf: Int64(clamping: found.offset)) + Array(argument[8..<20])
                + [UInt8](nativeBytesOf: UInt32(found.isEstimated ? 1 : 0))
        default:
            let found = try packet(ofByte: first, file)
            return Array(argument[..<8]) + [UInt8](nativeBytesOf: found.packet)
                + [UInt8](nativeBytesOf: UInt32(clamping: found.byte))
                + [UInt8](nativeBytesOf: UInt32(hasFrameHeaders ? 1 : 0))
        }
    }

    private func packet(ofByte byte: Int64, _ file: SoundFile) throws(SoundStreamError) -> (packet: Int64, byte: Int64) {
        guard byte >= 0 else { throw .packetOffset }
        guard !hasFragments else { throw .unknownValue }
        if !file.packets.isEmpty {
            guard let index = file.packets.lastIndex(where: { $0.offset <= UInt64(byte) }) else { throw .packetOffset }
            return (Int64(index), byte - Int64(clamping: file.packets[index].offset))
        }
        guard hasFrameHeaders else {
            let size = Int64(file.format.bytesPerPacket)
            guard size > 0 else { throw .unknownValue }
            return (byte / size, byte % size)
        }
        let size = try average()
        guard size > 0 else { throw .unknownValue }
        let packet = (Double(byte) / size).rounded(.down)
        guard packet < 9e15 else { throw .packetOffset }
        return (Int64(packet), byte - Int64(packet * size))
    }
}
