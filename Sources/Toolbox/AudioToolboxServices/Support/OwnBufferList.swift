// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import PCMConversion

/// Memory for an `AudioBufferList` that the library passes to procedures of the program.
final class OwnBufferList {
    let list: UnsafeMutablePointer<AudioBufferList>

    init() {
        let size = BufferList.size(buffers: SampleBuffers.capacity)
        list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8).bindMemory(to: AudioBufferList.self, capacity: 1)
    }

    deinit { list.deallocate() }

    /// Empties the list. The first `number` buffers have `channels` channels each.
    func clear(_ number: Int, channels: Int) {
        list.pointee.mNumberBuffers = UInt32(clamping: number)
        for index in 0..<number {
            BufferList(list)[index].initialize(
                to: AudioBuffer(mNumberChannels: UInt32(clamping: channels), mDataByteSize: 0, mData: nil))
        }
    }
}
