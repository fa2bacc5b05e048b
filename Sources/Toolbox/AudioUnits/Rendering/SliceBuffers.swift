// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLinux
import MediaFormats
import PCMConversion

/// A list of buffers for slices in one format, with its own memory.
final class SliceBuffers {
    let format: PCMFormat
    let capacity: Int
    let list: UnsafeMutablePointer<AudioBufferList>
    private let memory: UnsafeMutableRawPointer
    private let bytesPerBuffer: Int
    /// The bytes of memory for each buffer of the list: for one slice, or for the parts that the program reads.
    private let room: Int
    /// The part of each buffer's memory that is used now: the offset of its first byte, and its length.
    private var start = 0
    private var length = 0
    /// One buffer of silence, for a format whose silence is not zeros: unsigned samples.
    private let silence: UnsafeMutableRawPointer?

    /// With `hasParts`, a program reads a slice in parts, each with memory of its own.
    init?(_ format: PCMFormat, frames: Int, hasParts: Bool = false) {
        let count = format.bufferCount
        guard frames > 0, let bytes = format.bytes(frames: frames) else { return nil }
        // Buffers begin at multiples of 64 bytes, so that vector code is fast in each.
        bytesPerBuffer = (bytes + 63) & ~63
        // Two slices and the gaps between the parts.
        room = hasParts ? (bytesPerBuffer * 2 + bytesPerBuffer / 16 + 63) & ~63 : bytesPerBuffer
        memory = UnsafeMutableRawPointer.allocate(byteCount: room * count, alignment: 64)
        list = UnsafeMutableRawPointer.allocate(byteCount: BufferList.size(buffers: count), alignment: 8)
            .bindMemory(to: AudioBufferList.self, capacity: 1)
        self.format = format
        capacity = frames
        silence = format.sample.encoding == .unsignedInteger ? SliceBuffers.silence(of: format, frames, bytesPerBuffer) : nil
        UnsafeMutableRawPointer(list).initializeMemory(as: UInt8.self, repeating: 0, count: BufferList.size(buffers: count))
        list.pointee.mNumberBuffers = UInt32(count)
        prepare(frames: frames)
    }

    deinit {
        memory.deallocate()
        UnsafeMutableRawPointer(list).deallocate()
        silence?.deallocate()
    }

    /// The samples to which the conversion converts zeros.
    private static func silence(of format: PCMFormat, _ frames: Int, _ bytes: Int) -> UnsafeMutableRawPointer? {
        guard let mono = try? PCMFormat(sampleRate: format.sampleRate, channels: 1, sample: format.sample),
            let source = floats(1, like: format), let converter = try? PCMConverter(from: source, to: mono)
        else { return nil }
        let silence = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        silence.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let samples = frames * format.channelsPerBuffer
        let zeros = UnsafeMutableRawPointer.allocate(byteCount: samples * 4, alignment: 64)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: Float.self, repeating: 0, count: samples)
        converter.convert(
            SampleBuffers(UnsafeMutableRawBufferPointer(start: zeros, count: samples * 4)),
            to: SampleBuffers(UnsafeMutableRawBufferPointer(start: silence, count: bytes)), frames: samples)
        return silence
    }

    /// Prepares a part that the program borrows. The memory has room for two slices, so that parts of `capacity` frames in
    /// total do not overlap. A part that does not fit in the rest of the memory begins at the start of the memory. A part
    /// begins at a multiple of 16 bytes, except after a part of less than 256 bytes, because the gaps after short parts would
    /// need too much memory.
    func prepareNext(frames: Int) {
        let bytes = min(max(frames, 0), capacity) &* format.bytesPerFrame
        let end = start &+ length
        let next = length < 256 ? end : (end &+ 15) & ~15
        start = next &+ bytes <= room ? next : 0
        length = bytes
        prepare(frames: frames)
    }

    /// Makes every buffer point to the list's own memory, with room for `frames` frames, and fills it with silence.
    func prepare(frames: Int) {
        let frames = min(max(frames, 0), capacity)
        let buffers = BufferList(list)
        list.pointee.mNumberBuffers = UInt32(format.bufferCount)
        let bytes = frames &* format.bytesPerFrame
        for index in 0..<format.bufferCount {
            let own = self.own(index)
            buffers[index].pointee = AudioBuffer(
                mNumberChannels: UInt32(truncatingIfNeeded: format.channelsPerBuffer),
                mDataByteSize: UInt32(truncatingIfNeeded: bytes), mData: own)
            fillWithSilence(own, bytes)
        }
    }

    private func own(_ index: Int) -> UnsafeMutableRawPointer { memory + (index &* room &+ start) }

    /// Writes silence in the format of this list.
    func fillWithSilence(_ target: UnsafeMutableRawPointer, _ bytes: Int) {
        if let silence {
            linux_copy_samples(target, silence, min(bytes, bytesPerBuffer))
        } else {
            linux_clear_samples(target, bytes)
        }
    }

    /// The number of frames in every buffer after a callback, which may have replaced a pointer or a size.
    func filled(of frames: Int) -> Int {
        var filled = frames
        let buffers = BufferList(list)
        for index in 0..<format.bufferCount {
            let buffer = buffers[index].pointee
            filled = min(filled, buffer.mData == nil ? 0 : format.frames(bytes: Int(buffer.mDataByteSize)))
        }
        return filled
    }

    /// Writes silence after the first `filled` frames. If a callback has replaced a buffer, its frames move into the memory of
    /// this list.
    func complete(_ filled: Int, of frames: Int) {
        let used = filled &* format.bytesPerFrame
        let bytes = min(max(frames, 0), capacity) &* format.bytesPerFrame
        let buffers = BufferList(list)
        for index in 0..<format.bufferCount {
            let own = self.own(index)
            if used > 0, let data = buffers[index].pointee.mData, data != own { own.copyMemory(from: data, byteCount: used) }
            fillWithSilence(own + used, bytes &- used)
            buffers[index].pointee.mData = own
            buffers[index].pointee.mDataByteSize = UInt32(truncatingIfNeeded: bytes)
        }
    }

    /// The samples of a buffer of native floats. The source may have replaced the buffer.
    func nativeFloats(_ index: Int) -> UnsafeMutablePointer<Float> {
        (BufferList(list)[index].pointee.mData ?? own(index)).assumingMemoryBound(to: Float.self)
    }

    /// Moves the samples into the memory of this list if the memory of a callback is not aligned for floats.
    func alignFloats(_ frames: Int) {
        let buffers = BufferList(list)
        for index in 0..<format.bufferCount where UInt(bitPattern: buffers[index].pointee.mData) & 3 != 0 {
            return complete(frames, of: frames)
        }
    }

    /// The first buffer, which the source may have replaced.
    var firstBytes: UnsafeRawPointer? { UnsafeRawPointer(BufferList(list)[0].pointee.mData) }

    /// The memory to which the list points now.
    var samples: SampleBuffers { BufferList(list).memory() }
}
