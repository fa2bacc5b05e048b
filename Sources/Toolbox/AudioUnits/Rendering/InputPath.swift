// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import MediaFormats
import PCMConversion
import Resampling

/// Converts the device's frames to those that the program receives: rate, slices, channels, format. Only the stream's thread
/// uses it.
final class InputPath: RenderPath {
    struct Shape: Equatable {
        var client: PCMFormat
        var rate: Double
        var deviceChannels: Int
        /// The channel of the device for each channel of the program; a negative number is silence.
        var map: [Int32]?
        var maximumFrames: Int
        /// The output drives the stream, and the input has another clock.
        var followsClock: Bool
        /// Removes echo, noise and changes of level. The result has one channel.
        var isVoice: Bool
        /// The quality of the filter that changes the rate.
        var quality: FilterQuality

        var channels: Int { isVoice ? 1 : min(max(deviceChannels, 1), SampleBuffers.capacity) }
    }

    let shape: Shape
    private let encoder: PCMConverter
    private let rate: RateConverter?
    private let voice: VoicePath?
    /// The frames at the program's rate, with the channels of the device.
    private let queue: FrameQueue
    private let slice: UnsafeMutablePointer<Float>
    private let narrow: UnsafeMutablePointer<Float>?
    private let narrowFrames: Int
    private let unitBuffers: SliceBuffers
    /// The frames of the current slice, and how many of them a callback has read.
    private(set) var sliceFrames = 0
    private var position = 0
    /// The frames at the program's rate that were dropped since the last slice.
    private var lost = 0
    /// The largest number of frames of one cycle.
    private var burst = 0
    /// The number of slices that had to wait for frames.
    private var waits = 0
    /// The smallest number of frames after a slice, and the number of frames over which it was measured.
    private var leastReserve = Int.max
    private var controlledFrames = 0
    /// The control of the reserve adds this value to the measured drift.
    private var trim = 0.0
    /// The time at which the frame after the last one in the queue was captured, in nanoseconds: the delays of the resampler and of
    /// the voice processor come before it.
    private var endTime = 0.0
    /// The time of the last slice. No later slice has an earlier time.
    private var lastTime = 0.0

    static func make(_ shape: Shape, _ echo: EchoReference) -> InputPath? {
        guard let source = floats(shape.channels, like: shape.client),
            let unitBuffers = SliceBuffers(shape.client, frames: shape.maximumFrames, hasParts: true)
        else { return nil }
        var (rate, voice): (RateConverter?, VoicePath?)
        if shape.isVoice {
            voice = VoicePath.make(
                echo, deviceRate: shape.rate, clientRate: shape.client.sampleRate, followsClock: shape.followsClock)
            guard voice != nil else { return nil }
        } else if shape.rate != shape.client.sampleRate || shape.followsClock {
            rate = RateConverter.make(
                channels: shape.channels, from: shape.rate, to: shape.client.sampleRate, quality: shape.quality,
                followsClock: shape.followsClock)
            guard rate != nil else { return nil }
        }
        let mapped = shape.isVoice ? nil : mix(shape.map, from: shape.channels, to: shape.client.channels)
        return (try? PCMConverter(from: source, to: shape.client, mix: mapped)).map {
            InputPath(shape, $0, rate, voice, unitBuffers)
        }
    }

    private init(
        _ shape: Shape, _ encoder: PCMConverter, _ rate: RateConverter?, _ voice: VoicePath?, _ unitBuffers: SliceBuffers
    ) {
        self.voice = voice
        self.shape = shape
        self.encoder = encoder
        self.rate = rate
        self.unitBuffers = unitBuffers
        queue = FrameQueue(
            channels: shape.channels, frames: 4 * shape.maximumFrames + Int(shape.client.sampleRate / 4))
        slice = .allocate(capacity: shape.maximumFrames * shape.channels)
        slice.initialize(repeating: 0, count: shape.maximumFrames * shape.channels)
        narrowFrames = shape.deviceChannels > shape.channels && !shape.isVoice ? 4096 : 0
        narrow = narrowFrames == 0 ? nil : .allocate(capacity: narrowFrames * shape.channels)
    }

    deinit {
        slice.deallocate()
        narrow?.deallocate()
    }

    func reset() {
        queue.clear()
        rate?.reset()
        voice?.reset()
        sliceFrames = 0
        lost = 0
        burst = 0
        waits = 0
        leastReserve = .max
        controlledFrames = 0
        trim = 0
    }

    var latency: Double { voice?.latency ?? rate?.latency ?? 0 }
    func setGainControl(_ on: Bool) { voice?.setGainControl(on) }
    var available: Int { queue.count }

    // MARK: From the device

    /// Accepts all captured frames. The first one was captured at `time`.
    func accept(_ input: UnsafePointer<Float>, _ frames: Int, time: UInt64, drift: Double) {
        let end = Double(time) + Double(frames) / shape.rate * 1e9
        if shape.followsClock {
            rate?.setDrift(drift * (1 + trim))
            voice?.setDrift(drift * (1 + trim))
        }
        if let voice {
            acceptVoice(input, frames, voice, endingAt: end)
            return setEndTime(end)
        }
        if let narrow {
            acceptNarrowed(input, frames, narrow)
        } else {
            accept(UnsafeBufferPointer(start: input, count: frames &* shape.channels), frames)
        }
        setEndTime(end)
    }

