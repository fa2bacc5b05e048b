// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion
import Synchronization

/// A slice or a region that a program has scheduled.
final class PlayerEntry: @unchecked Sendable {
    enum Sound {
        /// The memory of the program, in the format that the unit had.
        case slice(UnsafeMutablePointer<ScheduledAudioSlice>, SampleBuffers, PCMFormat)
        case region(ScheduledAudioFileRegion)
    }

    /// The time that the program has stated for the first frame.
    enum Time {
        /// Behind the entry before it.
        case none
        case position(Int)
        case host(UInt64)
    }

    /// When an entry ends those that were scheduled before it.
    enum Interruption {
        case never
        /// When it begins: at its own start, or with the next render.
        case now
        /// At the end of a repetition of the entry that plays.
        case atLoop
    }

    let sound: Sound
    /// The slice repeats until another entry interrupts it.
    let loops: Bool
    let interruption: Interruption
    let wantedTime: Time
    /// The position at which it begins; `.min`: not known yet, `.max`: with the next render.
    let start: Atomic<Int>
    /// The position at which the last render expects the host time; `.min`: no render has seen the entry.
    let expectedStart = Atomic<Int>(.min)
    static let unknown = Int.min
    static let next = Int.max
    /// The position at which another entry interrupts this one; `.max`: none does.
    private let limit = Atomic<Int>(.max)
    /// The address of the retained stream of a region; 0: not made yet.
    private let address = Atomic<UInt>(0)
    /// A rendering thread waits for the frames.
    private let hasBeenDemanded = Atomic<Bool>(false)
    private let failure = Atomic<Int32>(0)

    // The rendering thread:
    private let hasEnded = Atomic<Bool>(false)
    private let hasBeenDropped = Atomic<Bool>(false)
    private var hasBegun = false
    /// The position of the host time, when a render has reached it.
    private var hostPosition: Int?
    /// The entries before this one end at its start. Only an entry that interrupts sets it.
    private(set) var hasInterrupted = false

    init(_ sound: Sound, at time: Time, loops: Bool = false, _ interruption: Interruption = .never) {
        self.sound = sound
        self.loops = loops
        self.interruption = interruption
        wantedTime = time
        let start = if case .position(let position) = time { position } else { PlayerEntry.unknown }
        self.start = Atomic(start)
    }

