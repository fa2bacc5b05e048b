// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import PCMConversion
import Synchronization

/// Plays the chain of a queue: decodes, and adds to the mix of all queues with its rate.
///
/// When nothing is enqueued it plays silence. A pause fades out, and the end of a pause fades in: each takes 5 ms.
final class OutputVoice: Voice, @unchecked Sendable {
    private enum VoicePhase {
        /// Nothing has been rendered since `rewind`.
        case fresh
        case sounding
        case fading
        /// All frames have been written. The request is complete at this time.
        case waiting(until: UInt64)
    }

    private static let block = 256
    private static let shortestRamp = 0.005

    /// The parameters, as the bits of floats. Buffers can change them as well.
    let volume = Atomic<UInt32>(Float(1).bitPattern)
    let volumeRamp = Atomic<UInt32>(0)
    let pan = Atomic<UInt32>(0)

    /// Nil without time pitch. Replaced while the audio thread does not use the voice.
    var speed: PlaySpeed?

    private var decoder: SoundDecoder
    private let staging: UnsafeMutableBufferPointer<Float>
    private var mode = VoicePhase.fresh
    private var gain = OutputGain()
    private var appliedVolume = Float(1)
    private var appliedPan = Float(0)
    /// Frames of silence that have been played since the last frame of a buffer.
    private var dryFrames = 0
    /// Frames of silence before the first frame of a buffer with a start time.
    private var frontFrames = 0
    /// The first frame after the last gap in the sound.
    private var floor = 0.0

    init(decoder: SoundDecoder, first: Link) {
        self.decoder = decoder
        staging = .allocate(capacity: OutputVoice.block * decoder.channels)
        staging.initialize(repeating: 0)
        super.init(rate: decoder.rate, channels: decoder.channels, first: first)
    }

    deinit {
        staging.deallocate()
        decoder.destroy()
    }

    override func rewind(to link: Link, at start: StartTime) {
        super.rewind(to: link, at: start)
        mode = .fresh
    }

    /// The position of the next frame that is played. With time pitch, later frames were taken from the buffers.
    private var playedPosition: Double { speed.map { position - $0.ahead } ?? position }

    override func skip(to link: Link) {
        super.skip(to: link)
        speed?.reset()
        dryFrames = 1
        frontFrames = 0
    }

    /// The stream was stopped in the middle of a sound: the next one fades in.
    func cut() { gain.setFade(0, frames: 0) }

    // MARK: One cycle

    override func render(_ slice: Slice) -> VoiceEvents {
        guard let output = slice.output else { return .none }
        execute(currentRequest)
        // The last frame has been written: the request is complete when that frame is heard. A device that was late plays what it had
        // not accepted after the frames that it has lost.
        if case .waiting(let end) = mode {
            let heard = end &+ slice.lostTime
            mode = .waiting(until: heard)
            return slice.now >= heard && hasCompleted() ? .other : .none
        }
        guard let start = scheduled.offset(in: slice) else {
            if executedRequest.kind == .pause { mode = .waiting(until: 0) }
            return .none
        }
        scheduled = .now
        if slice.lostFrames > 0, dryFrames == 0 { addLoss() }
        let before = finished.load(ordering: .relaxed)
        applyParameters()
        let first = HeardPoint(self, at: slice.time(of: start))
        var offset = start
        while offset < slice.frames {
            if case .waiting = mode { break }
            offset += produce(slice.frames - offset, output + offset * slice.channels, slice, offset)
        }
        publish(first, slice)
        return events(since: before)
    }

    private func events(since before: UInt64) -> VoiceEvents {
        if hasBegun() || becomesIdle() { return .other }
        return finished.load(ordering: .relaxed) != before ? .finished : .none
    }

    /// The whole slice is in buffers that follow each other, and nothing changes it or its gain.
    override func copy(_ slice: Slice, to output: UnsafeMutablePointer<Int16>) -> VoiceEvents? {
        guard speed == nil, isPlaying, hasUnityGain, decoder.isNativeInt16, decoder.channels == slice.channels,
            rate == slice.deviceRate,
            slice.lostFrames == 0, frontFrames == 0, hasPlainFrames(slice.frames)
        else { return nil }
        let before = finished.load(ordering: .relaxed)
        let first = HeardPoint(self, at: slice.time)
        copyFrames(slice.frames, channels: slice.channels, to: output)
        publish(first, slice)
        return events(since: before)
    }

