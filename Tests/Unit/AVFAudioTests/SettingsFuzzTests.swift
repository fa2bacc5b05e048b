// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import TestSupport
import Testing

/// Settings of a program, drawn at random: usable ones with a few values replaced by others of any type.
private struct RandomSettings {
    private var random: SeededGenerator
    /// A description of the last settings, for the report of a failure.
    private(set) var text = ""

    init(seed: Int) { random = SeededGenerator(seed) }

    private static let keys = [
        AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVChannelLayoutKey, AVAudioFileTypeKey, AVLinearPCMBitDepthKey,
        AVLinearPCMIsBigEndianKey, AVLinearPCMIsFloatKey, AVLinearPCMIsNonInterleaved, AVEncoderAudioQualityKey,
        AVEncoderAudioQualityForVBRKey, AVEncoderBitRateKey, AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey,
        AVEncoderBitDepthHintKey, AVSampleRateConverterAlgorithmKey, AVSampleRateConverterAudioQualityKey, "", "AVOtherKey",
    ]
    private static let formats = [
        kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4, kAudioFormatAppleLossless,
        kAudioFormatFLAC, kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatOpus, 0, 0x6162_6364,
    ]
    private static let rates: [Double] = [8_000, 44_100, 48_000, 0, -1, 0.001, 1e12, 1e300, .nan, .infinity, -.infinity]
    private static let integers: [Int] = [
        0, 1, 2, 3, 6, 8, 16, 20, 24, 32, 33, 64, 255, 1_024, 1_025, 64_000, Int(UInt32.max), Int(Int32.min), .min, .max,
    ]

    /// Settings that most files and recorders take.
    private mutating func usable() -> [String: Any] {
        var settings: [String: Any] = [
            AVFormatIDKey: Self.formats[random.oneIn(2) ? 0 : random.below(Self.formats.count)],
            AVSampleRateKey: Self.rates[random.below(3)], AVNumberOfChannelsKey: 1 + random.below(2),
        ]
        if random.oneIn(2) { settings[AVLinearPCMBitDepthKey] = 8 * (1 + random.below(4)) }
        if random.oneIn(3) { settings[AVLinearPCMIsBigEndianKey] = true }
        if random.oneIn(4) { (settings[AVLinearPCMIsFloatKey], settings[AVLinearPCMBitDepthKey]) = (true, 32) }
        if random.oneIn(4) { settings[AVLinearPCMIsNonInterleaved] = true }
        if random.oneIn(8) { (settings[AVNumberOfChannelsKey], settings[AVChannelLayoutKey]) = (6, layout(6)) }
        return settings
    }

    private func layout(_ channels: UInt32) -> Any {
        AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels) as Any
    }

    /// A value of any type.
    private mutating func value() -> Any {
        let integer = Self.integers[random.below(Self.integers.count)]
        let rate = Self.rates[random.below(Self.rates.count)]
        switch random.below(16) {
        case 0: return integer
        case 1: return NSNumber(value: integer)
        case 2: return UInt8(truncatingIfNeeded: integer)
        case 3: return UInt64(truncatingIfNeeded: integer)
        case 4: return Int16(truncatingIfNeeded: integer)
        case 5: return rate
        case 6: return Float(rate)
        case 7: return NSNumber(value: rate)
        case 8: return random.oneIn(2)
        case 9: return "\(integer)"
        case 10: return Data((0..<random.below(48)).map { _ in UInt8(random.below(4) * 85) })
        case 11: return NSNull()
        case 12: return [integer]
        case 13: return AVAudioQuality.high
        case 14: return Self.formats[random.below(Self.formats.count)]
        default: return layout(UInt32(truncatingIfNeeded: integer) & 0xFFFF)
        }
    }

    mutating func next() -> [String: Any] {
        var settings = usable()
        for _ in 0..<random.below(4) {
            let key = Self.keys[random.below(Self.keys.count)]
            settings[key] = random.oneIn(5) ? nil : value()
        }
        text = settings.map { "\($0): \(type(of: $1)) \($1)" }.sorted().joined(separator: ", ")
        return settings
    }

    mutating func suffix() -> String { ["wav", "caf", "aif", "au", "m4a", "aac", "flac", "xyz", ""][random.below(9)] }
}

