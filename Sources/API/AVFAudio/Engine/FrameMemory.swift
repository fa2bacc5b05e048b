// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// The buffers of a list, of which the rendering thread copies parts. Copies what fits, and never reads behind a buffer.
enum BufferCopy {
    static func silence(_ list: UnsafeMutablePointer<AudioBufferList>) {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<buffers.count {
            guard let data = buffers[index].mData else { continue }
            data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(buffers[index].mDataByteSize))
        }
    }
}

/// A ring of frames in a format of linear PCM, with memory for each buffer of the format.
///
/// One thread writes and one thread reads; the owner orders them.
final class FrameMemory: @unchecked Sendable {
    let capacity: Int
    let buffers: Int
    let bytesPerFrame: Int
    private let memory: UnsafeMutableRawPointer

    /// Nil for a format that is not linear PCM.
    init?(_ format: AVAudioFormat, capacity: Int) {
        let description = format.streamDescription.pointee
        guard description.mBytesPerFrame > 0, capacity > 0 else { return nil }
        self.capacity = capacity
        buffers = format.isInterleaved ? 1 : Int(description.mChannelsPerFrame)
        bytesPerFrame = Int(description.mBytesPerFrame)
        memory = .allocate(byteCount: capacity * bytesPerFrame * buffers, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * bytesPerFrame * buffers)
    }

    deinit { memory.deallocate() }

    private func place(_ buffer: Int, _ frame: Int) -> UnsafeMutableRawPointer {
        memory + (buffer &* capacity &+ frame) &* bytesPerFrame
    }

    /// Copies frames of a list into the ring, from a position on.
    func write(_ list: UnsafePointer<AudioBufferList>, _ frames: Int, at position: Int) {
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        for index in 0..<min(buffers, source.count) {
            guard let data = source[index].mData else { continue }
            let count = min(frames, Int(source[index].mDataByteSize) / bytesPerFrame)
            copy(count, at: position) { place, done, part in
                (self.place(index, place)).copyMemory(from: data + done &* bytesPerFrame, byteCount: part &* bytesPerFrame)
            }
        }
    }

    /// Copies frames of the ring into a list, behind its first `offset` frames.
    func read(_ position: Int, _ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>, at offset: Int = 0) {
        let target = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<min(buffers, target.count) {
            guard let data = target[index].mData else { continue }
            copy(frames, at: position) { place, done, part in
                (data + (offset &+ done) &* bytesPerFrame)
                    .copyMemory(from: self.place(index, place), byteCount: part &* bytesPerFrame)
            }
        }
    }

    /// Calls `body` with the place in the ring, the number of frames before it, and the number of frames, for each part.
    private func copy(_ frames: Int, at position: Int, _ body: (Int, Int, Int) -> Void) {
        var done = 0
        while done < frames {
            let place = (position &+ done) % capacity
            let part = min(frames &- done, capacity &- place)
            body(place, done, part)
            done &+= part
        }
    }
}
