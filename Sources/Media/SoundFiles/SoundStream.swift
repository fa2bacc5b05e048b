// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats

/// Receives the events of a stream for the program.
public protocol SoundStreamClient: AnyObject {
    /// The header is known. Packets follow.
    func streamHasHeader()
    /// Passes complete packets. The list is empty if all packets have the size of the format. Its offsets are relative to
    /// `bytes`.
    func streamHasPackets(_ bytes: UnsafeRawBufferPointer, count: Int, _ packets: [SoundFile.Packet])
}

/// The error of parsing a stream.
public enum SoundStreamError: Error, Equatable, Sendable {
    case unsupportedType
    case unsupportedFormat
    case invalidFile
    /// The description of the packets follows the data.
    case notOptimized
    /// The bytes do not follow the previous bytes, and their offset is unknown.
    case discontinuity
    /// The packet is outside of the stream.
    case packetOffset
    /// The bytes that determine the value have not arrived, or the file has no such value.
    case unknownValue
    case unsupportedProperty
    case propertySize
    /// The value cannot be set.
    case operation
    case parameter
    case outOfMemory
}

/// Parses a sound file that arrives in pieces of any size. Its memory is limited: 16 MB of header, then the size of packets.
public final class SoundStream {
    static let largestHeader = 1 << 24
    static let largestPacket: UInt32 = 1 << 20
    private static let pieceSize = 1 << 15

    /// The header. For MPEG audio and ADTS, the size of the data is unknown, and the list of packets is empty.
    public private(set) var file: SoundFile?
    /// The number of packets found, and the sum of their bytes.
    public private(set) var packetsSeen: UInt64 = 0
    public private(set) var bytesSeen: UInt64 = 0
    private let hint: UInt32
    private var phase = Phase.start
    /// Bytes that have not been parsed, and the offset of the first of them in the file.
    private var pending: [UInt8] = []
    private var position: UInt64 = 0
    /// The number of next bytes that are dropped.
    private var skipped: UInt64 = 0
    /// The offset of the next bytes after a seek.
    private var target: UInt64?
    private var failure: SoundStreamError?
    private var isClosed = false

    private enum Phase {
        case start
        case header(HeaderScanner)
        case data(DataPackets)
        case fragments(FragmentPackets)
        case frames(FramePackets)
    }

    public init(hint: UInt32) { self.hint = hint }

    /// Ends all callbacks. A call of `parse` that runs now returns.
    public func close() { isClosed = true }

    /// The packets of fragmented MPEG-4 are described while the file arrives.
    public var hasFragments: Bool { if case .fragments = phase { true } else { false } }

    /// The packets of MPEG audio and of ADTS are found by their headers.
    public var hasFrameHeaders: Bool { if case .frames = phase { true } else { false } }

    // MARK: Parsing

    /// Parses the bytes. Calls the client with the header and the packets that they complete.
    public func parse(
        _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool, for client: any SoundStreamClient
    ) throws(SoundStreamError) {
        if let failure { throw failure }
        do throws(SoundStreamError) {
            if isDiscontinuous, bytes.isEmpty { finishFrames(for: client) }
            try begin(isDiscontinuous: isDiscontinuous)
            var rest = bytes
            while !rest.isEmpty, !isClosed {
                let dropped = Int(min(skipped, UInt64(rest.count)))
                skipped -= UInt64(dropped)
                position += UInt64(dropped)
                let count = min(rest.count - dropped, SoundStream.pieceSize)
                // Appending a slice would copy it byte by byte.
                pending += UnsafeRawBufferPointer(rebasing: rest[dropped..<dropped + count])
                rest = UnsafeRawBufferPointer(rebasing: rest[(dropped + count)...])
                try consume(for: client)
            }
        } catch {
            // The program can correct a discontinuity by a seek.
            if error != .discontinuity { failure = error }
            throw error
        }
    }

    private func begin(isDiscontinuous: Bool) throws(SoundStreamError) {
        guard let file, isDiscontinuous || target != nil else { return }
        if case .frames(var frames) = phase {
            frames.loseSync()
            phase = .frames(frames)
        } else if case .data(var data) = phase {
            guard let target else { throw .discontinuity }
            data.move(to: target, file)
            phase = .data(data)
        } else if hasFragments {
            throw .discontinuity
        }
        pending = []
        skipped = 0
        position = target ?? position
        target = nil
    }

