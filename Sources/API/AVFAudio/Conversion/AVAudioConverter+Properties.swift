// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

extension AVAudioConverter {
    // MARK: Conversion of the rate

    /// The quality, as the raw value of an `AVAudioQuality`.
    public var sampleRateConverterQuality: Int {
        get { Int(number(kAudioConverterSampleRateConverterQuality) ?? 0) }
        set { set(kAudioConverterSampleRateConverterQuality, UInt32(clamping: newValue), "sampleRateConverterQuality") }
    }

    /// An `AVSampleRateConverterAlgorithm_…`; nil for a converter that keeps the rate.
    public var sampleRateConverterAlgorithm: String? {
        get {
            switch number(kAudioConverterSampleRateConverterComplexity) {
            case kAudioConverterSampleRateConverterComplexity_Normal: AVSampleRateConverterAlgorithm_Normal
            case kAudioConverterSampleRateConverterComplexity_Mastering: AVSampleRateConverterAlgorithm_Mastering
            default: nil
            }
        }
        set {
            let algorithm: UInt32 =
                switch newValue {
                case AVSampleRateConverterAlgorithm_Mastering: kAudioConverterSampleRateConverterComplexity_Mastering
                case AVSampleRateConverterAlgorithm_MinimumPhase: kAudioConverterSampleRateConverterComplexity_MinimumPhase
                default: kAudioConverterSampleRateConverterComplexity_Normal
                }
            set(kAudioConverterSampleRateConverterComplexity, algorithm, "sampleRateConverterAlgorithm")
        }
    }

    public var primeMethod: AVAudioConverterPrimeMethod {
        get { number(kAudioConverterPrimeMethod).flatMap { AVAudioConverterPrimeMethod(rawValue: Int($0)) } ?? .normal }
        set { set(kAudioConverterPrimeMethod, UInt32(newValue.rawValue), "primeMethod") }
    }

    /// The frames that the conversion of the rate needs at the ends; of an encoder, the frames that it adds.
    public var primeInfo: AVAudioConverterPrimeInfo {
        get {
            var info = AudioConverterPrimeInfo()
            var size = UInt32(MemoryLayout<AudioConverterPrimeInfo>.size)
            guard AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &info) == noErr else {
                return AVAudioConverterPrimeInfo()
            }
            return AVAudioConverterPrimeInfo(leadingFrames: info.leadingFrames, trailingFrames: info.trailingFrames)
        }
        set {
            var info = AudioConverterPrimeInfo(leadingFrames: newValue.leadingFrames, trailingFrames: newValue.trailingFrames)
            let status = AudioConverterSetProperty(
                converter, kAudioConverterPrimeInfo, UInt32(MemoryLayout<AudioConverterPrimeInfo>.size), &info)
            if status != noErr { refuse("primeInfo", status) }
        }
    }

    /// False: a conversion to fewer bits adds no noise here. A change is refused.
    public var dither: Bool {
        get { false }
        set { if newValue { AudioCallError.refuse("AVAudioConverter: dither is refused: conversions add no noise here") } }
    }

    // MARK: Codecs

    /// The data that a decoder needs beside the packets. An encoder has them after its first packets.
    public var magicCookie: Data? {
        get {
            bytes(kAudioConverterCompressionMagicCookie) ?? inputFormat.magicCookie
        }
        set {
            guard let newValue else { return }
            let status = newValue.withUnsafeBytes { cookie in
                cookie.baseAddress.map {
                    AudioConverterSetProperty(
                        converter, kAudioConverterDecompressionMagicCookie, UInt32(clamping: cookie.count), $0)
                } ?? noErr
            }
            if status != noErr { refuse("magicCookie", status) }
        }
    }

    /// The bits of a second that an encoder makes; 0 without an encoder.
    public var bitRate: Int {
        get { Int(number(kAudioConverterEncodeBitRate) ?? 0) }
        set { set(kAudioConverterEncodeBitRate, UInt32(clamping: newValue), "bitRate") }
    }

    /// Nil: encoders choose by themselves. A change is refused.
    public var bitRateStrategy: String? {
        get { nil }
        set {
            if newValue != nil {
                AudioCallError.refuse("AVAudioConverter: bitRateStrategy is refused: encoders choose by themselves")
            }
        }
    }

    /// The bytes of the largest packet that the converter makes.
    public var maximumOutputPacketSize: Int { Int(number(kAudioConverterPropertyMaximumOutputPacketSize) ?? 0) }

    /// The rates of bits that the encoder has; nil without an encoder.
    public var availableEncodeBitRates: [NSNumber]? { ranges(kAudioConverterAvailableEncodeBitRates) }

    /// The rates of bits that the encoder has for this rate of samples; nil without an encoder.
    public var applicableEncodeBitRates: [NSNumber]? { ranges(kAudioConverterApplicableEncodeBitRates) }

    public var availableEncodeSampleRates: [NSNumber]? { ranges(kAudioConverterAvailableEncodeSampleRates) }

    public var applicableEncodeSampleRates: [NSNumber]? { ranges(kAudioConverterApplicableEncodeSampleRates) }

    /// Nil: encoders do not list their layouts.
    public var availableEncodeChannelLayoutTags: [NSNumber]? { nil }

    // MARK: Properties of the converter

    private func number(_ property: AudioConverterPropertyID) -> UInt32? {
        var (value, size) = (UInt32(0), UInt32(MemoryLayout<UInt32>.size))
        return AudioConverterGetProperty(converter, property, &size, &value) == noErr ? value : nil
    }

    private func set(_ property: AudioConverterPropertyID, _ value: UInt32, _ name: String) {
        var value = value
        let status = AudioConverterSetProperty(converter, property, UInt32(MemoryLayout<UInt32>.size), &value)
        if status != noErr { refuse(name, status) }
    }

    private func refuse(_ name: String, _ status: OSStatus) {
        let what = "AVAudioConverter: the value of \(name) is refused"
        AudioCallError.refuse(AudioCallError.make(status, "AudioConverterSetProperty", what).localizedDescription)
    }

    private func bytes(_ property: AudioConverterPropertyID) -> Data? {
        var size = UInt32(0)
        guard AudioConverterGetPropertyInfo(converter, property, &size, nil) == noErr, size > 0 else { return nil }
        var bytes = Data(count: Int(size))
        let status = bytes.withUnsafeMutableBytes { AudioConverterGetProperty(converter, property, &size, $0.baseAddress) }
        return status == noErr ? bytes.prefix(Int(size)) : nil
    }

    /// The ends of ranges of numbers, in order.
    private func ranges(_ property: AudioConverterPropertyID) -> [NSNumber]? {
        guard let bytes = bytes(property) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            let ranges = bytes.bindMemory(to: AudioValueRange.self)
            return Set(ranges.flatMap { [$0.mMinimum, $0.mMaximum] }).sorted().map { NSNumber(value: $0) }
        }
    }
}
