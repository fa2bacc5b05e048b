// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Testing

/// A folder that is removed with the object.
final class ScratchFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("avfaudio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A buffer in which sample `index` of channel `channel` is `value(channel, index)`.
func filled(
    _ format: AVAudioFormat, _ frames: Int, _ value: (Int, Int) -> Float
) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = AVAudioFrameCount(frames)
    let data = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
        for index in 0..<frames { data[channel][index * buffer.stride] = value(channel, index) }
    }
    return buffer
}

/// A value that 16 bits hold exactly.
private func step(_ channel: Int, _ index: Int) -> Float { Float((index * 37 + channel * 11) % 2_000 - 1_000) / 32_768 }

/// A codec module of the folder that AUDIOTOOLBOX_CODECS names writes AAC.
private func writesAAC() -> Bool {
    var size: UInt32 = 0
    guard AudioFormatGetPropertyInfo(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size) == noErr else { return false }
    var known = [AudioFormatID](repeating: 0, count: Int(size) / 4)
    return AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size, &known) == noErr
        && known.contains(kAudioFormatMPEG4AAC)
}

@Suite("AVAudioFile") struct AudioFileTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test("A bit rate for each channel is that of the file divided by its channels", .enabled(if: writesAAC()))
    func bitRates() throws {
        let sizes = try [(AVEncoderBitRateKey, 128_000), (AVEncoderBitRatePerChannelKey, 64_000)].map { key, rate in
            let url = folder.file("\(key).m4a")
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2, key: rate,
            ]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            try file.write(from: filled(file.processingFormat, 44_100) { Float(($1 * 7_919 + $0 * 31) % 4_001 - 2_000) / 4_000 })
            file.close()
            return try Data(contentsOf: url).count
        }
        #expect(sizes[0] == sizes[1] && sizes[0] > 12_000, "\(sizes)")
    }

    @Test("Frames of 16 bits are read as they were written", arguments: ["wav", "caf", "aif", "aiff", "aifc", "au"])
    func integers(suffix: String) throws {
        let url = folder.file("sound.\(suffix)")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 32_000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
        ]
        do {
            let file = try AVAudioFile(forWriting: url, settings: settings)
            #expect(file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 2))
            try file.write(from: filled(file.processingFormat, 5_000, step))
            #expect(file.length == 5_000 && file.framePosition == 5_000)
        }
        let file = try AVAudioFile(forReading: url)
        #expect(
            file.length == 5_000 && file.framePosition == 0 && file.fileFormat.streamDescription.pointee.mBitsPerChannel == 16)
        file.framePosition = 1_000
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3_000))
        try file.read(into: buffer)
        let data = try #require(buffer.floatChannelData)
        #expect(buffer.frameLength == 3_000 && file.framePosition == 4_000)
        #expect((0..<3_000).allSatisfy { data[0][$0] == step(0, $0 + 1_000) && data[1][$0] == step(1, $0 + 1_000) })
        try file.read(into: buffer, frameCount: 600)
        #expect(buffer.frameLength == 600)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 400)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0)
    }

    @Test("The settings of a standard format write floats, in any processing format")
    func floats() throws {
        let url = folder.file("floats.wav")
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        do {
            let file = try AVAudioFile(forWriting: url, settings: standard.settings)
            try file.write(from: filled(standard, 1_000) { Float($1) / 3_000 })
        }
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(file.fileFormat.commonFormat == .pcmFormatFloat32)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 1_000 && buffer.int16ChannelData?[0][300] == 3_277)
    }

    @Test("A file of six channels has a layout")
    func channels() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        let url = folder.file("six.caf")
        do {
            let file = try AVAudioFile(forWriting: url, settings: format.settings)
            try file.write(from: filled(format, 10) { channel, _ in Float(channel) / 8 })
        }
        let file = try AVAudioFile(forReading: url)
        #expect(file.processingFormat.channelCount == 6 && file.processingFormat.channelLayout?.channelCount == 6)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
        try file.read(into: buffer)
        let data = try #require(buffer.floatChannelData)
        #expect((0..<6).allSatisfy { data[$0][9] == Float($0) / 8 })
    }

    @Test("Errors have the domain and the code of the platform")
    func errors() throws {
        #expect(throws: NSError.self) { try AVAudioFile(forReading: folder.file("missing.wav")) }
        do {
            _ = try AVAudioFile(forWriting: folder.file("sound.xyz"), settings: [AVFormatIDKey: kAudioFormatLinearPCM])
            Issue.record("a file of no type was created")
        } catch let error as NSError {
            #expect(error.domain == "com.apple.coreaudio.avfaudio" && error.code == Int(kAudioFileUnsupportedFileTypeError))
        }
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let file = try AVAudioFile(forWriting: folder.file("a.caf"), settings: standard.settings)
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        do {
            try file.write(from: filled(other, 10) { _, _ in 0 })
            Issue.record("a buffer of another rate was written")
        } catch let error as NSError { #expect(error.code == -50) }
        #expect(file.isOpen)
        file.close()
        #expect(!file.isOpen)
        #expect(throws: NSError.self) { try file.write(from: filled(standard, 10) { _, _ in 0 }) }
    }
}
