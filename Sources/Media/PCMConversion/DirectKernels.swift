// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// Converts contiguous samples without intermediate doubles.
///
/// `scale` is 2^fractionBits of the 32-bit fixed-point side.
typealias DirectKernel = @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int, Double) -> Void

/// A kernel for a frequent pair of formats. The result equals that of the conversion through doubles.
struct DirectConversion: Sendable {
    let kernel: DirectKernel
    let scale: Double

    /// Nil for pairs that are converted through doubles.
    init?(from source: SampleFormat, to target: SampleFormat) {
        guard let from = CommonSample(source), let to = CommonSample(target) else { return nil }
        var scale = 1.0
        switch (from, to) {
        case (.int16, .float32): kernel = int16ToFloat32
        case (.float32, .int16): kernel = float32ToInt16
        case (.int16, .int32): kernel = int16ToInt32
        case (.int32, .int16): kernel = int32ToInt16
        case (.int32, .float32), (.fixed32, .float32):
            kernel = fixed32ToFloat32
            scale = SampleTransform(source).scale
        case (.float32, .int32), (.float32, .fixed32):
            kernel = float32ToFixed32
            scale = SampleTransform(target).scale
        case (.float32, .float64): kernel = float32ToFloat64
        case (.float64, .float32): kernel = float64ToFloat32
        default: return nil
        }
        self.scale = scale
    }
}

/// The native samples that have direct kernels.
enum CommonSample {
    case int16, int32, fixed32, float32, float64

    init?(_ sample: SampleFormat) {
        guard sample.byteOrder == .native, sample.isPacked else { return nil }
        switch (sample.encoding, sample.bytes) {
        case (.signedInteger, 2) where sample.isNativeInt16: self = .int16
        case (.signedInteger, 4): self = sample.isPlainInteger ? .int32 : .fixed32
        case (.float, 4): self = .float32
        case (.float, 8): self = .float64
        default: return nil
        }
    }
}

@_optimize(speed)
private func int16ToFloat32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Int16) in Float(sample) * (1 / 32768) }
}

@_optimize(speed)
private func float32ToInt16(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Float) in
        Int16(truncatingIfNeeded: rounded(sample * 32768, -32768, 32767))
    }
}

@_optimize(speed)
private func int16ToInt32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Int16) in Int32(sample) &<< 16 }
}

/// Adding half of the step less one, plus the lowest remaining bit, rounds ties to even. The addition overflows
/// only above the largest result, which is clipped.
@_optimize(speed)
private func int32ToInt16(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Int32) in
        let low = sample < 0x7FFF_0000 ? sample : 0x7FFF_0000
        return Int16(truncatingIfNeeded: (low &+ 0x7FFF &+ ((low &>> 16) & 1)) &>> 16)
    }
}

@_optimize(speed)
private func fixed32ToFloat32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    let unit = Float(1 / scale)
    forEachSample(source, target, count) { (sample: Int32) in Float(sample) * unit }
}

@_optimize(speed)
private func float32ToFixed32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Float) in
        rounded(Double(sample) * scale, -2_147_483_648, 2_147_483_647)
    }
}

@_optimize(speed)
private func float32ToFloat64(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Float) in Double(sample) }
}

@_optimize(speed)
private func float64ToFloat32(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ scale: Double) {
    forEachSample(source, target, count) { (sample: Double) in Float(sample) }
}
