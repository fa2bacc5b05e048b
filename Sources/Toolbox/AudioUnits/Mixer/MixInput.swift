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
    private let floats: PlanarFloats?

    static func make(
        _ index: Int, _ format: PCMFormat, like sum: PCMFormat, _ mix: MixPath.Shape, _ controls: MixerControls.Element,
        after former: MixInput?
    ) -> MixInput? {
        // A mono output receives the mean of stereo channels.
        let channels = sum.channels == 1 ? 1 : format.channels
        guard let planar = PlanarFloats.format(channels, rate: sum.sampleRate) else { return nil }
        let shape = RenderCallPath.Shape(source: format, target: planar, maximumFrames: mix.maximumFrames, quality: mix.quality)
        if let former, former.pull.shape == shape, former.controls === controls { return former }
        guard let pull = RenderCallPath.make(shape) else { return nil }
        var floats: PlanarFloats?
        if !pull.keepsFormat {
            floats = PlanarFloats(channels, rate: sum.sampleRate, frames: mix.maximumFrames)
            guard floats != nil else { return nil }
        }
        let level = former?.controls === controls ? former?.level : nil
        return MixInput(index, pull, level ?? LevelRamp(), controls, floats)
    }

    private init(
        _ index: Int, _ pull: RenderCallPath, _ level: LevelRamp, _ controls: MixerControls.Element, _ floats: PlanarFloats?
    ) {
        self.index = index
        self.pull = pull
        self.level = level
        self.controls = controls
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

/// The parameters of one element of a mixer, as the rendering thread applies them.
final class LevelRamp {
    private var volume = ParameterValue(1)
    private var enable = ParameterValue(1)
    private var pan = ParameterValue(0)

    /// Called at the beginning of a slice.
    func follow(_ controls: MixerControls.Element, _ frames: Int) {
        volume.follow(controls.volume, frames: frames)
        enable.follow(controls.enable, frames: frames)
        pan.follow(controls.pan, frames: frames)
    }

    var isSteady: Bool { volume.isSteady && enable.isSteady && pan.isSteady }
    /// The element is off for the whole slice.
    var isOff: Bool { enable.isSteady && enable.now == 0 }
    /// The product of volume and enable.
    var factor: Float { volume.now * enable.now }

    /// 0 for the left channel, 1 for the right channel, 2 for any other channel, to which the pan does not apply.
    static func side(of channel: Int, of channels: Int) -> Int { channels == 1 ? 2 : min(channel, 2) }

    /// The gain of a channel while no parameter ramps.
    func gain(of channel: Int, of channels: Int) -> Float {
        switch LevelRamp.side(of: channel, of: channels) {
        case 0: factor * min(1 - pan.now, 1)
        case 1: factor * min(1 + pan.now, 1)
        default: factor
        }
    }

    /// Writes the gains of the frames of each side, one side after another.
    func fill(_ gains: UnsafeMutablePointer<Float>, _ frames: Int) {
        for frame in 0..<frames {
            let gain = volume.next() * enable.next()
            let pan = pan.next()
            gains[frame] = gain * min(1 - pan, 1)
            gains[frames &+ frame] = gain * min(1 + pan, 1)
            gains[2 &* frames &+ frame] = gain
        }
    }

    func skip(_ frames: Int) {
        volume.skip(frames)
        enable.skip(frames)
        pan.skip(frames)
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
