// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import MediaFormats
import PCMConversion
import Resampling
import Synchronization

/// Records into the chain of a queue: maps the channels, changes the rate, and encodes.
///
/// Frames that are captured without a buffer, or that the device loses, are lost; each gap is counted.
final class InputVoice: Voice, @unchecked Sendable {
    private enum VoicePhase { case fresh, recording, resting }

    private static let block = 256

    private let format: SoundFormat
    private let encoder: SoundEncoder
    private var resampler: RateConverter?
    private var deviceRate = 0.0
    private var isUsable = false
    private var mapped: UnsafeMutableBufferPointer<Float>
    private var resampled: UnsafeMutableBufferPointer<Float>
    private var mode = VoicePhase.fresh
    private var isLosing = false
    /// A buffer may have any number of frames. A packet has a constant number.
    private let mayEndEarly: Bool

    init(_ format: SoundFormat, _ encoder: SoundEncoder, first: Link, isForCodec: Bool) {
        self.format = format
        mayEndEarly = format.framesPerPacket == 1 && !isForCodec
        self.encoder = encoder
        mapped = .allocate(capacity: InputVoice.block * format.channels)
        mapped.initialize(repeating: 0)
        resampled = .allocate(capacity: 0)
        super.init(rate: format.rate, channels: format.channels, first: first)
    }

    deinit {
        mapped.deallocate()
        resampled.deallocate()
    }

    override func configure(_ format: pull_format) {
        isMismatched.store(false, ordering: .relaxed)
        guard format.input_rate != deviceRate else { return }
        deviceRate = format.input_rate
        let channels = self.format.channels
        resampler = rate == deviceRate ? nil : RateConverter.make(channels: channels, from: deviceRate, to: rate)
        isUsable = resampler != nil || rate == deviceRate
        resampled.deallocate()
        let frames = resampler == nil ? 0 : Int(Double(InputVoice.block) * rate / deviceRate) + 64
        resampled = .allocate(capacity: frames * channels)
        resampled.initialize(repeating: 0)
    }

    override func rewind(to link: Link, at start: StartTime) {
        super.rewind(to: link, at: start)
        resampler?.reset()
        encoder.reset()
        mode = .fresh
        isLosing = false
    }

    /// The number of frames in the cursor's buffer, if it is not full.
    var partial: (number: UInt64, frames: UInt64)? {
        offset < cursor.pointee.frames ? (cursor.pointee.number, offset) : nil
    }

    override func render(_ slice: Slice) -> VoiceEvents {
        guard deviceRate == slice.rate else {
            return isMismatched.exchange(true, ordering: .acquiringAndReleasing) ? .none : .other
        }
        guard isUsable, let input = slice.input else { return .none }
        let wanted = currentRequest
        if wanted != executedRequest { execute(wanted) }
        guard mode == .recording else { return hasCompleted() ? .other : .none }
        guard let start = scheduled.offset(in: slice) else { return .none }
        scheduled = .now
        let before = finished.load(ordering: .relaxed)
        if slice.lostFrames > 0 {
            addLoss()
            endBufferAtGap()
            position += Double(slice.lostFrames) * rate / deviceRate
        }
        let first = position
        var offset = start
        while offset < slice.frames, mode == .recording {
            let count = min(slice.frames - offset, InputVoice.block)
            record(input + offset * slice.channels, count, slice, offset)
            offset += count
        }
        publish(from: first, to: position, at: slice.time(of: start), floor: first, slice)
        if hasBegun() { return .other }
        return finished.load(ordering: .relaxed) != before ? .finished : .none
    }

    private func execute(_ wanted: VoiceRequest) {
        executedRequest = wanted
        mode = wanted.kind == .pause ? .resting : .recording
    }

    private func addLoss() { countGap() }

    /// Records captured frames, a block at most.
    private func record(_ input: UnsafePointer<Float>, _ frames: Int, _ slice: Slice, _ offset: Int) {
        guard let target = mapped.baseAddress else { return }
        let channels = format.channels
        copyFrames(input, channels: slice.channels, to: target, targetChannels: channels, frames: frames)
        guard let resampler else {
            write(target, frames, slice.time(of: offset))
            return
        }
        let made = min(resampler.outputFrames(forInput: frames), resampled.count / channels)
        let room = UnsafeMutableBufferPointer(rebasing: resampled[0..<made * channels])
        let source = UnsafeBufferPointer(start: target, count: frames * channels)
        let produced = resampler.process(source, into: room).produced
        if produced > 0, let samples = room.baseAddress { write(samples, produced, slice.time(of: offset)) }
    }

    /// Writes frames of the queue's rate into its buffers.
    private func write(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ time: UInt64) {
        if isMetering.load(ordering: .relaxed) { meter.measure(samples, frames: frames, rate: rate) }
        let channels = format.channels
        var done = 0
        while done < frames {
            guard offset < cursor.pointee.frames else {
                if enterNextLink(time, done) { continue }
                if executedRequest.kind == .drain { mode = .resting } else { lose() }
                position += Double(frames - done)
                return
            }
            let count = min(frames - done, Int(min(cursor.pointee.frames - offset, 1 << 30)))
            encoder.encode(samples + done * channels, count, to: cursor.pointee.bytes, from: Int(offset))
            offset += UInt64(count)
            position += Double(count)
            done += count
            isLosing = false
            if offset >= cursor.pointee.frames { finishLink(recorded: offset) }
        }
        if executedRequest.kind == .drain, offset >= cursor.pointee.frames, queue_link_next(cursor) == nil { mode = .resting }
    }

    private func lose() {
        if !isLosing { addLoss() }
        isLosing = true
    }

    /// The frames after a gap are in the next buffer, whose start time shows the gap. A packet of several frames is completed with
    /// them.
    private func endBufferAtGap() {
        guard mayEndEarly, offset > 0, let partial else { return }
        finishLink(recorded: partial.frames)
        offset = cursor.pointee.frames
    }

    private func finishLink(recorded: UInt64) {
        cursor.pointee.recorded = recorded
        finishLink()
    }

    private func enterNextLink(_ time: UInt64, _ done: Int) -> Bool {
        guard advance() else { return false }
        offset = 0
        cursor.pointee.recorded_frame = UInt64(position)
        cursor.pointee.recorded_time = time &+ UInt64(Double(done) * 1e9 / rate)
        if cursor.pointee.frames == 0 { finishLink() }
        return true
    }
}
