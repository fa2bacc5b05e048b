// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import CStatusPage
import LinuxSystem
import PCMConversion
import Synchronization

/// A request of a queue to the audio thread. Each request has its own number, so that an answer matches one request only.
struct VoiceRequest: Equatable {
    enum Kind: UInt32 { case play, pause, drain }

    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    var kind: Kind { Kind(rawValue: rawValue & 3) ?? .play }

    func next(_ kind: Kind) -> VoiceRequest { VoiceRequest(rawValue: (rawValue & ~3) &+ 4 | kind.rawValue) }
}

/// The news of a voice after one cycle.
enum VoiceEvents {
    case none
    /// Buffers were finished, and nothing else happened.
    case finished
    case other
}

/// One cycle of a stream, at the rate of the device or of a group of voices.
struct Slice {
    var output: UnsafeMutablePointer<Float>?
    var input: UnsafePointer<Float>?
    var frames: Int
    var channels: Int
    var rate: Double
    var deviceRate: Double
    /// The latency of the resampler between the voice and the device, in frames.
    var latency = 0.0
    /// The number of the first frame on the device, and the time at which it is heard or was captured.
    var frame: UInt64
    var time: UInt64
    /// The time at which the stream's thread writes this cycle.
    var now: UInt64
    var rateScalar: Double
    /// The frames that the device lost before this cycle.
    var lostFrames: UInt64

    /// How long the device played nothing before this cycle.
    var lostTime: UInt64 { UInt64(Double(lostFrames) * 1e9 / max(deviceRate, 1)) }

    func time(of frame: Int) -> UInt64 { time &+ UInt64(max(Double(frame) * 1e9 / rate, 0)) }
}

/// The part of a queue that the audio thread uses.
///
/// While a stream has the voice, only the audio thread uses the members that are not atomic. Otherwise only the queue uses them.
class Voice: @unchecked Sendable {
    let request = Atomic<UInt32>(0)
    /// The last request that the audio thread has begun, and the last one that it has completed: the pause or the end was heard.
    let begun = Atomic<UInt32>(0)
    let completed = Atomic<UInt32>(0)
    /// The number of the last link that was played or recorded.
    let finished = Atomic<UInt64>(0)
    /// The number of gaps in the sound, in all lives of the queue.
    let gaps = Atomic<UInt32>(0)
    /// Nothing has been enqueued for a second.
    let isIdle = Atomic<Bool>(false)
    /// The voice is prepared for another device.
    let isMismatched = Atomic<Bool>(false)
    let hasNews = Atomic<Bool>(false)
    /// Wakes the thread of the queue. Nil if finished buffers need the dispatcher. Set before the first cycle.
    final var thread: ThreadSignal?
    let isMetering = Atomic<Bool>(false)
    /// The counters on the status page.
    var counters: UnsafeMutablePointer<status_counters>?
    let clock = UnsafeMutablePointer<heard_clock>.allocate(capacity: 1)
    let meter: LevelMeter
    let rate: Double
    var cursor: Link
    /// Frames of `cursor` that are done, counted from the beginning of its buffer.
    var offset: UInt64 = 0
    /// The frames of the queue since its start.
    var position = 0.0
    var scheduled = StartTime.now { didSet { isWaiting.store(scheduled != .now, ordering: .relaxed) } }
    /// The audio thread has not reached the scheduled start. Other threads may read this.
    let isWaiting = Atomic<Bool>(false)
    /// The request that the audio thread currently executes.
    final var executedRequest = VoiceRequest(rawValue: 0)

    init(rate: Double, channels: Int, first: Link) {
        self.rate = rate
        cursor = first
        meter = LevelMeter(channels: channels)
        clock.initialize(to: heard_clock())
    }

    deinit { clock.deallocate() }

    var currentRequest: VoiceRequest { VoiceRequest(rawValue: request.load(ordering: .acquiring)) }

    /// Prepares for a device. Must not be called while the audio thread renders.
    func configure(_ format: pull_format) {}

    /// Called on the audio thread.
    func render(_ slice: Slice) -> VoiceEvents { .none }

    /// Called on the audio thread: plays a slice of the device in its 16-bit samples. Nil, without an effect, when this is not
    /// possible now.
    func copy(_ slice: Slice, to output: UnsafeMutablePointer<Int16>) -> VoiceEvents? { nil }

    /// Resets the position to 0, with nothing enqueued before `link`.
    func rewind(to link: Link, at start: StartTime) {
        skip(to: link)
        position = 0
        scheduled = start
        if let counters { status_clear_underruns(counters) }
        heard_clock_reset(clock)
        meter.reset()
    }

    /// Drops all links up to this one.
    func skip(to link: Link) {
        cursor = link
        offset = link.pointee.frames
        finished.store(link.pointee.number, ordering: .releasing)
        isIdle.store(false, ordering: .relaxed)
    }

    /// The end of the cursor's link is reached: moves to the next link, if there is one.
    final func advance() -> Bool {
        guard let next = queue_link_next(cursor) else { return false }
        cursor = next
        offset = next.pointee.first
        return true
    }

    /// Called on the audio thread: the sound had a gap.
    final func countGap() {
        gaps.wrappingAdd(1, ordering: .relaxed)
        if let counters { status_count_underrun(counters) }
    }

    final func finishLink() { finished.store(cursor.pointee.number, ordering: .releasing) }

    // MARK: Answers of the audio thread

    /// True once for each request.
    final func hasBegun() -> Bool { answers(in: begun) }
    final func hasCompleted() -> Bool { answers(in: completed) }

    private func answers(in answer: borrowing Atomic<UInt32>) -> Bool {
        guard answer.load(ordering: .relaxed) != executedRequest.rawValue else { return false }
        answer.store(executedRequest.rawValue, ordering: .releasing)
        return true
    }

    /// Publishes that the frames from `first` to `end` are heard or captured from `time` on.
    final func publish(
        from first: Double, to end: Double, at time: UInt64, floor: Double, speed: Double = 1, _ slice: Slice
    ) {
        var record = heard_record(
            time: time, position: first, end: end, floor: floor, frames_per_second: rate * slice.rateScalar * speed,
            device_frame: Double(slice.frame), device_rate: slice.deviceRate, rate_scalar: slice.rateScalar)
        heard_clock_write(clock, &record)
    }
}

/// The time at which the first frame of a queue is heard or captured.
public enum StartTime: Equatable, Sendable {
    case now
    /// A frame of the device.
    case frame(Double)
    /// Host time in nanoseconds.
    case time(UInt64)

    /// The number of frames of a slice that precede it. Nil when all of them do.
    func offset(in slice: Slice) -> Int? {
        let distance: Double
        switch self {
        case .now: return 0
        case .frame(let frame):
            distance = (frame - Double(slice.frame)) * slice.rate / slice.deviceRate - slice.latency
        case .time(let time):
            distance = nanoseconds(from: slice.time, to: time) * slice.rate / 1e9
        }
        guard distance < Double(slice.frames) else { return nil }
        // A program may pass any finite number.
        return Int(max(distance, 0).rounded(.up))
    }
}
