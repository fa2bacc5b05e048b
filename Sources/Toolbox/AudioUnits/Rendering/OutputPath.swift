// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import MediaFormats
import PCMConversion
import Resampling

/// Converts the program's frames to those of the device: format, channels, rate. Only the stream's thread uses it.
final class OutputPath: RenderPath {
    struct Shape: Equatable {
        var client: PCMFormat
        var rate: Double
        var deviceChannels: Int
        /// The channel of the program for each channel of the device; a negative number is silence.
        var map: [Int32]?
        var maximumFrames: Int
        /// The quality of the filter that changes the rate.
        var quality: FilterQuality

        var channels: Int { min(max(deviceChannels, 1), SampleBuffers.capacity) }
        /// The program has native 16-bit samples, in one buffer with the channels of the device.
        var hasInt16FramesOfDevice: Bool {
            client.sample.isNativeInt16 && client.bufferCount == 1 && client.channels == deviceChannels && map == nil
        }
    }

    let shape: Shape
    let buffers: SliceBuffers
    private let decoder: PCMConverter
    /// The frames at the program's rate, with the channels of the device.
    private let queue: FrameQueue
    /// The memory of the device, for the first slice of a cycle if it needs no queue, and the number of frames in it.
    private var target: UnsafeMutableBufferPointer<Float>?
    private var framesInTarget = 0
    /// The memory of the device for 16-bit frames. Nil if the device does not accept them now, or the program has none.
    private var integers: UnsafeMutablePointer<Int16>?
    /// The slice in the device's memory has 16-bit frames.
    private var isCopied = false
    private let rate: RateConverter?
    /// The program has the 16-bit frames of a device.
    private let canCopy: Bool
    /// Nil when too many units play.
    private let echo: EchoSource?
    var gain = VolumeRamp()
    private var smoother: TransitionSmoother

    static func make(_ shape: Shape, _ echo: EchoReference) -> OutputPath? {
        guard let buffers = SliceBuffers(shape.client, frames: shape.maximumFrames),
            let decoder = converter(from: shape.client, toFloats: shape.channels, shape.map)
        else { return nil }
        var rate: RateConverter?
        if shape.rate != shape.client.sampleRate {
            rate = RateConverter.make(
                channels: shape.channels, from: shape.client.sampleRate, to: shape.rate, quality: shape.quality)
            guard rate != nil else { return nil }
        }
        return OutputPath(shape, buffers, decoder, rate, EchoSource.make(echo, deviceRate: shape.rate))
    }

    private init(
        _ shape: Shape, _ buffers: SliceBuffers, _ decoder: PCMConverter, _ rate: RateConverter?, _ echo: EchoSource?
    ) {
        self.echo = echo
        self.shape = shape
        self.buffers = buffers
        self.decoder = decoder
        self.rate = rate
        canCopy = rate == nil && shape.hasInt16FramesOfDevice
        queue = FrameQueue(channels: shape.channels, frames: 2 * shape.maximumFrames + 64)
        smoother = TransitionSmoother(channels: shape.channels)
    }

    deinit { smoother.free() }

    func reset() {
        queue.clear()
        forgetTarget()
        smoother.reset()
        rate?.reset()
    }

    /// The delay of the conversion in seconds.
    var latency: Double { rate?.latency ?? 0 }
    /// Frames at the program's rate that will be heard before the next slice.
    var framesAhead: Int { framesInTarget &+ queue.count &+ (rate?.inputLatency ?? 0) }
    /// The number of frames of the device that the frames in this path yield.
    var available: Int { rate?.outputFrames(forInput: queue.count) ?? framesInTarget &+ queue.count }
    var hasRoom: Bool { queue.capacity &- queue.count >= shape.maximumFrames }

    /// Called at the beginning of a cycle. Its first slice is written to the device's memory if no frame is in the queue.
    /// `integers` is that memory for 16-bit frames.
    func begin(_ output: UnsafeMutablePointer<Float>, integers: UnsafeMutablePointer<Int16>?, _ room: Int) {
        guard rate == nil, shape.deviceChannels == shape.channels else { return }
        target = UnsafeMutableBufferPointer(start: output, count: room &* shape.channels)
        self.integers = canCopy ? integers : nil
    }

    private func forgetTarget() { (target, framesInTarget, integers, isCopied) = (nil, 0, nil, false) }

    /// The memory for the next frames. Nil when there is not enough room.
    private func makeRoom(_ frames: Int) -> UnsafeMutableBufferPointer<Float>? {
        guard framesInTarget == 0, queue.count == 0, let target, target.count >= frames &* shape.channels else {
            return queue.room(for: frames)
        }
        framesInTarget = frames
        return target
    }

