// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import MediaFormats
import MediaTestSupport
import PCMConversion
import TestSupport
import Testing

/// Owns the buffers of a stream, each with guard bytes on both sides and at an odd address.
private final class Stream {
    static let guardSize = 17
    let format: PCMFormat
    let frames: Int
    private let memory: [UnsafeMutableRawBufferPointer]

    init(_ format: PCMFormat, frames: Int) {
        self.format = format
        self.frames = frames
        memory = (0..<format.bufferCount).map { _ in
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: frames * format.bytesPerFrame + 2 * Stream.guardSize, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            return memory
        }
    }

    deinit { for buffer in memory { buffer.deallocate() } }

    private func samples(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[index][Stream.guardSize..<memory[index].count - Stream.guardSize])
    }

    var buffers: SampleBuffers {
        var buffers = SampleBuffers()
        for index in 0..<format.bufferCount { buffers.append(samples(index)) }
        return buffers
    }

    subscript(frame: Int, channel: Int) -> [UInt8] {
        get {
            let start = offset(frame, channel)
            return Array(samples(format.isInterleaved ? 0 : channel)[start..<start + format.sample.bytes])
        }
        set {
            let start = offset(frame, channel)
            for (index, byte) in newValue.enumerated() { samples(format.isInterleaved ? 0 : channel)[start + index] = byte }
        }
    }

    private func offset(_ frame: Int, _ channel: Int) -> Int {
        frame * format.bytesPerFrame + (format.isInterleaved ? channel * format.sample.bytes : 0)
    }

    var guardsAreIntact: Bool {
        memory.allSatisfy { buffer in
            buffer.prefix(Stream.guardSize).allSatisfy { $0 == 0xA5 } && buffer.suffix(Stream.guardSize).allSatisfy { $0 == 0xA5 }
        }
    }
}

/// Samples at the limits of formats, half-way between two integers, and beside these.
private func edges(_ format: SampleFormat) -> [[UInt8]] {
    var edges: [[UInt8]] = [0x00, 0xFF, 0x80, 0x7F].map { Array(repeating: $0, count: format.bytes) }
    var numbers: [ExactSample] = [.infinity(isNegative: false), .infinity(isNegative: true), .notANumber]
    for isNegative in [false, true] {
        for magnitude: UInt64 in [0, 1, 3, 5, 7, 0x1FFFFFF, 0x3FF_FFFF, 0xFFFF_FFFF, 0x1_0000_0001, 0x1F_FFFF_FFFF_FFFF] {
            for exponent in [-1074, -149, -33, -32, -31, -25, -24, -17, -16, -15, -9, -8, -1, 0, 1, 100, 900] {
                numbers.append(.number(isNegative: isNegative, magnitude: magnitude, exponent: exponent))
            }
        }
    }
    edges += numbers.compactMap { $0.bytes(format) }
    if format.encoding == .float {
        let bits: UInt64 = format.bytes == 4 ? 0x7FC0_0000 : 0x7FF8_0000_0000_0000
        let bytes = (0..<format.bytes).map { UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8)) }
        edges.append(format.byteOrder == .little ? bytes : bytes.reversed())
    }
    return edges
}

/// An ordinary sample is within full scale. Another one is any bits.
private func randomSample(_ format: SampleFormat, isOrdinary: Bool, _ random: inout SeededGenerator) -> [UInt8] {
    guard isOrdinary else { return (0..<format.bytes).map { _ in .random(in: 0...255, using: &random) } }
    return ExactSample.number(
        isNegative: .random(using: &random), magnitude: .random(in: 0...0xFFFF_FFFF, using: &random), exponent: -32
    ).bytes(format)!
}

private func isNaN(_ bytes: [UInt8], _ format: SampleFormat) -> Bool { ExactSample(bytes, format) == .notANumber }

