// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// Changes the speed of the sound, and its pitch, independently of each other.
public final class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
    public init() { super.init("AVAudioUnitTimePitch", kAudioUnitSubType_NewTimePitch) }

    override func neutral(_ parameter: UInt32) -> Float {
        switch parameter {
        case kNewTimePitchParam_Pitch: 0
        case kNewTimePitchParam_Overlap: 8
        default: 1
        }
    }

    /// From 1/32 to 32. The pitch stays.
    public var rate: Float {
        get { value(kNewTimePitchParam_Rate) }
        set { set(kNewTimePitchParam_Rate, newValue, in: 1 / 32...32) }
    }

    /// In cents, from -2400 to 2400: 1200 are an octave. The speed stays.
    public var pitch: Float {
        get { value(kNewTimePitchParam_Pitch) }
        set { set(kNewTimePitchParam_Pitch, newValue, in: -2_400...2_400) }
    }

    /// From 3 to 32, initially 8. Stored without an effect: segments overlap by half.
    public var overlap: Float {
        get { value(kNewTimePitchParam_Overlap) }
        set { set(kNewTimePitchParam_Overlap, newValue, in: 3...32) }
    }
}
