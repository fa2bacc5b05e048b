// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats

/// Checks the list that a program passes to `AudioUnitRender`.
enum PreparedOutput {
    /// Gives every buffer memory and the size of `frames` frames. A buffer without memory receives the memory of `unitBuffers`; its
    /// size is ignored. A buffer that is too small is an error, and its size becomes the size that is needed.
    static func prepare(
        _ list: UnsafeMutablePointer<AudioBufferList>, for format: PCMFormat, _ frames: Int, from unitBuffers: SliceBuffers?
    ) throws(UnitError) {
        let buffers = BufferList(list)
        guard buffers.count == format.bufferCount, let bytes = format.bytes(frames: frames),
            let size = UInt32(exactly: bytes)
        else { throw .parameter }
        var (isTooSmall, isWithoutMemory) = (false, false)
        for index in 0..<format.bufferCount {
            guard buffers[index].pointee.mData != nil else {
                isWithoutMemory = true
                continue
            }
            guard buffers[index].pointee.mDataByteSize < size else { continue }
            buffers[index].pointee.mDataByteSize = size
            isTooSmall = true
        }
        guard !isTooSmall else { throw .parameter }
        if isWithoutMemory {
            guard let unitBuffers, frames <= unitBuffers.capacity else { throw .parameter }
            unitBuffers.prepareNext(frames: frames)
        }
        for index in 0..<format.bufferCount {
            if let unitBuffers, buffers[index].pointee.mData == nil {
                buffers[index].pointee.mData = BufferList(unitBuffers.list)[index].pointee.mData
            }
            buffers[index].pointee.mNumberChannels = UInt32(truncatingIfNeeded: format.channelsPerBuffer)
            buffers[index].pointee.mDataByteSize = size
        }
    }
}