    deinit {
        guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .relaxed)) else { return }
        Unmanaged<RegionStream>.fromOpaque(pointer).release()
    }

    /// The frames of a region.
    var stream: RegionStream? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map {
            Unmanaged<RegionStream>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Called once, on the service thread.
    func setStream(_ stream: RegionStream) {
        address.store(UInt(bitPattern: Unmanaged.passRetained(stream).toOpaque()), ordering: .releasing)
    }

    var isDemanded: Bool { hasBeenDemanded.load(ordering: .acquiring) }
    func demand() { hasBeenDemanded.store(true, ordering: .releasing) }

    /// The region cannot be played.
    func fail(_ status: Int32) {
        failure.store(status, ordering: .relaxed)
        finish()
    }

    private var status: Int32 {
        guard isFinished else { return PlayerEntry.canceled }
        return stream?.status ?? failure.load(ordering: .relaxed)
    }

    /// All frames were rendered.
    var isFinished: Bool { hasEnded.load(ordering: .acquiring) }
    func finish() { hasEnded.store(true, ordering: .releasing) }

    /// The program has dropped the entry.
    var isDropped: Bool { hasBeenDropped.load(ordering: .acquiring) }
    func drop() { hasBeenDropped.store(true, ordering: .releasing) }

    /// It begins where the entry before it ends.
    var follows: Bool {
        if case .none = wantedTime { return true }
        return false
    }

    var isRegion: Bool {
        if case .region = sound { return true }
        return false
    }

    /// The number of frames, when it is known.
    var length: Int? {
        let limit = limit.load(ordering: .acquiring)
        guard limit != .max else { return ownLength }
        let start = start.load(ordering: .acquiring)
        guard start != PlayerEntry.unknown, start != PlayerEntry.next else { return ownLength }
        return min(max(limit &- start, 0), ownLength ?? .max)
    }

    /// The number of frames without an interruption.
    private var ownLength: Int? {
        switch sound {
        case .slice(let slice, _, _): loops ? nil : Int(slice.pointee.mNumberFrames)
        case .region: stream?.length
        }
    }

    // MARK: Host time

    /// Finds the position of the host time in a render of these frames, whose first one is at `position`. Before this render the
    /// position is only expected: the device does not have exactly its nominal rate.
    func findHostTime(_ time: AudioTimeStamp, at position: Int, frames: Int, rate: Double) {
        guard case .host(let wanted) = wantedTime, hostPosition == nil else { return }
        // Renders without a host time cannot wait for one.
        var ahead = 0
        if time.mFlags & UInt32(kAudioTimeStampHostTimeValid) != 0 {
            let now = time.mHostTime
            let nanoseconds = wanted > now ? Double(wanted &- now) : -Double(now &- wanted)
            ahead = Int(exactly: (nanoseconds / 1e9 * rate).rounded()) ?? 0
        }
        let found = max(position &+ ahead, 0)
        guard ahead < frames else { return expectedStart.store(found, ordering: .relaxed) }
        hostPosition = found
        if interruption == .never { start.store(found, ordering: .releasing) }
    }

    /// The first position at which it may begin; nil if no render has reached it.
    private var firstPosition: Int? {
        switch wantedTime {
        case .none: 0
        case .position(let position): position
        case .host: hostPosition
        }
    }

    // MARK: Interruption

    /// Ends the entries before this one, which are those before `count`, at its start, once. `position` is the first frame of the
    /// render.
    func interrupt(_ entries: [PlayerEntry], before count: Int, at position: Int) {
        guard interruption != .never, !hasInterrupted, let firstPosition else { return }
        hasInterrupted = true
        let first = max(position, firstPosition, 0)
        var cut = first
        if interruption == .atLoop {
            for index in 0..<count where entries[index].isPlaying(at: first) {
                cut = entries[index].repetition(from: first) ?? first
            }
        }
        start.store(cut, ordering: .releasing)
        for index in 0..<count { entries[index].end(at: cut) }
    }

    private func end(at cut: Int) { limit.store(min(limit.load(ordering: .relaxed), cut), ordering: .releasing) }

    /// Another entry has interrupted this one before a render of these frames, or in it before its own start. What the same
    /// interruption ends is finished in the order of the calls.
    func isInterrupted(before position: Int, frames: Int) -> Bool {
        let limit = limit.load(ordering: .relaxed)
        guard limit > position else { return true }
        let start = start.load(ordering: .relaxed)
        return start != PlayerEntry.next && start >= limit && limit <= position &+ frames
    }

    private func isPlaying(at position: Int) -> Bool {
        let start = start.load(ordering: .relaxed)
        guard !isFinished, !isDropped, start != PlayerEntry.unknown, start < position else { return false }
        return end.map { $0 > position } ?? true
    }

    /// The first end of a repetition from a position on; nil if it is not known.
    private func repetition(from position: Int) -> Int? {
        let start = start.load(ordering: .relaxed)
        guard loops, case .slice(let slice, _, _) = sound else { return end }
        let frames = Int(slice.pointee.mNumberFrames)
        return start &+ (position &- start &+ frames &- 1) / frames &* frames
    }

    /// The position behind its last frame, when it is known.
    var end: Int? {
        let start = start.load(ordering: .acquiring)
        guard start != PlayerEntry.unknown, start != PlayerEntry.next, let length else { return nil }
        return start + length
    }

    /// Finds the start of an entry that begins where `former` ends, or with the render whose first frame is at `position`. True
    /// when it has found it.
    func findStart(behind former: PlayerEntry?, at position: Int) -> Bool {
        let known = start.load(ordering: .relaxed)
        if known == PlayerEntry.unknown, follows, let end = former?.end {
            start.store(end, ordering: .releasing)
        } else if known == PlayerEntry.next, isReady {
            start.store(max(position, 0), ordering: .releasing)
        } else {
            return false
        }
        return true
    }

    /// Frames can be rendered.
    var isReady: Bool {
        switch sound {
        case .slice: true
        case .region: stream?.isReady(to: 1) == true
        }
    }

    /// Called on the rendering thread with the first frame that it renders.
    func begin(at first: Int) {
        guard !hasBegun else { return }
        hasBegun = true
        guard case .slice(let slice, _, _) = sound else { return }
        slice.pointee.mFlags |= UInt32(kScheduledAudioSliceFlag_BeganToRender)
        if first > 0 { slice.pointee.mFlags |= UInt32(kScheduledAudioSliceFlag_BeganToRenderLate) }
    }

    /// Calls the completion procedure of the program.
    func complete() {
        switch sound {
        case .slice(let slice, _, _):
            let (procedure, data) = (slice.pointee.mCompletionProc, slice.pointee.mCompletionProcUserData)
            slice.pointee.mFlags |= UInt32(kScheduledAudioSliceFlag_Complete)
            // The program may free the slice now, unless it waits for the procedure.
            procedure?(data, slice)
        case .region(var region):
            region.mCompletionProc?(
                region.mCompletionProcUserData, &region, status)
        }
    }

    /// The result of a region that was dropped: userCanceledErr.
    private static let canceled: Int32 = -128
}
