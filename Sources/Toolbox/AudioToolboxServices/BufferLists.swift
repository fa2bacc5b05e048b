// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion

/// An `AudioBufferList` of a program, with the number of buffers that its header states.
struct BufferList {
    static let headerSize = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size

    private let list: UnsafeMutableRawPointer

    init(_ list: UnsafeMutablePointer<AudioBufferList>) { self.list = UnsafeMutableRawPointer(list) }
    init(reading list: UnsafePointer<AudioBufferList>) { self.list = UnsafeMutableRawPointer(mutating: list) }

    var count: Int { Int(list.assumingMemoryBound(to: AudioBufferList.self).pointee.mNumberBuffers) }

    func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
        (list + BufferList.headerSize).assumingMemoryBound(to: AudioBuffer.self) + index
    }

    /// The memory of the first buffer; empty without one.
    var firstMemory: UnsafeMutableRawBufferPointer {
        guard count > 0 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        let first = buffer(0).pointee
        return UnsafeMutableRawBufferPointer(start: first.mData, count: first.mData == nil ? 0 : Int(first.mDataByteSize))
    }

    /// The memory of the first `number` buffers. Ends before a buffer without memory. Optimized for speed: code for size copies
    /// the result by string instructions, which take most of the time of the function.
    @_optimize(speed)
    func memory(_ number: Int) -> SampleBuffers {
        var buffers = SampleBuffers()
        for index in 0..<min(number, count) {
            let buffer = buffer(index).pointee
            guard let data = buffer.mData else { break }
            buffers.append(UnsafeMutableRawBufferPointer(start: data, count: Int(buffer.mDataByteSize)))
        }
        return buffers
    }

    /// Sets the size of the first `number` buffers.
    func setSize(_ bytes: Int, _ number: Int) {
        for index in 0..<min(number, count) { buffer(index).pointee.mDataByteSize = UInt32(clamping: bytes) }
    }
}

/// Memory for an `AudioBufferList` that the library passes to procedures of the program.
final class OwnBufferList {
    let list: UnsafeMutablePointer<AudioBufferList>

    init() {
        let size = BufferList.headerSize + SampleBuffers.capacity * MemoryLayout<AudioBuffer>.stride
        list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8).bindMemory(to: AudioBufferList.self, capacity: 1)
    }

    deinit { list.deallocate() }

    /// Empties the list. The first `number` buffers have `channels` channels each.
    func clear(_ number: Int, channels: Int) {
        list.pointee.mNumberBuffers = UInt32(clamping: number)
        for index in 0..<number {
            BufferList(list).buffer(index).initialize(
                to: AudioBuffer(mNumberChannels: UInt32(clamping: channels), mDataByteSize: 0, mData: nil))
        }
    }
}

extension StreamDescription {
    init(_ description: AudioStreamBasicDescription) {
        self = withUnsafeBytes(of: description) { bytes in
            bytes.baseAddress.map { StreamDescription(at: $0) } ?? StreamDescription(sampleRate: 0, formatID: 0)
        }
    }
}

enum ChannelLayoutBytes {
    /// The size of a layout with at most 64 descriptions.
    static func size(_ layout: UnsafePointer<AudioChannelLayout>) -> Int {
        let header = MemoryLayout<AudioChannelLayout>.size - MemoryLayout<AudioChannelDescription>.size
        return header + Int(min(layout.pointee.mNumberChannelDescriptions, 64)) * MemoryLayout<AudioChannelDescription>.size
    }
}
