// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Converts frames from one format of linear PCM to another of the same rate.
///
/// - A sample that the target can represent is exact. Any other sample is rounded once, to the nearest value
///   with ties to even.
/// - Integers clip. Infinity clips as well; NaN becomes silence. Floats keep both.
/// - Padding bits of the source are ignored. Padding of the target is the sign of a sample that is aligned
///   low, and zero otherwise.
///
/// The initializer chooses all code paths. `convert` takes no lock and allocates nothing, and any number of
/// threads may call it. The converter is a class because it is large: a call would copy a structure.
public final class PCMConverter: Sendable {
    public let source: PCMFormat
    public let target: PCMFormat
    private let samples: SampleConversion
    private let route: ChannelRoute
    private let mover: ChannelMover
    /// Nil when the layouts of source and target are equal, when the channels change, and when the processor has no kernel.
    private let stereo: StereoConversion?
    private let silence: UInt64
    private let sourceSize: FrameSize
    private let targetSize: FrameSize
    /// Each buffer of the target corresponds to one buffer of the source.
    private let hasSameBuffers: Bool
    /// The vector kernel for such buffers, if the processor has one.
    private let vector: VectorConversion?
    /// The same conversion as a value. Nil when there is more than one buffer, or no kernel.
    public let bufferConversion: BufferConversion?

    /// `mix` is the standard mix by default. Without `vectors`, the converter uses the code for all processors; the
    /// results are the same.
    public convenience init(
        from source: PCMFormat, to target: PCMFormat, mix: ChannelMix? = nil, usesVectors: Bool = true
    ) throws(PCMConversionError) {
        // In Embedded Swift, an error of a designated initializer leaks the object. Here no object exists yet.
        guard source.sampleRate == target.sampleRate else { throw .sampleRatesDiffer }
        let route = try ChannelRoute(
            mix ?? .standard(from: source.channels, to: target.channels), from: source.channels, to: target.channels)
        self.init(from: source, to: target, route, usesVectors: usesVectors)
    }

    private init(from source: PCMFormat, to target: PCMFormat, _ route: ChannelRoute, usesVectors: Bool) {
        self.source = source
        self.target = target
        self.route = route
        samples = SampleConversion(from: source.sample, to: target.sample, usesVectors: usesVectors)
        stereo = usesVectors && route == .identity ? StereoConversion(from: source, to: target) : nil
        mover = ChannelMover(bytesPerSample: target.sample.bytes)
        silence = target.sample.silence
        sourceSize = FrameSize(source)
        targetSize = FrameSize(target)
        hasSameBuffers = route == .identity && source.bufferCount == target.bufferCount
        vector = hasSameBuffers ? samples.vector : nil
        bufferConversion = BufferConversion(vector, from: source, to: target)
    }

    /// Converts at most `frames` frames, and no more than the buffers hold. Returns the number of frames.
    ///
    /// Buffers need no alignment. The two sets of buffers must not overlap.
    @_optimize(speed)
    @discardableResult
    public func convert(_ input: SampleBuffers, to output: SampleBuffers, frames: Int) -> Int {
        let frames = targetSize.frames(in: output, atMost: sourceSize.frames(in: input, atMost: frames))
        guard frames > 0 else { return 0 }
        if let vector {
            let count = frames &* source.channelsPerBuffer
            for index in 0..<sourceSize.buffers {
                vector.kernel(input[index].baseAddress, output[index].baseAddress, count, vector.scale)
            }
        } else if let stereo {
            convertStereo(stereo, input, output, frames)
        } else {
            convertByRoute(input, output, frames)
        }
        return frames
    }

    /// A separate function, which does not reserve the memory on the stack that the other functions need for a step.
    @inline(never)
    private func convertByRoute(_ input: SampleBuffers, _ output: SampleBuffers, _ frames: Int) {
        switch route {
        case .matrix(let weights): mix(input, output, frames, weights)
        case .identity where hasSameBuffers: convertRuns(input, output, frames)
        case .identity: convertChannels(input, output, frames, nil)
        case .map(let map): convertChannels(input, output, frames, map)
        }
    }

