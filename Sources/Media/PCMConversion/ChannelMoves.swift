// SPDX-License-Identifier: Apache-2.0
/// The samples of one channel: the address of the first one, and the stride in samples.
struct ChannelRun {
    let base: UnsafeMutableRawPointer
    let stride: Int
}

/// Copies samples of one size between channels, without conversion.
struct ChannelMover: Sendable {
    typealias Copy = @Sendable (ChannelRun, ChannelRun, Int) -> Void
    typealias Pair = @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Void
    typealias Joint = @Sendable (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
    typealias Fill = @Sendable (ChannelRun, Int, UInt64) -> Void

    /// Copies one channel.
    let copy: Copy
    /// Writes one sample to all frames of a channel.
    let fill: Fill
    /// Splits interleaved stereo.
    let split: Pair
    /// Joins two channels to interleaved stereo.
    let join: Joint

    init(bytesPerSample: Int) {
        switch bytesPerSample {
        case 1: (copy, fill, split, join) = (copy8, fill8, split8, join8)
        case 2: (copy, fill, split, join) = (copy16, fill16, split16, join16)
        case 3: (copy, fill, split, join) = (copy24, fill24, split24, join24)
        case 4: (copy, fill, split, join) = (copy32, fill32, split32, join32)
        default: (copy, fill, split, join) = (copy64, fill64, split64, join64)
        }
    }
}

@inline(__always)
private func copyRun<Sample: BitwiseCopyable>(_ source: ChannelRun, _ target: ChannelRun, _ count: Int, _ type: Sample.Type) {
    let size = MemoryLayout<Sample>.size
    let from = UnsafeRawPointer(source.base)
    if source.stride == 1, target.stride == 1 {
        target.base.copyMemory(from: from, byteCount: count &* size)
        return
    }
    var (read, write) = (0, 0)
    for _ in 0..<count {
        target.base.storeBytes(
            of: from.loadUnaligned(fromByteOffset: read, as: Sample.self), toByteOffset: write, as: Sample.self)
        read &+= source.stride &* size
        write &+= target.stride &* size
    }
}

@inline(__always)
private func fillRun<Sample: BitwiseCopyable>(_ target: ChannelRun, _ count: Int, _ sample: Sample) {
    var write = 0
    for _ in 0..<count {
        target.base.storeBytes(of: sample, toByteOffset: write, as: Sample.self)
        write &+= target.stride &* MemoryLayout<Sample>.size
    }
}

@inline(__always)
private func splitRun<Sample: BitwiseCopyable>(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int,
    _ type: Sample.Type
) {
    let size = MemoryLayout<Sample>.size
    var index = 0
    while index < count {
        let offset = index &* size
        let first = source.loadUnaligned(fromByteOffset: offset &* 2, as: Sample.self)
        let second = source.loadUnaligned(fromByteOffset: offset &* 2 &+ size, as: Sample.self)
        left.storeBytes(of: first, toByteOffset: offset, as: Sample.self)
        right.storeBytes(of: second, toByteOffset: offset, as: Sample.self)
        index &+= 1
    }
}

@inline(__always)
private func joinRun<Sample: BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ type: Sample.Type
) {
    let size = MemoryLayout<Sample>.size
    var index = 0
    while index < count {
        let offset = index &* size
        let first = left.loadUnaligned(fromByteOffset: offset, as: Sample.self)
        let second = right.loadUnaligned(fromByteOffset: offset, as: Sample.self)
        target.storeBytes(of: first, toByteOffset: offset &* 2, as: Sample.self)
        target.storeBytes(of: second, toByteOffset: offset &* 2 &+ size, as: Sample.self)
        index &+= 1
    }
}

// One function for each size and operation, because the compiler vectorizes only for a constant size.

@_optimize(speed)
private func copy8(_ source: ChannelRun, _ target: ChannelRun, _ count: Int) { copyRun(source, target, count, UInt8.self) }
@_optimize(speed)
private func fill8(_ target: ChannelRun, _ count: Int, _ sample: UInt64) {
    fillRun(target, count, UInt8(truncatingIfNeeded: sample))
}
@_optimize(speed)
private func split8(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int
) {
    splitRun(source, left, right, count, UInt8.self)
}
@_optimize(speed)
private func join8(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
    joinRun(left, right, target, count, UInt8.self)
}

@_optimize(speed)
private func copy16(_ source: ChannelRun, _ target: ChannelRun, _ count: Int) { copyRun(source, target, count, UInt16.self) }
@_optimize(speed)
private func fill16(_ target: ChannelRun, _ count: Int, _ sample: UInt64) {
    fillRun(target, count, UInt16(truncatingIfNeeded: sample))
}
@_optimize(speed)
private func split16(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int
) {
    splitRun(source, left, right, count, UInt16.self)
}
@_optimize(speed)
private func join16(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
    joinRun(left, right, target, count, UInt16.self)
}

@_optimize(speed)
private func copy24(_ source: ChannelRun, _ target: ChannelRun, _ count: Int) { copyRun(source, target, count, Bytes24.self) }
@_optimize(speed)
private func fill24(_ target: ChannelRun, _ count: Int, _ sample: UInt64) {
    fillRun(
        target, count,
        Bytes24(
            first: UInt8(truncatingIfNeeded: sample), second: UInt8(truncatingIfNeeded: sample &>> 8),
            third: UInt8(truncatingIfNeeded: sample &>> 16)))
}
@_optimize(speed)
private func split24(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int
) {
    splitRun(source, left, right, count, Bytes24.self)
}
@_optimize(speed)
private func join24(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
    joinRun(left, right, target, count, Bytes24.self)
}

@_optimize(speed)
private func copy32(_ source: ChannelRun, _ target: ChannelRun, _ count: Int) { copyRun(source, target, count, UInt32.self) }
@_optimize(speed)
private func fill32(_ target: ChannelRun, _ count: Int, _ sample: UInt64) {
    fillRun(target, count, UInt32(truncatingIfNeeded: sample))
}
@_optimize(speed)
private func split32(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int
) {
    splitRun(source, left, right, count, UInt32.self)
}
@_optimize(speed)
private func join32(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
    joinRun(left, right, target, count, UInt32.self)
}

@_optimize(speed)
private func copy64(_ source: ChannelRun, _ target: ChannelRun, _ count: Int) { copyRun(source, target, count, UInt64.self) }
@_optimize(speed)
private func fill64(_ target: ChannelRun, _ count: Int, _ sample: UInt64) {
    fillRun(target, count, sample)
}
@_optimize(speed)
private func split64(
    _ source: UnsafeRawPointer, _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ count: Int
) {
    splitRun(source, left, right, count, UInt64.self)
}
@_optimize(speed)
private func join64(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
) {
    joinRun(left, right, target, count, UInt64.self)
}
