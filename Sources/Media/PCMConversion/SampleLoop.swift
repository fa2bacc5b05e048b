// SPDX-License-Identifier: Apache-2.0
/// Applies `body` to `count` samples. Neither pointer needs to be aligned.
///
/// Callers have the attribute `@_optimize(speed)`: the shipped libraries are built for size, and the compiler would then
/// not vectorize the loop.
@inline(__always)
func forEachSample<Source: BitwiseCopyable, Target: BitwiseCopyable>(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _ body: (Source) -> Target
) {
    var index = 0
    while index < count {
        let sample = source.loadUnaligned(fromByteOffset: index &* MemoryLayout<Source>.size, as: Source.self)
        target.storeBytes(of: body(sample), toByteOffset: index &* MemoryLayout<Target>.size, as: Target.self)
        index &+= 1
    }
}

/// Rounds to the nearest integer, ties to even, and clips to `low...high`. NaN becomes 0.
///
/// Adding 1.5 × 2^52 moves the binary point to the end of the significand, and the processor rounds there.
/// `low` and `high` are integers of at most 32 bits.
@inline(__always)
func rounded(_ value: Double, _ low: Double, _ high: Double) -> Int32 {
    var value = value == value ? value : 0
    value = value < low ? low : value
    value = value > high ? high : value
    return Int32(truncatingIfNeeded: Int64(bitPattern: (value + 6_755_399_441_055_744).bitPattern))
}

/// As `rounded`, for integers of at most 16 bits, in single precision.
@inline(__always)
func rounded(_ value: Float, _ low: Float, _ high: Float) -> Int32 {
    var value = value == value ? value : 0
    value = value < low ? low : value
    value = value > high ? high : value
    return Int32(bitPattern: (value + 12_582_912).bitPattern) &- 0x4B40_0000
}