    private func convertRuns(_ input: SampleBuffers, _ output: SampleBuffers, _ frames: Int) {
        for index in 0..<source.bufferCount {
            guard let from = input[index].baseAddress, let to = output[index].baseAddress else { return }
            samples.convert(from, to, frames &* source.channelsPerBuffer)
        }
    }

    /// Converts samples in the source's order, then moves them to their channels.
    private func convertChannels(_ input: SampleBuffers, _ output: SampleBuffers, _ frames: Int, _ map: [Int?]?) {
        if samples.isCopy, let from = ChannelPointers(input, source, 0), let to = ChannelPointers(output, target, 0) {
            move(from, to, frames, map)
            return
        }
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { converted in
            guard let scratch = converted.baseAddress else { return }
            let step = 1024 / (target.sample.bytes &* source.channels)
            var done = 0
            while done < frames {
                let count = min(frames &- done, step)
                for index in 0..<source.bufferCount {
                    guard let from = input[index].baseAddress else { return }
                    samples.convert(
                        from + done &* source.bytesPerFrame, scratch + index &* count &* target.sample.bytes,
                        count &* source.channelsPerBuffer)
                }
                guard let to = ChannelPointers(output, target, done) else { return }
                move(ChannelPointers(scratch, source, target.sample.bytes, count), to, count, map)
                done &+= count
            }
        }
    }

    /// Converts between one buffer and two.
    private func convertStereo(_ stereo: StereoConversion, _ input: SampleBuffers, _ output: SampleBuffers, _ frames: Int) {
        if source.isInterleaved {
            stereo.split(input[0].baseAddress, output[0].baseAddress, output[1].baseAddress, frames)
        } else {
            stereo.join(input[0].baseAddress, input[1].baseAddress, output[0].baseAddress, frames)
        }
    }

    /// Moves samples of the target's format. Without a map, channels of the same number correspond.
    private func move(_ from: ChannelPointers, _ to: ChannelPointers, _ frames: Int, _ map: [Int?]?) {
        if map == nil, target.channels == 2 {
            if from.isInterleaved { return mover.split(from[0].base, to[0].base, to[1].base, frames) }
            return mover.join(from[0].base, from[1].base, to[0].base, frames)
        }
        for channel in 0..<target.channels {
            if let origin = map == nil ? channel : map?[channel] {
                mover.copy(from[origin], to[channel], frames)
            } else {
                mover.fill(to[channel], frames, silence)
            }
        }
    }

    private func mix(_ input: SampleBuffers, _ output: SampleBuffers, _ frames: Int, _ weights: [Double]) {
        let step = SampleConversion.step / max(source.channels, target.channels)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: SampleConversion.step) { decoded in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: SampleConversion.step) { mixed in
                guard let decoded = decoded.baseAddress, let mixed = mixed.baseAddress else { return }
                var done = 0
                while done < frames {
                    let count = min(frames &- done, step)
                    for index in 0..<source.bufferCount {
                        guard let from = input[index].baseAddress else { return }
                        samples.decode(
                            from + done &* source.bytesPerFrame, decoded + index &* count, count &* source.channelsPerBuffer)
                    }
                    add(decoded, mixed, count, weights)
                    for index in 0..<target.bufferCount {
                        guard let to = output[index].baseAddress else { return }
                        samples.encode(
                            mixed + index &* count, to + done &* target.bytesPerFrame, count &* target.channelsPerBuffer)
                    }
                    done &+= count
                }
            }
        }
    }

    /// Adds the weighted channels of the source, in the layouts of source and target.
    private func add(
        _ decoded: UnsafeMutablePointer<Double>, _ mixed: UnsafeMutablePointer<Double>, _ frames: Int, _ weights: [Double]
    ) {
        let from = ChannelPointers(decoded, source, 8, frames)
        let to = ChannelPointers(mixed, target, 8, frames)
        for channel in 0..<target.channels {
            fillWithSilence(to[channel], frames)
            for origin in 0..<source.channels {
                let weight = weights[channel &* source.channels &+ origin]
                if weight != 0 { addWeighted(from[origin], to[channel], frames, weight) }
            }
        }
    }
}

