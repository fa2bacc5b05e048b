// SPDX-License-Identifier: Apache-2.0
import Resampling
import Testing

#if canImport(Glibc)
    import Glibc
#endif

func sine(_ frequency: Double, _ rate: Double, _ frames: Int) -> [Float] {
    (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
}

/// Resamples all of a mono signal in blocks of `block` output frames.
func resampled(
    _ input: [Float], from: Double, to: Double, quality: FilterQuality = .medium, reserving: ClosedRange<Double>? = nil,
    block: Int = 256
) throws -> [Float] {
    var resampler = try BlockResampler(channels: 1, from: from, to: to, reserving: reserving, quality: quality)
    var (result, position): ([Float], Int) = ([], 0)
    while true {
        let needed = resampler.inputFrames(forOutput: block)
        guard position + needed <= input.count else { return result }
        var output = [Float](repeating: 0, count: block)
        let progress = process(&resampler, Array(input[position..<position + needed]), &output)
        guard progress == BlockResampler.Progress(consumed: needed, produced: block) else {
            Issue.record("\(from) to \(to): \(needed) frames in and \(block) out, not \(progress)")
            return result
        }
        position += needed
        result += output
    }
}

func process(_ resampler: inout BlockResampler, _ input: [Float], _ output: inout [Float]) -> BlockResampler.Progress {
    input.withUnsafeBufferPointer { input in output.withUnsafeMutableBufferPointer { resampler.process(input, into: $0) } }
}

/// The amplitude of a frequency in a signal, and the level of all the rest, by a least-squares fit.
func fit(_ signal: ArraySlice<Float>, _ frequency: Double, _ rate: Double) -> (amplitude: Double, rest: Double) {
    var (cc, ss, cs, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in signal.enumerated() {
        let phase = 2 * .pi * frequency * Double(index) / rate
        let (c, s, x) = (cos(phase), sin(phase), Double(sample))
        cc += c * c
        ss += s * s
        cs += c * s
        xc += x * c
        xs += x * s
    }
    let determinant = cc * ss - cs * cs
    let (a, b) = ((xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant)
    var rest = 0.0
    for (index, sample) in signal.enumerated() {
        let phase = 2 * .pi * frequency * Double(index) / rate
        let difference = Double(sample) - a * cos(phase) - b * sin(phase)
        rest += difference * difference
    }
    return ((a * a + b * b).squareRoot(), (2 * rest / Double(signal.count)).squareRoot())
}

func decibels(_ ratio: Double) -> Double { 20 * log10(max(ratio, 1e-12)) }
