// SPDX-License-Identifier: Apache-2.0
public import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioPacketCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioNodeBus = Int

/// Where a function stores its error: `&error` of a variable of the type `NSError?`.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The formats of linear PCM that a buffer shows as typed samples.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format.
    case otherFormat = 0
    /// 32-bit floats in the byte order of the machine: the standard format.
    case pcmFormatFloat32 = 1
    case pcmFormatFloat64 = 2
    case pcmFormatInt16 = 3
    case pcmFormatInt32 = 4
}

/// The quality of an encoder or of a conversion of the rate.
public enum AVAudioQuality: Int, Sendable {
    case min = 0
    case low = 0x20
    case medium = 0x40
    case high = 0x60
    case max = 0x7F
}