@_optimize(speed)
private func fillWithSilence(_ target: ChannelRun, _ count: Int) {
    for index in 0..<count { target.base.storeBytes(of: 0, toByteOffset: index &* target.stride &* 8, as: Double.self) }
}

@_optimize(speed)
private func addWeighted(_ source: ChannelRun, _ target: ChannelRun, _ count: Int, _ weight: Double) {
    for index in 0..<count {
        let offset = index &* target.stride &* 8
        let sum = target.base.load(fromByteOffset: offset, as: Double.self)
        let sample = source.base.load(fromByteOffset: index &* source.stride &* 8, as: Double.self)
        target.base.storeBytes(of: sum + sample * weight, toByteOffset: offset, as: Double.self)
    }
}

/// The number of buffers of a stream, and the bytes of a frame in each.
private struct FrameSize {
    let buffers: Int
    let bytes: Int

    init(_ format: PCMFormat) { (buffers, bytes) = (format.bufferCount, format.bytesPerFrame) }

    /// `wanted` frames, or as many as every buffer holds; 0 when a buffer is missing.
    @inline(__always)
    func frames(in memory: SampleBuffers, atMost wanted: Int) -> Int {
        var frames = max(wanted, 0)
        for index in 0..<buffers {
            let (size, overflow) = frames.multipliedReportingOverflow(by: bytes)
            // Most buffers are large enough. This case needs no division.
            if overflow || size > memory[index].count { frames = memory[index].count / bytes }
        }
        return frames
    }
}

/// A conversion of one buffer to one other by a vector kernel. A plain value, because counting the references to the parts of a
/// converter takes longer than the conversion of a short buffer.
public struct BufferConversion: Sendable {
    private let vector: VectorConversion
    private let samplesPerFrame: Int
    public let sourceBytes: Int
    public let targetBytes: Int

    fileprivate init?(_ vector: VectorConversion?, from source: PCMFormat, to target: PCMFormat) {
        guard let vector, source.bufferCount == 1 else { return nil }
        self.vector = vector
        samplesPerFrame = source.channelsPerBuffer
        (sourceBytes, targetBytes) = (source.bytesPerFrame, target.bytesPerFrame)
    }

    /// Converts frames. The caller has checked the sizes of the buffers.
    public func convert(_ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, frames: Int) {
        vector.kernel(input, output, frames &* samplesPerFrame, vector.scale)
    }
}

/// The first sample of each channel.
private struct ChannelPointers {
    private let stride: Int
    private var bases: InlineArray<8, UnsafeMutableRawPointer>

    /// The channels of a stream from frame `start` on. Nil when the first buffer is missing.
    init?(_ buffers: SampleBuffers, _ format: PCMFormat, _ start: Int) {
        guard let first = buffers[0].baseAddress else { return nil }
        stride = format.channelsPerBuffer
        bases = InlineArray(repeating: first)
        for channel in 0..<format.channels {
            let base = format.isInterleaved ? first + channel &* format.sample.bytes : buffers[channel].baseAddress ?? first
            bases[channel] = base + start &* format.bytesPerFrame
        }
    }

    /// The channels of `frames` frames of samples of another size, in the layout of `format`. Channels
    /// that are not interleaved follow each other.
    init(_ base: UnsafeMutableRawPointer, _ format: PCMFormat, _ bytesPerSample: Int, _ frames: Int) {
        stride = format.channelsPerBuffer
        bases = InlineArray(repeating: base)
        for channel in 0..<format.channels {
            bases[channel] = base + channel &* bytesPerSample &* (format.isInterleaved ? 1 : frames)
        }
    }

    var isInterleaved: Bool { stride > 1 }

    subscript(channel: Int) -> ChannelRun { ChannelRun(base: bases[channel], stride: stride) }
}
