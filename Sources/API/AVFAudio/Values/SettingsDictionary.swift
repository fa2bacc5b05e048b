// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// The settings of a program: values of any number type.
struct SettingsDictionary {
    private let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    /// A number; nil if there is none.
    func number(_ key: String) -> Double? {
        switch values[key] {
        case let value as NSNumber: value.doubleValue
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as any BinaryInteger: Double(value)
        case let value as Bool: value ? 1 : 0
        case let value as AVAudioQuality: Double(value.rawValue)
        case let value as AVAudioCommonFormat: Double(value.rawValue)
        default: nil
        }
    }

    /// A number that is an integer from 0 on; nil if there is none.
    func integer(_ key: String) -> UInt32? {
        guard let value = number(key), value.isFinite else { return nil }
        // Constants such as kAudioFormatMPEG4AAC can arrive as negative numbers of 32 bits.
        if let whole = UInt32(exactly: value.rounded()) { return whole }
        return Int32(exactly: value.rounded()).map { UInt32(bitPattern: $0) }
    }

    func flag(_ key: String) -> Bool? { number(key).map { $0 != 0 } }

    func text(_ key: String) -> String? { values[key] as? String }

    /// The channel layout, if its bytes are one.
    var channelLayout: AVAudioChannelLayout? {
        switch values[AVChannelLayoutKey] {
        case let bytes as Data: AVAudioChannelLayout(bytes: bytes)
        case let bytes as NSData: AVAudioChannelLayout(bytes: Data(referencing: bytes))
        case let layout as AVAudioChannelLayout: layout
        default: nil
        }
    }

    /// The description of the sound; nil without a format, or with one that does not exist.
    var streamDescription: AudioStreamBasicDescription? {
        guard let formatID = integer(AVFormatIDKey) else { return nil }
        let layout = channelLayout
        let channels = integer(AVNumberOfChannelsKey) ?? layout?.channelCount ?? 0
        var description = AudioStreamBasicDescription()
        description.mSampleRate = number(AVSampleRateKey) ?? 0
        description.mFormatID = formatID
        description.mChannelsPerFrame = channels
        guard description.mSampleRate >= 0, description.mSampleRate.isFinite, channels <= 1_024 else { return nil }
        if formatID == kAudioFormatLinearPCM { return linear(description) }
        if formatID == kAudioFormatAppleLossless || formatID == kAudioFormatFLAC {
            description.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][integer(AVEncoderBitDepthHintKey) ?? 0] ?? 0
        }
        return completed(description)
    }

    /// With the frames and bytes of a packet, where the format determines them.
    private func completed(_ description: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        var complete = description
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        return AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &complete) == noErr ? complete : description
    }

    private func linear(_ general: AudioStreamBasicDescription) -> AudioStreamBasicDescription? {
        let isFloat = flag(AVLinearPCMIsFloatKey) ?? false
        let bits = integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        guard [8, 16, 24, 32, 64].contains(bits), !isFloat || bits >= 32, isFloat || bits <= 32 else { return nil }
        let isNonInterleaved = flag(AVLinearPCMIsNonInterleaved) ?? false
        var description = general
        description.mFormatFlags =
            kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (flag(AVLinearPCMIsBigEndianKey) ?? false ? kAudioFormatFlagIsBigEndian : 0)
            | (isNonInterleaved ? kAudioFormatFlagIsNonInterleaved : 0)
        description.mBitsPerChannel = bits
        description.mBytesPerFrame = bits / 8 * (isNonInterleaved ? 1 : description.mChannelsPerFrame)
        description.mFramesPerPacket = 1
        description.mBytesPerPacket = description.mBytesPerFrame
        return description
    }
}