/// The number of samples that differ from the reference.
private func differences(_ source: SampleFormat, _ target: SampleFormat, _ samples: [[UInt8]]) throws -> Int {
    let from = Stream(try PCMFormat(sampleRate: 8_000, channels: 1, sample: source), frames: samples.count)
    for (frame, bytes) in samples.enumerated() { from[frame, 0] = bytes }
    var wrong = 0
    // The kernels of this processor, and those of all processors.
    for usesVectors in [true, false] {
        let to = Stream(try PCMFormat(sampleRate: 8_000, channels: 1, sample: target), frames: samples.count)
        let converter = try PCMConverter(from: from.format, to: to.format, usesVectors: usesVectors)
        #expect(converter.convert(from.buffers, to: to.buffers, frames: samples.count) == samples.count)
        #expect(to.guardsAreIntact && from.guardsAreIntact)
        wrong += samples.indices.count { frame in
            let expected = ExactSample(samples[frame], source).bytes(target)
            return expected.map { $0 != to[frame, 0] } ?? !isNaN(to[frame, 0], target)
        }
    }
    return wrong
}

@Suite("PCM conversion")
struct ConversionTests {
    @Test("equals the reference for every pair of integers, 8.24, and floats")
    func everyPair() throws {
        var random = SeededGenerator(1)
        let formats = try principalSamples()
        for source in formats {
            let samples = edges(source).shuffled(using: &random).prefix(40)
            let noise = (0..<20).map { _ in (0..<source.bytes).map { _ in UInt8.random(in: 0...255, using: &random) } }
            for target in formats {
                #expect(try differences(source, target, samples + noise) == 0, "\(source) to \(target)")
            }
        }
    }

    @Test("equals the reference for random pairs of all formats, and all edges")
    func randomPairs() throws {
        var random = SeededGenerator(2)
        let formats = try everySample()
        for _ in 0..<200 {
            let (source, target) = (formats.randomElement(using: &random)!, formats.randomElement(using: &random)!)
            let noise = (0..<200).map { _ in (0..<source.bytes).map { _ in UInt8.random(in: 0...255, using: &random) } }
            #expect(try differences(source, target, edges(source) + noise) == 0, "\(source) to \(target)")
        }
    }

    @Test("of 32-bit integers rounds halves of a 16-bit one to even, and what is beside them to the nearest")
    func halves() throws {
        let (source, target) = (try SampleFormat.integer(32), try SampleFormat.integer(16))
        var samples: [[UInt8]] = []
        for upper in [-32768, -32767, -2, -1, 0, 1, 2, 3, 32765, 32766, 32767] {
            for lower in [0, 1, 2, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0x8002, 0xFFFE, 0xFFFF] {
                let sample = UInt32(truncatingIfNeeded: upper << 16 | lower)
                samples.append((0..<4).map { UInt8(truncatingIfNeeded: sample >> ($0 * 8)) })
            }
        }
        #expect(try differences(source, target, samples) == 0)
        // Each sample in another place of the registers.
        #expect(try differences(source, target, Array(samples[7...] + samples[..<7])) == 0)
    }

    @Test("and back is bit-exact where the target can hold the source")
    func roundTrips() throws {
        var random = SeededGenerator(3)
        var pairs = 0
        let formats = try principalSamples()
        for source in formats {
            let noise = (0..<24).map { _ in (0..<source.bytes).map { _ in UInt8.random(in: 0...255, using: &random) } }
            // Through the reference once, so that padding is what the library writes.
            let samples = noise.compactMap { ExactSample($0, source).bytes(source) }
            for target in formats where target.holds(source) {
                pairs += 1
                let formats = try [source, target, source].map { try PCMFormat(sampleRate: 8_000, channels: 1, sample: $0) }
                let streams = formats.map { Stream($0, frames: samples.count) }
                for (frame, bytes) in samples.enumerated() { streams[0][frame, 0] = bytes }
                for step in 0..<2 {
                    let converter = try PCMConverter(from: formats[step], to: formats[step + 1])
                    converter.convert(streams[step].buffers, to: streams[step + 1].buffers, frames: samples.count)
                }
                #expect(samples.indices.allSatisfy { streams[2][$0, 0] == samples[$0] }, "\(source) by \(target)")
            }
        }
        #expect(pairs > 1_000)
    }

