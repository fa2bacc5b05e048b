// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// Converts the rate of long sounds. It may buffer frames and return them in bursts.
public protocol BulkResampler: AnyObject {
    /// Converts interleaved frames. Returns the numbers of frames that were read and written. The first frame of the output has
    /// the time of the first frame of the input.
    func process(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) throws(ConverterError) -> (consumed: Int, produced: Int)
    /// Discards all input. False when memory is exhausted.
    func reset() -> Bool
}

/// Makes a resampler for a number of channels and two rates. Nil when none is installed.
public typealias BulkResamplerSource = (_ channels: Int, _ from: Double, _ to: Double, _ isBest: Bool) -> (any BulkResampler)?

/// A change of the rate between a reader and the output.
protocol RateConversion: AnyObject {
    /// Input frames that the conversion reads before the first and after the last frame of sound.
    var primeFrames: (leading: Int, trailing: Int) { get }
    func restart()
    /// Writes frames after the first `produced` frames. Adds to `produced`; returns false at the end of the input.
    func read(
        _ reader: FrameReader, into output: SampleBuffers, frames: Int, _ produced: inout Int, _ supply: PacketSupply
    ) throws(ConverterError) -> Bool
}

/// Converts the rate of the frames of a reader with a bulk resampler. Silence precedes and follows the sound.
final class BulkRateStage: RateConversion {
    /// Frames of one step.
    private static let step = 4_096

    private let resampler: any BulkResampler
    private let toFloats: PCMConverter
    private let fromFloats: PCMConverter
    private let channels: Int
    private let memory: UnsafeMutableBufferPointer<Float>
    private var inputFrames: UInt64 = 0
    private var outputFrames: UInt64 = 0
    private var hasEnded = false
    private var isUsable = true

    init(_ resampler: any BulkResampler, _ toFloats: PCMConverter, _ fromFloats: PCMConverter) {
        self.resampler = resampler
        self.toFloats = toFloats
        self.fromFloats = fromFloats
        channels = toFloats.target.channels
        memory = .allocate(capacity: 2 * BulkRateStage.step * channels)
        memory.initialize(repeating: 0)
    }

    deinit { memory.deallocate() }

    private var input: UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(rebasing: memory[..<(BulkRateStage.step &* channels)])
    }

    /// The resampler itself reads silence after the last frame.
    var primeFrames: (leading: Int, trailing: Int) { (0, 0) }

    func restart() {
        (inputFrames, outputFrames, hasEnded) = (0, 0, false)
        isUsable = resampler.reset()
    }

    /// The number of output frames that the input yields: those that begin before the end of the input.
    private var wantedFrames: UInt64 {
        let exact = Double(inputFrames) * fromFloats.target.sampleRate / toFloats.source.sampleRate
        return UInt64(min(max(exact - 1e-6, 0).rounded(.up), 9e18))
    }

    func read(
        _ reader: FrameReader, into output: SampleBuffers, frames: Int, _ produced: inout Int, _ supply: PacketSupply
    ) throws(ConverterError) -> Bool {
        guard isUsable else { throw .outOfMemory }
        while produced < frames {
            var room = min(frames &- produced, BulkRateStage.step)
            let count = try readInput(reader, supply)
            if hasEnded {
                room = min(room, Int(clamping: wantedFrames &- min(outputFrames, wantedFrames)))
                guard room > 0 else {
                    restart()
                    return false
                }
            }
            let floats = UnsafeMutableBufferPointer(
                rebasing: memory[(BulkRateStage.step &* channels)..<((BulkRateStage.step &+ room) &* channels)])
            let progress = try resampler.process(
                UnsafeBufferPointer(rebasing: input[..<(count &* channels)]), into: floats)
            if !hasEnded {
                reader.consume(progress.consumed)
                inputFrames &+= UInt64(progress.consumed)
            }
            guard progress.consumed > 0 || progress.produced > 0 else { throw .unspecified }
            outputFrames &+= UInt64(progress.produced)
            let target = output.dropping(produced &* fromFloats.target.bytesPerFrame)
            produced &+= fromFloats.convert(
                SampleBuffers(UnsafeMutableRawBufferPointer(floats)), to: target, frames: progress.produced)
        }
        return true
    }

    /// Fills the input with frames of the reader, or with silence after the end of the reader's frames.
    private func readInput(_ reader: FrameReader, _ supply: PacketSupply) throws(ConverterError) -> Int {
        if !hasEnded {
            let next = try reader.next(BulkRateStage.step, supply)
            if next.frames > 0 {
                return toFloats.convert(
                    next.buffers, to: SampleBuffers(UnsafeMutableRawBufferPointer(input)), frames: next.frames)
            }
            hasEnded = true
            input.update(repeating: 0)
        }
        return BulkRateStage.step
    }
}
