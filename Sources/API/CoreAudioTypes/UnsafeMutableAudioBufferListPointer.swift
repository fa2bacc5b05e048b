// SPDX-License-Identifier: Apache-2.0
public import CCoreAudioTypes
internal import Glibc

/// The buffers of an `AudioBufferList`, as a collection.
///
///     for buffer in UnsafeMutableAudioBufferListPointer(list) { … }
public struct UnsafeMutableAudioBufferListPointer {
    /// The list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The list at an address.
    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

    /// The list at an address; nil without an address.
    public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
        guard let pointer else { return nil }
        self.init(pointer)
    }

    /// The number of buffers.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    /// The list, for a function that does not change it.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    fileprivate var buffers: UnsafeMutablePointer<AudioBuffer> {
        let first = UnsafeMutableRawPointer(unsafeMutablePointer) + AudioBufferList.offsetOfBuffers
        return first.assumingMemoryBound(to: AudioBuffer.self)
    }
}

// The element type is a value of C, and the memory is the program's: as unsafe as any pointer.
extension UnsafeMutableAudioBufferListPointer: @unchecked Sendable {}

extension UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
    public typealias Index = Int

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// The buffer with this number.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(index >= 0 && index < count, "the list has \(count) buffers")
            return buffers[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count, "the list has \(count) buffers")
            buffers[index] = newValue
        }
    }
}

extension AudioBufferList {
    fileprivate static var offsetOfBuffers: Int { MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8 }

    /// The size of a list with room for this number of buffers.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        precondition(maximumBuffers >= 1, "a list has room for 1 buffer or more")
        return MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// A list with room for this number of buffers, all of them empty. The caller frees its memory with
    /// `free(list.unsafeMutablePointer)`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let size = sizeInBytes(maximumBuffers: maximumBuffers)
        let memory = allocateZeroed(size)
        let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        list.count = maximumBuffers
        return list
    }

    /// Memory that `free` frees.
    private static func allocateZeroed(_ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = calloc(1, size) else { preconditionFailure("no memory for a list of \(size) bytes") }
        return memory
    }
}

extension AudioBuffer {
    /// A buffer whose memory is that of a typed buffer.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        self.init(
            mNumberChannels: UInt32(clamping: numberOfChannels),
            mDataByteSize: UInt32(clamping: typedBuffer.count * MemoryLayout<Element>.stride),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// The samples of a buffer.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: audioBuffer.mData == nil ? 0 : count)
    }
}

extension UnsafeMutableBufferPointer {
    /// The samples of a buffer.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: audioBuffer.mData == nil ? 0 : count)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes of a buffer.
    public init(_ audioBuffer: AudioBuffer) {
        self.init(start: audioBuffer.mData, count: audioBuffer.mData == nil ? 0 : Int(audioBuffer.mDataByteSize))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes of a buffer.
    public init(_ audioBuffer: AudioBuffer) {
        self.init(start: audioBuffer.mData, count: audioBuffer.mData == nil ? 0 : Int(audioBuffer.mDataByteSize))
    }
}
