// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import CLinux
import LinuxSystem
import Synchronization

/// The number of gaps that a reader has seen.
final class GapCounter: @unchecked Sendable {
    var seen: UInt32

    init(seen: UInt32) { self.seen = seen }
}

/// A reader of a queue's time that detects gaps in the sound.
public final class Timeline: @unchecked Sendable {
    public let queue: UInt
    let gaps: GapCounter

    /// A gap before is none for it.
    init(queue: UInt, after gaps: UInt32) {
        self.queue = queue
        self.gaps = GapCounter(seen: gaps)
    }
}

/// A point of time as frames and as host time.
public struct SoundTime: Equatable, Sendable {
    public var frame: Double
    public var hostTime: UInt64
    public var rateScalar: Double
    /// The sound had a gap since the last call.
    public var isDiscontinuous = false

    public init(frame: Double, hostTime: UInt64, rateScalar: Double) {
        self.frame = frame
        self.hostTime = hostTime
        self.rateScalar = rateScalar
    }
}

/// Nanoseconds between two times; negative where `end` is earlier than `start`.
func nanoseconds(from start: UInt64, to end: UInt64) -> Double {
    end >= start ? Double(end - start) : -Double(start - end)
}

extension heard_record {
    /// The position of the queue that is heard at a time.
    func position(at now: UInt64) -> Double { min(max(position + frames(until: now), floor), max(end, floor)) }

    /// The frame of the device at a time.
    func frame(at now: UInt64) -> Double { device_frame + frames(until: now) }

    private func frames(until now: UInt64) -> Double { nanoseconds(from: time, to: now) * frames_per_second / 1e9 }

    func time(of frame: Double) -> UInt64 {
        let distance = (frame - device_frame) / frames_per_second * 1e9
        return UInt64(max(Double(time) + min(max(distance, -1e18), 1e18), 0))
    }
}

extension Queue {
    public func makeTimeline() throws(QueueStatus) -> UInt {
        try lock.withLock { () throws(QueueStatus) in try state.checkUsable() }
        let made = Timeline(queue: handle, after: voice.gaps.load(ordering: .relaxed))
        guard let timeline = service.timelines.insert(made) else { throw .outOfMemory }
        return UInt(bitPattern: timeline)
    }

    public func removeTimeline(_ handle: UInt) throws(QueueStatus) {
        guard try service.timelines.object(handle).queue == self.handle else { throw .parameter }
        service.timelines.remove(OpaquePointer(bitPattern: handle))
    }

    /// The frames that have been heard since the start. The value never decreases, and is constant in a pause.
    public func currentTime(timeline handle: UInt?, at now: UInt64) throws(QueueStatus) -> SoundTime {
        guard let handle else { return try currentTime(at: now) }
        let timeline = try service.timelines.object(handle)
        guard timeline.queue == self.handle else { throw .parameter }
        return try currentTime(timeline, at: now)
    }

    func currentTime(
        _ timeline: Timeline? = nil, at now: UInt64 = linux_monotonic_nanoseconds()
    ) throws(QueueStatus) -> SoundTime {
        try lock.withLock { () throws(QueueStatus) in
            try state.checkUsable()
            guard state.hasStarted else { throw .invalidRunState }
            guard state.run != .stopped else { throw .stopped }
            var record = heard_record()
            var time = SoundTime(frame: lastHeard, hostTime: now, rateScalar: 1)
            if heard_clock_read(voice.clock, &record) {
                time.frame = max(record.position(at: now), lastHeard)
                time.rateScalar = record.rate_scalar
                lastHeard = time.frame
            }
            let counter = timeline?.gaps ?? defaultTimeline
            let gaps = voice.gaps.load(ordering: .relaxed)
            time.isDiscontinuous = gaps != counter.seen
            counter.seen = gaps
            return time
        }
    }

    // MARK: The device

    /// The present time of the device; nil while it stands, because no queue of this direction runs.
    public func presentDeviceTime(at now: UInt64) throws(QueueStatus) -> SoundTime? {
        do throws(QueueStatus) { return try deviceTime(at: now) } catch .invalidRunState { return nil }
    }

    /// The device's time. It counts while a queue of this direction runs.
    public func deviceTime(at now: UInt64) throws(QueueStatus) -> SoundTime {
        let record = try deviceRecord()
        return SoundTime(frame: max(record.frame(at: now), 0), hostTime: now, rateScalar: record.rate_scalar)
    }

    public func deviceTime(frame: Double) throws(QueueStatus) -> SoundTime {
        guard frame.isFinite else { throw .parameter }
        let record = try deviceRecord()
        return SoundTime(frame: frame, hostTime: record.time(of: frame), rateScalar: record.rate_scalar)
    }

    /// The first frame that can still be reached: the first frame of the cycle after the next one.
    public func nearestStart(frame: Double) throws(QueueStatus) -> SoundTime {
        guard frame.isFinite else { throw .parameter }
        let record = try deviceRecord()
        return try deviceTime(frame: max(frame, record.device_frame + 2 * Double(stream.deviceFormat?.slice ?? 0)))
    }

    private func deviceRecord() throws(QueueStatus) -> heard_record {
        try lock.withLock { () throws(QueueStatus) in try state.checkUsable() }
        var record = heard_record()
        guard stream.isRunning, heard_clock_read(stream.clock, &record) else { throw .invalidRunState }
        return record
    }
}
