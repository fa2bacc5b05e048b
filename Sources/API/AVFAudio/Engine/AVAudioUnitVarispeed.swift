// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// Changes the speed and the pitch of the sound together. A new rate is reached within a slice, without a click.
public final class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
    public init() { super.init("AVAudioUnitVarispeed", kAudioUnitSubType_Varispeed) }

    /// From 0.25 to 4.
    public var rate: Float {
        get { value(kVarispeedParam_PlaybackRate) }
        set { set(kVarispeedParam_PlaybackRate, newValue, in: 0.25...4) }
    }
}
