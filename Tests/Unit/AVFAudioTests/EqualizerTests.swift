// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

/// A filter of the second order at s = j·x, x being the frequency as a multiple of that of the band: the analog filters of which
/// those of the equalizer are the bilinear transforms.
private func analogGain(_ type: AVAudioUnitEQFilterType, _ x: Double, inverseQ: Double, decibels: Double) -> Double {
    /// The square of the modulus of a + b·s + c·s².
    func power(_ a: Double, _ b: Double, _ c: Double) -> Double { (a - c * x * x) * (a - c * x * x) + b * x * b * x }
    let amplitude = pow(10, decibels / 40)
    let root = amplitude.squareRoot() * inverseQ
    let (upper, lower) =
        switch type {
        case .parametric: (power(1, amplitude * inverseQ, 1), power(1, inverseQ / amplitude, 1))
        case .lowPass, .resonantLowPass: (1, power(1, inverseQ, 1))
        case .highPass, .resonantHighPass: (power(0, 0, 1), power(1, inverseQ, 1))
        case .bandPass: (power(0, inverseQ, 0), power(1, inverseQ, 1))
        case .bandStop: (power(1, 0, 1), power(1, inverseQ, 1))
        case .lowShelf, .resonantLowShelf:
            (amplitude * amplitude * power(amplitude, root, 1), power(1, root, amplitude))
        case .highShelf, .resonantHighShelf:
            (amplitude * amplitude * power(1, root, amplitude), power(amplitude, root, 1))
        }
    return (upper / lower).squareRoot()
}

private let types: [AVAudioUnitEQFilterType] = [
    .parametric, .lowPass, .highPass, .resonantLowPass, .resonantHighPass, .bandPass, .bandStop, .lowShelf, .highShelf,
    .resonantLowShelf, .resonantHighShelf,
]

@Suite("An equalizer")
struct EqualizerTests {
    private let rate = 48_000.0

    private struct Chain {
        let offline: OfflineEngine
        let player = AVAudioPlayerNode()
        let equalizer: AVAudioUnitEQ
    }

    /// A player and an equalizer that the engine plays.
    private func chain(_ bands: Int) throws -> Chain {
        let chain = Chain(offline: try OfflineEngine(rate: rate), equalizer: AVAudioUnitEQ(numberOfBands: bands))
        chain.offline.engine.attach(chain.player)
        chain.offline.engine.attach(chain.equalizer)
        chain.offline.engine.connect(chain.player, to: chain.equalizer, format: chain.offline.format)
        chain.offline.engine.connect(chain.equalizer, to: chain.offline.engine.mainMixerNode, format: chain.offline.format)
        try chain.offline.engine.start()
        return chain
    }

    /// The gain at a frequency of whole periods in a quarter of a second, after the filter has settled.
    private func gain(_ chain: Chain, at frequency: Double) throws -> Double {
        chain.player.stop()
        let tone = { (frame: Int) in Float(sin(Double(frame) * 2 * .pi * frequency / rate) * 0.125) }
        try chain.player.scheduleBuffer(chain.offline.buffer(24_000, tone))
        chain.player.play()
        let sound = try chain.offline.render(24_000)[1].suffix(12_000)
        var (sine, cosine) = (0.0, 0.0)
        for (frame, sample) in sound.enumerated() {
            sine += Double(sample) * sin(Double(frame) * 2 * .pi * frequency / rate)
            cosine += Double(sample) * cos(Double(frame) * 2 * .pi * frequency / rate)
        }
        return (sine * sine + cosine * cosine).squareRoot() / 6_000 / 0.125
    }

    @Test("has the response of the filter of its type, and none when it is bypassed again", arguments: types, [-9, 6] as [Float])
    func response(type: AVAudioUnitEQFilterType, decibels: Float) throws {
        let chain = try chain(1)
        let band = chain.equalizer.bands[0]
        band.filterType = type
        band.frequency = 1_000
        band.bandwidth = 1.5
        band.gain = decibels
        band.bypass = false
        let omega = 2 * Double.pi * 1_000 / rate
        let hasBandwidth = ![.lowPass, .highPass, .lowShelf, .highShelf].contains(type)
        let inverseQ = hasBandwidth ? 2 * sinh(log(2) / 2 * 1.5 * omega / sin(omega)) : 2.0.squareRoot()
        for frequency in [200.0, 800, 1_000, 1_400, 6_000] {
            let x = tan(.pi * frequency / rate) / tan(omega / 2)
            let wanted = analogGain(type, x, inverseQ: inverseQ, decibels: Double(decibels))
            let measured = try gain(chain, at: frequency)
            #expect(abs(measured - wanted) < 0.0005, "at \(frequency) Hz: \(measured), not \(wanted)")
        }
        band.bypass = true
        #expect(abs(try gain(chain, at: 1_400) - 1) < 0.0001)
    }

