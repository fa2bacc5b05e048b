// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion
import Resampling

/// Converts frames of a source to the frames that `AudioUnitRender` returns: format, channels, rate, and the speed of a unit that
/// changes it. Returns exactly as many frames as were asked for. One thread at a time uses it.
final class RenderCallPath: RenderPath {
    struct Shape: Equatable {
        var source: PCMFormat
        var target: PCMFormat
        /// The channel of the source for each channel of the target; a negative number is silence.
        var map: [Int32]?
        var maximumFrames: Int
        /// The quality of the filter that changes the rate.
        var quality: FilterQuality
        var changesSpeed = false
    }

    let shape: Shape
    let buffers: SliceBuffers
    let unitBuffers: SliceBuffers
    /// Converts directly between the formats if their rates are equal.
    private let direct: PCMConverter?
    private let resampled: Resampled?
    private let speed: SpeedRamp?
    /// The number of frames that were asked of the source since the last reset.
    private(set) var position = 0.0

    private struct Resampled {
        let decoder: PCMConverter
        let rate: RateConverter
        let encoder: PCMConverter
        /// The converted channels, before and after the change of the rate.
        let before: FrameQueue
        let after: FrameQueue
        let stretched: Stretched?
    }

    /// Changes the duration of the channels before the change of the rate.
    private struct Stretched {
        let stretcher: TimeStretcher
        let asked: FrameQueue
    }

    static func make(_ shape: Shape, _ controls: SpeedControls? = nil) -> RenderCallPath? {
        guard let buffers = SliceBuffers(shape.source, frames: shape.maximumFrames),
            let unitBuffers = SliceBuffers(shape.target, frames: shape.maximumFrames, hasParts: true)
        else { return nil }
        let mapped = mix(shape.map, from: shape.source.channels, to: shape.target.channels)
        if shape.source.sampleRate == shape.target.sampleRate, controls == nil {
            return (try? PCMConverter(from: shape.source, to: shape.target, mix: mapped)).map {
                RenderCallPath(shape, buffers, unitBuffers, $0, nil, nil)
            }
        }
        guard let before = floats(shape.target.channels, like: shape.source),
            let after = floats(shape.target.channels, like: shape.target),
            let decoder = try? PCMConverter(from: shape.source, to: before, mix: mapped),
            let encoder = try? PCMConverter(from: after, to: shape.target),
            let rate = rate(shape)
        else { return nil }
        var stretched: Stretched?
        if controls?.kind == .timePitch {
            guard let stretcher = TimeStretcher(channels: shape.target.channels, rate: shape.source.sampleRate) else {
                return nil
            }
            let asked = FrameQueue(channels: shape.target.channels, frames: shape.maximumFrames)
            stretched = Stretched(stretcher: stretcher, asked: asked)
        }
        let room = shape.maximumFrames + 64 + (stretched?.stretcher.hop ?? 0)
        let resampled = Resampled(
            decoder: decoder, rate: rate, encoder: encoder, before: FrameQueue(channels: shape.target.channels, frames: room),
            after: FrameQueue(channels: shape.target.channels, frames: shape.maximumFrames), stretched: stretched)
        return RenderCallPath(shape, buffers, unitBuffers, nil, resampled, controls.map { SpeedRamp($0) })
    }

    private static func rate(_ shape: Shape) -> RateConverter? {
        let (channels, source, target) = (shape.target.channels, shape.source.sampleRate, shape.target.sampleRate)
        guard shape.changesSpeed else {
            return RateConverter.make(channels: channels, from: source, to: target, quality: shape.quality)
        }
        return RateConverter.make(
            channels: channels, from: source, to: target, quality: shape.quality, speeds: SpeedControls.factors)
    }

    private init(
        _ shape: Shape, _ buffers: SliceBuffers, _ unitBuffers: SliceBuffers, _ direct: PCMConverter?, _ resampled: Resampled?,
        _ speed: SpeedRamp?
    ) {
        self.shape = shape
        self.buffers = buffers
        self.unitBuffers = unitBuffers
        self.direct = direct
        self.resampled = resampled
        self.speed = speed
    }

    func reset() {
        resampled?.before.clear()
        resampled?.rate.reset()
        resampled?.stretched?.stretcher.reset()
        position = 0
    }

    var latency: Double { resampled?.rate.latency ?? 0 }
    var keepsRate: Bool { direct != nil }
    /// Frames of the source for each frame of the target.
    var framesPerTargetFrame: Double { shape.source.sampleRate / shape.target.sampleRate }
    /// The format of the source is the wanted format.
    var keepsFormat: Bool { shape.source == shape.target }

