// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import LinuxSystem
public import MediaFormats
public import PCMConversion
import SoundFiles

/// A file as frames of linear PCM: an audio file and a converter in one.
///
/// The frames are those that a player plays: without the frames that a codec adds at both ends.
public final class ExtendedFile {
    public let file: AudioFile
    public let isForWriting: Bool
    /// The format of the program. Nil until it is set, for a file that is not linear PCM.
    public private(set) var clientFormat: StreamDescription?
    /// Converts between the program and the file. Created at the first use.
    public private(set) var converter: Converter?
    /// Makes the decoder of a format that has no built-in codec.
    let decoders: DecoderSource?
    let encoders: EncoderSource?

    /// Memory for the bytes that one step reads from or writes to the file.
    private(set) var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)

    // Reading
    /// The packet that the converter receives next.
    private var nextPacket: Int64 = 0
    /// The frame of the file at which reading began, and the number of client frames that were read since then.
    private var firstFrame: Int64 = 0
    private var clientFrames: Int64 = 0
    private var descriptions: UnsafeMutableRawBufferPointer

    // Writing
    private var hasWritten = false
    private(set) var writtenFrames: Int64 = 0
    private var isFinished = false
    /// Packets from the converter that the file could not store. They are written before all later packets.
    private var refused: (bytes: [UInt8], packets: Int, sizes: [UInt32])?
    /// Frames of the present call that the file could not store and that are not kept.
    private var droppedFrames = 0
    let queue = AsyncWriting()
    /// The writing thread holds this lock while it changes the file and the position. Other threads hold it to read them.
    let lock = WriteLock()

    /// Packets of variable size that are read in one step.
    private static let describedPackets = 256

    /// The arguments are the file and the format of the program.
    public typealias DecoderSource = (AudioFile, StreamDescription) throws(ConverterError) -> (any PacketDecoder)?

    public typealias EncoderSource = (StreamDescription) throws(ConverterError) -> (any VariablePacketEncoder)?

    public init(
        _ file: AudioFile, isForWriting: Bool, decoders: DecoderSource? = nil, encoders: EncoderSource? = nil
    ) {
        self.file = file
        self.isForWriting = isForWriting
        self.decoders = decoders
        self.encoders = encoders
        descriptions = .allocate(byteCount: ExtendedFile.describedPackets * PacketDescription.byteCount, alignment: 8)
        if file.file.format.formatID == FormatID.linearPCM { clientFormat = file.file.format }
    }

    deinit {
        do throws(ExtendedFileError) { try finish() } catch {}
        memory.deallocate()
        descriptions.deallocate()
    }

    /// Memory for at least one packet of the file, and as many as the size of the buffer allows.
    func setBufferSize(_ size: Int) {
        let packet = isForWriting ? converter?.largestOutputPacket ?? 0 : Int(clamping: file.largestPacket)
        memory.deallocate()
        memory = .allocate(byteCount: min(max(size, 1_024, packet), 1 << 24), alignment: 16)
        if !isForWriting { dropConverter() }
    }

    private func growBuffer(to size: Int) { if memory.count < size { setBufferSize(size) } }

    // MARK: Settings without an effect on the samples

    /// The layout that the program has set for its channels; empty: none.
    private(set) var clientLayout: [UInt8] = []
    /// `kAppleSoftwareAudioCodecManufacturer` until the program sets another value.
    var codecManufacturer = FourCC.code("appl")

    func setClientLayout(_ layout: UnsafeRawBufferPointer) throws(ExtendedFileError) {
        guard let channels = ChannelLayout.channelCount(layout) else { throw .invalidPropertySize }
        guard clientFormat.map({ $0.channelsPerFrame == channels }) ?? true else { throw .parameter }
        clientLayout = Array(layout)
    }

    // MARK: The packet table

    /// Replaces the numbers of the file.
    private(set) var packetTable: PacketTable?

    private var primingFrames: Int64 { packetTable.map { Int64($0.primingFrames) } ?? Int64(file.file.primingFrames) }

    /// Reading continues at the same frame of the sound. A file of a type without a table gets one as well.
    func setPacketTable(_ table: PacketTable) throws(ExtendedFileError) {
        guard table.describes(frames: file.file.framesOfPackets) else { throw .parameter }
        let frame = currentPosition
        packetTable = table
        try moveConverter(to: frame)
    }

    // MARK: The converter

    /// Sets the format of the program. Reading continues at the same frame. Throws after writing has begun.
    public func setClientFormat(_ format: StreamDescription) throws(ExtendedFileError) {
        guard format.formatID == FormatID.linearPCM else { throw .nonPCMClientFormat }
        guard !hasWritten else { throw .invalidOperationOrder }
        let frame = currentPosition
        let former = (clientFormat, converter)
        clientFormat = format
        converter = nil
        do throws(ExtendedFileError) { _ = try prepared() } catch {
            (clientFormat, converter) = former
            throw error
        }
        if former.0?.channelsPerFrame ?? format.channelsPerFrame != format.channelsPerFrame { clientLayout = [] }
        if !isForWriting { try moveConverter(to: frame) }
    }

    /// Discards the frames in the converter after the program has changed its properties.
    func dropConverter() {
        guard let converter, !hasWritten else { return }
        let frame = currentPosition
        converter.reset()
        if !isForWriting { do throws(ExtendedFileError) { try moveConverter(to: frame) } catch {} }
    }

    public func prepared() throws(ExtendedFileError) -> Converter {
        if let converter { return converter }
        guard let clientFormat else { throw .nonPCMClientFormat }
        let made = try inConverter { () throws(ConverterError) in
            if isForWriting {
                var encoder: (any VariablePacketEncoder)?
                if let encoders, file.file.hasVariablePackets { encoder = try encoders(file.file.format) }
                return try Converter.make(from: clientFormat, to: file.file.format, encoder: encoder)
            }
            var decoder: (any PacketDecoder)?
            if let decoders { decoder = try decoders(file, clientFormat) }
            return try Converter.make(from: file.file.format, to: clientFormat, decoder: decoder)
        }
        // A rate of 0 stands for the rate of the file.
        self.clientFormat = isForWriting ? made.source : made.target
        growBuffer(to: isForWriting ? made.largestOutputPacket : Int(file.largestPacket))
        converter = made
        if !isForWriting { try moveConverter(to: 0) }
        return made
    }

    // MARK: Reading

    /// The frames of the file, at its rate.
    public var length: Int64 { lock.read { currentLength } }

    /// The next frame to read, or the frames that were written, at the rate of the file.
    public var position: Int64 { lock.read { currentPosition } }

    // For a caller that holds the lock, and for a file without a writing thread.

    var currentLength: Int64 {
        isForWriting ? currentPosition : packetTable?.validFrames ?? Int64(clamping: file.file.frameCount)
    }

    private var currentPosition: Int64 {
        let frames = isForWriting ? writtenFrames : clientFrames
        guard let rates = converter?.rates, rates.input != rates.output else {
            return max(firstFrame + frames - refusedFrames, 0)
        }
        guard !isForWriting else {
            return max(Int64((Double(frames) * rates.output / rates.input).rounded(.up)) - refusedFrames, 0)
        }
        return min(firstFrame + Int64((Double(frames) * rates.input / rates.output).rounded()), currentLength)
    }

    /// The frames in packets that the file could not store.
    private var refusedFrames: Int64 {
        refused.map { Int64($0.packets) * Int64(file.file.format.framesPerPacket) } ?? 0
    }

    /// Sets the position. Frames after the last one are silent.
    public func seek(_ frame: Int64) throws(ExtendedFileError) {
        guard !isForWriting, frame >= 0, frame <= currentLength else { throw .invalidSeek }
        _ = try prepared()
        try moveConverter(to: frame)
    }

    /// Makes the converter start at a frame, with the packet that contains it.
    private func moveConverter(to frame: Int64) throws(ExtendedFileError) {
        guard let converter else { return }
        let frame = min(frame, currentLength)
        // The header may state more frames before the sound than the packets contain.
        let (last, priming) = (Int64(clamping: file.file.framesOfPackets), primingFrames)
        let wanted = priming > last - min(frame, last) ? last : frame + priming
        guard let position = file.packet(ofFrame: wanted) else { throw .invalidSeek }
        // A decoder needs earlier packets, which the frame depends on.
        let first = file.firstPacketOfPreroll(before: position.packet)
        guard let start = file.firstFrame(ofPacket: first) else { throw .invalidSeek }
        converter.reset()
        converter.trimInput(skipping: Int(clamping: wanted - start), limit: Int(clamping: currentLength - frame))
        nextPacket = first
        (firstFrame, clientFrames) = (frame, 0)
    }

    /// Reads frames in the format of the program. Returns 0 at the end.
    public func read(_ frames: Int, into buffers: SampleBuffers) throws(ExtendedFileError) -> Int {
        guard !isForWriting else { throw .invalidOperationOrder }
        let converter = try prepared()
        let filled = converter.fill(buffers, packets: frames) { (count: Int) throws(ConverterError) in try supply(count) }
        clientFrames += Int64(filled.packets)
        if let error = filled.error {
            if let failure = fileFailure {
                fileFailure = nil
                throw .file(failure)
            }
            throw .converter(error)
        }
        return filled.packets
    }

    /// An error of the file that has ended a conversion.
    private var fileFailure: AudioFileError?

    private func supply(_ count: Int) throws(ConverterError) -> InputPackets {
        // A decoder may need the descriptions also where the packets of the file have one size.
        let isDescribed = converter?.inputBuffers.bytesPerPacket == 0
        let wanted = isDescribed ? min(count, ExtendedFile.describedPackets) : count
        let read: (packets: Int, bytes: Int)
        do throws(AudioFileError) {
            if isDescribed {
                read = try file.readPackets(nextPacket, count: wanted, memory) { index, packet in
                    if let array = descriptions.baseAddress { packet.store(at: array, index: index) }
                }
            } else {
                read = try file.readPackets(nextPacket, count: wanted, memory)
            }
        } catch {
            fileFailure = error
            throw .program(error.status)
        }
        nextPacket += Int64(read.packets)
        return InputPackets(
            buffers: SampleBuffers(UnsafeMutableRawBufferPointer(rebasing: memory[..<read.bytes])), count: read.packets,
            descriptions: isDescribed ? UnsafeRawPointer(descriptions.baseAddress) : nil)
    }

    // MARK: Writing

    /// Converts frames and writes them. Frames that wait for the writing thread are written first.
    public func write(_ frames: Int, from buffers: SampleBuffers) throws(ExtendedFileError) {
        // Without the writing thread this call takes no lock: the threads of the program do not write at the same time.
        guard queue.isRunning else { return try writeNow(frames, from: buffers) }
        queue.waitUntilWritten()
        try lock.write { () throws(ExtendedFileError) in try writeNow(frames, from: buffers) }
    }

    func writeNow(_ frames: Int, from buffers: SampleBuffers) throws(ExtendedFileError) {
        guard isForWriting, !isFinished else { throw .invalidOperationOrder }
        let converter = try prepared()
        guard frames > 0 else { return }
        let side = converter.inputBuffers
        guard (0..<side.count).allSatisfy({ buffers[$0].count / side.bytesPerPacket >= frames }) else { throw .parameter }
        if !hasWritten, file.file.hasVariablePackets { try describe(converter) }
        hasWritten = true
        var given = false
        droppedFrames = 0
        defer {
            // The program owns the memory. After an error the file contains the first frames of this call, or the next call
            // writes them.
            let rest = converter.forgetInput()
            if given { writtenFrames += Int64(frames - rest - droppedFrames) }
        }
        try appendRefused()
        try drain(converter) { (_: Int) throws(ConverterError) in
            // The converter stores the frames of a packet that is not complete.
            guard !given else { throw .program(ExtendedFile.noMoreNow) }
            given = true
            return InputPackets(buffers: buffers, count: frames)
        }
    }

    /// The result of an input procedure that has no input now. The end of the input comes later.
    private static let noMoreNow = FourCC.status("more")

    /// Stores the cookie of the encoder and the number of frames that it adds before the sound. This happens before the first
    /// packet is written, so that the file is valid if the program is killed.
    private func describe(_ converter: Converter) throws(ExtendedFileError) {
        guard file.packetCount == 0 else { return }
        try inFile { () throws(AudioFileError) in
            if let cookie = converter.magicCookie, !cookie.isEmpty {
                try file.recreate(format: file.file.format, magicCookie: cookie, channelLayout: file.file.channelLayout)
            }
            let priming = UInt32(clamping: converter.primingFrames)
            if priming > 0, file.file.type.hasPacketTable { try file.setFrames(priming: priming, remainder: 0) }
        }
    }

    /// Writes packets. After an error it keeps the packets for the next call, because without them the file would have a gap.
    /// Frames that no codec and no rate conversion has joined with others are dropped instead: a program that continues at the
    /// position writes them again.
    private func append(_ bytes: UnsafeRawBufferPointer, _ packets: Int, _ sizes: [UInt32]) throws(ExtendedFileError) {
        let next = Int64(clamping: file.packetCount)
        do throws(AudioFileError) {
            if file.file.hasVariablePackets {
                try file.appendPackets(next, bytes, sizes: sizes)
            } else {
                try file.writePackets(next, count: packets, bytes)
            }
        } catch {
            // If only the header could not be written, the file contains the packets.
            if Int64(clamping: file.packetCount) == next {
                if converter?.keepsFrames == false { droppedFrames = packets } else { refused = (Array(bytes), packets, sizes) }
            }
            throw .file(error)
        }
    }

    /// Writes the packets that the file could not store before.
    private func appendRefused() throws(ExtendedFileError) {
        guard let again = refused else { return }
        refused = nil
        var failure: ExtendedFileError?
        again.bytes.withUnsafeBytes { bytes in
            do throws(ExtendedFileError) { try append(bytes, again.packets, again.sizes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes all packets that the converter makes.
    private func drain(_ converter: Converter, _ supply: PacketSupply) throws(ExtendedFileError) {
        let size = converter.outputBuffers.bytesPerPacket
        let room = size > 0 ? memory.count / size : ExtendedFile.describedPackets
        var sizes: [UInt32] = []
        var filled: (packets: Int, bytes: Int, error: ConverterError?)
        repeat {
            sizes.removeAll(keepingCapacity: true)
            filled = converter.fill(
                SampleBuffers(memory), packets: room, supply, describe: { _, packet in sizes.append(packet.byteSize) })
            if filled.packets > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: memory[..<filled.bytes])
                try append(bytes, filled.packets, sizes)
            }
            if let error = filled.error {
                guard error == .program(ExtendedFile.noMoreNow) else { throw .converter(error) }
                return
            }
            // Packets that differ in size can fill the memory with fewer packets.
        } while filled.packets == room || size == 0 && filled.packets > 0
    }

    /// Writes the frames in the converter, and stores the numbers of frames before and after the sound.
    public func finish() throws(ExtendedFileError) {
        guard isForWriting, !isFinished else { return }
        let failure = queue.stop()
        isFinished = true
        if let converter, hasWritten {
            do throws(ExtendedFileError) {
                try writeRest(converter)
            } catch { throw failure ?? error }
        }
        if let failure { throw failure }
        if !hasWritten { try describeWithoutFrames() }
    }

    /// A file without frames has the configuration of its packets too, because readers need it to open the file.
    private func describeWithoutFrames() throws(ExtendedFileError) {
        guard file.hasOnlyHeader, file.file.hasVariablePackets, file.file.magicCookie.isEmpty else { return }
        var cookie = converter?.magicCookie
        // Without an encoder the file is closed as it is.
        if cookie == nil, let encoders {
            do throws(ConverterError) { cookie = try encoders(file.file.format)?.magicCookie } catch {}
        }
        guard let cookie, !cookie.isEmpty else { return }
        try inFile { () throws(AudioFileError) in
            try file.recreate(format: file.file.format, magicCookie: cookie, channelLayout: file.file.channelLayout)
        }
    }

    private func writeRest(_ converter: Converter) throws(ExtendedFileError) {
        try appendRefused()
        let frames = currentPosition
        try drain(converter) { (_: Int) throws(ConverterError) in .end }
        try writeFrameCounts(converter, frames)
    }

    private func writeFrameCounts(_ converter: Converter, _ frames: Int64) throws(ExtendedFileError) {
        guard file.file.type.hasPacketTable, file.file.format.framesPerPacket > 1 else { return }
        let priming = UInt32(clamping: converter.primingFrames)
        let rest = Int64(clamping: file.file.framesOfPackets) - Int64(priming) - frames
        guard let remainder = UInt32(exactly: max(rest, 0)), priming > 0 || remainder > 0 else { return }
        try inFile { () throws(AudioFileError) in try file.setFrames(priming: priming, remainder: remainder) }
    }
}
