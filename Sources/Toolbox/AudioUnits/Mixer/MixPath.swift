// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion
import Resampling

/// Converts and adds the frames of all inputs of a mixer, for `AudioUnitRender`. One thread at a time uses it.
final class MixPath: RenderPath {
    struct Input: Equatable {
        var format: PCMFormat
        /// The gains from each channel of the input to each channel of the output; nil: the standard mix.
        var levels: [Float]?
    }
    struct Shape: Equatable {
        var inputs: [Input]
        var target: PCMFormat
        var maximumFrames: Int
        /// The quality of the filters that change rates.
        var quality: FilterQuality
    }

    let shape: Shape
    let inputs: [MixInput]
    let unitBuffers: SliceBuffers
    private let controls: MixerControls
    private let sum: PlanarFloats
    private let encoder: PCMConverter
    private let level: LevelRamp
    private let gains: UnsafeMutablePointer<Float>

    /// Inputs that keep their format are taken from the former path, with the frames that they contain.
    static func make(_ shape: Shape, _ controls: MixerControls, after former: MixPath?) -> MixPath? {
        guard let unitBuffers = SliceBuffers(shape.target, frames: shape.maximumFrames, hasParts: true),
            let sum = PlanarFloats(shape.target.channels, rate: shape.target.sampleRate, frames: shape.maximumFrames),
            let encoder = try? PCMConverter(from: sum.format, to: shape.target)
        else { return nil }
        var inputs: [MixInput] = []
        for (index, wanted) in shape.inputs.enumerated() {
            let known = former.flatMap { $0.inputs.indices.contains(index) ? $0.inputs[index] : nil }
            guard let control = controls.input(index),
                let input = MixInput.make(
                    index, wanted, like: sum.format, shape, control, after: known)
            else { return nil }
            inputs.append(input)
        }
        return MixPath(shape, inputs, unitBuffers, controls, sum, encoder, former?.level ?? LevelRamp(controls.output))
    }

    private init(
        _ shape: Shape, _ inputs: [MixInput], _ unitBuffers: SliceBuffers, _ controls: MixerControls, _ sum: PlanarFloats,
        _ encoder: PCMConverter, _ level: LevelRamp
    ) {
        self.shape = shape
        self.inputs = inputs
        self.unitBuffers = unitBuffers
        self.controls = controls
        self.sum = sum
        self.encoder = encoder
        self.level = level
        gains = .allocate(capacity: 3 * shape.maximumFrames)
        gains.initialize(repeating: 0, count: 3 * shape.maximumFrames)
    }

    deinit { gains.deallocate() }

    func reset() { for input in inputs { input.pull.reset() } }

    var latency: Double { inputs.reduce(0) { max($0, $1.pull.latency) } }

    // MARK: Rendering

    var events: ParameterEvents { controls.events }

    func begin(_ frames: Int) {
        events.beginSlice()
        sum.clear(frames)
    }

    func end(_ frames: Int) { events.endSlice(frames) }

    /// Adds the frames that an input has rendered. For a silent input, only its parameters advance.
    func add(_ input: MixInput, _ frames: Int, isSilent: Bool) {
        if isSilent {
            input.measureSilence(frames, rate: shape.target.sampleRate)
            return input.level.skip(frames, events)
        }
        input.measure(frames, rate: shape.target.sampleRate, at: input.level.factor)
        let isSteady = input.level.isSteady
        if !isSteady { input.level.fill(gains, frames, events) }
        for target in 0..<sum.channels {
            if let levels = input.levels {
                for source in 0..<input.channels {
                    let level = levels[source &* sum.channels &+ target]
                    if level != 0 { add(input, source, to: target, frames, at: level, isSteady) }
                }
            } else if let source = MixPath.source(of: target, channels: input.channels, of: sum.channels) {
                add(input, source, to: target, frames, at: 1, isSteady)
            }
        }
    }

    /// Adds a channel of an input to a channel of the output.
    private func add(_ input: MixInput, _ source: Int, to target: Int, _ frames: Int, at level: Float, _ isSteady: Bool) {
        if isSteady {
            let gain = level * input.level.gain(of: target, of: sum.channels)
            addSamples(input.channel(source), to: sum[target], frames, gain)
        } else {
            let side = LevelRamp.side(of: target, of: sum.channels)
            addSamples(input.channel(source), to: sum[target], frames, gains + side &* frames, level)
        }
    }

    /// The channel of an input that feeds a channel of the output. Mono feeds the first two channels.
    private static func source(of target: Int, channels: Int, of outputs: Int) -> Int? {
        if channels == 1, target < 2 { return 0 }
        return target < channels ? target : nil
    }

    /// Applies the volume of the output, and converts the sum to the format of the program.
    func finish(_ frames: Int, to target: SampleBuffers) {
        let element = controls.output
        level.begin(events, frames)
        if element.isMetered { measure(element.before, frames) }
        if !level.isSteady {
            level.fill(gains, frames, events)
            for channel in 0..<sum.channels { scaleSamples(sum[channel], frames, gains + 2 &* frames) }
        } else if level.factor != 1 {
            for channel in 0..<sum.channels { scaleSamples(sum[channel], frames, level.factor) }
        }
        if element.isMetered { measure(element.after, frames) }
        encoder.convert(sum.buffers, to: target, frames: frames)
    }

    private func measure(_ meter: LevelMeter, _ frames: Int) {
        for channel in 0..<sum.channels {
            meter.add(
                .init(sum[channel], frames: frames), channel: channel, frames: frames, rate: shape.target.sampleRate)
        }
    }
}

// These functions are at file scope and are not inlined. The compiler drops the unused `self` of a static method, and compiles
// the resulting copy for size. In code for size, loops are not vectorized.

@inline(never)
@_optimize(speed)
private func addSamples(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int, _ gain: Float
) {
    for frame in 0..<frames { target[frame] += source[frame] * gain }
}

@inline(never)
@_optimize(speed)
private func addSamples(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ frames: Int, _ gains: UnsafePointer<Float>,
    _ level: Float
) {
    for frame in 0..<frames { target[frame] += source[frame] * gains[frame] * level }
}

@inline(never)
@_optimize(speed)
private func scaleSamples(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ gain: Float) {
    for frame in 0..<frames { samples[frame] *= gain }
}

@inline(never)
@_optimize(speed)
private func scaleSamples(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ gains: UnsafePointer<Float>) {
    for frame in 0..<frames { samples[frame] *= gains[frame] }
}