    /// Converts between formats of one rate.
    func convert(_ source: SampleBuffers, to target: SampleBuffers, frames: Int) {
        direct?.convert(source, to: target, frames: frames)
    }

    /// Fills `frames` frames of buffers that have the room. `fill` asks the source for a number of frames in `buffers`, and
    /// returns the number of frames with sound; the other frames are silent.
    func render(
        _ frames: Int, to target: SampleBuffers, _ fill: (Int) throws(RenderFailure) -> Int
    ) throws(RenderFailure) {
        var done = 0
        speed?.begin(frames)
        defer { speed?.end() }
        while done < frames {
            let part = target.dropping(done &* shape.target.bytesPerFrame)
            if let direct {
                let count = min(frames &- done, shape.maximumFrames)
                try ask(count, fill)
                direct.convert(buffers.samples, to: part, frames: count)
                done &+= count
            } else if let resampled {
                let count = try step(resampled, frames &- done, to: part, fill)
                guard count > 0 else { return }
                speed?.advance(count)
                done &+= count
            }
        }
    }

    /// Asks the source for frames in `buffers`. Silence follows the frames with sound.
    func ask(_ frames: Int, _ fill: (Int) throws(RenderFailure) -> Int) throws(RenderFailure) {
        buffers.prepare(frames: frames)
        let filled = try fill(frames)
        position += Double(frames)
        if filled < frames { buffers.complete(filled, of: frames) }
    }

    /// Returns the number of frames that were produced.
    private func step(
        _ resampled: Resampled, _ wanted: Int, to target: SampleBuffers, _ fill: (Int) throws(RenderFailure) -> Int
    ) throws(RenderFailure) -> Int {
        var count = min(wanted, resampled.after.capacity)
        if let speed {
            count = speed.part(count)
            resampled.rate.setSpeed(resampled.stretched == nil ? speed.speed : speed.pitchFactor)
        }
        var needed = resampled.rate.inputFrames(forOutput: count) &- resampled.before.count
        if needed > shape.maximumFrames {
            count = max(resampled.rate.outputFrames(forInput: shape.maximumFrames &+ resampled.before.count), 1)
            needed = min(resampled.rate.inputFrames(forOutput: count) &- resampled.before.count, shape.maximumFrames)
        }
        if let stretched = resampled.stretched {
            try stretch(stretched, resampled, needed, fill)
        } else if needed > 0 {
            try ask(needed, fill)
            guard let room = resampled.before.room(for: needed) else { return 0 }
            resampled.decoder.convert(
                buffers.samples, to: SampleBuffers(UnsafeMutableRawBufferPointer(room)), frames: needed)
            resampled.before.appended(needed)
        }
        resampled.after.clear()
        guard let room = resampled.after.room(for: count) else { return 0 }
        let progress = resampled.rate.process(
            resampled.before.frames, into: UnsafeMutableBufferPointer(rebasing: room[..<(count &* resampled.after.channels)]))
        resampled.before.removeFirst(progress.consumed)
        resampled.after.appended(progress.produced)
        resampled.encoder.convert(
            SampleBuffers(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(resampled.after.frames))),
            to: target, frames: progress.produced)
        return progress.produced
    }

    /// Appends at least `needed` frames of another duration to those before the change of the rate.
    private func stretch(
        _ stretched: Stretched, _ resampled: Resampled, _ needed: Int, _ fill: (Int) throws(RenderFailure) -> Int
    ) throws(RenderFailure) {
        let (stretcher, asked) = (stretched.stretcher, stretched.asked)
        var missing = needed
        while missing > 0 {
            while stretcher.needed > 0 {
                let count = min(stretcher.needed, shape.maximumFrames)
                try ask(count, fill)
                asked.clear()
                guard let room = asked.room(for: count), let start = room.baseAddress else { return }
                resampled.decoder.convert(buffers.samples, to: SampleBuffers(UnsafeMutableRawBufferPointer(room)), frames: count)
                stretcher.append(start, count)
            }
            guard let room = resampled.before.room(for: stretcher.hop), let start = room.baseAddress else { return }
            stretcher.produce((speed?.speed ?? 1) / (speed?.pitchFactor ?? 1), into: start)
            resampled.before.appended(stretcher.hop)
            missing &-= stretcher.hop
        }
    }
}
