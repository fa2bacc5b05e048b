// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
public import PCMConversion

/// The buffers of a program's list. C declares one buffer; in memory it is followed by the others that `mNumberBuffers` counts. A
/// buffer whose pointer is NULL is an empty buffer.
public struct BufferList {
    let list: UnsafeMutablePointer<AudioBufferList>

    public init(_ list: UnsafeMutablePointer<AudioBufferList>) { self.list = list }
    public init(reading list: UnsafePointer<AudioBufferList>) { self.list = UnsafeMutablePointer(mutating: list) }

    public static let headerSize = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    public static func size(buffers: Int) -> Int { headerSize + buffers * MemoryLayout<AudioBuffer>.stride }

    public var count: Int { Int(list.pointee.mNumberBuffers) }

    public subscript(index: Int) -> UnsafeMutablePointer<AudioBuffer> {
        (UnsafeMutableRawPointer(list) + BufferList.headerSize + index &* MemoryLayout<AudioBuffer>.stride)
            .assumingMemoryBound(to: AudioBuffer.self)
    }

    private func memory(at index: Int) -> UnsafeMutableRawBufferPointer {
        let buffer = self[index].pointee
        return UnsafeMutableRawBufferPointer(start: buffer.mData, count: buffer.mData == nil ? 0 : Int(buffer.mDataByteSize))
    }

    /// The memory of the first buffer; empty without one.
    public var firstMemory: UnsafeMutableRawBufferPointer {
        count > 0 ? memory(at: 0) : UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// The memory of the first `number` buffers, with the sizes that they state. Optimized for speed: code for size copies the
    /// result by string instructions, which take most of the time of the function.
    @_optimize(speed)
    public func memory(_ number: Int = SampleBuffers.capacity) -> SampleBuffers {
        var buffers = SampleBuffers()
        for index in 0..<min(number, count, SampleBuffers.capacity) { buffers.append(memory(at: index)) }
        return buffers
    }

    /// Sets the size of the first `number` buffers.
    public func setSize(_ bytes: Int, _ number: Int) {
        for index in 0..<min(number, count) { self[index].pointee.mDataByteSize = UInt32(clamping: bytes) }
    }
}