    @Test("of every number of frames converts each frame, and not one byte more")
    func frameCounts() throws {
        let formats = try [
            SampleFormat.integer(16), .integer(32), .float32(), .float64(), .integer(24), .integer(8, isSigned: false),
            .fixedPoint(32, fractionBits: 24), .integer(16, byteOrder: .big), .float32(.big), .float64(.big),
            .integer(24, byteOrder: .big), .integer(32, byteOrder: .big),
        ]
        var random = SeededGenerator(4)
        for source in formats {
            for target in formats {
                for count in [0, 1, 2, 3, 5, 8, 13, 31, 33, 127, 128, 129, 300] {
                    let samples = (0..<count).map { _ in randomSample(source, isOrdinary: true, &random) }
                    #expect(try differences(source, target, samples) == 0, "\(source) to \(target), \(count) frames")
                }
            }
        }
    }

    @Test("moves every channel of every layout, with and without a map")
    func layouts() throws {
        var random = SeededGenerator(5)
        let samples = try principalSamples()
        for round in 0..<1_500 {
            let first = samples.randomElement(using: &random)!
            let second = round % 4 == 0 ? first : samples.randomElement(using: &random)!
            let source = try PCMFormat(
                sampleRate: 8_000, channels: .random(in: 1...8, using: &random), sample: first,
                isInterleaved: .random(using: &random))
            let target = try PCMFormat(
                sampleRate: 8_000, channels: round % 3 == 0 ? source.channels : .random(in: 1...8, using: &random),
                sample: second,
                isInterleaved: .random(using: &random))
            var map: [Int?]? = (0..<target.channels).map { _ in
                .random(in: 0..<5, using: &random) == 0 ? nil : .random(in: 0..<source.channels, using: &random)
            }
            if round % 3 == 0 || source.channels != 2 || target.channels != 1, Bool.random(using: &random) { map = nil }
            if map == nil, source.channels == 2, target.channels == 1 { continue }
            let frames = Int.random(in: 1...90, using: &random)
            let (from, to) = (Stream(source, frames: frames), Stream(target, frames: frames))
            for frame in 0..<frames {
                for channel in 0..<source.channels {
                    from[frame, channel] = (0..<first.bytes).map { _ in UInt8.random(in: 0...255, using: &random) }
                }
            }
            let converter = try PCMConverter(from: source, to: target, mix: map.map { .map($0) })
            #expect(converter.convert(from.buffers, to: to.buffers, frames: frames) == frames)
            var wrong = 0
            for frame in 0..<frames {
                for channel in 0..<target.channels {
                    // The rule in words: a map's channel; else mono feeds two channels, and equal numbers correspond.
                    let origin =
                        map.map { $0[channel] }
                        ?? (source.channels == 1 ? (channel < 2 ? 0 : nil) : channel < source.channels ? channel : nil)
                    let sample =
                        origin.map { ExactSample(from[frame, $0], first) }
                        ?? .number(isNegative: false, magnitude: 0, exponent: 0)
                    let expected = sample.bytes(second)
                    if expected.map({ $0 != to[frame, channel] }) ?? !isNaN(to[frame, channel], second) { wrong += 1 }
                }
            }
            #expect(wrong == 0, "\(source) to \(target) by \(String(describing: map))")
            #expect(to.guardsAreIntact)
        }
    }

