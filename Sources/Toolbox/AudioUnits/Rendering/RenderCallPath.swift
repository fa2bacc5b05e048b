// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion
import Resampling

/// Converts frames of a source to the frames that `AudioUnitRender` returns: format, channels, rate. Returns exactly as many
/// frames as were asked for. One thread at a time uses it.
final class RenderCallPath: RenderPath {
    struct Shape: Equatable {
        var source: PCMFormat
        var target: PCMFormat
        /// The channel of the source for each channel of the target; a negative number is silence.
        var map: [Int32]?
        var maximumFrames: Int
        /// The quality of the filter that changes the rate.
        var quality: FilterQuality
    }

    let shape: Shape
    let buffers: SliceBuffers
    let unitBuffers: SliceBuffers
    /// Converts directly between the formats if their rates are equal.
    private let direct: PCMConverter?
    private let resampled: Resampled?
    /// The number of frames that were asked of the source since the last reset.
    private(set) var position = 0.0

    private struct Resampled {
        let decoder: PCMConverter
        let rate: RateConverter
        let encoder: PCMConverter
        /// The converted channels, before and after the change of the rate.
        let before: FrameQueue
        let after: FrameQueue
    }

    static func make(_ shape: Shape) -> RenderCallPath? {
        guard let buffers = SliceBuffers(shape.source, frames: shape.maximumFrames),
            let unitBuffers = SliceBuffers(shape.target, frames: shape.maximumFrames, hasParts: true)
        else { return nil }
        let mapped = mix(shape.map, from: shape.source.channels, to: shape.target.channels)
        if shape.source.sampleRate == shape.target.sampleRate {
            return (try? PCMConverter(from: shape.source, to: shape.target, mix: mapped)).map {
                RenderCallPath(shape, buffers, unitBuffers, $0, nil)
            }
        }
        guard let before = floats(shape.target.channels, like: shape.source),
            let after = floats(shape.target.channels, like: shape.target),
            let decoder = try? PCMConverter(from: shape.source, to: before, mix: mapped),
            let encoder = try? PCMConverter(from: after, to: shape.target),
            let rate = RateConverter.make(
                channels: shape.target.channels, from: shape.source.sampleRate, to: shape.target.sampleRate,
                quality: shape.quality)
        else { return nil }
        let resampled = Resampled(
            decoder: decoder, rate: rate, encoder: encoder,
            before: FrameQueue(channels: shape.target.channels, frames: shape.maximumFrames + 64),
            after: FrameQueue(channels: shape.target.channels, frames: shape.maximumFrames))
        return RenderCallPath(shape, buffers, unitBuffers, nil, resampled)
    }

    private init(
        _ shape: Shape, _ buffers: SliceBuffers, _ unitBuffers: SliceBuffers, _ direct: PCMConverter?, _ resampled: Resampled?
    ) {
        self.shape = shape
        self.buffers = buffers
        self.unitBuffers = unitBuffers
        self.direct = direct
        self.resampled = resampled
    }

    func reset() {
        resampled?.before.clear()
        resampled?.rate.reset()
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
        var needed = resampled.rate.inputFrames(forOutput: count) &- resampled.before.count
        if needed > shape.maximumFrames {
            count = max(resampled.rate.outputFrames(forInput: shape.maximumFrames &+ resampled.before.count), 1)
            needed = min(resampled.rate.inputFrames(forOutput: count) &- resampled.before.count, shape.maximumFrames)
        }
        if needed > 0 {
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
}