    /// Appends a slice: `filled` frames of the buffers, and silence. A cycle needs `enough` frames.
    func append(_ filled: Int, of frames: Int, enough: Int, _ volume: OutputVolume, isTransition: Bool = false) {
        volume.events.beginSlice()
        defer { volume.events.endSlice(frames) }
        gain.begin(volume, frames: frames)
        if frames >= enough, !isTransition, gain.isUnity, copy(min(filled, frames), of: frames) { return }
        guard let room = makeRoom(frames), let floats = room.baseAddress else { return }
        let channels = shape.channels
        var done = 0
        if filled > 0 {
            done = decoder.convert(
                buffers.samples, to: SampleBuffers(UnsafeMutableRawBufferPointer(room)), frames: min(filled, frames))
        }
        (floats + done &* channels).update(repeating: 0, count: (frames &- done) &* channels)
        gain.apply(volume, floats, channels: channels, frames: frames)
        smoother.apply(floats, frames: frames, isTransition: isTransition)
        if floats != target?.baseAddress { queue.appended(frames) }
    }

    /// Copies 16-bit frames to the device without a conversion. False if the device, the queue or an echo canceller needs floats.
    private func copy(_ filled: Int, of frames: Int) -> Bool {
        guard let integers, let target, framesInTarget == 0, queue.count == 0, target.count >= frames &* shape.channels,
            echo?.isWanted != true, let source = buffers.firstBytes
        else { return false }
        let bytes = UnsafeMutableRawPointer(integers)
        let filledBytes = filled &* buffers.format.bytesPerFrame
        linux_copy_samples(bytes, source, filledBytes)
        linux_clear_samples(bytes + filledBytes, frames &* buffers.format.bytesPerFrame &- filledBytes)
        smoother.keepLast(integers + (frames &- 1) &* shape.channels)
        (framesInTarget, isCopied) = (frames, true)
        return true
    }

    /// Moves at most `room` frames to the device. The first one is heard at `time`. Returns the number of frames, and whether
    /// they have 16 bits.
    func produce(
        _ output: UnsafeMutablePointer<Float>, _ room: Int, heardAt time: UInt64
    ) -> (frames: Int, areIntegers: Bool) {
        if isCopied {
            defer { forgetTarget() }
            return (framesInTarget, true)
        }
        let frames = shape.deviceChannels != shape.channels ? produceWide(output, room) : produceEqual(output, room)
        echo?.write(output, channels: shape.deviceChannels, frames: frames, heardAt: time)
        return (frames, false)
    }

    /// Moves the slice in the device's memory first.
    private func produceEqual(_ output: UnsafeMutablePointer<Float>, _ room: Int) -> Int {
        let first = framesInTarget
        forgetTarget()
        let rest = UnsafeMutableBufferPointer(
            start: output + first &* shape.channels, count: (room &- first) &* shape.channels)
        return first &+ move(rest, room &- first)
    }

    private func move(_ output: UnsafeMutableBufferPointer<Float>, _ room: Int) -> Int {
        if let rate {
            let progress = rate.process(queue.frames, into: output)
            queue.removeFirst(progress.consumed)
            return progress.produced
        }
        let frames = min(queue.count, room)
        guard frames > 0, let source = queue.frames.baseAddress, let target = output.baseAddress else { return 0 }
        stream_copy(target, source, frames &* shape.channels)
        queue.removeFirst(frames)
        return frames
    }

    /// For a device with more channels than a format can have: the other channels are silent.
    private func produceWide(_ output: UnsafeMutablePointer<Float>, _ room: Int) -> Int {
        let channels = shape.channels
        let frames = move(UnsafeMutableBufferPointer(start: output, count: room &* channels), room)
        var frame = frames &- 1
        while frame >= 0 {
            let source = output + frame &* channels
            let target = output + frame &* shape.deviceChannels
            stream_copy(target, source, channels)
            (target + channels).update(repeating: 0, count: shape.deviceChannels &- channels)
            frame &-= 1
        }
        return frames
    }
}

/// Interleaved floats at the rate of `format`.
func floats(_ channels: Int, like format: PCMFormat) -> PCMFormat? {
    try? PCMFormat(sampleRate: format.sampleRate, channels: channels, sample: .float32())
}

/// Nil when the map names a channel that does not exist.
private func converter(from client: PCMFormat, toFloats channels: Int, _ map: [Int32]?) -> PCMConverter? {
    guard let target = floats(channels, like: client) else { return nil }
    return try? PCMConverter(from: client, to: target, mix: mix(map, from: client.channels, to: channels))
}

/// The mix for a channel map. A map for another number of channels is truncated, or extended with silence.
func mix(_ map: [Int32]?, from source: Int, to target: Int) -> ChannelMix? {
    guard let map else { return nil }
    return .map(
        (0..<target).map { channel in
            guard channel < map.count, let origin = Int(exactly: map[channel]), 0..<source ~= origin else { return nil }
            return origin
        })
}
