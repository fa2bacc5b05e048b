// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Converts contiguous samples to doubles. A double represents every supported sample exactly.
typealias Decoder = @Sendable (UnsafeRawPointer, UnsafeMutablePointer<Double>, Int, SampleTransform) -> Void

extension SampleFormat {
    var decoder: Decoder {
        let isNative = byteOrder == .native || bytes == 1
        switch (encoding, bytes, isNative) {
        case (.float, 8, true): return decodeFloat64
        case (.float, 8, false): return decodeSwappedFloat64
        case (.float, _, true): return decodeFloat32
        case (.float, _, false): return decodeSwappedFloat32
        case (_, 1, _): return decode8
        case (_, 2, true): return decode16
        case (_, 2, false): return decodeSwapped16
        case (_, 3, _): return byteOrder == .little ? decodeLittle24 : decodeBig24
        case (_, _, true): return decode32
        case (_, _, false): return decodeSwapped32
        }
    }
}

@_optimize(speed)
private func decodeFloat64(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count &* 8)
}

@_optimize(speed)
private func decodeSwappedFloat64(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (bits: UInt64) in bits.byteSwapped }
}

@_optimize(speed)
private func decodeFloat32(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: Float) in Double(sample) }
}

@_optimize(speed)
private func decodeSwappedFloat32(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (bits: UInt32) in Double(Float(bitPattern: bits.byteSwapped)) }
}

@_optimize(speed)
private func decode8(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: UInt8) in transform.value(UInt32(sample)) }
}

@_optimize(speed)
private func decode16(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: UInt16) in transform.value(UInt32(sample)) }
}

@_optimize(speed)
private func decodeSwapped16(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: UInt16) in transform.value(UInt32(sample.byteSwapped)) }
}

@_optimize(speed)
private func decodeLittle24(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: Bytes24) in
        transform.value(UInt32(sample.first) | UInt32(sample.second) &<< 8 | UInt32(sample.third) &<< 16)
    }
}

@_optimize(speed)
private func decodeBig24(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: Bytes24) in
        transform.value(UInt32(sample.third) | UInt32(sample.second) &<< 8 | UInt32(sample.first) &<< 16)
    }
}

@_optimize(speed)
private func decode32(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: UInt32) in transform.value(sample) }
}

@_optimize(speed)
private func decodeSwapped32(
    _ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Double>, _ count: Int, _ transform: SampleTransform
) {
    forEachSample(source, target, count) { (sample: UInt32) in transform.value(sample.byteSwapped) }
}

/// The three bytes of a packed 24-bit sample.
struct Bytes24: BitwiseCopyable {
    var first: UInt8
    var second: UInt8
    var third: UInt8
}
