// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Testing

/// The gain of a session, on samples of every format.
@Suite struct GainTests {
    /// The nearest integer to the exact product. The gain itself is rounded to a fixed-point factor, which adds at
    /// most the second term.
    private func isRounded(_ result: Int64, _ sample: Int64, _ gain: Float, bits: Int) -> Bool {
        let exact = Double(sample) * Double(gain)
        return abs(Double(result) - exact) <= 0.5 + abs(Double(sample)) / Double(1 << bits)
    }

    private func applied<Sample>(_ sample: stream_sample, _ samples: [Sample], _ gain: stream_gain) -> [Sample] {
        var result = samples
        var gain = gain
        samples.withUnsafeBytes { from in
            result.withUnsafeMutableBytes { to in
                stream_gain_apply(&gain, Int32(sample.rawValue), 1, from.baseAddress, to.baseAddress, UInt64(samples.count))
            }
        }
        return result
    }

    private func steady(_ gain: Float) -> stream_gain { stream_gain(now: gain, target: gain, left: 0) }

    private static let gains: [Float] = [0, 0.2, 0.5, 0.7071, 0.99]
    private let samples16: [Int16] = [.min, -32767, -1000, -3, -2, -1, 0, 1, 2, 3, 999, 32766, .max]

    @Test("16 bits are scaled and rounded", arguments: gains) func s16(gain: Float) {
        for (from, to) in zip(samples16, applied(STREAM_S16, samples16, steady(gain))) {
            #expect(isRounded(Int64(to), Int64(from), gain, bits: 16))
        }
    }

    @Test("32 bits keep their precision", arguments: gains) func s32(gain: Float) {
        let samples: [Int32] = [.min, -2_000_000_001, -7, 0, 7, 123_456_789, .max]
        for (from, to) in zip(samples, applied(STREAM_S32, samples, steady(gain))) {
            #expect(isRounded(Int64(to), Int64(from), gain, bits: 32))
        }
    }

    @Test("24 bits in four bytes are scaled and rounded, for any value of the fourth byte", arguments: gains) func s24(
        gain: Float
    ) {
        let values: [Int32] = [-8_388_608, -70_000, -1, 0, 1, 8_388_607]
        let samples = values.map { Int32(bitPattern: UInt32(bitPattern: $0) & 0xFF_FFFF | 0x5500_0000) }
        for (from, to) in zip(values, applied(STREAM_S24, samples, steady(gain))) {
            #expect(isRounded(Int64(to), Int64(from), gain, bits: 32))
        }
    }

    @Test("24 bits in three bytes", arguments: gains) func s24packed(gain: Float) {
        let values: [Int32] = [-8_388_608, -70_000, -1, 0, 1, 8_388_607]
        var bytes: [UInt8] = []
        for value in values { for shift in [0, 8, 16] { bytes.append(UInt8(truncatingIfNeeded: value >> Int32(shift))) } }
        var result = [UInt8](repeating: 0, count: bytes.count)
        var steady = steady(gain)
        stream_gain_apply(&steady, Int32(STREAM_S24_PACKED.rawValue), 1, bytes, &result, UInt64(values.count))
        for (index, from) in values.enumerated() {
            let place = index * 3
            let word = UInt32(result[place]) << 8 | UInt32(result[place + 1]) << 16 | UInt32(result[place + 2]) << 24
            #expect(isRounded(Int64(Int32(bitPattern: word) >> 8), Int64(from), gain, bits: 32))
        }
    }

    @Test("Floats are multiplied", arguments: gains) func floats(gain: Float) {
        let samples: [Float] = [-1, -0.25, 0, 0.1, 1]
        #expect(applied(STREAM_FLOAT, samples, steady(gain)) == samples.map { $0 * gain })
    }

    @Test("At unity samples are copied, bit for bit") func unity() {
        #expect(applied(STREAM_S16, samples16, steady(1)) == samples16)
        let notNumbers: [UInt32] = [0x7FC0_0001, 0xFF80_0000, 1]
        #expect(applied(STREAM_FLOAT, notNumbers, steady(1)) == notNumbers)
    }

    @Test("A ramp has equal steps, however it is divided into calls", arguments: [1, 7, 480, 1920, 5000])
    func ramp(piece: Int) {
        var gain = stream_gain(now: 1, target: 1, left: 0)
        stream_gain_ramp(&gain, 0.2, 1920)
        let samples = [Float](repeating: 1, count: 5000)
        var played: [Float] = []
        while played.count < samples.count {
            let count = min(piece, samples.count - played.count)
            played += applied(STREAM_FLOAT, Array(samples.prefix(count)), gain)
            stream_gain_advance(&gain, UInt64(count))
        }
        for (index, level) in played.enumerated() {
            let line = index < 1920 ? 1 - 0.8 * Float(index + 1) / 1920 : 0.2
            #expect(abs(level - line) < 0.0005)
        }
    }

    @Test("A ramp that is reversed in the middle makes no step") func turned() {
        var gain = stream_gain(now: 1, target: 1, left: 0)
        stream_gain_ramp(&gain, 0.2, 1920)
        stream_gain_advance(&gain, 960)
        #expect(abs(gain.now - 0.6) < 0.001)
        stream_gain_ramp(&gain, 1, 1920)
        #expect(abs(applied(STREAM_FLOAT, [Float(1)], gain)[0] - 0.6) < 0.002)
    }

    @Test("An unknown format has no size") func unknown() {
        for kind: Int32 in [-1, 0, 1, 3, 7, 99] { #expect(stream_sample_size(kind) == 0) }
    }
}