    @Test("of stereo between one buffer and two is the same with every kernel")
    func stereoLayouts() throws {
        var random = SeededGenerator(8)
        let samples: [SampleFormat] = [try .integer(16), .float32(), try .integer(32)]
        for (source, target) in samples.flatMap({ source in samples.map { (source, $0) } }) {
            for frames in [1, 15, 16, 17, 31, 32, 100] {
                // Any bits, and samples within full scale: kernels treat what no integer holds by itself.
                for (isInterleaved, isOrdinary) in [(true, false), (true, true), (false, false), (false, true)] {
                    let from = Stream(
                        try PCMFormat(sampleRate: 8_000, channels: 2, sample: source, isInterleaved: isInterleaved),
                        frames: frames)
                    for frame in 0..<frames {
                        for channel in 0..<2 {
                            from[frame, channel] = randomSample(source, isOrdinary: isOrdinary, &random)
                        }
                    }
                    let format = try PCMFormat(sampleRate: 8_000, channels: 2, sample: target, isInterleaved: !isInterleaved)
                    let results = try [true, false].map { usesVectors in
                        let to = Stream(format, frames: frames)
                        let converter = try PCMConverter(from: from.format, to: format, usesVectors: usesVectors)
                        #expect(converter.convert(from.buffers, to: to.buffers, frames: frames) == frames && to.guardsAreIntact)
                        return (0..<frames).map { frame in [to[frame, 0], to[frame, 1]] }
                    }
                    for frame in 0..<frames {
                        for channel in 0..<2 {
                            let expected = ExactSample(from[frame, channel], source).bytes(target)
                            #expect(results[0][frame][channel] == results[1][frame][channel] || expected == nil)
                            if let expected { #expect(results[0][frame][channel] == expected) }
                        }
                    }
                }
            }
        }
    }

    @Test("of stereo between one buffer and two follows a map, also where a kernel has the pair of formats")
    func stereoMaps() throws {
        let samples: [SampleFormat] = [try .integer(16), .float32()]
        let maps: [[Int?]] = [[1, 0], [0, 0], [1, 1], [nil, 1], [0, nil], [0, 1]]
        for (source, target) in samples.flatMap({ source in samples.map { (source, $0) } }) {
            for (map, isInterleaved) in maps.flatMap({ map in [(map, true), (map, false)] }) {
                let from = Stream(
                    try PCMFormat(sampleRate: 8_000, channels: 2, sample: source, isInterleaved: isInterleaved), frames: 40)
                var random = SeededGenerator(9)
                for frame in 0..<40 {
                    for channel in 0..<2 { from[frame, channel] = randomSample(source, isOrdinary: true, &random) }
                }
                let to = Stream(
                    try PCMFormat(sampleRate: 8_000, channels: 2, sample: target, isInterleaved: !isInterleaved), frames: 40)
                let converter = try PCMConverter(from: from.format, to: to.format, mix: .map(map))
                #expect(converter.convert(from.buffers, to: to.buffers, frames: 40) == 40 && to.guardsAreIntact)
                let silence = [UInt8](repeating: 0, count: target.bytes)
                let isRight = (0..<40).allSatisfy { frame in
                    (0..<2).allSatisfy { channel in
                        to[frame, channel] == map[channel].map { ExactSample(from[frame, $0], source).bytes(target) } ?? silence
                    }
                }
                #expect(isRight, "\(source) to \(target) by \(map)")
            }
        }
    }

    @Test("of stereo to mono is the mean, rounded once")
    func stereoToMono() throws {
        for source in [true, false] {
            let stereo = Stream(
                try PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16), isInterleaved: source), frames: 300)
            let mono = Stream(try PCMFormat(sampleRate: 8_000, channels: 1, sample: .integer(16)), frames: 300)
            var random = SeededGenerator(6)
            for frame in 0..<300 {
                for channel in 0..<2 { stereo[frame, channel] = (0..<2).map { _ in UInt8.random(in: 0...255, using: &random) } }
            }
            stereo[0, 0] = [0xFF, 0x7F]
            stereo[0, 1] = [0xFF, 0x7F]
            try PCMConverter(from: stereo.format, to: mono.format).convert(stereo.buffers, to: mono.buffers, frames: 300)
            func value(_ bytes: [UInt8]) -> Int { Int(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)) }
            for frame in 0..<300 {
                let sum = value(stereo[frame, 0]) + value(stereo[frame, 1])
                let floor = sum >> 1
                #expect(value(mono[frame, 0]) == (sum & 1 == 1 && floor & 1 == 1 ? floor + 1 : floor))
            }
        }
    }

    @Test("by a matrix adds weighted channels in every layout")
    func matrix() throws {
        var random = SeededGenerator(7)
        for _ in 0..<200 {
            let source = try PCMFormat(
                sampleRate: 8_000, channels: .random(in: 1...8, using: &random), sample: .integer(16),
                isInterleaved: .random(using: &random))
            let target = try PCMFormat(
                sampleRate: 8_000, channels: .random(in: 1...8, using: &random), sample: .float64(),
                isInterleaved: .random(using: &random))
            let weights = (0..<target.channels).map { _ in
                (0..<source.channels).map { _ in [0, 0.5, -0.25, 2].randomElement(using: &random)! }
            }
            let frames = Int.random(in: 1...150, using: &random)
            let (from, to) = (Stream(source, frames: frames), Stream(target, frames: frames))
            for frame in 0..<frames {
                for channel in 0..<source.channels {
                    from[frame, channel] = (0..<2).map { _ in UInt8.random(in: 0...255, using: &random) }
                }
            }
            try PCMConverter(from: source, to: target, mix: .matrix(weights)).convert(
                from.buffers, to: to.buffers, frames: frames)
            for frame in 0..<frames {
                for channel in 0..<target.channels {
                    var sum = 0.0
                    for origin in 0..<source.channels {
                        let bytes = from[frame, origin]
                        sum +=
                            Double(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)) / 32768 * weights[channel][origin]
                    }
                    let bits = to[frame, channel].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    #expect(Double(bitPattern: bits) == sum)
                }
            }
            #expect(to.guardsAreIntact)
        }
    }

    @Test("with a weight of 0 excludes a channel that is not a number")
    func zeroWeight() throws {
        let source = try PCMFormat(sampleRate: 8_000, channels: 2, sample: .float32())
        let target = try PCMFormat(sampleRate: 8_000, channels: 1, sample: .float32())
        var (input, output): ([Float], [Float]) = ([.nan, 0.5, .infinity, -0.25], [9, 9])
        let converter = try PCMConverter(from: source, to: target, mix: .matrix([[0, 1]]))
        let frames = input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { converter.convert(SampleBuffers(input), to: SampleBuffers($0), frames: 2) }
        }
        #expect(frames == 2 && output == [0.5, -0.25])
    }

    @Test("converts as many frames as the smaller buffer holds")
    func shortBuffers() throws {
        let stereo = try PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16))
        let planes = try PCMFormat(sampleRate: 8_000, channels: 2, sample: .float32(), isInterleaved: false)
        let converter = try PCMConverter(from: stereo, to: planes)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let input = SampleBuffers(UnsafeMutableRawBufferPointer(rebasing: memory[0..<11]))
        var output = SampleBuffers(UnsafeMutableRawBufferPointer(rebasing: memory[16..<40]))
        #expect(converter.convert(input, to: output, frames: 9) == 0)
        output.append(UnsafeMutableRawBufferPointer(rebasing: memory[40..<48]))
        #expect(converter.convert(input, to: output, frames: 9) == 2)
        #expect(converter.convert(input, to: output, frames: 1) == 1)
        #expect(converter.convert(input, to: output, frames: -1) == 0)
        #expect(converter.convert(SampleBuffers(), to: output, frames: 9) == 0)
        #expect(converter.convert(input, to: SampleBuffers(UnsafeMutableRawBufferPointer(start: nil, count: 0)), frames: 9) == 0)
    }

    @Test("holds eight buffers and no more")
    func bufferCapacity() {
        var buffers = SampleBuffers()
        let empty = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        let accepted = (0..<9).map { _ in buffers.append(empty) }
        #expect(accepted == [true, true, true, true, true, true, true, true, false])
        #expect(buffers.count == 8)
        #expect(buffers[-1].count == 0 && buffers[8].count == 0)
    }

    @Test("is refused where rates or channels do not fit")
    func refusals() throws {
        let mono = try PCMFormat(sampleRate: 8_000, channels: 1, sample: .integer(16))
        let fast = try PCMFormat(sampleRate: 16_000, channels: 1, sample: .integer(16))
        let stereo = try PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16))
        #expect(throws: PCMConversionError.sampleRatesDiffer) { try PCMConverter(from: mono, to: fast) }
        #expect(throws: PCMConversionError.channelCount) { try PCMConverter(from: mono, to: stereo, mix: .map([0])) }
        #expect(throws: PCMConversionError.channelIndex) { try PCMConverter(from: mono, to: stereo, mix: .map([0, 1])) }
        #expect(throws: PCMConversionError.channelIndex) { try PCMConverter(from: mono, to: stereo, mix: .map([-1, nil])) }
        #expect(throws: PCMConversionError.channelCount) { try PCMConverter(from: mono, to: stereo, mix: .matrix([[1]])) }
        #expect(throws: PCMConversionError.channelCount) {
            try PCMConverter(from: mono, to: stereo, mix: .matrix([[1], [1, 0]]))
        }
        #expect(throws: PCMConversionError.weight) { try PCMConverter(from: mono, to: stereo, mix: .matrix([[1], [.nan]])) }
        #expect(ChannelMix.standard(from: 1, to: 4) == .map([0, 0, nil, nil]))
        #expect(ChannelMix.standard(from: 6, to: 2) == .map([0, 1]))
    }

    @Test("does not allocate", .enabled(if: allocation_count_is_available()))
    func allocations() throws {
        let formats = try [
            PCMFormat(sampleRate: 8_000, channels: 2, sample: .integer(16)),
            PCMFormat(sampleRate: 8_000, channels: 2, sample: .float32(), isInterleaved: false),
            PCMFormat(sampleRate: 8_000, channels: 8, sample: .integer(24, byteOrder: .big)),
            PCMFormat(sampleRate: 8_000, channels: 8, sample: .float64(.big), isInterleaved: false),
            PCMFormat(sampleRate: 8_000, channels: 1, sample: .integer(16, byteOrder: .big)),
            PCMFormat(sampleRate: 8_000, channels: 1, sample: .integer(8, isSigned: false)),
        ]
        let start = allocation_count()
        _ = Stream(formats[0], frames: 1)
        #expect(allocation_count() > start, "the counter counts")
        for source in formats {
            for target in formats {
                let converter = try PCMConverter(from: source, to: target)
                let (from, to) = (Stream(source, frames: 1_000), Stream(target, frames: 1_000))
                let (input, output) = (from.buffers, to.buffers)
                // Ordinary Swift makes the metadata of generic types at their first use.
                converter.convert(input, to: output, frames: 1)
                let before = allocation_count()
                let frames = converter.convert(input, to: output, frames: 1_000)
                let after = allocation_count()
                #expect(after == before && frames == 1_000, "\(source) to \(target)")
            }
        }
    }
}

extension SampleFormat {
    /// Every sample of the other format has a representation in this one.
    fileprivate func holds(_ other: SampleFormat) -> Bool {
        switch (encoding, other.encoding) {
        case (.float, .float): bytes >= other.bytes
        case (.float, _): other.bits <= (bytes == 4 ? 24 : 53)
        case (_, .float): false
        case (_, _): fractionBits >= other.fractionBits && bits - fractionBits >= other.bits - other.fractionBits
        }
    }
}