    /// The device has captured no frame since the last cycle. The next frame is captured at `time`; 0: unknown.
    func acceptNothing(until time: UInt64) {
        if time > 0 { setEndTime(Double(time)) }
    }

    private func setEndTime(_ captured: Double) { endTime = captured - (voice?.delay ?? rate?.latency ?? 0) * 1e9 }

    private func acceptVoice(_ input: UnsafePointer<Float>, _ frames: Int, _ voice: VoicePath, endingAt end: Double) {
        var done = 0
        while done < frames {
            let count = min(frames &- done, VoicePath.portion)
            let rest = Double(frames &- done &- count) / shape.rate * 1e9
            voice.accept(input + done &* shape.deviceChannels, channels: shape.deviceChannels, count, endingAt: end - rest)
            accept(voice.output.frames, voice.output.count)
            done &+= count
        }
    }

    private func acceptNarrowed(_ input: UnsafePointer<Float>, _ frames: Int, _ narrow: UnsafeMutablePointer<Float>) {
        var done = 0
        while done < frames {
            let count = min(frames &- done, narrowFrames)
            for frame in 0..<count {
                (narrow + frame &* shape.channels).update(
                    from: input + (done &+ frame) &* shape.deviceChannels, count: shape.channels)
            }
            accept(UnsafeBufferPointer(start: narrow, count: count &* shape.channels), count)
            done &+= count
        }
    }

    private func accept(_ input: UnsafeBufferPointer<Float>, _ frames: Int) {
        let added = rate?.outputFrames(forInput: frames) ?? frames
        burst = max(burst, added)
        guard added <= queue.capacity else {
            lost &+= added
            return
        }
        drop(added &- (queue.capacity &- queue.count))
        queue.append(input, through: rate)
    }

    private func drop(_ frames: Int) {
        guard frames > 0 else { return }
        queue.removeFirst(frames)
        lost &+= frames
    }

    // MARK: Slices

    /// The time of a slice on the clock of the input.
    struct SliceTime {
        /// The number of frames that were lost before the slice.
        var lost: Int
        /// In nanoseconds: the time at which the first frame was captured.
        var hostTime: UInt64
    }

    /// Makes the next `frames` frames the current slice. Silence replaces missing frames, and delays the sound so that later
    /// slices are complete.
    func cut(_ frames: Int, isMuted: Bool) -> SliceTime {
        let frames = min(frames, shape.maximumFrames)
        // More frames than two slices and two cycles would only delay the sound.
        if queue.count > 2 &* (frames &+ burst) { drop(queue.count &- frames &- burst) }
        if queue.count < frames { wait(frames) }
        let start = endTime - Double(queue.count) / shape.client.sampleRate * 1e9
        lastTime = max(lastTime, start)
        let time = SliceTime(lost: lost, hostTime: UInt64(exactly: lastTime.rounded()) ?? 0)
        lost = 0
        if let source = queue.frames.baseAddress { stream_copy(slice, source, frames &* shape.channels) }
        if isMuted { slice.update(repeating: 0, count: frames &* shape.channels) }
        queue.removeFirst(frames)
        sliceFrames = frames
        position = 0
        if shape.followsClock { control(frames) }
        return time
    }

    /// Inserts silence before the slice: the missing frames, and a reserve for the next slices. The reserve grows each time it
    /// was too small.
    private func wait(_ frames: Int) {
        var reserve = 16 &* waits
        if rate != nil || voice != nil { reserve &+= shape.followsClock ? driftReserve(frames) : 8 }
        queue.insertSilence(frames &- queue.count &+ min(reserve, frames))
        waits &+= 1
    }

    /// The size of the reserve for an input with another clock.
    private func driftReserve(_ frames: Int) -> Int { 8 &+ frames / 8 }

    /// Controls the size of the reserve, because the measured drift has an error, which would use up the reserve. The smallest
    /// reserve within a second is controlled, because devices deliver frames in portions.
    private func control(_ frames: Int) {
        leastReserve = min(leastReserve, queue.count)
        controlledFrames &+= frames
        guard Double(controlledFrames) >= shape.client.sampleRate else { return }
        let error = Double(leastReserve &- min(driftReserve(frames), frames))
        trim = min(max(error / shape.client.sampleRate / 4, -100e-6), 100e-6)
        leastReserve = .max
        controlledFrames = 0
    }

    /// The next callback reads the slice from its beginning.
    func rewind() { position = 0 }

    /// Writes frames of the slice into the program's buffers. Successive calls with fewer frames than the slice receive its parts
    /// in order; a call after the end of the slice receives its beginning again.
    func read(_ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>, allocating isAllocating: Bool) throws(UnitError) {
        guard frames <= sliceFrames else { throw .tooManyFrames }
        try PreparedOutput.prepare(list, for: shape.client, frames, from: isAllocating ? unitBuffers : nil)
        if sliceFrames &- position < frames { position = 0 }
        let start = UnsafeMutableRawPointer(slice + position &* shape.channels)
        encoder.convert(
            SampleBuffers(UnsafeMutableRawBufferPointer(start: start, count: frames &* shape.channels &* 4)),
            to: BufferList(list).memory(), frames: frames)
        position &+= frames
    }
}
