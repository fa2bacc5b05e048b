// SPDX-License-Identifier: Apache-2.0
import Resampling
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Rates of sound hardware and files, and three whose ratios are not simple.
private let rates: [Double] = [
    4_000, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 37_800.5, 44_099, 44_100, 47_952, 48_000, 88_200, 96_000,
    192_000,
]

/// The attenuation that each quality promises, in decibels.
private let promises: [(FilterQuality, Double)] = [(.min, 84), (.low, 98), (.medium, 110), (.high, 126), (.max, 149)]

/// The second half of a tone that a resampler has converted: enough frames for a measurement.
private func tone(_ frequency: Double, _ from: Double, _ to: Double, _ quality: FilterQuality) throws -> ArraySlice<Float> {
    let frames = 1_500 * max(from / to, 1) + 2_000
    let output = try resampled(sine(frequency, from, Int(frames)), from: from, to: to, quality: quality, block: 64)
    return output.suffix(1_024)
}

@Suite("The filter of a quality")
struct FilterQualityTests {
    @Test("passes a tone and adds what it promises, and stops the tones that the lower rate cannot hold", arguments: rates)
    func pairs(_ from: Double) throws {
        for to in rates {
            let nyquist = min(from, to) / 2
            for part in [0.1, 0.9] {
                let (amplitude, rest) = fit(try tone(part * nyquist, from, to, .medium), part * nyquist, to)
                let (gain, noise) = (decibels(amplitude / 0.5), decibels(rest / 0.5))
                #expect(abs(gain) < 0.01, "\(from) to \(to), \(part) of Nyquist: \(gain) dB")
                #expect(noise < -110, "\(from) to \(to), \(part) of Nyquist: \(noise) dB beside it")
            }
            for part in [1.1, 1.5] where part * to < from {
                let tail = try tone(part * nyquist, from, to, .medium)
                let level = (2 * tail.reduce(0) { $0 + Double($1 * $1) } / Double(tail.count)).squareRoot()
                #expect(decibels(level / 0.5) < -106, "\(from) to \(to), \(part) of Nyquist: \(decibels(level / 0.5)) dB")
            }
        }
    }

    @Test(
        "has its attenuation with a table for the ratio, with an interpolated one, and where the rate falls", arguments: promises)
    func attenuation(_ quality: FilterQuality, _ promise: Double) throws {
        for (from, to) in [(44_100.0, 48_000.0), (44_099, 48_000), (48_000, 44_100), (48_000, 44_099), (96_000, 16_000)] {
            let frequency = 0.45 * min(from, to)
            let (amplitude, rest) = fit(try tone(frequency, from, to, quality), frequency, to)
            #expect(decibels(rest / 0.5) < -promise, "\(from) to \(to): \(decibels(rest / 0.5)) dB")
            #expect(abs(decibels(amplitude / 0.5)) < 0.3, "\(from) to \(to): \(decibels(amplitude / 0.5)) dB")
        }
    }

    @Test("delays the sound by the half of its length")
    func latency() throws {
        let latencies = try FilterQuality.allCases.map {
            try BlockResampler(channels: 1, from: 44_100, to: 48_000, quality: $0).inputLatency
        }
        #expect(latencies == [4, 24, 32, 48, 64, 72])
        let falling = try FilterQuality.allCases.map {
            try BlockResampler(channels: 1, from: 96_000, to: 48_000, quality: $0).inputLatency
        }
        #expect(falling == latencies.map { 2 * $0 })
    }

    @Test("is that of the platform's quality")
    func platform() {
        let numbers: [UInt32] = [0, 0x1F, 0x20, 0x3F, 0x40, 0x5F, 0x60, 0x7E, 0x7F, .max]
        #expect(
            numbers.map { FilterQuality(platform: $0) } == [.min, .min, .low, .low, .medium, .medium, .high, .high, .max, .max])
    }
}