    /// Passes the last packet, which no other packet follows, if the stream ends with it.
    private func finishFrames(for client: any SoundStreamClient) {
        guard case .frames(var frames) = phase, let batch = frames.last(in: pending), let first = frames.first else { return }
        phase = .frames(frames)
        if file == nil {
            file = frames.file(first, at: position)
            client.streamHasHeader()
        }
        if !isClosed { deliver(batch, to: client) }
    }

    private func consume(for client: any SoundStreamClient) throws(SoundStreamError) {
        while !isClosed, !pending.isEmpty {
            switch phase {
            case .start: guard try start() else { return }
            case .header(var scanner):
                let result = try scanner.scan(pending)
                phase = .header(scanner)
                guard let result else {
                    guard pending.count <= SoundStream.largestHeader else { throw .invalidFile }
                    return
                }
                try finishHeader(result)
                client.streamHasHeader()
            case .data(var data):
                guard let file else { throw .invalidFile }
                let batch = try data.next(in: pending, at: position, file)
                phase = .data(data)
                deliver(batch, to: client)
                guard batch.consumed > 0 || batch.count > 0 else { return }
            case .fragments(let fragments):
                let batch = try fragments.next(in: pending, at: position)
                deliver(batch, to: client)
                guard batch.consumed > 0 || batch.count > 0 else { return }
            case .frames(var frames):
                let former = frames.first
                let batch = try frames.next(in: pending)
                phase = .frames(frames)
                if former == nil, let first = frames.first {
                    file = frames.file(first, at: position + UInt64(batch.consumed))
                    drop(batch.consumed)
                    client.streamHasHeader()
                    continue
                }
                deliver(batch, to: client)
                guard batch.consumed > 0 else { return }
            }
        }
    }

    private func drop(_ count: Int) {
        pending.removeFirst(count)
        position += UInt64(count)
    }

    private func deliver(_ batch: PacketBatch, to client: any SoundStreamClient) {
        if batch.count > 0 {
            packetsSeen += UInt64(batch.count)
            bytesSeen += UInt64(batch.packetBytes)
            pending.withUnsafeBytes { bytes in
                client.streamHasPackets(
                    UnsafeRawBufferPointer(rebasing: bytes[batch.start..<batch.end]), count: batch.count, batch.packets)
            }
        }
        drop(min(batch.consumed, pending.count))
        // The rest of a gap is not stored.
        skipped = UInt64(max(batch.consumed - batch.available, 0))
    }

