// SPDX-License-Identifier: Apache-2.0
/// The memory of a stream: one buffer of interleaved samples, or one buffer per channel.
///
/// The value does not own the memory, and copying it does not allocate.
public struct SampleBuffers {
    public static let capacity = 8

    /// Most streams have one or two buffers, which are read without a copy of the whole array.
    private var first: UnsafeMutableRawBufferPointer
    private var second: UnsafeMutableRawBufferPointer
    private var others: InlineArray<6, UnsafeMutableRawBufferPointer>
    public private(set) var count: Int

    public init() {
        let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        first = none
        second = none
        others = [none, none, none, none, none, none]
        count = 0
    }

    public init(_ buffer: UnsafeMutableRawBufferPointer) {
        self.init()
        append(buffer)
    }

    /// Appends a buffer. Returns false when the list already has `capacity` buffers.
    @discardableResult
    public mutating func append(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard count < SampleBuffers.capacity else { return false }
        switch count {
        case 0: first = buffer
        case 1: second = buffer
        default: others[count - 2] = buffer
        }
        count += 1
        return true
    }

    /// The buffer at `index`; an empty buffer if there is none.
    public subscript(index: Int) -> UnsafeMutableRawBufferPointer {
        guard 0..<count ~= index else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        switch index {
        case 0: return first
        case 1: return second
        default: return others[index - 2]
        }
    }

    /// The buffers, each without its first `bytes` bytes.
    public func dropping(_ bytes: Int) -> SampleBuffers {
        var rest = SampleBuffers()
        for index in 0..<count {
            let buffer = self[index]
            rest.append(UnsafeMutableRawBufferPointer(rebasing: buffer[min(max(bytes, 0), buffer.count)...]))
        }
        return rest
    }
}
