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

    @Test("A processor with AVX-512 has the kernels of AVX2 as well, and a converter uses the former")
    func selection() {
        if let wide = pcm_kernels_of_avx512() {
            #expect(pcm_kernels() == wide && pcm_kernels_of_avx2() != nil)
        } else {
            #expect(pcm_kernels() == pcm_kernels_of_avx2())
        }
    }
}
