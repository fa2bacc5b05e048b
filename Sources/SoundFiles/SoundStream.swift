// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// An event of a stream for the program.
public protocol SoundStreamClient: AnyObject {
    /// The header is known. Packets follow.
    func streamHasHeader()
    /// Whole packets. The list is empty where all packets have the size of the format; offsets are those in `bytes`.
    func streamHasPackets(_ bytes: UnsafeRawBufferPointer, count: Int, _ packets: [SoundFile.Packet])
}

/// A stream cannot be parsed.
public enum SoundStreamError: Error, Equatable, Sendable {
    case unsupportedType
    case unsupportedFormat
    case invalidFile
    /// The description of the packets lies behind the data.
    case notOptimized
    /// The bytes do not follow the former ones, and nothing states their place.
    case discontinuity
    /// The packet lies outside of the stream.
    case packetOffset
    /// The bytes that decide the value have not arrived, or the file has no such value.
    case unknownValue
    case unsupportedProperty
    case propertySize
    /// The value cannot be set.
    case operation
    case parameter
    case outOfMemory
}

/// Parses a sound file that arrives in pieces of any size. Its memory is bounded by a header of 16 MB, else by packets.
public final class SoundStream {
    static let largestHeader = 1 << 24
    static let largestPacket: UInt32 = 1 << 20
    private static let pieceSize = 1 << 15

    /// The header. The data of MPEG audio and of ADTS has no known size, and no packets are listed.
    public private(set) var file: SoundFile?
    /// Packets that were found, and their bytes.
    public private(set) var packetsSeen: UInt64 = 0
    public private(set) var bytesSeen: UInt64 = 0
    private let hint: UInt32
    private var phase = Phase.start
    /// Bytes that wait, and the place of the first in the file.
    private var pending: [UInt8] = []
    private var position: UInt64 = 0
    /// Bytes that are dropped as they arrive.
    private var skipped: UInt64 = 0
    /// The place of the next bytes, after a seek.
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

    /// No callback comes any more. A call of `parse` that runs now returns.
    public func close() { isClosed = true }

    /// The packets of fragmented MPEG-4 are described as they come.
    public var hasFragments: Bool { if case .fragments = phase { true } else { false } }

    /// The packets of MPEG audio and of ADTS are found by their headers.
    public var hasFrameHeaders: Bool { if case .frames = phase { true } else { false } }

    // MARK: Parsing

    /// Calls the client with what the bytes complete.
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
                // A slice would be copied byte by byte.
                pending += UnsafeRawBufferPointer(rebasing: rest[dropped..<dropped + count])
                rest = UnsafeRawBufferPointer(rebasing: rest[(dropped + count)...])
                try consume(for: client)
            }
        } catch {
            // A discontinuity can be mended by a seek.
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

    /// Gives a packet that no other one follows, where the stream ends with it.
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
        // The rest of a gap is not kept.
        skipped = UInt64(max(batch.consumed - batch.available, 0))
    }

    /// Decides the type by the first bytes. False where more are needed.
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
                try finishFilm(header)
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

    private func finishFilm(_ header: HeaderScanner.Result) throws(SoundFileError) {
        var reader = ByteReader(PartSource(pending, count: header.headerSize, size: header.fileSize))
        var film = Film(FragmentPackets.fragments)
        try film.read(&reader, end: UInt64(header.headerSize))
        var file = try film.makeFile(size: header.fileSize)
        phase = .data(DataPackets())
        if film.fragments.areExpected {
            phase = .fragments(try FragmentPackets(&file, film.fragments, nextBox: UInt64(header.headerSize)))
        }
        self.file = file
    }

    // MARK: Seeking

    /// The place of a packet from the start of the data on. The next bytes are those at this place.
    public func seek(toPacket packet: Int64) throws(SoundStreamError) -> (offset: UInt64, isEstimated: Bool) {
        guard let file else { throw .unknownValue }
        guard let index = UInt64(exactly: packet) else { throw .packetOffset }
        let place = try offset(ofPacket: index, file)
        target = file.dataOffset + place.offset
        return place
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

    /// The mean bytes of a packet, with its header.
    public var averagePacketSize: Double? {
        guard let file else { return nil }
        if hasFrameHeaders || hasFragments { return packetsSeen > 0 ? Double(bytesSeen) / Double(packetsSeen) : nil }
        if file.packets.isEmpty { return Double(file.format.bytesPerPacket) }
        return Double(file.packets.reduce(UInt64(0)) { $0 + UInt64($1.size) }) / Double(file.packets.count)
    }
}

/// Whole packets at the beginning of the bytes that wait.
struct PacketBatch {
    var count = 0
    var packets: [SoundFile.Packet] = []
    /// The bytes that the program gets.
    var start = 0
    var end = 0
    /// The bytes of the packets, with their headers.
    var packetBytes = 0
    /// The bytes that are not needed any more; more than `available` where a gap follows.
    var consumed = 0
    var available = 0

    /// Adds a packet that lies behind the others. `position` is the place of the bytes. False where it is not whole.
    mutating func append(
        _ packet: SoundFile.Packet, at place: UInt64, _ bytes: [UInt8], _ position: UInt64
    ) throws(SoundStreamError) -> Bool {
        guard place >= position + UInt64(end) else {
            // Packets that do not lie in their order cannot be given in it.
            if count == 0 { throw .notOptimized }
            return false
        }
        let offset = place - position
        guard offset < UInt64(bytes.count), UInt64(packet.size) <= UInt64(bytes.count) - offset else { return false }
        packets.append(SoundFile.Packet(offset: offset, size: packet.size, frames: packet.frames))
        end = Int(offset) + Int(packet.size)
        packetBytes += Int(packet.size)
        count += 1
        return true
    }
}

/// A part of a file, which is longer: the bytes from the place `start` on, and up to `count` of them.
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
