// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox

/// The state of the audio thread of an I/O unit between two cycles.
struct CycleState {
    /// The sample time of the next slice.
    var outputTime = 0.0
    var inputTime = 0.0
    /// The frame of the device with which the next cycle begins if no frame is lost.
    private var expectedFrame: UInt64?
    /// The value of `sourceChanges` when the last slice began.
    private var sourceChanges: UInt32 = 0
    /// The plan of the current cycle.
    var plan: RenderPlan?

    /// Whether the sources of a slice may differ from those of the slice before it. `start` and `end` are the values of
    /// `sourceChanges` before and after the slice was rendered. During a change the value is odd.
    mutating func isTransition(from start: UInt32, to end: UInt32) -> Bool {
        defer { sourceChanges = start }
        return end != sourceChanges || end % 2 == 1
    }

    /// The device has changed, or the stream starts: the frame numbers of the device start again.
    mutating func isConfigured() { expectedFrame = nil }

    /// Frames of the device that were lost before this cycle.
    mutating func lost(before frame: UInt64) -> UInt64 {
        guard let expectedFrame, frame > expectedFrame else { return 0 }
        return min(frame - expectedFrame, 1 << 32)
    }

    mutating func hasProduced(_ frames: UInt64, from frame: UInt64) { expectedFrame = frame &+ frames }
}

extension AudioTimeStamp {
    /// Sample time, host time and rate are valid.
    init(sampleTime: Double, hostTime: UInt64, rateScalar: Double) {
        self.init()
        mSampleTime = sampleTime
        mHostTime = hostTime
        mRateScalar = rateScalar > 0 && rateScalar.isFinite ? rateScalar : 1
        mFlags = 7
    }
}
