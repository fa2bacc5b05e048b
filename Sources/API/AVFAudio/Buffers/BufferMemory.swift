// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// The memory of a buffer of sound, and the two lists that describe it: with the size of the sound, and with that of the memory.
final class BufferMemory {
    let sound: UnsafeMutableAudioBufferListPointer
    private let room: UnsafeMutableAudioBufferListPointer
    /// The size of each buffer.
    let capacity: Int
    private let release: () -> Void

    /// Memory of its own, all zeros. Nil when memory is exhausted, and for a size that no memory has.
    convenience init?(buffers: Int, channelsPerBuffer: UInt32, capacity: Int) {
        // Each buffer begins at a multiple of 64 bytes, the line of a cache and the width of a vector.
        guard (0...Int.max - 63).contains(capacity), buffers > 0 else { return nil }
        let stride = (capacity + 63) & ~63
        let (size, overflow) = stride.multipliedReportingOverflow(by: buffers)
        guard !overflow else { return nil }
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, 64, max(size, 64)) == 0, let memory else { return nil }
        memset(memory, 0, max(size, 64))
        let list = AudioBufferList.allocate(maximumBuffers: buffers)
        for index in 0..<buffers {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(clamping: capacity), mData: memory + index * stride)
        }
        self.init(list, capacity: capacity) { free(memory) }
    }

    /// Memory of the program, which `release` gives back.
    convenience init?(borrowed list: UnsafePointer<AudioBufferList>, release: @escaping () -> Void) {
        let program = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        guard program.count > 0, program.allSatisfy({ $0.mData != nil }) else { return nil }
        let copy = AudioBufferList.allocate(maximumBuffers: program.count)
        for index in 0..<program.count { copy[index] = program[index] }
        self.init(copy, capacity: Int(program.map { $0.mDataByteSize }.min() ?? 0), release: release)
    }

    private init(_ list: UnsafeMutableAudioBufferListPointer, capacity: Int, release: @escaping () -> Void) {
        room = list
        sound = AudioBufferList.allocate(maximumBuffers: list.count)
        for index in 0..<list.count { sound[index] = list[index] }
        self.capacity = capacity
        self.release = release
    }

    deinit {
        free(room.unsafeMutablePointer)
        free(sound.unsafeMutablePointer)
        release()
    }

    /// The first byte of a buffer.
    func data(_ index: Int) -> UnsafeMutableRawPointer? { index < sound.count ? sound[index].mData : nil }

    func sizes(_ bytes: Int) {
        for index in 0..<sound.count { sound[index].mDataByteSize = UInt32(clamping: bytes) }
    }

    /// The list for functions that fill the memory, with the sizes that the last of them has written.
    var list: UnsafeMutablePointer<AudioBufferList> { room.unsafeMutablePointer }

    /// The list for functions that fill the memory, with the sizes of the memory.
    func resetRoom() -> UnsafeMutablePointer<AudioBufferList> {
        for index in 0..<room.count {
            room[index].mDataByteSize = UInt32(clamping: capacity)
            room[index].mData = sound[index].mData
        }
        return room.unsafeMutablePointer
    }

    /// The list for a function that fills the memory from a position on.
    func withRoom<Result>(
        from offset: Int, bytes: Int, _ body: (UnsafeMutablePointer<AudioBufferList>) throws -> Result
    ) rethrows -> Result {
        for index in 0..<room.count {
            room[index].mDataByteSize = UInt32(clamping: min(bytes, capacity - offset))
            room[index].mData = sound[index].mData.map { $0 + offset }
        }
        defer { _ = resetRoom() }
        return try body(room.unsafeMutablePointer)
    }

    func copyContents(of other: BufferMemory, bytes: Int) {
        for index in 0..<min(sound.count, other.sound.count) {
            guard let target = sound[index].mData, let source = other.sound[index].mData else { continue }
            memcpy(target, source, min(bytes, capacity, other.capacity))
        }
    }
}
