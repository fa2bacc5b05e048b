// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import PCMConversion

/// The buffers of a list. C declares one buffer; in memory it is followed by the others that `mNumberBuffers` counts.
struct BufferList {
    let list: UnsafeMutablePointer<AudioBufferList>

    init(_ list: UnsafeMutablePointer<AudioBufferList>) { self.list = list }

    static let headerSize = 8
    static func size(buffers: Int) -> Int { headerSize + buffers * MemoryLayout<AudioBuffer>.stride }

    var count: Int { Int(list.pointee.mNumberBuffers) }

    subscript(index: Int) -> UnsafeMutablePointer<AudioBuffer> {
        (UnsafeMutableRawPointer(list) + BufferList.headerSize + index &* MemoryLayout<AudioBuffer>.stride)
            .assumingMemoryBound(to: AudioBuffer.self)
    }

    /// The memory of each buffer, with the size that the buffer states. Empty when a pointer is NULL.
    func memory() -> SampleBuffers {
        var memory = SampleBuffers()
        for index in 0..<min(count, SampleBuffers.capacity) {
            let buffer = self[index].pointee
            memory.append(
                UnsafeMutableRawBufferPointer(
                    start: buffer.mData, count: buffer.mData == nil ? 0 : Int(buffer.mDataByteSize)))
        }
        return memory
    }
}
