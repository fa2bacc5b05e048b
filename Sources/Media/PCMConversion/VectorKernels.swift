// SPDX-License-Identifier: Apache-2.0
import CPCMKernels
import MediaFormats

/// The vector kernels of this processor. Nil without kernels: the kernels in Swift have the same results.
private let kernels = pcm_kernels()?.pointee

/// Converts contiguous samples with vector instructions.
struct VectorConversion: @unchecked Sendable {
    typealias Kernel = @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?, Int, Double) -> Void

    let kernel: Kernel
    let scale: Double

    /// Nil for pairs of formats and processors without a kernel.
    init?(from source: SampleFormat, to target: SampleFormat) {
        guard let kernels, let from = CommonSample(source), let to = CommonSample(target) else { return nil }
        let found: Kernel?
        switch (from, to) {
        case (.int16, .float32): found = kernels.int16_to_float32
        case (.float32, .int16): found = kernels.float32_to_int16
        case (.int16, .int32): found = kernels.int16_to_int32
        case (.int32, .int16): found = kernels.int32_to_int16
        case (.int16, .float64): found = kernels.int16_to_float64
        case (.float64, .int16): found = kernels.float64_to_int16
        case (.int32, .float32), (.fixed32, .float32): found = kernels.int32_to_float32
        case (.float32, .int32), (.float32, .fixed32): found = kernels.float32_to_int32
        case (.int32, .float64), (.fixed32, .float64): found = kernels.int32_to_float64
        case (.float64, .int32), (.float64, .fixed32): found = kernels.float64_to_int32
        default: found = nil
        }
        guard let found else { return nil }
        kernel = found
        scale = SampleTransform(source.encoding == .float ? target : source).scale
    }
}

/// Converts the samples of stereo, and interleaves or separates the channels.
struct StereoConversion: @unchecked Sendable {
    typealias Join = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?, Int) -> Void
    typealias Split = @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Void

    let join: Join
    let split: Split

    /// Nil for pairs of formats and processors without a kernel.
    init?(from source: PCMFormat, to target: PCMFormat) {
        guard let kernels, source.channels == 2, target.channels == 2, source.isInterleaved != target.isInterleaved,
            let from = CommonSample(source.sample), let to = CommonSample(target.sample)
        else { return nil }
        let (joins, splits) = (kernels.join, kernels.split)
        let found: (join: Join?, split: Split?)
        switch (from, to) {
        case (.int16, .int16): found = (joins.0.0, splits.0.0)
        case (.int16, .float32): found = (joins.0.1, splits.0.1)
        case (.float32, .int16): found = (joins.1.0, splits.1.0)
        case (.float32, .float32): found = (joins.1.1, splits.1.1)
        default: return nil
        }
        guard let join = found.join, let split = found.split else { return nil }
        (self.join, self.split) = (join, split)
    }
}
