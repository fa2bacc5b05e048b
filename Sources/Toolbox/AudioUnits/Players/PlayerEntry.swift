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

    let sound: Sound
    /// The position at which it begins; nil: behind the entry before it.
    let wantedStart: Int?
    /// The position at which it begins; `.min`: not known yet, `.max`: with the next render.
    let start: Atomic<Int>
    static let unknown = Int.min
    static let next = Int.max
    /// The address of the retained stream of a region; 0: not made yet.
    private let address = Atomic<UInt>(0)
    /// A rendering thread waits for the frames.
    private let hasBeenDemanded = Atomic<Bool>(false)
    private let failure = Atomic<Int32>(0)

    // The rendering thread:
    private let hasEnded = Atomic<Bool>(false)
    private let hasBeenDropped = Atomic<Bool>(false)
    private var hasBegun = false

    init(_ sound: Sound, at start: Int?) {
        self.sound = sound
        wantedStart = start
        self.start = Atomic(start ?? PlayerEntry.unknown)
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

    var isRegion: Bool {
        if case .region = sound { return true }
        return false
    }

    /// The number of frames, when it is known.
    var length: Int? {
        switch sound {
        case .slice(let slice, _, _): Int(slice.pointee.mNumberFrames)
        case .region: stream?.length
        }
    }

    /// The position behind its last frame, when it is known.
    var end: Int? {
        let start = start.load(ordering: .acquiring)
        guard start != PlayerEntry.unknown, start != PlayerEntry.next, let length else { return nil }
        return start + length
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