    /// So many frames are enqueued, and no buffer among them sets parameters or a start time.
    private func hasPlainFrames(_ frames: Int) -> Bool {
        var (link, found) = (cursor, framesBeforeEnd)
        while found < frames {
            guard let next = queue_link_next(link), next.pointee.sets == 0 else { return false }
            found += Int(next.pointee.frames - min(next.pointee.first, next.pointee.frames))
            link = next
        }
        return true
    }

    private func copyFrames(_ frames: Int, channels: Int, to output: UnsafeMutablePointer<Int16>) {
        var done = 0
        while done < frames, framesBeforeEnd > 0 || enterNextLink() {
            let count = min(frames - done, framesBeforeEnd)
            guard count > 0 else { continue }
            decoder.copy(cursor.pointee.bytes, from: Int(offset), count, to: output + done * channels)
            played(count)
            done += count
        }
    }

    private var isPlaying: Bool {
        guard case .sounding = mode else { return false }
        return scheduled == .now && currentRequest == executedRequest
    }

    private var hasUnityGain: Bool {
        gain.isUnity && !isMetering.load(ordering: .relaxed)
            && Float(bitPattern: volume.load(ordering: .relaxed)) == appliedVolume
            && Float(bitPattern: pan.load(ordering: .relaxed)) == appliedPan
    }

    private func execute(_ wanted: VoiceRequest) {
        guard wanted != executedRequest else { return }
        executedRequest = wanted
        switch wanted.kind {
        case .pause:
            if case .fresh = mode { start() }
            mode = .fading
            gain.setFade(0, frames: dryFrames > 0 ? 0 : fadeFrames)
        case .play, .drain:
            if case .fresh = mode { return start() }
            mode = .sounding
            gain.setFade(1, frames: fadeFrames)
        }
    }

    private var fadeFrames: Int { Int(OutputVoice.shortestRamp * rate) }

    /// The first frame has the gain of the parameters, without a ramp.
    private func start() {
        mode = .sounding
        gain = OutputGain()
        appliedVolume = Float(bitPattern: volume.load(ordering: .relaxed))
        appliedPan = Float(bitPattern: pan.load(ordering: .relaxed))
        gain.setVolume(appliedVolume, frames: 0)
        if hasPan { gain.setPan(appliedPan, frames: 0) }
    }

    /// Channels beyond the second one have no side.
    private var hasPan: Bool { decoder.channels <= 2 }

    private func applyParameters() {
        let wanted = Float(bitPattern: volume.load(ordering: .relaxed))
        if wanted != appliedVolume {
            appliedVolume = wanted
            let seconds = max(Double(Float(bitPattern: volumeRamp.load(ordering: .relaxed))), OutputVoice.shortestRamp)
            gain.setVolume(wanted, frames: Int((min(seconds, 3_600) * rate).rounded()))
        }
        let wantedPan = Float(bitPattern: pan.load(ordering: .relaxed))
        if wantedPan != appliedPan {
            appliedPan = wantedPan
            if hasPan { gain.setPan(wantedPan, frames: fadeFrames) }
        }
    }

    private func becomesIdle() -> Bool {
        guard Double(dryFrames) > rate, queue_link_next(cursor) == nil else { return false }
        return !isIdle.exchange(true, ordering: .acquiringAndReleasing)
    }

    // MARK: Frames

    /// Adds a block of at most `room` frames to the mix. Returns its length.
    private func produce(_ room: Int, _ mix: UnsafeMutablePointer<Float>, _ slice: Slice, _ start: Int) -> Int {
        var frames = min(room, OutputVoice.block)
        if case .fading = mode {
            frames = min(frames, gain.fade.remaining)
            guard frames > 0 else {
                mode = .waiting(until: slice.time(of: start))
                return 0
            }
        }
        if offset >= cursor.pointee.frames { enterNextLink() }
        if frontFrames == 0, let next = queue_link_next(cursor), next.pointee.sets != 0 {
            frames = max(min(frames, framesBeforeEnd), 1)
        }
        let sound = fill(frames)
        guard let source = staging.baseAddress else { return frames }
        if isMetering.load(ordering: .relaxed) { meter.measure(source, frames: frames, rate: rate) }
        addFrames(source, channels: decoder.channels, to: mix, mixChannels: slice.channels, frames: frames, gain: &gain)
        if sound < frames { dry(start + sound, slice) }
        return frames
    }

