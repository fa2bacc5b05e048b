// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// An input of a mixer, on the rendering thread. It converts its format to floats at the rate of the output, with one buffer for
/// each channel.
final class MixInput {
    let index: Int
    let pull: RenderCallPath
    let level: LevelRamp
    let controls: MixerControls.Element
    /// The gains from each channel to each channel of the output; nil: the standard mix.
    let levels: [Float]?
    private let floats: PlanarFloats?

    static func make(
        _ index: Int, _ wanted: MixPath.Input, like sum: PCMFormat, _ mix: MixPath.Shape, _ controls: MixerControls.Element,
        after former: MixInput?
    ) -> MixInput? {
        let format = wanted.format
        // A mono output receives the mean of stereo channels.
        let channels = sum.channels == 1 && wanted.levels == nil ? 1 : format.channels
        guard let planar = PlanarFloats.format(channels, rate: sum.sampleRate) else { return nil }
        let shape = RenderCallPath.Shape(source: format, target: planar, maximumFrames: mix.maximumFrames, quality: mix.quality)
        if let former, former.pull.shape == shape, former.controls === controls, former.levels == wanted.levels { return former }
        guard let pull = RenderCallPath.make(shape) else { return nil }
        var floats: PlanarFloats?
        if !pull.keepsFormat {
            floats = PlanarFloats(channels, rate: sum.sampleRate, frames: mix.maximumFrames)
            guard floats != nil else { return nil }
        }
        let level = former?.controls === controls ? former?.level : nil
        return MixInput(index, pull, level ?? LevelRamp(controls), controls, wanted.levels, floats)
    }

    private init(
        _ index: Int, _ pull: RenderCallPath, _ level: LevelRamp, _ controls: MixerControls.Element, _ levels: [Float]?,
        _ floats: PlanarFloats?
    ) {
        self.index = index
        self.pull = pull
        self.level = level
        self.controls = controls
        self.levels = levels
        self.floats = floats
    }

    var channels: Int { pull.shape.target.channels }

    /// The samples of a channel after `render`.
    func channel(_ index: Int) -> UnsafePointer<Float> {
        if let floats { return UnsafePointer(floats[index]) }
        return UnsafePointer(pull.buffers.nativeFloats(index))
    }

    /// `fill` asks the source for this number of frames in the buffers of `pull`, and returns the number of frames with sound.
    func render(_ frames: Int, _ fill: (Int) throws(RenderFailure) -> Int) throws(RenderFailure) {
        if let floats {
            try pull.render(frames, to: floats.buffers, fill)
        } else {
            try pull.ask(frames, fill)
            pull.buffers.alignFloats(frames)
        }
    }

    // MARK: Levels

    /// Measures the level before and after volume and enable are applied. The pan does not affect the level.
    func measure(_ frames: Int, rate: Double, at factor: Float) {
        guard controls.isMetered else { return }
        for channel in 0..<channels {
            let measure = SampleMeasure(self.channel(channel), frames: frames)
            controls.before.add(measure, channel: channel, frames: frames, rate: rate)
            controls.after.add(measure.scaled(factor), channel: channel, frames: frames, rate: rate)
        }
    }

    func measureSilence(_ frames: Int, rate: Double) {
        guard controls.isMetered else { return }
        for channel in 0..<channels {
            controls.before.add(.init(), channel: channel, frames: frames, rate: rate)
            controls.after.add(.init(), channel: channel, frames: frames, rate: rate)
        }
    }
}

/// Floats with one buffer for each channel.
final class PlanarFloats {
    let format: PCMFormat
    let buffers: SampleBuffers
    private let memory: UnsafeMutableRawPointer
    private let bytesPerChannel: Int

    static func format(_ channels: Int, rate: Double) -> PCMFormat? {
        try? PCMFormat(sampleRate: rate, channels: channels, sample: .float32(), isInterleaved: false)
    }

    init?(_ channels: Int, rate: Double, frames: Int) {
        guard let format = PlanarFloats.format(channels, rate: rate) else { return nil }
        self.format = format
        bytesPerChannel = (frames * 4 + 63) & ~63
        memory = .allocate(byteCount: bytesPerChannel * channels, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerChannel * channels)
        var buffers = SampleBuffers()
        for channel in 0..<channels {
            buffers.append(
                UnsafeMutableRawBufferPointer(start: memory + channel * bytesPerChannel, count: bytesPerChannel))
        }
        self.buffers = buffers
    }

    deinit { memory.deallocate() }

    var channels: Int { format.channels }

    subscript(channel: Int) -> UnsafeMutablePointer<Float> {
        (memory + channel &* bytesPerChannel).assumingMemoryBound(to: Float.self)
    }

    func clear(_ frames: Int) {
        for channel in 0..<channels { self[channel].update(repeating: 0, count: frames) }
    }
}
