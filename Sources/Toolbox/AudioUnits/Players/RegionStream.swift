// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import CAudioStreams
import CAudioToolbox
import LinuxSystem
import MediaFormats
import PCMConversion
import SoundFiles
import Synchronization

/// The frames of a region of a file, which the service thread reads ahead. The rendering thread receives them without a lock.
final class RegionStream: @unchecked Sendable {
    let channels: Int
    private let capacity: Int
    private let ring: UnsafeMutablePointer<Float>
    /// The numbers of frames that were read from the file, and that the rendering thread no longer needs.
    private let written = Atomic<Int>(0)
    private let consumed = Atomic<Int>(0)
    /// The length of the region with its repetitions, when it is known.
    private let total = Atomic<Int>(.max)
    private let failure = Atomic<Int32>(0)

    // The service thread:
    private let file: ExtendedFile
    private let format: StreamDescription
    private let startFrame: Int64
    private var repetitionsLeft: UInt32
    /// The frames of one repetition; nil: to the end of the file.
    private let framesOfPass: Int?
    private var framesInPass = 0
    private var isOpen = false

    static let portion = 4096

    /// `format` is that of the unit. Nil if a file of this rate cannot be converted to it.
    static func make(_ region: ScheduledAudioFileRegion, _ file: ExtendedFile, for format: PCMFormat) -> RegionStream? {
        guard let floats = floats(format.channels, like: format) else { return nil }
        return RegionStream(region, file, floats)
    }

    private init(_ region: ScheduledAudioFileRegion, _ file: ExtendedFile, _ floats: PCMFormat) {
        self.file = file
        format = floats.streamDescription
        channels = floats.channels
        // About a second.
        capacity = max(Int(floats.sampleRate) / RegionStream.portion + 1, 4) * RegionStream.portion
        ring = .allocate(capacity: capacity * channels)
        startFrame = region.mStartFrame
        repetitionsLeft = region.mLoopCount
        let rate = file.file.file.format.sampleRate
        framesOfPass =
            region.mFramesToPlay == UInt32.max
            ? nil : Int((Double(region.mFramesToPlay) * floats.sampleRate / max(rate, 1)).rounded())
    }

    deinit { ring.deallocate() }

    /// The number of all frames, when it is known.
    var length: Int? {
        let length = total.load(ordering: .acquiring)
        return length == .max ? nil : length
    }
    var status: Int32 { failure.load(ordering: .acquiring) }

    /// The frames before this one can be rendered now.
    var end: Int { written.load(ordering: .acquiring) }

    /// Frames up to this one were read, or the region has fewer.
    func isReady(to frame: Int) -> Bool { length != nil || end >= frame }
    var isFull: Bool { length != nil || room <= 0 }
    private var room: Int { capacity - max(written.load(ordering: .relaxed) - consumed.load(ordering: .acquiring), 0) }

    // MARK: The rendering thread

    /// Calls `add` with the frames of the region from `first` on that were read: interleaved floats, their number and their offset.
    func read(_ first: Int, _ frames: Int, _ add: (UnsafePointer<Float>, Int, Int) -> Void) {
        let end = min(self.end, first &+ frames)
        var next = first
        while next < end {
            let index = next % capacity
            let count = min(end &- next, capacity &- index)
            add(ring + index &* channels, count, next &- first)
            next &+= count
        }
        consumed.store(first &+ frames, ordering: .releasing)
    }

    // MARK: The service thread

    /// Reads a portion. False when there is nothing to do.
    func fill() -> Bool {
        // The rendering thread makes room meanwhile: a count of 0 from a full ring would be taken for the end of the file.
        let room = room
        guard length == nil, room > 0 else { return false }
        let position = written.load(ordering: .relaxed)
        var count = min(room, RegionStream.portion, capacity - position % capacity)
        if let framesOfPass { count = min(count, framesOfPass - framesInPass) }
        do throws(ExtendedFileError) {
            if !isOpen {
                try file.setClientFormat(format)
                try file.seek(startFrame)
                isOpen = true
            }
            let start = UnsafeMutableRawPointer(ring + position % capacity * channels)
            let memory = UnsafeMutableRawBufferPointer(start: start, count: count * channels * 4)
            let read = count > 0 ? try file.read(count, into: SampleBuffers(memory)) : 0
            framesInPass += read
            written.store(position + read, ordering: .releasing)
            if read == 0 { try endPass(at: position) }
        } catch {
            failure.store(error.status, ordering: .releasing)
            total.store(position, ordering: .releasing)
        }
        return true
    }

    private func endPass(at position: Int) throws(ExtendedFileError) {
        guard repetitionsLeft > 0, framesInPass > 0 else { return total.store(position, ordering: .releasing) }
        if repetitionsLeft != UInt32.max { repetitionsLeft -= 1 }
        framesInPass = 0
        try file.seek(startFrame)
    }
}
