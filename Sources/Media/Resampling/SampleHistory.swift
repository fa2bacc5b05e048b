// SPDX-License-Identifier: Apache-2.0
import CRateKernels

/// The last input frames of a resampler, one plane for each channel.
final class SampleHistory {
    /// The largest number of frames that can be appended at once. With two channels it and a usual filter fit into the first cache.
    static let block = 512

    let channels: Int
    /// The samples of a plane.
    let plane: Int
    let samples: UnsafeMutablePointer<Float>
    /// The frames in the planes. The silence before the first frame of a new history counts.
    private(set) var count: Int
    private let kept: Int

    /// A history for windows of at most `taps` frames. The next window begins at most as many frames before the end.
    init(channels: Int, taps: Int) {
        let alignment = RATE_ALIGNMENT
        self.channels = channels
        // A window may be an output frame behind, and begins at an aligned frame.
        kept = (taps + 3 * alignment) / alignment * alignment
        plane = kept + alignment + SampleHistory.block + RATE_MARGIN
        samples = .allocate(capacity: plane * channels)
        samples.initialize(repeating: 0, count: plane * channels)
        count = kept
    }

    deinit { samples.deallocate() }

    /// Replaces all frames by silence.
    func clear() {
        samples.update(repeating: 0, count: plane &* channels)
        count = kept
    }

    /// Appends interleaved frames, at most a block.
    func append(_ frames: UnsafePointer<Float>, _ number: Int) {
        if count &+ number > plane &- RATE_MARGIN { dropOldest() }
        rate_append(frames, number, Int32(truncatingIfNeeded: channels), samples + count, plane)
        count &+= number
    }

    /// Moves the newest frames to the start. Their index modulo the alignment, which decides the order of additions, stays.
    private func dropOldest() {
        let alignment = RATE_ALIGNMENT
        let dropped = (count &- kept) / alignment &* alignment
        count &-= dropped
        rate_move_to_start(samples, plane, Int32(truncatingIfNeeded: channels), dropped, count)
    }
}
