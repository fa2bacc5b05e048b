// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation
internal import LinuxSystem
internal import Synchronization

/// The shape of a band of an equalizer.
public enum AVAudioUnitEQFilterType: Int, Sendable {
    case parametric = 0
    case lowPass = 1
    case highPass = 2
    case resonantLowPass = 3
    case resonantHighPass = 4
    case bandPass = 5
    case bandStop = 6
    case lowShelf = 7
    case highShelf = 8
    case resonantLowShelf = 9
    case resonantHighShelf = 10
}

/// A band of an equalizer. It is bypassed until the program changes that.
public final class AVAudioUnitEQFilterParameters: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var band = EqualizerBand()
    var changed: (@Sendable () -> Void)?

    var value: EqualizerBand { lock.withLock { band } }

    private func change(_ body: (inout EqualizerBand) -> Void) {
        lock.withLock { body(&band) }
        changed?()
    }

    public var filterType: AVAudioUnitEQFilterType {
        get { value.type }
        set { change { $0.type = newValue } }
    }
    /// In hertz, from 20 to half of the rate.
    public var frequency: Float {
        get { value.frequency }
        set { if newValue.isFinite { change { $0.frequency = max(newValue, 20) } } }
    }
    /// In octaves, from 0.05 to 5.
    public var bandwidth: Float {
        get { value.bandwidth }
        set { if newValue.isFinite { change { $0.bandwidth = min(max(newValue, 0.05), 5) } } }
    }
    /// In decibels, from -96 to 24.
    public var gain: Float {
        get { value.gain }
        set { if newValue.isFinite { change { $0.gain = min(max(newValue, -96), 24) } } }
    }
    public var bypass: Bool {
        get { value.isBypassed }
        set { change { $0.isBypassed = newValue } }
    }
}

/// An equalizer of any number of bands.
public final class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
    private let filter: EqualizerFilter
    private let lock = NSLock()
    private var overall: Float = 0
    private var isBypassed = false
    public let bands: [AVAudioUnitEQFilterParameters]

    public convenience init() { self.init(numberOfBands: 1) }

    public init(numberOfBands: Int) {
        let count = min(max(numberOfBands, 1), 256)
        let filter = EqualizerFilter(bands: count)
        self.filter = filter
        bands = (0..<count).map { _ in AVAudioUnitEQFilterParameters() }
        super.init("AVAudioUnitEQ") { EqualizerOutput($0, filter) }
        for band in bands { band.changed = { [weak self] in self?.apply() } }
    }

    /// In decibels, from -96 to 24.
    public var globalGain: Float {
        get { lock.withLock { overall } }
        set {
            guard newValue.isFinite else { return }
            lock.withLock { overall = min(max(newValue, -96), 24) }
            apply()
        }
    }

    override public var bypass: Bool {
        get { lock.withLock { isBypassed } }
        set {
            lock.withLock { isBypassed = newValue }
            apply()
        }
    }

    override func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try super.setOutputFormat(format, bus)
        apply()
    }

    override public func reset() {
        super.reset()
        filter.wantsReset.store(true, ordering: .releasing)
    }

    private func apply() {
        guard let format = outputFormats[0] else { return }
        let values = bands.map { $0.value }
        lock.withLock {
            let plan =
                isBypassed ? nil : EqualizerPlan(values, overall, rate: format.sampleRate, channels: Int(format.channelCount))
            filter.publish(plan)
        }
    }
}

/// The values of a band.
struct EqualizerBand: Sendable {
    var type = AVAudioUnitEQFilterType.parametric
    var frequency: Float = 1000
    var bandwidth: Float = 0.5
    var gain: Float = 0
    var isBypassed = true
}

/// Applies the equalizer to the frames that its unit has pulled.
private final class EqualizerOutput: UnitOutput, @unchecked Sendable {
    private let filter: EqualizerFilter

    init(_ unit: EngineUnit, _ filter: EqualizerFilter) {
        self.filter = filter
        super.init(unit, 0)
    }

    override func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        let status = super.produce(flags, time, frames, list)
        guard status == 0 else { return status }
        // The bands sound on after the end of their input.
        flags.pointee.remove(.unitRenderAction_OutputIsSilence)
        filter.apply(list, Int(frames))
        return 0
    }
}

/// The coefficients of the bands, which do not change.
final class EqualizerPlan: @unchecked Sendable {
    /// A filter of the second order, normalized: b0, b1, b2, a1, a2.
    struct Section {
        var (b0, b1, b2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
    }

    /// Nil for a bypassed band.
    let sections: [Section?]
    let gain: Float
    let channels: Int