    /// Determines the type from the first bytes. False if more bytes are needed.
    private func start() throws(SoundStreamError) -> Bool {
        guard pending.count >= 12 else { return false }
        let magic = bigEndian(pending, 0)
        switch magic {
        case FourCC.riff, FourCC.rf64, FourCC.bw64, FourCC.form, FourCC.caff, FourCC.snd: phase = .header(HeaderScanner(magic))
        case _ where bigEndian(pending, 4) == FourCC.code("ftyp"): phase = .header(HeaderScanner(FourCC.code("ftyp")))
        case _ where magic >> 8 == FourCC.code("ID3 ") >> 8:
            var size = 10 + (pending[5] & 0x10 == 0 ? 0 : 10)
            size += pending[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            let available = min(size, pending.count)
            skipped = UInt64(size - available)
            drop(available)
        default: phase = .frames(FramePackets())
        }
        return true
    }

    private func finishHeader(_ header: HeaderScanner.Result) throws(SoundStreamError) {
        do throws(SoundFileError) {
            if header.headerSize > 0 {
                try finishMovie(header)
            } else {
                file = try SoundFile(PartSource(pending, size: header.fileSize), hint: hint)
                phase = .data(DataPackets())
            }
        } catch {
            switch error {
            case .unsupportedType: throw .unsupportedType
            case .unsupportedFormat: throw .unsupportedFormat
            default: throw .invalidFile
            }
        }
        guard let file, file.format.bytesPerPacket <= SoundStream.largestPacket,
            file.packets.allSatisfy({ $0.size <= SoundStream.largestPacket })
        else { throw .invalidFile }
    }

    private func finishMovie(_ header: HeaderScanner.Result) throws(SoundFileError) {
        var reader = ByteReader(PartSource(pending, count: header.headerSize, size: header.fileSize))
        var movie = Movie(FragmentPackets.fragments)
        try movie.read(&reader, end: UInt64(header.headerSize))
        var file = try movie.makeFile(size: header.fileSize)
        phase = .data(DataPackets())
        if movie.fragments.areExpected {
            phase = .fragments(try FragmentPackets.make(&file, movie.fragments, nextBox: UInt64(header.headerSize)))
        }
        self.file = file
    }

    // MARK: Seeking

    /// The offset of a packet from the start of the data. The next bytes must be those at this offset.
    public func seek(toPacket packet: Int64) throws(SoundStreamError) -> (offset: UInt64, isEstimated: Bool) {
        guard let file else { throw .unknownValue }
        guard let index = UInt64(exactly: packet) else { throw .packetOffset }
        let found = try offset(ofPacket: index, file)
        target = file.dataOffset + found.offset
        return found
    }

    public func offset(ofPacket index: UInt64, _ file: SoundFile) throws(SoundStreamError) -> (offset: UInt64, isEstimated: Bool)
    {
        guard !hasFragments else { throw .unknownValue }
        if hasFrameHeaders {
            guard let average = averagePacketSize else { throw .unknownValue }
            let offset = Double(index) * average
            guard offset < 9e15 else { throw .packetOffset }
            return (UInt64(offset), true)
        }
        if !file.packets.isEmpty {
            guard index < UInt64(file.packets.count) else { throw .packetOffset }
            return (file.packets[Int(index)].offset, false)
        }
        guard index <= file.packetCount else { throw .packetOffset }
        return (index * UInt64(file.format.bytesPerPacket), false)
    }

    /// The average number of bytes of a packet, including its header.
    public var averagePacketSize: Double? {
        guard let file else { return nil }
        if hasFrameHeaders || hasFragments { return packetsSeen > 0 ? Double(bytesSeen) / Double(packetsSeen) : nil }
        if file.packets.isEmpty { return Double(file.format.bytesPerPacket) }
        return Double(file.packets.reduce(UInt64(0)) { $0 + UInt64($1.size) }) / Double(file.packets.count)
    }
}

/// Complete packets at the beginning of the pending bytes.
struct PacketBatch {
    var count = 0
    var packets: [SoundFile.Packet] = []
    /// The bytes for the program.
    var start = 0
    var end = 0
    /// The number of bytes of the packets, including their headers.
    var packetBytes = 0
    /// The number of bytes that are no longer needed; more than `available` if a gap follows.
    var consumed = 0
    var available = 0

    /// Adds a packet that follows the others. `position` is the offset of the bytes. False if the packet is incomplete.
    mutating func append(
        _ packet: SoundFile.Packet, at start: UInt64, _ bytes: [UInt8], _ position: UInt64
    ) throws(SoundStreamError) -> Bool {
        guard start >= position + UInt64(end) else {
            // Packets are passed in their order. This is impossible if their offsets have another order.
            if count == 0 { throw .notOptimized }
            return false
        }
        let offset = start - position
        guard offset < UInt64(bytes.count), UInt64(packet.size) <= UInt64(bytes.count) - offset else { return false }
        packets.append(SoundFile.Packet(offset: offset, size: packet.size, frames: packet.frames))
        end = Int(offset) + Int(packet.size)
        packetBytes += Int(packet.size)
        count += 1
        return true
    }
}

/// A part of a longer file: at most `count` bytes from the offset `start` on.
final class PartSource: ByteSource {
    private let bytes: [UInt8]
    private let start: UInt64
    private let count: Int
    let size: UInt64

    init(_ bytes: [UInt8], at start: UInt64 = 0, count: Int = .max, size: UInt64) {
        self.bytes = bytes
        self.start = start
        self.count = min(count, bytes.count)
        self.size = size
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        guard offset >= start, offset - start < UInt64(count) else { return 0 }
        let start = Int(offset - start)
        let count = min(buffer.count, count - start)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        return count
    }
}

func bigEndian(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
}
