// SPDX-License-Identifier: Apache-2.0
import EngineClient
import Resampling
import Synchronization

/// The sound that one unit or all queues play, for the echo cancellers: 16,000 mono frames a second, found by the time at
/// which they are heard. One thread writes a tap; any thread reads it without a lock.
final class EchoTap: @unchecked Sendable {
    static let rate = 16_000.0
    static let nanosecondsPerFrame: Int64 = 62_500
    /// In frames: about one second.
    private static let capacity = 1 << 14

    /// The address of the memory; 0 before the first use.
    private let memory = Atomic<UInt>(0)
    /// The number of frames that have been written.
    private let written = Atomic<Int>(0)
    /// The time at which frame 0 would have been heard, by the newest times.
    private let start = Atomic<Int64>(0)
    /// 1 when a stream writes to the tap.
    fileprivate let owners = Atomic<UInt>(0)

    /// Called before a writer begins. May allocate memory.
    fileprivate func prepare() {
        guard memory.load(ordering: .relaxed) == 0 else { return }
        let frames = UnsafeMutablePointer<Float>.allocate(capacity: EchoTap.capacity)
        frames.initialize(repeating: 0, count: EchoTap.capacity)
        memory.store(UInt(bitPattern: frames), ordering: .releasing)
    }

    private var frames: UnsafeMutablePointer<Float>? {
        UnsafeMutablePointer(bitPattern: memory.load(ordering: .acquiring))
    }

    deinit { frames?.deallocate() }

    // MARK: The writer

    /// Appends frames. The first one is heard at `time`. A jump of the time is filled with silence.
    func write(_ samples: UnsafeBufferPointer<Float>, heardAt time: Int64) {
        guard let frames else { return }
        let end = written.load(ordering: .relaxed)
        let expected = start.load(ordering: .relaxed) &+ Int64(end) &* EchoTap.nanosecondsPerFrame
        let late = time &- expected
        if abs(late) > 10_000_000 {
            let gap = min(max(Int(late / EchoTap.nanosecondsPerFrame), 0), EchoTap.capacity)
            for index in 0..<gap { frames[EchoTap.index(end &+ index)] = 0 }
            let position = end &+ gap
            start.store(time &- Int64(position) &* EchoTap.nanosecondsPerFrame, ordering: .releasing)
            append(samples, to: frames, at: position)
        } else {
            start.store(start.load(ordering: .relaxed) &+ late / 64, ordering: .releasing)
            append(samples, to: frames, at: end)
        }
    }

    private func append(_ samples: UnsafeBufferPointer<Float>, to frames: UnsafeMutablePointer<Float>, at position: Int) {
        for index in 0..<samples.count { frames[EchoTap.index(position &+ index)] = samples[index] }
        written.store(position &+ samples.count, ordering: .releasing)
    }

    private static func index(_ position: Int) -> Int { position & (capacity &- 1) }

    // MARK: Readers

    var isTaken: Bool { owners.load(ordering: .relaxed) != 0 }

    /// Adds the frames that are heard from `time` on.
    func add(to target: UnsafeMutableBufferPointer<Float>, heardFrom time: Int64) {
        guard let frames else { return }
        let end = written.load(ordering: .acquiring)
        let first = Int((time &- start.load(ordering: .acquiring)) / EchoTap.nanosecondsPerFrame)
        for index in 0..<target.count {
            let position = first &+ index
            // The writer may overwrite the oldest quarter during this call.
            guard position < end, position >= 0, end &- position < EchoTap.capacity * 3 / 4 else { continue }
            target[index] += frames[EchoTap.index(position)]
        }
    }
}

/// All taps of a process. They are never freed, so that readers need no lock.
final class EchoReference: PlaybackReference {
    private static let most = 16
    private let taps: [EchoTap] = (0..<most).map { _ in EchoTap() }
    private let listeners = Atomic<Int>(0)

    /// True while a unit cancels echoes.
    var isWanted: Bool { listeners.load(ordering: .relaxed) > 0 }
    func beginListening() { listeners.wrappingAdd(1, ordering: .relaxed) }
    func endListening() { listeners.wrappingSubtract(1, ordering: .relaxed) }

    func makeWriter(deviceRate: Double) -> (any PlaybackWriter)? { EchoSource.make(self, deviceRate: deviceRate) }

    /// A tap that no stream uses. Nil when all taps are in use.
    func claimTap() -> EchoTap? {
        // Acquires what the former writer has stored: its last position, and the memory. On arm64 a relaxed exchange could show an
        // earlier position, or no memory, which would be allocated a second time.
        let tap = taps.first {
            $0.owners.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
        }
        tap?.prepare()
        return tap
    }

    /// The next writer sees all frames of this one.
    func giveBack(_ tap: EchoTap) { tap.owners.store(0, ordering: .releasing) }

    /// Replaces the target by the sum of all frames that are heard from `time` on.
    func read(into target: UnsafeMutableBufferPointer<Float>, heardFrom time: Int64) {
        target.update(repeating: 0)
        var index = 0
        while index < taps.count {
            if taps[index].isTaken { taps[index].add(to: target, heardFrom: time) }
            index &+= 1
        }
    }
}

/// Writes the output of a stream into its tap.
final class EchoSource: PlaybackWriter {
    private let reference: EchoReference
    private let tap: EchoTap
    private let rate: RateConverter?
    private let mono: FrameQueue
    private let reduced: FrameQueue
    private let deviceRate: Double

    static func make(_ reference: EchoReference, deviceRate: Double) -> EchoSource? {
        guard let tap = reference.claimTap() else { return nil }
        var rate: RateConverter?
        if deviceRate != EchoTap.rate {
            rate = RateConverter.make(channels: 1, from: deviceRate, to: EchoTap.rate)
            guard rate != nil else {
                reference.giveBack(tap)
                return nil
            }
        }
        return EchoSource(reference, tap, rate, deviceRate)
    }

    private init(_ reference: EchoReference, _ tap: EchoTap, _ rate: RateConverter?, _ deviceRate: Double) {
        self.reference = reference
        self.tap = tap
        self.rate = rate
        self.deviceRate = deviceRate
        mono = FrameQueue(channels: 1, frames: EchoSource.block)
        reduced = FrameQueue(channels: 1, frames: 4 * EchoSource.block)
    }

    deinit { reference.giveBack(tap) }

    private static let block = 1024

    var isWanted: Bool { reference.isWanted }

    /// Writes interleaved frames of the device. The first one is heard at `time`.
    func write(_ output: UnsafePointer<Float>, channels: Int, frames: Int, heardAt time: UInt64) {
        guard isWanted, channels > 0 else { return }
        var done = 0
        while done < frames {
            let count = min(frames &- done, EchoSource.block)
            guard mono.setMeans(of: output + done &* channels, channels: channels, frames: count) else { return }
            let heard = Double(time) + Double(done) / deviceRate * 1e9
            write(heard - (rate?.latency ?? 0) * 1e9)
            done &+= count
        }
    }

    private func write(_ time: Double) {
        let time = Int64(exactly: time.rounded()) ?? 0
        guard let rate else { return tap.write(mono.frames, heardAt: time) }
        reduced.clear()
        guard let room = reduced.room(for: 1) else { return }
        let progress = rate.process(mono.frames, into: room)
        reduced.appended(progress.produced)
        tap.write(reduced.frames, heardAt: time)
    }
}
