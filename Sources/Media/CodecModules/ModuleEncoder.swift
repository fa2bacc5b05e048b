// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CCodecModules
import MediaFormats

/// An encoder of a codec module.
final class ModuleEncoder: VariablePacketEncoder {
    let input: PCMFormat
    let framesPerPacket: Int
    let largestPacket: Int
    let primingFrames: Int
    private let module: CodecModule
    private let format: StreamDescription
    private var handle: UnsafeMutableRawPointer
    private(set) var bitRate: UInt32
    private var isUsable = true

    private init(_ module: CodecModule, _ format: StreamDescription, _ input: PCMFormat, _ created: Created) {
        self.module = module
        self.format = format
        self.input = input
        handle = created.handle
        framesPerPacket = Int(created.facts.frames_per_packet)
        largestPacket = Int(created.facts.largest_packet)
        primingFrames = Int(created.facts.priming_frames)
        bitRate = created.facts.bit_rate
    }

    deinit { module.functions.encoder_destroy(handle) }

    private typealias Created = (handle: UnsafeMutableRawPointer, facts: codec_facts)

    /// Nil for a format that the module refuses.
    static func make(_ module: CodecModule, _ format: StreamDescription) -> ModuleEncoder? {
        guard let created = create(module, format, bitRate: 0) else { return nil }
        let stated = format.framesPerPacket
        guard 1...65_536 ~= created.facts.frames_per_packet, stated == 0 || stated == created.facts.frames_per_packet,
            1...(1 << 24) ~= created.facts.largest_packet, created.facts.priming_frames <= 1 << 16,
            let sample = sampleFormat(created.facts.samples), let channels = Int(exactly: format.channelsPerFrame),
            let input = try? PCMFormat(sampleRate: format.sampleRate, channels: channels, sample: sample)
        else {
            module.functions.encoder_destroy(created.handle)
            return nil
        }
        return ModuleEncoder(module, format, input, created)
    }

    private static func create(_ module: CodecModule, _ format: StreamDescription, bitRate: UInt32) -> Created? {
        var description = codec_format(format)
        description.bit_rate = bitRate
        var facts = codec_facts()
        return module.functions.encoder_create(&description, &facts).map { ($0, facts) }
    }

    /// Creates the encoder again with another bit rate. The encoder may choose the nearest rate that it supports.
    func setBitRate(_ rate: UInt32) throws(ConverterError) {
        guard bitRate > 0 else { throw .propertyNotSupported }
        guard rate > 0, let created = ModuleEncoder.create(module, format, bitRate: rate) else { throw .parameter }
        module.functions.encoder_destroy(handle)
        handle = created.handle
        bitRate = created.facts.bit_rate
        isUsable = true
    }

    var magicCookie: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let size = bytes.withUnsafeMutableBytes {
            module.functions.encoder_configuration(handle, $0.baseAddress, UInt32($0.count))
        }
        bytes.removeSubrange(min(max(Int(size), 0), bytes.count)...)
        guard format.formatID == CodecFormat.aac else { return bytes }
        return AACConfiguration(bytes)?.cookie(bitRate: bitRate) ?? []
    }

    func encode(
        _ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer
    ) throws(ConverterError) -> Int {
        guard isUsable else { throw .outOfMemory }
        let count = min(frames.count / input.bytesPerFrame, framesPerPacket)
        let result = module.functions.encode(
            handle, frames.baseAddress, UInt32(count), packet.baseAddress, UInt32(clamping: packet.count))
        guard result >= 0, Int(result) <= packet.count else { throw .unspecified }
        return Int(result)
    }

    func reset() { isUsable = module.functions.encoder_reset(handle) != 0 }
}