    init(_ bands: [EqualizerBand], _ decibels: Float, rate: Double, channels: Int) {
        sections = bands.map { $0.isBypassed ? nil : Section($0, rate: rate) }
        gain = Float(pow(10, Double(decibels) / 20))
        self.channels = channels
    }
}

extension EqualizerPlan.Section {
    /// The filters of the "Cookbook formulae for audio equalizer biquad filter coefficients" by Robert Bristow-Johnson.
    init(_ band: EqualizerBand, rate: Double) {
        let omega = 2 * Double.pi * min(Double(band.frequency), rate * 0.499) / rate
        let (sine, cosine) = (sin(omega), cos(omega))
        let amplitude = pow(10, Double(band.gain) / 40)
        // The two values of alpha: for a bandwidth in octaves, and for a Butterworth filter, which has no resonance.
        let wide = sine * sinh(log(2) / 2 * Double(band.bandwidth) * omega / sine)
        let flat = sine / 2 * 2.0.squareRoot()
        var a0 = 1.0
        switch band.type {
        case .parametric:
            (b0, b1, b2) = (1 + wide * amplitude, -2 * cosine, 1 - wide * amplitude)
            (a0, a1, a2) = (1 + wide / amplitude, -2 * cosine, 1 - wide / amplitude)
        case .lowPass, .resonantLowPass:
            let alpha = band.type == .lowPass ? flat : wide
            (b0, b1, b2) = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
            (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
        case .highPass, .resonantHighPass:
            let alpha = band.type == .highPass ? flat : wide
            (b0, b1, b2) = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)
            (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
        case .bandPass:
            (b0, b1, b2) = (wide, 0, -wide)
            (a0, a1, a2) = (1 + wide, -2 * cosine, 1 - wide)
        case .bandStop:
            (b0, b1, b2) = (1, -2 * cosine, 1)
            (a0, a1, a2) = (1 + wide, -2 * cosine, 1 - wide)
        case .lowShelf, .resonantLowShelf:
            let root = 2 * amplitude.squareRoot() * (band.type == .lowShelf ? flat : wide)
            let (sum, difference) = (amplitude + 1, amplitude - 1)
            b0 = amplitude * (sum - difference * cosine + root)
            b1 = 2 * amplitude * (difference - sum * cosine)
            b2 = amplitude * (sum - difference * cosine - root)
            a0 = sum + difference * cosine + root
            a1 = -2 * (difference + sum * cosine)
            a2 = sum + difference * cosine - root
        case .highShelf, .resonantHighShelf:
            let root = 2 * amplitude.squareRoot() * (band.type == .highShelf ? flat : wide)
            let (sum, difference) = (amplitude + 1, amplitude - 1)
            b0 = amplitude * (sum + difference * cosine + root)
            b1 = -2 * amplitude * (difference + sum * cosine)
            b2 = amplitude * (sum + difference * cosine - root)
            a0 = sum - difference * cosine + root
            a1 = 2 * (difference - sum * cosine)
            a2 = sum - difference * cosine - root
        }
        (b0, b1, b2, a1, a2) = (b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0)
    }
}

/// The equalizer on the rendering thread. Its memory stays when the coefficients change.
final class EqualizerFilter: @unchecked Sendable {
    private let plans = RealtimeCell<EqualizerPlan>()
    let wantsReset = Atomic<Bool>(false)
    private static let mostChannels = 8
    private let bands: Int
    /// Two values for each band of each channel.
    private let memory: UnsafeMutablePointer<Double>
    private var size: Int { bands * EqualizerFilter.mostChannels * 2 }

    init(bands: Int) {
        self.bands = bands
        memory = .allocate(capacity: bands * EqualizerFilter.mostChannels * 2)
        memory.initialize(repeating: 0, count: bands * EqualizerFilter.mostChannels * 2)
    }

    deinit { memory.deallocate() }

    /// One thread at a time.
    func publish(_ plan: EqualizerPlan?) {
        let unused = plans.publish(plan)
        withExtendedLifetime(unused) {}
    }

    func apply(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) {
        let plan = plans.enter()
        defer { plans.leave() }
        guard let plan else { return }
        if wantsReset.exchange(false, ordering: .acquiring) { memory.update(repeating: 0, count: size) }
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for channel in 0..<min(plan.channels, buffers.count, EqualizerFilter.mostChannels) {
            guard let samples = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
            for band in 0..<min(bands, plan.sections.count) {
                let state = memory + (channel &* bands &+ band) &* 2
                if let section = plan.sections[band] { filter(samples, frames, section, state) }
            }
            if plan.gain != 1 { for frame in 0..<frames { samples[frame] *= plan.gain } }
        }
    }

    /// The transposed direct form II.
    private func filter(
        _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ section: EqualizerPlan.Section,
        _ state: UnsafeMutablePointer<Double>
    ) {
        var (first, second) = (state[0], state[1])
        for frame in 0..<frames {
            let input = Double(samples[frame])
            let output = section.b0 * input + first
            first = section.b1 * input - section.a1 * output + second
            second = section.b2 * input - section.a2 * output
            samples[frame] = Float(output)
        }
        // Numbers near 0 would be denormal, which some processors compute slowly.
        state[0] = abs(first) < 1e-30 ? 0 : first
        state[1] = abs(second) < 1e-30 ? 0 : second
    }
}
