// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CCodecModules
import MediaFormats

/// A decoder of a codec module.
final class ModuleDecoder: PacketDecoder {
    let output: PCMFormat
    let framesPerPacket: Int
    let largestPacket: Int
    private let module: CodecModule
    private let format: StreamDescription
    private let samples: UInt32
    private var handle: UnsafeMutableRawPointer
    /// All packets have the same number of frames. The last packet of a lossless codec may have fewer frames, and packets of Opus
    /// any number.
    private let isUniform: Bool
    var hasVariableFrames: Bool { !isUniform }
    private(set) var damagedPackets = 0
    /// A packet was decoded since the last reset. The first packets of MPEG audio depend on earlier ones that a program may not
    /// have: they are silence, and not damaged.
    private var hasSound = false
    /// The decoder has no configuration, and its packets do not state theirs.
    private var lacksConfiguration: Bool

    /// 0 where packets differ in size.
    let bytesPerPacket: Int

    private init(
        _ module: CodecModule, _ format: StreamDescription, _ output: PCMFormat, _ created: Created, lacksConfiguration: Bool
    ) {
        self.lacksConfiguration = lacksConfiguration
        bytesPerPacket = format.formatID == GSMPacket.formatID ? Int(GSMPacket.bytes) : 0
        self.module = module
        self.format = format
        self.output = output
        handle = created.handle
        samples = created.facts.samples
        framesPerPacket = Int(created.facts.frames_per_packet)
        largestPacket = bytesPerPacket > 0 ? bytesPerPacket : Int(created.facts.largest_packet)
        isUniform =
            !CodecFormat.lossless.contains(format.formatID)
            && (format.formatID != CodecFormat.opus || format.framesPerPacket > 0)
    }

    deinit { module.functions.decoder_destroy(handle) }

    private typealias Created = (handle: UnsafeMutableRawPointer, facts: codec_facts)

    /// Nil for a format or a cookie that the module refuses.
    static func make(
        _ module: CodecModule, _ format: StreamDescription, cookie: [UInt8], samples: Int = 0
    ) -> ModuleDecoder? {
        guard format.formatID != GSMPacket.formatID || GSMPacket.fits(format) else { return nil }
        let format = completed(format)
        guard let created = create(module, format, cookie: cookie, samples: UInt32(samples)) else { return nil }
        guard 1...65_536 ~= created.facts.frames_per_packet, created.facts.largest_packet <= 1 << 24,
            let sample = sampleFormat(created.facts.samples), let channels = Int(exactly: format.channelsPerFrame),
            let output = try? PCMFormat(sampleRate: format.sampleRate, channels: channels, sample: sample)
        else {
            module.functions.decoder_destroy(created.handle)
            return nil
        }
        // The bits of the samples of FLAC are in its configuration.
        let lacksConfiguration = cookie.isEmpty && format.formatID == CodecFormat.flac
        return ModuleDecoder(module, format, output, created, lacksConfiguration: lacksConfiguration)
    }

    /// A module does not know the frames of the packets of MPEG audio before the first one, and silence would fill those that the
    /// packets do not have.
    private static func completed(_ format: StreamDescription) -> StreamDescription {
        var complete = format
        if format.framesPerPacket == 0 {
            complete.framesPerPacket = CodecFormat.mpegFrames(format.formatID, rate: format.sampleRate) ?? 0
        }
        return complete
    }

    private static func create(
        _ module: CodecModule, _ format: StreamDescription, cookie: [UInt8], samples: UInt32
    ) -> Created? {
        guard let configuration = CodecConfiguration.bytes(of: format, cookie: cookie), configuration.count <= 1 << 16 else {
            return nil
        }
        var description = codec_format(format)
        var facts = codec_facts()
        // Without a cookie the format of the samples is not known yet. 32 bits can represent all of them.
        let isLossless = CodecFormat.lossless.contains(format.formatID)
        description.samples = samples == 0 && isLossless && cookie.isEmpty ? UInt32(CODEC_INT32) : samples
        let handle = configuration.withUnsafeBufferPointer { bytes in
            description.configuration = bytes.isEmpty ? nil : bytes.baseAddress
            description.configuration_size = UInt32(bytes.count)
            return module.functions.decoder_create(&description, &facts)
        }
        return handle.map { ($0, facts) }
    }

    /// Sets another configuration. The format of the frames does not change.
    func setMagicCookie(_ cookie: UnsafeRawBufferPointer) throws(ConverterError) {
        guard CodecFormat.withConfiguration.contains(format.formatID) else { throw .propertyNotSupported }
        guard !cookie.isEmpty, cookie.count <= 1 << 16 else { throw .badPropertySize }
        guard let created = ModuleDecoder.create(module, format, cookie: Array(cookie), samples: samples) else {
            throw .unspecified
        }
        module.functions.decoder_destroy(handle)
        handle = created.handle
        lacksConfiguration = false
    }

    func decode(_ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        guard bytesPerPacket > 0 else { return try decodeOne(packets, into: frames) }
        var done = 0
        for index in 0..<packets.count / bytesPerPacket {
            let packet = UnsafeRawBufferPointer(rebasing: packets[index * bytesPerPacket..<(index + 1) * bytesPerPacket])
            let room = UnsafeMutableRawBufferPointer(rebasing: frames[(done * output.bytesPerFrame)...])
            guard index == 0 || room.count >= framesPerPacket * output.bytesPerFrame else { break }
            done += try decodeOne(packet, into: room)
        }
        return done
    }

    private func decodeOne(
        _ packets: UnsafeRawBufferPointer, into frames: UnsafeMutableRawBufferPointer
    ) throws(ConverterError) -> Int {
        let bytesPerFrame = output.bytesPerFrame
        guard !lacksConfiguration else { throw .unspecified }
        guard framesPerPacket * bytesPerFrame <= frames.count else { throw .invalidOutputSize }
        let result = module.functions.decode(
            handle, packets.baseAddress, UInt32(clamping: packets.count), frames.baseAddress, UInt32(framesPerPacket))
        guard Int(result) != CODEC_NO_MEMORY else { throw .outOfMemory }
        let count = min(max(Int(result), 0), framesPerPacket)
        if count > 0 { hasSound = true } else if hasSound || !isMPEGAudio { damagedPackets += 1 }
        guard count == 0 || isUniform && count < framesPerPacket else { return count }
        // A damaged packet, or a packet that depends on a missing one, is replaced by silence, so that later packets keep their
        // times.
        let silence = frames[(count * bytesPerFrame)..<(framesPerPacket * bytesPerFrame)]
        UnsafeMutableRawBufferPointer(rebasing: silence).initializeMemory(as: UInt8.self, repeating: 0)
        return framesPerPacket
    }

    private var isMPEGAudio: Bool { CodecFormat.mpegLayers.contains(format.formatID) }

    func reset() {
        module.functions.decoder_reset(handle)
        hasSound = false
    }
}
