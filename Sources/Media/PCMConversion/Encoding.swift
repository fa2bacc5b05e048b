// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Converts doubles to contiguous samples.
///
/// Integers are rounded to the nearest value, ties to even, and clipped to the range of the sample. NaN
/// becomes silence. Floats are rounded as IEEE 754 does; infinity and NaN stay.
typealias Encoder = @Sendable (UnsafePointer<Double>, UnsafeMutableRawPointer, Int, SampleTransform) -> Void

extension SampleFormat {
    var encoder: Encoder {
        let isNative = byteOrder == .native || bytes == 1
        switch (encoding, bytes, isNative) {
        case (.float, 8, true): return encodeFloat64
        case (.float, 8, false): return encodeSwappedFloat64
        case (.float, _, true): return encodeFloat32
        case (.float, _, false): return encodeSwappedFloat32
        case (_, 1, _): return encode8
        case (_, 2, true): return encode16
        case (_, 2, false): return encodeSwapped16
        case (_, 3, _): return byteOrder == .little ? encodeLittle24 : encodeBig24
        case (_, _, true): return encode32
        case (_, _, false): return encodeSwapped32
        }
    }

    /// The bytes of silence in the order of memory, beginning at the lowest byte of the result.
    var silence: UInt64 {
        guard encoding == .unsignedInteger else { return 0 }
        let container = SampleTransform(self).container(0)
        return UInt64(byteOrder == .little ? container : container.byteSwapped >> UInt32(32 - bytes * 8))
    }
}

@_optimize(speed)
private func encodeFloat64(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    target.copyMemory(from: source, byteCount: count &* 8)
}

@_optimize(speed)
private func encodeSwappedFloat64(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (bits: UInt64) in bits.byteSwapped }
}

@_optimize(speed)
private func encodeFloat32(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in Float(value) }
}

@_optimize(speed)
private func encodeSwappedFloat32(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in Float(value).bitPattern.byteSwapped }
}

@_optimize(speed)
private func encode8(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in UInt8(truncatingIfNeeded: transform.container(value)) }
}

@_optimize(speed)
private func encode16(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in UInt16(truncatingIfNeeded: transform.container(value)) }
}

@_optimize(speed)
private func encodeSwapped16(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in
        UInt16(truncatingIfNeeded: transform.container(value)).byteSwapped
    }
}

@_optimize(speed)
private func encodeLittle24(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in
        let container = transform.container(value)
        return Bytes24(
            first: UInt8(truncatingIfNeeded: container), second: UInt8(truncatingIfNeeded: container &>> 8),
            third: UInt8(truncatingIfNeeded: container &>> 16))
    }
}

@_optimize(speed)
private func encodeBig24(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in
        let container = transform.container(value)
        return Bytes24(
            first: UInt8(truncatingIfNeeded: container &>> 16), second: UInt8(truncatingIfNeeded: container &>> 8),
            third: UInt8(truncatingIfNeeded: container))
    }
}

@_optimize(speed)
private func encode32(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in transform.container(value) }
}

@_optimize(speed)
private func encodeSwapped32(
    _ source: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (value: Double) in transform.container(value).byteSwapped }
}
