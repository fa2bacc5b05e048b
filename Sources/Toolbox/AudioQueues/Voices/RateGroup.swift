// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Resampling

/// The voices of one rate. They are mixed at this rate, and the mix is converted to the rate of the device.
final class RateGroup: @unchecked Sendable {
    let rate: Double
    private var deviceRate = 0.0
    private var deviceChannels = 0
    private var slice = 0
    private var channels = 0
    private var resampler: RateConverter?
    /// The rates are equal, or the group has a resampler.
    private var isPlayable = false
    private var input = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)
    private var output = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)

    init(rate: Double) { self.rate = rate }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Prepares for a device. Must not be called while the audio thread renders.
    func configure(_ format: pull_format) {
        let frames = Int(format.slice) + Int(PULL_EXTRA_FRAMES)
        guard !fits(format.output_rate, Int(format.output_channels)) || frames > slice else { return }
        deviceRate = format.output_rate
        deviceChannels = Int(format.output_channels)
        slice = frames
        channels = min(deviceChannels, BlockResampler.channelCounts.upperBound)
        resampler = rate == deviceRate ? nil : RateConverter.make(channels: channels, from: rate, to: deviceRate)
        isPlayable = resampler != nil || rate == deviceRate
        input.deallocate()
        output.deallocate()
        let needed = resampler == nil ? 0 : Int(Double(frames) * rate / deviceRate) + 64
        input = .allocate(capacity: needed * channels)
        output = .allocate(capacity: resampler == nil ? 0 : frames * channels)
        input.initialize(repeating: 0)
        output.initialize(repeating: 0)
    }

    private func fits(_ rate: Double, _ channels: Int) -> Bool { rate == deviceRate && channels == deviceChannels }

    /// Whether the group is prepared for the device of this cycle.
    func fits(_ cycle: Slice) -> Bool {
        fits(cycle.deviceRate, cycle.channels) && (resampler == nil || cycle.frames * channels <= output.count)
    }

    /// The cycle at the rate of the group, for its voices. Nil when the rate cannot be converted.
    func begin(_ cycle: Slice) -> Slice? {
        guard isPlayable else { return nil }
        guard let resampler, let source = input.baseAddress else { return cycle }
        let needed = min(resampler.inputFrames(forOutput: cycle.frames), input.count / channels)
        source.update(repeating: 0, count: needed * channels)
        var own = cycle
        own.output = source
        own.frames = needed
        own.channels = channels
        own.rate = rate
        own.latency = Double(resampler.inputLatency)
        own.time = cycle.time &+ UInt64(own.latency * 1e9 / rate)
        return own
    }

    /// Adds what the voices have mixed to the cycle of the device.
    func end(_ own: Slice, _ cycle: Slice) {
        guard let resampler, let mix = cycle.output, let source = input.baseAddress, let target = output.baseAddress else {
            return
        }
        let samples = UnsafeBufferPointer(start: source, count: own.frames * channels)
        let room = UnsafeMutableBufferPointer(start: target, count: cycle.frames * channels)
        add(target, resampler.process(samples, into: room).produced, mix)
    }

    @_optimize(speed)
    private func add(_ source: UnsafePointer<Float>, _ frames: Int, _ mix: UnsafeMutablePointer<Float>) {
        if channels == deviceChannels {
            for index in 0..<frames &* channels { mix[index] += source[index] }
            return
        }
        for frame in 0..<frames {
            for channel in 0..<channels {
                mix[frame &* deviceChannels &+ channel] += source[frame &* channels &+ channel]
            }
        }
    }
}
