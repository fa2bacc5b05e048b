// SPDX-License-Identifier: Apache-2.0
import CPCMKernels
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

/// The kernels that exist once for each kind of vector instructions. A converter uses those of this processor only.
@Suite struct KernelTests {
    struct Kernels: Sendable, CustomTestStringConvertible {
        let testDescription: String
        nonisolated(unsafe) let table: UnsafePointer<pcm_kernels>?

        static let all = [
            Kernels(testDescription: "AVX2", table: pcm_kernels_of_avx2()),
            Kernels(testDescription: "AVX-512", table: pcm_kernels_of_avx512()),
            Kernels(testDescription: "NEON", table: pcm_kernels_of_neon()),
        ]
    }

    /// Halves of a 16-bit integer, values next to them, and arbitrary bits, in each place of the registers.
    private static func integers(_ random: inout SeededGenerator) -> [Int32] {
        let upper: [Int32] = [-32768, -32767, -2, -1, 0, 1, 2, 3, 32766, 32767]
        let edges = upper.flatMap { upper in
            [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF].map { lower in upper << 16 | lower }
        }
        return edges.shuffled(using: &random) + (0..<300).map { _ in Int32.random(in: .min ... .max, using: &random) }
    }

    private static func rounded(_ sample: Int32) -> Int16 {
        Int16(clamping: Int((Double(sample) / 65536).rounded(.toNearestOrEven)))
    }

    @Test("32-bit integers are rounded to 16-bit ones, ties to even", arguments: Kernels.all)
    func integers(kernels: Kernels) throws {
        guard let convert = kernels.table?.pointee.int32_to_int16 else { return }
        var random = SeededGenerator(21)
        for count in [0, 1, 15, 16, 17, 63, 64, 65, 360] {
            let source = Array(Self.integers(&random)[..<count])
            var target = [Int16](repeating: 0x5A5A, count: count + 1)
            convert(source, &target, count, 0)
            #expect(target == source.map(Self.rounded) + [0x5A5A], "\(count) samples")
        }
    }

    private static func rounded(_ sample: Float) -> Int16 {
        guard !sample.isNaN else { return 0 }
        return Int16(max(-32768, min(32767, (sample * 32768).rounded(.toNearestOrEven))))
    }

    @Test("Floats of stereo are rounded and clipped into two buffers", arguments: Kernels.all)
    func stereo(kernels: Kernels) throws {
        guard let split = kernels.table?.pointee.split.1.0 else { return }
        var random = SeededGenerator(22)
        let edges: [Float] = [
            .nan, .infinity, -.infinity, 1, -1, 2, -2, 0, 0.5 / 32768, 1.5 / 32768, -0.5 / 32768, 32767.5 / 32768,
        ]
        for frames in [0, 1, 15, 16, 17, 63, 64, 65, 200] {
            for isOrdinary in [true, false] {
                let source = (0..<2 * frames).map { _ in
                    let edge = isOrdinary ? nil : edges.randomElement(using: &random)
                    return Bool.random(using: &random) ? edge ?? 0.25 : Float.random(in: -1...1, using: &random)
                }
                var left = [Int16](repeating: 0x5A5A, count: frames + 1)
                var right = left
                split(source, &left, &right, frames)
                let expected = source.map(Self.rounded)
                #expect(left == stride(from: 0, to: 2 * frames, by: 2).map { expected[$0] } + [0x5A5A], "\(frames) frames")
                #expect(right == stride(from: 1, to: 2 * frames, by: 2).map { expected[$0] } + [0x5A5A], "\(frames) frames")
            }
        }
    }

    /// Samples at, beside and beyond full scale.
    private static let fullScale: [Float] = [
        1, -1, Float(1).nextDown, -Float(1).nextDown, Float(1).nextUp, -Float(1).nextUp, 1.5, -1.5, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, 0,
    ]

    private static func clipped(_ sample: Double, scale: Double, bits: Int) -> Int64 {
        guard !sample.isNaN else { return 0 }
        let high = Double(Int64(1) << Int64(bits - 1))
        return Int64(max(-high, min(high - 1, (sample * scale).rounded(.toNearestOrEven))))
    }

