// SPDX-License-Identifier: Apache-2.0
/// Finds the part of a signal that is most similar to another signal: by the means of groups of frames, and then by frames.
final class SegmentSearch {
    /// The frames of a group.
    static let step = 4

    private let channels: Int
    private let frames: Int
    private let coarseInput: UnsafeMutablePointer<Float>
    private let coarsePattern: UnsafeMutablePointer<Float>

    /// For patterns of `frames` frames, and at most `2 * reach + 1` candidates. Both numbers are multiples of `step`.
    init(channels: Int, frames: Int, reach: Int) {
        self.channels = channels
        self.frames = frames
        let groups = (2 * reach + frames) / SegmentSearch.step + 1
        coarseInput = .allocate(capacity: groups * channels)
        coarseInput.initialize(repeating: 0, count: groups * channels)
        coarsePattern = .allocate(capacity: frames / SegmentSearch.step * channels)
        coarsePattern.initialize(repeating: 0, count: frames / SegmentSearch.step * channels)
    }

    deinit {
        coarseInput.deallocate()
        coarsePattern.deallocate()
    }

    /// The frame of the input at which the most similar part begins, below `candidates`. Of equal ones, the one in the middle.
    func best(_ pattern: UnsafePointer<Float>, in input: UnsafePointer<Float>, candidates: Int) -> Int {
        let step = SegmentSearch.step
        let groups = frames / step
        let coarseCandidates = (candidates - 1) / step + 1
        means(pattern, channels, groups, coarsePattern)
        means(input, channels, coarseCandidates - 1 + groups, coarseInput)
        let middle = (coarseCandidates - 1) / 2
        var best = (index: middle, score: score(coarsePattern, coarseInput + middle * channels, groups * channels))
        for index in 0..<coarseCandidates {
            let score = score(coarsePattern, coarseInput + index * channels, groups * channels)
            if score > best.score { best = (index, score) }
        }
        let near = best.index * step
        var exact = (index: near, score: score(pattern, input + near * channels, frames * channels))
        for index in max(near - step, 0)...min(near + step, candidates - 1) {
            let score = score(pattern, input + index * channels, frames * channels)
            if score > exact.score { exact = (index, score) }
        }
        return exact.index
    }
}

// At file scope and not inlined: in code for size, loops are not vectorized.

/// The means of groups of frames.
@inline(never)
@_optimize(speed)
private func means(
    _ frames: UnsafePointer<Float>, _ channels: Int, _ groups: Int, _ result: UnsafeMutablePointer<Float>
) {
    let step = SegmentSearch.step
    for group in 0..<groups {
        for channel in 0..<channels {
            var sum: Float = 0
            for frame in 0..<step { sum += frames[(group &* step &+ frame) &* channels &+ channel] }
            result[group &* channels &+ channel] = sum / Float(step)
        }
    }
}

/// The similarity of two signals, whatever the level of the second one is: their correlation, with the sign of the product.
@inline(never)
@_optimize(speed)
private func score(_ pattern: UnsafePointer<Float>, _ part: UnsafePointer<Float>, _ count: Int) -> Float {
    var (product, energy) = (SIMD8<Float>(), SIMD8<Float>())
    var index = 0
    while index &+ 8 <= count {
        let a = UnsafeRawPointer(pattern + index).loadUnaligned(as: SIMD8<Float>.self)
        let b = UnsafeRawPointer(part + index).loadUnaligned(as: SIMD8<Float>.self)
        product += a * b
        energy += b * b
        index &+= 8
    }
    var (sum, power) = (product.sum(), energy.sum())
    while index < count {
        sum += pattern[index] * part[index]
        power += part[index] * part[index]
        index &+= 1
    }
    guard power > 0 else { return 0 }
    return sum / power.squareRoot()
}