@Suite("Any settings")
struct SettingsFuzzTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test("make a format with the values that they state, or none, and the format makes buffers and converters")
    func formats() throws {
        var (settings, made, converted) = (RandomSettings(seed: 41), 0, 0)
        let target = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        for _ in 0..<3_000 {
            guard let format = AVAudioFormat(settings: settings.next()) else { continue }
            made += 1
            let text = settings.text
            #expect(format.sampleRate > 0 && format.sampleRate.isFinite && format.channelCount > 0, "\(text)")
            #expect(format.channelLayout.map { $0.channelCount == format.channelCount } ?? (format.channelCount <= 2), "\(text)")
            let isLinear = format.streamDescription.pointee.mFormatID == kAudioFormatLinearPCM
            if isLinear { #expect(AVAudioFormat(settings: format.settings) == format, "\(text)") }
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64)
            #expect((buffer != nil) == isLinear, "\(text)")
            guard let converter = AVAudioConverter(from: format, to: target), let buffer, isLinear else { continue }
            converted += try isConverted(buffer, converter) ? 1 : 0
        }
        #expect(made > 1_000 && converted > 500, "\(made) formats, \(converted) conversions")
    }

    /// The converter takes all frames of the buffer, or states an error of the platform.
    private func isConverted(_ buffer: AVAudioPCMBuffer, _ converter: AVAudioConverter) throws -> Bool {
        buffer.frameLength = 64
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 64))
        var isGiven = false
        var error: NSError?
        let status = converter.convert(to: output, error: &error) { _, inputStatus in
            inputStatus.pointee = isGiven ? .endOfStream : .haveData
            defer { isGiven = true }
            return isGiven ? nil : buffer
        }
        #expect((status == .error) == (error != nil))
        if let error { #expect(error.domain == "com.apple.coreaudio.avfaudio" && error.code != 0) }
        return status != .error
    }

    @Test("create a file that has the frames that were written, or throw an error with a code of the platform")
    func files() throws {
        var (settings, written) = (RandomSettings(seed: 42), 0)
        for _ in 0..<300 {
            let url = folder.file("sound.\(settings.suffix())")
            let values = settings.next()
            do {
                let file = try AVAudioFile(forWriting: url, settings: values)
                try file.write(from: filled(file.processingFormat, 64) { _, _ in 0.25 })
                let layout = file.fileFormat
                file.close()
                let read = try AVAudioFile(forReading: url)
                let isExact = ![kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatOpus].contains(
                    read.fileFormat.streamDescription.pointee.mFormatID)
                #expect(!isExact || read.length == 64, "\(read.length) frames, \(settings.text)")
                #expect(read.fileFormat.channelCount == layout.channelCount, "\(settings.text)")
                written += 1
            } catch let error as NSError {
                #expect(error.domain == "com.apple.coreaudio.avfaudio" && error.code != 0, "\(error), \(settings.text)")
            }
        }
        #expect(written > 60, "\(written)")
    }

    @Test("make a recorder that prepares a file or says that it does not, or throw an error with a code of the platform")
    func recorders() throws {
        var (settings, prepared) = (RandomSettings(seed: 43), 0)
        for _ in 0..<300 {
            let url = folder.file("recording.\(settings.suffix())")
            do {
                let recorder = try AVAudioRecorder(url: url, settings: settings.next())
                guard recorder.prepareToRecord() else { continue }
                prepared += 1
                #expect(recorder.format.sampleRate > 0 && !recorder.isRecording, "\(settings.text)")
                recorder.stop()
                #expect(recorder.deleteRecording(), "\(settings.text)")
            } catch let error as NSError {
                #expect(error.domain == NSOSStatusErrorDomain && error.code != 0, "\(error), \(settings.text)")
            }
        }
        #expect(prepared > 40, "\(prepared)")
    }
}