    /// The frames until the cursor's link ends.
    private var framesBeforeEnd: Int { Int(min(cursor.pointee.frames - min(offset, cursor.pointee.frames), 1 << 20)) }

    /// Silence has followed the last frame of the last buffer.
    private func dry(_ end: Int, _ slice: Slice) {
        guard executedRequest.kind == .drain, queue_link_next(cursor) == nil else { return }
        mode = .waiting(until: slice.time(of: end))
    }

    /// Writes frames into `staging`, and silence after the last enqueued frame. Returns the number of frames before the silence.
    private func fill(_ needed: Int) -> Int {
        guard let target = staging.baseAddress else { return 0 }
        guard let speed else { return take(needed, target) }
        return speed.fill(target, needed) { take($1, $0) }
    }

    /// Takes frames from the buffers, and adds silence after the last enqueued one. Returns the number of frames before the silence.
    private func take(_ needed: Int, _ target: UnsafeMutablePointer<Float>) -> Int {
        let channels = decoder.channels
        var done = 0
        while done < needed {
            let left = needed - done
            if frontFrames > 0 {
                let silent = min(left, frontFrames)
                (target + done * channels).update(repeating: 0, count: silent * channels)
                frontFrames -= silent
                position += Double(silent)
                dryFrames = 0
                done += silent
            } else if offset < cursor.pointee.frames {
                let count = min(left, Int(cursor.pointee.frames - offset))
                decoder.decode(cursor.pointee.bytes, from: Int(offset), count, to: target + done * channels)
                played(count)
                done += count
            } else if !enterNextLink() {
                break
            }
        }
        if done < needed {
            (target + done * channels).update(repeating: 0, count: (needed - done) * channels)
            addSilence(needed - done)
        }
        return done
    }

    /// Frames of the present buffer have been played.
    private func played(_ frames: Int) {
        offset += UInt64(frames)
        position += Double(frames)
        dryFrames = 0
        if offset >= cursor.pointee.frames { finishLink() }
    }

    private func addSilence(_ frames: Int) {
        if dryFrames == 0, executedRequest.kind != .drain { countGap() }
        dryFrames = min(dryFrames + frames, 1 << 30)
    }

    /// Moves to the next buffer that has frames.
    @discardableResult
    private func enterNextLink() -> Bool {
        guard advance() else { return false }
        decoder.beginBuffer()
        isIdle.store(false, ordering: .relaxed)
        let sets = cursor.pointee.sets
        if sets & UInt32(QUEUE_HAS_START) != 0, cursor.pointee.start > position {
            frontFrames = Int(min(cursor.pointee.start - position, 1e9))
        }
        if sets & UInt32(QUEUE_SETS_RAMP) != 0 { volumeRamp.store(cursor.pointee.ramp.bitPattern, ordering: .relaxed) }
        if sets & UInt32(QUEUE_SETS_VOLUME) != 0 { volume.store(cursor.pointee.volume.bitPattern, ordering: .relaxed) }
        if sets & UInt32(QUEUE_SETS_PAN) != 0 { pan.store(cursor.pointee.pan.bitPattern, ordering: .relaxed) }
        if sets != 0 { applyParameters() }
        if offset >= cursor.pointee.frames { finishLink() }
        return true
    }

    // MARK: Time

    private struct HeardPoint {
        let time: UInt64
        let position: Double
        let wasDry: Bool

        init(_ voice: OutputVoice, at time: UInt64) {
            self.time = time
            position = voice.playedPosition
            wasDry = voice.dryFrames > 0
        }
    }

    /// The device has lost frames.
    private func addLoss() {
        countGap()
        floor = playedPosition
    }

    private func publish(_ first: HeardPoint, _ slice: Slice) {
        if first.wasDry { floor = first.position }
        publish(from: first.position, to: playedPosition, at: first.time, floor: floor, speed: speed?.speed ?? 1, slice)
    }
}