    /// Calls `body` with blocks of quiet samples, in which one sample is at full scale, in each lane of the registers.
    private static func withEachLane(_ body: (Float, [Float]) -> Void) {
        for count in [1, 16, 31, 32, 33, 80] {
            for sample in fullScale {
                for lane in 0..<count {
                    var samples = [Float](repeating: 0.25, count: count)
                    samples[lane] = sample
                    body(sample, samples)
                }
            }
        }
    }

    @Test(
        "A float at full scale or beyond is the largest or the least integer in each lane, and its neighbours stay",
        arguments: Kernels.all)
    func fullScaleOfFloats(kernels: Kernels) throws {
        guard let table = kernels.table?.pointee else { return }
        Self.withEachLane { sample, samples in
            var words = [Int32](repeating: 9, count: samples.count)
            for scale in [2_147_483_648.0, 16_777_216, 32_768] {
                table.float32_to_int32(samples, &words, samples.count, scale)
                #expect(
                    words == samples.map { Int32(Self.clipped(Double($0), scale: scale, bits: 32)) }, "\(sample), scale \(scale)")
            }
            var halves = [Int16](repeating: 9, count: samples.count)
            table.float32_to_int16(samples, &halves, samples.count, 0)
            #expect(halves == samples.map { Int16(Self.clipped(Double($0), scale: 32_768, bits: 16)) }, "\(sample)")
        }
    }

    @Test("The same of a double", arguments: Kernels.all)
    func fullScaleOfDoubles(kernels: Kernels) throws {
        guard let table = kernels.table?.pointee else { return }
        Self.withEachLane { sample, samples in
            let doubles = samples.map { Double($0) }
            var words = [Int32](repeating: 9, count: samples.count)
            for scale in [2_147_483_648.0, 16_777_216, 32_768] {
                table.float64_to_int32(doubles, &words, samples.count, scale)
                #expect(words == doubles.map { Int32(Self.clipped($0, scale: scale, bits: 32)) }, "\(sample), scale \(scale)")
            }
            var halves = [Int16](repeating: 9, count: samples.count)
            table.float64_to_int16(doubles, &halves, samples.count, 0)
            #expect(halves == doubles.map { Int16(Self.clipped($0, scale: 32_768, bits: 16)) }, "\(sample)")
        }
    }

    /// A kernel with its sizes of a sample.
    private struct Kernel {
        let name: String
        let source: Int, target: Int
        let convert: pcm_kernel

        static func all(_ table: pcm_kernels) -> [Kernel] {
            [
                Kernel(name: "int16 to float32", source: 2, target: 4, convert: table.int16_to_float32),
                Kernel(name: "float32 to int16", source: 4, target: 2, convert: table.float32_to_int16),
                Kernel(name: "int16 to int32", source: 2, target: 4, convert: table.int16_to_int32),
                Kernel(name: "int32 to int16", source: 4, target: 2, convert: table.int32_to_int16),
                Kernel(name: "int32 to float32", source: 4, target: 4, convert: table.int32_to_float32),
                Kernel(name: "float32 to int32", source: 4, target: 4, convert: table.float32_to_int32),
                Kernel(name: "int16 to float64", source: 2, target: 8, convert: table.int16_to_float64),
                Kernel(name: "float64 to int16", source: 8, target: 2, convert: table.float64_to_int16),
                Kernel(name: "int32 to float64", source: 4, target: 8, convert: table.int32_to_float64),
                Kernel(name: "float64 to int32", source: 8, target: 4, convert: table.float64_to_int32),
            ]
        }
    }

    /// Memory that begins at a line of the cache, with `bytes` of 0x5A and a margin of a line at each end.
    private static func withMemory<Result>(bytes: Int, _ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes + 3 * 64, alignment: 64)
        defer { memory.deallocate() }
        for index in memory.indices { memory[index] = 0x5A }
        return body(memory.baseAddress! + 64)
    }

    /// Lengths around those from which on a kernel begins at a line.
    private static let lengths = [255, 256, 257, 287, 288, 300]

    @Test("A long conversion to each place in a line of the cache equals that of each sample alone", arguments: Kernels.all)
    func places(kernels: Kernels) throws {
        guard let table = kernels.table?.pointee else { return }
        var random = SeededGenerator(24)
        let bytes = (0..<300 * 8).map { _ in UInt8.random(in: 0...255, using: &random) }
        for kernel in Kernel.all(table) {
            let expected = bytes.withUnsafeBytes { source in
                (0..<300).flatMap { index in
                    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { one in
                        kernel.convert(source.baseAddress! + index * kernel.source, one.baseAddress, 1, 32_768)
                        return Array(one[..<kernel.target])
                    }
                }
            }
            for (length, place) in Self.lengths.flatMap({ length in
                stride(from: 0, to: 64, by: kernel.target).map { (length, $0) }
            }) {
                let found = Self.withMemory(bytes: 300 * 8) { memory in
                    kernel.convert(bytes, memory + place, length, 32_768)
                    return Array(UnsafeRawBufferPointer(start: memory, count: place + length * kernel.target + 64))
                }
                let margin = [UInt8](repeating: 0x5A, count: 64)
                let isEqual = found == margin[..<place] + expected[..<(length * kernel.target)] + margin
                #expect(isEqual, "\(kernel.name), \(length) samples, place \(place)")
            }
        }
    }

    @Test(
        "A long conversion to samples that are not larger is also possible in place, wherever they begin", arguments: Kernels.all)
    func inPlace(kernels: Kernels) throws {
        guard let table = kernels.table?.pointee else { return }
        var random = SeededGenerator(25)
        let bytes = (0..<300 * 8).map { _ in UInt8.random(in: 0...255, using: &random) }
        for kernel in Kernel.all(table) where kernel.target <= kernel.source {
            for place in stride(from: 0, to: 64, by: kernel.source) {
                var expected = [UInt8](repeating: 0, count: 300 * kernel.target)
                kernel.convert(bytes, &expected, 300, 32_768)
                let found = Self.withMemory(bytes: 300 * 8) { memory in
                    (memory + place).copyMemory(from: bytes, byteCount: 300 * kernel.source)
                    kernel.convert(memory + place, memory + place, 300, 32_768)
                    return Array(UnsafeRawBufferPointer(start: memory + place, count: 300 * kernel.target))
                }
                #expect(found == expected, "\(kernel.name), place \(place)")
            }
        }
    }

    /// Splits and joins the same frames, which begin at `place` in a line.
    private static func stereo(_ table: pcm_kernels, _ samples: [Float], frames: Int, place: Int) -> ([Float], [Float]) {
        let split = table.split.1.1!
        let join = table.join.1.1!
        return withMemory(bytes: 300 * 8) { left in
            withMemory(bytes: 300 * 8) { right in
                withMemory(bytes: 300 * 8) { both in
                    split(samples, left + place, right + place, frames)
                    join(left + place, right + place, both + place, frames)
                    func floats(_ memory: UnsafeMutableRawPointer, _ count: Int) -> [Float] {
                        (0..<count).map { (memory + place).load(fromByteOffset: 4 * $0, as: Float.self) }
                    }
                    return (floats(left, frames) + floats(right, frames), floats(both, 2 * frames + 1))
                }
            }
        }
    }

    @Test("The frames of two buffers and of stereo are the same at each place in a line of the cache", arguments: Kernels.all)
    func placesOfStereo(kernels: Kernels) throws {
        guard let table = kernels.table?.pointee else { return }
        let samples = (0..<600).map { Float($0) }
        let margin = Float(bitPattern: 0x5A5A_5A5A)
        for frames in Self.lengths {
            for place in stride(from: 0, to: 64, by: 4) {
                let (apart, together) = Self.stereo(table, samples, frames: frames, place: place)
                let left = stride(from: 0, to: 2 * frames, by: 2).map { Float($0) }
                #expect(apart == left + left.map { $0 + 1 }, "\(frames) frames, place \(place)")
                #expect(together == samples[..<(2 * frames)] + [margin], "\(frames) frames, place \(place)")
            }
        }
    }

    @Test("A processor with AVX-512 has the kernels of AVX2 as well, and a converter uses the former")
    func selection() {
        if let wide = pcm_kernels_of_avx512() {
            #expect(pcm_kernels() == wide && pcm_kernels_of_avx2() != nil)
        } else {
            #expect(pcm_kernels() == pcm_kernels_of_avx2() ?? pcm_kernels_of_neon())
        }
    }
}