    @Test("applies all its bands and the gain of the whole, and passes the sound while it is bypassed")
    func bands() throws {
        let chain = try chain(3)
        for (index, decibels) in [6, -2].enumerated() {
            chain.equalizer.bands[index].frequency = 1_000
            chain.equalizer.bands[index].gain = Float(decibels)
            chain.equalizer.bands[index].bypass = false
        }
        chain.equalizer.globalGain = -3
        #expect(abs(20 * log10(try gain(chain, at: 1_000)) - 1) < 0.001)
        chain.equalizer.bypass = true
        #expect(chain.equalizer.bypass)
        #expect(abs(try gain(chain, at: 1_000) - 1) < 0.0001)
        chain.equalizer.bypass = false
        #expect(abs(20 * log10(try gain(chain, at: 1_000)) - 1) < 0.001)
    }

    @Test("keeps its values within their limits, and ignores numbers that are not finite")
    func limits() {
        let equalizer = AVAudioUnitEQ(numberOfBands: 2)
        let band = equalizer.bands[1]
        #expect(band.bypass && band.filterType == .parametric && band.gain == 0 && !equalizer.bypass)
        for (value, bandwidth, gain) in [(-1000, 0.05, -96), (1000, 5, 24), (0.5, 0.5, 0.5)] as [(Float, Float, Float)] {
            band.bandwidth = value
            band.gain = value
            equalizer.globalGain = value
            #expect(band.bandwidth == bandwidth)
            #expect(band.gain == gain)
            #expect(equalizer.globalGain == gain)
        }
        band.frequency = 19
        #expect(band.frequency == 20)
        for value in [Float.nan, .infinity, -.infinity] {
            (band.frequency, band.bandwidth, band.gain, equalizer.globalGain) = (value, value, value, value)
        }
        #expect(band.frequency == 20 && band.bandwidth == 0.5 && band.gain == 0.5 && equalizer.globalGain == 0.5)
        #expect(AVAudioUnitEQ().bands.count == 1)
        #expect(AVAudioUnitEQ(numberOfBands: -1).bands.count == 1)
    }

    @Test("applies what was set before it was connected")
    func setBeforeTheConnection() throws {
        let chain = Chain(offline: try OfflineEngine(rate: rate), equalizer: AVAudioUnitEQ(numberOfBands: 1))
        let (engine, band) = (chain.offline.engine, chain.equalizer.bands[0])
        (band.frequency, band.gain, band.bypass) = (1_000, 6, false)
        for node in [chain.player, chain.equalizer] as [AVAudioNode] { engine.attach(node) }
        engine.connect(chain.player, to: chain.equalizer, format: chain.offline.format)
        engine.connect(chain.equalizer, to: engine.mainMixerNode, format: chain.offline.format)
        try engine.start()
        let decibels = 20 * log10(try gain(chain, at: 1_000))
        #expect(abs(decibels - 6) < 0.001)
    }

    @Test("has a band beyond half of the rate at its end, and so passes the sound below", arguments: [1_000, 18_000] as [Double])
    func bandBeyondTheRate(frequency: Double) throws {
        let chain = try chain(1)
        let band = chain.equalizer.bands[0]
        (band.filterType, band.frequency, band.bypass) = (.lowPass, 30_000, false)
        let decibels = 20 * log10(try gain(chain, at: frequency))
        #expect(abs(decibels) < 0.001, "\(decibels)")
    }

    @Test("forgets the sound before a reset")
    func reset() throws {
        let chain = try chain(1)
        chain.equalizer.bands[0].filterType = .resonantLowPass
        chain.equalizer.bands[0].frequency = 50
        chain.equalizer.bands[0].bandwidth = 0.05
        chain.equalizer.bands[0].bypass = false
        try chain.player.scheduleBuffer(chain.offline.buffer(4_800) { Float(sin(Double($0) * 2 * .pi * 50 / rate)) * 0.25 })
        chain.player.play()
        _ = try chain.offline.render(4_800)
        // The band sounds on, until the reset.
        #expect(try chain.offline.render(512)[0].contains { abs($0) > 0.01 })
        chain.equalizer.reset()
        #expect(try chain.offline.render(512)[0].allSatisfy { $0 == 0 })
    }
}
