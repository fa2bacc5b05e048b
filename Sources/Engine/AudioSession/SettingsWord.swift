// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The settings that have no property of the C API and that programs read often, in one word.
public struct SettingsWord: Equatable, Sendable {
    public var options: UInt16
    public var policy: UInt8
    public var inputChannels: UInt16
    public var outputChannels: UInt16
    public var allowsHapticsDuringRecording: Bool
    public var prefersNoSystemAlerts: Bool

    init(_ settings: SessionSettings) {
        options = UInt16(truncatingIfNeeded: settings.options.rawValue)
        policy = UInt8(truncatingIfNeeded: settings.sharingPolicy.rawValue)
        inputChannels = settings.preferredInputChannels
        outputChannels = settings.preferredOutputChannels
        allowsHapticsDuringRecording = settings.allowsHapticsDuringRecording
        prefersNoSystemAlerts = settings.prefersNoSystemAlerts
    }

    init(bits: UInt64) {
        options = UInt16(truncatingIfNeeded: bits)
        policy = UInt8(truncatingIfNeeded: bits >> 16)
        inputChannels = UInt16(truncatingIfNeeded: bits >> 24)
        outputChannels = UInt16(truncatingIfNeeded: bits >> 40)
        allowsHapticsDuringRecording = bits >> 56 & 1 != 0
        prefersNoSystemAlerts = bits >> 57 & 1 != 0
    }

    var bits: UInt64 {
        UInt64(options) | UInt64(policy) << 16 | UInt64(inputChannels) << 24 | UInt64(outputChannels) << 40
            | (allowsHapticsDuringRecording ? 1 << 56 : 0) | (prefersNoSystemAlerts ? 1 << 57 : 0)
    }
}
