// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox

/// The state that the audio thread of an I/O unit keeps between two cycles.
struct CycleState {
    /// The sample time of the next slice.
    var outputTime = 0.0
    var inputTime = 0.0
    /// The frame of the device with which the next cycle begins, when nothing is lost.
    private var expectedFrame: UInt64?
    /// The plan of the cycle that runs.
    var plan: RenderPlan?

    /// The device has changed, or the stream starts: its frames cannot be compared with those before.
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
