// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CLinux
import CodecModules
import MediaFormats
import MediaTestSupport
import PCMConversion
import Testing

private func description(_ id: UInt32, rate: Double = 44_100, channels: UInt32 = 2, frames: UInt32 = 1_152) -> StreamDescription {
    StreamDescription(sampleRate: rate, formatID: id, framesPerPacket: frames, channelsPerFrame: channels)
}

private let layer3: UInt32 = 0x2E6D_7033

@Suite("Decoders of libraries", .enabled(if: linux_library_is_loadable("libmpg123.so.0")))
struct CodecModuleTests {
    @Test("are there for MPEG audio only")
    func formats() {
        for id in CodecModules.mpegFormatIDs { #expect(CodecModules.decoder(for: description(id)) != nil) }
        #expect(CodecModules.decoder(for: description(0x6161_6320)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, channels: 3)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, rate: 1)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, frames: 1_000)) == nil)
        #expect(CodecModules.decoder(for: description(layer3, rate: .nan)) == nil)
    }

    @Test("make the frames of a packet of anything")
    func damage() throws {
        let decoder = try #require(CodecModules.decoder(for: description(layer3)))
        var random = SeededGenerator(seed: 6)
        var frames = [UInt8](repeating: 1, count: 1_152 * 4)
        for size in [0, 1, 4, 100, 417, 1_441] {
            var packet = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            if size > 4 { packet.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x00]) }
            let count = try frames.withUnsafeMutableBytes { frames in
                try packet.withUnsafeBytes { try decoder.decode($0, into: frames) }
            }
            #expect(count == 1_152)
        }
        #expect(throws: ConverterError.invalidOutputSize) {
            try frames.withUnsafeMutableBytes { frames in
                try decoder.decode(
                    UnsafeRawBufferPointer(start: nil, count: 0), into: UnsafeMutableRawBufferPointer(rebasing: frames[..<100]))
            }
        }
        decoder.reset()
    }

    @Test("are used by converters, which ask for descriptions of packets")
    func converter() throws {
        let pcm = try PCMFormat(sampleRate: 44_100, channels: 2, sample: .float32()).streamDescription
        let converter = try Converter.make(
            from: description(layer3), to: pcm, decoder: CodecModules.decoder(for: description(layer3)))
        var output = [Float](repeating: 0, count: 2_304)
        var packet = [UInt8](repeating: 0, count: 417)
        packet.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x00])
        let without = output.withUnsafeMutableBytes { output in
            packet.withUnsafeMutableBytes { packet in
                let packets = InputPackets(buffers: SampleBuffers(packet), count: 1)
                return converter.fill(SampleBuffers(output), packets: 1) { (_: Int) throws(ConverterError) in packets }
            }
        }
        #expect(without.packets == 0 && without.error == .requiresPacketDescriptions)
        var array = [UInt8](repeating: 0, count: 16)
        let with = array.withUnsafeMutableBytes { array in
            PacketDescription(startOffset: 0, byteSize: 417).store(at: array.baseAddress!, index: 0)
            return output.withUnsafeMutableBytes { output in
                packet.withUnsafeMutableBytes { packet in
                    let packets = InputPackets(
                        buffers: SampleBuffers(packet), count: 1, descriptions: UnsafeRawPointer(array.baseAddress))
                    return converter.fill(SampleBuffers(output), packets: 1_000) { (_: Int) throws(ConverterError) in packets }
                }
            }
        }
        #expect(with.packets == 1_000 && with.error == nil)
    }
}
