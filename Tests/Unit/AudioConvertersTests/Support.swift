// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport

/// A stream as packets: one array of bytes for each buffer.
struct Stream: Equatable {
    var buffers: [[UInt8]]

    init(_ buffers: [[UInt8]]) { self.buffers = buffers }

    init(noise packets: Int, packetBytes: Int, buffers: Int, seed: UInt64 = 1) {
        var random = SeededGenerator(seed)
        self.buffers = (0..<buffers).map { _ in
            (0..<packets * packetBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    /// Interleaved 16-bit samples of the machine.
    init(samples: [Int16]) { buffers = [samples.withUnsafeBytes { Array($0) }] }
    init(floats: [Float]) { buffers = [floats.withUnsafeBytes { Array($0) }] }

    var samples: [Int16] { buffers[0].withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
    var floats: [Float] { buffers[0].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
}

/// Memory that holds exactly the bytes that were given, so that AddressSanitizer finds a read behind them.
final class ExactMemory {
    private var pieces: [UnsafeMutableRawBufferPointer] = []

    func replace(_ contents: [ArraySlice<UInt8>]) -> SampleBuffers {
        free()
        var buffers = SampleBuffers()
        for content in contents {
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
            piece.copyBytes(from: content)
            pieces.append(piece)
            buffers.append(piece)
        }
        return buffers
    }

    private func free() {
        for piece in pieces {
            piece.initializeMemory(as: UInt8.self, repeating: 0xEE)
            piece.deallocate()
        }
        pieces = []
    }

    deinit { free() }
}

/// Converts a whole stream: `ask` returns the packets of each call, `give` the packets that the procedure gives for a number
/// that the converter needs.
func convert(
    _ converter: Converter, _ stream: Stream, packetBytes: Int, to buffers: Int, packetBytes outputBytes: Int,
    ask: () -> Int = { 1_000 }, give: (Int) -> Int = { $0 }
) throws -> Stream {
    let memory = ExactMemory()
    let total = stream.buffers[0].count / packetBytes
    var position = 0
    var result = Stream([[UInt8]](repeating: [], count: buffers))
    while true {
        let wanted = max(ask(), 1)
        var output = (0..<buffers).map { _ in [UInt8](repeating: 0xAA, count: wanted * outputBytes) }
        var targets = SampleBuffers()
        let pointers = output.indices.map { index in
            let pointer = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted * outputBytes, alignment: 8)
            targets.append(pointer)
            return pointer
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        let filled = converter.fill(targets, packets: wanted) { (packets: Int) throws(ConverterError) in
            let count = min(max(give(packets), 1), total - position)
            let range = position * packetBytes..<(position + count) * packetBytes
            position += count
            return InputPackets(buffers: memory.replace(stream.buffers.map { $0[range] }), count: count)
        }
        if let error = filled.error { throw error }
        for index in output.indices {
            output[index] = Array(pointers[index])
            result.buffers[index] += output[index][..<(filled.packets * outputBytes)]
        }
        if filled.packets < wanted { return result }
    }
}

func linear(_ sample: SampleFormat, rate: Double = 48_000, channels: Int = 2, isInterleaved: Bool = true) throws -> PCMFormat {
    try PCMFormat(sampleRate: rate, channels: channels, sample: sample, isInterleaved: isInterleaved)
}

func codec(_ id: UInt32, rate: Double = 8_000, channels: UInt32 = 1) -> StreamDescription {
    StreamDescription(sampleRate: rate, formatID: id, channelsPerFrame: channels)
}

extension Converter {
    func number(_ id: UInt32, _ argument: UInt32 = 0) throws -> UInt32 {
        let bytes = try withUnsafeBytes(of: argument) { try property(id, $0) }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    func set(_ id: UInt32, _ value: UInt32) throws { try withUnsafeBytes(of: value) { try setProperty(id, $0) } }
}
