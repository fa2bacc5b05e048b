// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion

/// Adds the sounds of a player, and converts their sum to the format of the unit. One thread at a time uses it.
final class PlayerPath: RenderPath {
    struct Shape: Equatable {
        var target: PCMFormat
        var maximumFrames: Int
    }

    let shape: Shape
    let unitBuffers: SliceBuffers
    private let sum: PlanarFloats
    private let decoded: PlanarFloats
    private let decoder: PCMConverter
    private let encoder: PCMConverter

    static func make(_ shape: Shape) -> PlayerPath? {
        guard let unitBuffers = SliceBuffers(shape.target, frames: shape.maximumFrames, hasParts: true),
            let sum = PlanarFloats(shape.target.channels, rate: shape.target.sampleRate, frames: shape.maximumFrames),
            let decoded = PlanarFloats(shape.target.channels, rate: shape.target.sampleRate, frames: shape.maximumFrames),
            let decoder = try? PCMConverter(from: shape.target, to: sum.format),
            let encoder = try? PCMConverter(from: sum.format, to: shape.target)
        else { return nil }
        return PlayerPath(shape, unitBuffers, sum, decoded, decoder, encoder)
    }

    private init(
        _ shape: Shape, _ unitBuffers: SliceBuffers, _ sum: PlanarFloats, _ decoded: PlanarFloats, _ decoder: PCMConverter,
        _ encoder: PCMConverter
    ) {
        self.shape = shape
        self.unitBuffers = unitBuffers
        self.sum = sum
        self.decoded = decoded
        self.decoder = decoder
        self.encoder = encoder
    }

    func begin(_ frames: Int) { sum.clear(frames) }

    /// Adds frames of a buffer list in the format of the unit.
    func add(_ buffers: SampleBuffers, from first: Int, frames: Int, at offset: Int) {
        decoder.convert(buffers.dropping(first &* shape.target.bytesPerFrame), to: decoded.buffers, frames: frames)
        for channel in 0..<sum.channels { addSound(decoded[channel], 1, to: sum[channel] + offset, frames) }
    }

    /// Adds interleaved floats.
    func add(_ samples: UnsafePointer<Float>, frames: Int, at offset: Int) {
        for channel in 0..<sum.channels { addSound(samples + channel, sum.channels, to: sum[channel] + offset, frames) }
    }

    func finish(_ frames: Int, to target: SampleBuffers) { encoder.convert(sum.buffers, to: target, frames: frames) }
}

// At file scope, as the loops of MixPath.
@inline(never)
@_optimize(speed)
private func addSound(_ source: UnsafePointer<Float>, _ stride: Int, to target: UnsafeMutablePointer<Float>, _ frames: Int) {
    for frame in 0..<frames { target[frame] += source[frame &* stride] }
}
