// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion

/// Memory of a converter for interleaved frames, with the part of it that is filled.
final class FrameStore {
    let format: PCMFormat
    let capacity: Int
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var first = 0
    private(set) var count = 0

    init(_ format: PCMFormat, capacity: Int) {
        self.format = format
        self.capacity = capacity
        memory = .allocate(byteCount: capacity * format.bytesPerFrame, alignment: 16)
    }

    deinit { memory.deallocate() }

    private func bytes(_ from: Int, _ to: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory[from &* format.bytesPerFrame..<to &* format.bytesPerFrame])
    }

    /// The frames that were appended and not removed.
    var frames: UnsafeMutableRawBufferPointer { bytes(first, first &+ count) }
    /// The free memory after these frames.
    var room: UnsafeMutableRawBufferPointer { bytes(first &+ count, capacity) }

    func append(_ frames: Int) { count = min(count &+ max(frames, 0), capacity &- first) }

    func remove(_ frames: Int) {
        let removed = min(max(frames, 0), count)
        count &-= removed
        first = count == 0 ? 0 : first &+ removed
    }

    /// Moves the frames to the start of the memory, so that all free memory follows them.
    func moveToStart() {
        guard first > 0, let start = memory.baseAddress else { return }
        start.copyMemory(from: start + first &* format.bytesPerFrame, byteCount: count &* format.bytesPerFrame)
        first = 0
    }

    func removeAll() { (first, count) = (0, 0) }

    /// Appends silence until the store has `frames` frames.
    func pad(to frames: Int) {
        guard count < min(frames, capacity &- first) else { return }
        let silence = bytes(first &+ count, first &+ frames)
        silence.initializeMemory(as: UInt8.self, repeating: 0)
        count = frames
    }
}
