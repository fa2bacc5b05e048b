// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion
import Resampling

/// How a rate conversion gets the frames before the first and after the last one: `kConverterPrimeMethod_…`.
public enum PrimeMethod: UInt32, Sendable {
    /// The program gives frames that lie before the sound.
    case pre = 0
    /// Silence lies before the sound, and the output begins with the first frame.
    case normal = 1
    /// The output is late by the length of the filter. The same number of frames is lost at the end.
    case none = 2
}

/// Changes the rate of the frames of a reader.
final class RateStage {
    /// Frames of one step.
    private static let step = 4_096

    private var resampler: BlockResampler
    private let toFloats: PCMConverter
    private let fromFloats: PCMConverter
    private let inputFloats: UnsafeMutableBufferPointer<Float>
    private let outputFloats: UnsafeMutableBufferPointer<Float>
    private let rates: (input: Double, output: Double)
    let method: PrimeMethod
    /// Output frames that are dropped because they lie before the sound.
    private var leading = 0
    /// Frames of silence after the end that are still to be read. Nil before the end.
    private var trailing: Int?

    private init(
        _ resampler: consuming BlockResampler, _ toFloats: PCMConverter, _ fromFloats: PCMConverter, _ method: PrimeMethod
    ) {
        self.toFloats = toFloats
        self.fromFloats = fromFloats
        self.method = method
        rates = (toFloats.source.sampleRate, fromFloats.target.sampleRate)
        let count = RateStage.step * resampler.channels
        inputFloats = .allocate(capacity: count)
        outputFloats = .allocate(capacity: count)
        inputFloats.initialize(repeating: 0)
        outputFloats.initialize(repeating: 0)
        self.resampler = resampler
        restart()
    }

    deinit {
        inputFloats.deallocate()
        outputFloats.deallocate()
    }

    /// Channels are mixed before or after the conversion of the rate: on the side where fewer channels have to be converted.
    static func make(
        from source: PCMFormat, to target: PCMFormat, mix: ChannelMix?, quality: RateQuality, method: PrimeMethod
    ) throws(ConverterError) -> RateStage {
        guard BlockResampler.rates.contains(source.sampleRate) else { throw .inputSampleRateOutOfRange }
        guard BlockResampler.rates.contains(target.sampleRate) else { throw .outputSampleRateOutOfRange }
        let channels = min(source.channels, target.channels)
        let mixesFirst = channels == target.channels
        let floats = try floatFormat(source.sampleRate, channels)
        let results = try floatFormat(target.sampleRate, channels)
        let toFloats = try pcmConverter(source, floats, mixesFirst ? mix : nil)
        let fromFloats = try pcmConverter(results, target, mixesFirst ? nil : mix)
        // The rates are checked, and the formats have at most the channels of a resampler.
        do throws(ResamplerError) {
            // With the method `pre`, the frames before the sound fill whole periods of the ratio. An exact ratio can have long
            // periods.
            let resampler = try BlockResampler(
                channels: channels, from: source.sampleRate, to: target.sampleRate, quality: quality.filter,
                hasShortPeriods: method == .pre)
            return RateStage(resampler, toFloats, fromFloats, method)
        } catch { throw .formatNotSupported }
    }

    private static func floatFormat(_ rate: Double, _ channels: Int) throws(ConverterError) -> PCMFormat {
        do throws(PCMFormatError) {
            return try PCMFormat(sampleRate: rate, channels: channels, sample: .float32())
        } catch { throw .formatNotSupported }
    }

    /// Discards all input.
    func restart() {
        resampler.reset()
        trailing = nil
        leading = 0
        switch method {
        case .none: break
        case .normal: resampler.skipLatency()
        case .pre:
            resampler.skipLatency()
            leading = resampler.wholePeriods(atLeast: resampler.inputLatency).output
        }
    }

    /// Input frames that the conversion reads before the first and after the last frame of sound.
    var primeFrames: (leading: Int, trailing: Int) {
        switch method {
        case .none: (0, 0)
        case .normal: (0, resampler.inputLatency)
        case .pre: (resampler.wholePeriods(atLeast: resampler.inputLatency).input, resampler.inputLatency)
        }
    }

    /// Writes frames after the first `produced` frames. Adds to `produced`; returns false at the end of the input.
    func read(
        _ reader: FrameReader, into output: SampleBuffers, frames: Int, _ produced: inout Int, _ supply: PacketSupply
    ) throws(ConverterError) -> Bool {
        while produced < frames {
            var room = min(frames &- produced &+ leading, RateStage.step)
            let needed = min(resampler.inputFrames(forOutput: room), RateStage.step)
            let input = needed > 0 ? try readInput(reader, needed, supply) : 0
            if needed > 0, input == 0 {
                room = min(room, resampler.outputFrames(forInput: 0))
                guard room > 0 else {
                    restart()
                    return false
                }
            }
            produced &+= write(input, room, output.dropping(produced &* fromFloats.target.bytesPerFrame))
        }
        return true
    }

    /// Fills the input with at most `frames` frames: of the reader, then of silence. Returns 0 after the silence.
    private func readInput(
        _ reader: FrameReader, _ frames: Int, _ supply: PacketSupply
    ) throws(ConverterError) -> Int {
        if trailing == nil {
            let next = try reader.next(frames, supply)
            if next.frames > 0 {
                let floats = SampleBuffers(UnsafeMutableRawBufferPointer(inputFloats))
                toFloats.convert(next.buffers, to: floats, frames: next.frames)
                reader.consume(next.frames)
                return next.frames
            }
            trailing = primeFrames.trailing
        }
        let silence = min(trailing ?? 0, frames)
        trailing = (trailing ?? 0) &- silence
        inputFloats[..<(silence &* resampler.channels)].update(repeating: 0)
        return silence
    }

    /// Converts the rate of `input` frames. Returns the number of frames that were written.
    private func write(_ input: Int, _ room: Int, _ output: SampleBuffers) -> Int {
        let progress = resampler.process(
            UnsafeBufferPointer(rebasing: inputFloats[..<(input &* resampler.channels)]),
            into: UnsafeMutableBufferPointer(rebasing: outputFloats[..<(room &* resampler.channels)]))
        let dropped = min(leading, progress.produced)
        leading &-= dropped
        let frames = progress.produced &- dropped
        let floats = SampleBuffers(
            UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(outputFloats)[(dropped &* resampler.channels &* 4)...]))
        return fromFloats.convert(floats, to: output, frames: frames)
    }
}

/// A converter of the same rate, with errors of this module.
func pcmConverter(_ source: PCMFormat, _ target: PCMFormat, _ mix: ChannelMix?) throws(ConverterError) -> PCMConverter {
    do throws(PCMConversionError) { return try PCMConverter(from: source, to: target, mix: mix) } catch { throw .parameter }
}
