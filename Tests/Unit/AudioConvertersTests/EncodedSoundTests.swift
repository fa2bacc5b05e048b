// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import Testing

/// Packets of one byte and 100 frames, of which the first 100 of all are no sound: a packet comes with the frames of the next one.
private final class DelayingEncoder: VariablePacketEncoder {
    let input: PCMFormat
    let framesPerPacket = 100
    let largestPacket = 1
    let primingFrames = 100
    let magicCookie: [UInt8] = []
    let bitRate: UInt32 = 0
    private var waiting = 100

    init() throws { input = try PCMFormat(sampleRate: 48_000, channels: 1, sample: .integer(16)) }

    func setBitRate(_ rate: UInt32) throws(ConverterError) { throw .propertyNotSupported }

    func encode(_ frames: UnsafeRawBufferPointer, into packet: UnsafeMutableRawBufferPointer) throws(ConverterError) -> Int {
        let former = waiting
        waiting = frames.count / 2
        return former > 0 ? 1 : 0
    }

    func reset() { waiting = 100 }
}

@Suite("The last packet of an encoder")
struct EncodedSoundTests {
    @Test("describes its frames, also for a second sound")
    func frames() throws {
        let encoder = try DelayingEncoder()
        let target = StreamDescription(sampleRate: 48_000, formatID: CodecFormat.aac, framesPerPacket: 100, channelsPerFrame: 1)
        let converter = try Converter.make(from: encoder.input.streamDescription, to: target, encoder: encoder)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 8)
        let samples = UnsafeMutableRawBufferPointer.allocate(byteCount: 600, alignment: 8)
        defer {
            room.deallocate()
            samples.deallocate()
        }
        samples.initializeMemory(as: UInt8.self, repeating: 0)
        func describe(_ frames: Int) -> [UInt32] {
            var (left, described): (Int, [UInt32]) = (frames, [])
            while true {
                let filled = converter.fill(
                    SampleBuffers(room), packets: 1,
                    { wanted in
                        let count = min(left, wanted, 70)
                        left -= count
                        guard count > 0 else { return .end }
                        let bytes = UnsafeMutableRawBufferPointer(rebasing: samples[..<(count * 2)])
                        return InputPackets(buffers: SampleBuffers(bytes), count: count)
                    }, describe: { described.append($1.variableFrames) })
                guard filled.packets > 0 else { return described }
            }
        }
        func priming() throws -> [UInt32] {
            let bytes = try withUnsafeBytes(of: 0) { try converter.property(0x7072_696D, $0) }
            return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        }
        #expect(describe(230) == [0, 0, 0, 30])
        // The frames that a decoder of the packets adds before and behind the sound.
        #expect(try priming() == [100, 70])
        #expect(describe(250) == [0, 0, 0, 50])
        #expect(describe(200) == [0, 0, 0])
        #expect(try priming() == [100, 0])
        #expect(describe(1) == [0, 1])
    }
}
