// SPDX-License-Identifier: Apache-2.0
import CRateKernels

/// The convolution for an instruction set.
struct RateKernel: @unchecked Sendable {
    typealias Function = @convention(c) (UnsafePointer<rate_filter>?, UnsafePointer<rate_run>?) -> Void

    let run: Function

    static let ofProcessor = RateKernel(run: rate_kernel_of_processor())
}
