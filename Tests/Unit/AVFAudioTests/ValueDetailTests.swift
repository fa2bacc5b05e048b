// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("Details of values") struct ValueDetailTests {
    @Test("Formats and times say what they are, are their own copies, and equal ones have equal hashes")
    func descriptions() throws {
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        #expect(stereo.description == "<AVAudioFormat: 2 ch, 48000.0 Hz, Float32, deinterleaved>")
        let copy = try #require(stereo.copy() as? AVAudioFormat)
        #expect(copy == stereo)
        copy.magicCookie = Data([1, 2])
        #expect(copy.magicCookie == Data([1, 2]) && stereo.magicCookie == nil && copy != stereo)
        #expect(stereo.hash == AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)?.hash)
        for (type, text) in [
            (AVAudioCommonFormat.pcmFormatFloat64, "Float64"), (.pcmFormatInt16, "Int16"), (.pcmFormatInt32, "Int32"),
        ] {
            let format = AVAudioFormat(commonFormat: type, sampleRate: 8_000, channels: 2, interleaved: true)
            #expect(format?.description == "<AVAudioFormat: 2 ch, 8000.0 Hz, \(text), interleaved>")
        }
        var settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 24,
        ]
        #expect(AVAudioFormat(settings: settings)?.description.contains("24-bit PCM") == true)
        settings[AVFormatIDKey] = kAudioFormatMPEG4AAC
        #expect(AVAudioFormat(settings: settings)?.description.contains("'aac '") == true)
        settings[AVFormatIDKey] = UInt32(0x6D73_0011)
        #expect(AVAudioFormat(settings: settings)?.description.contains("1836253201") == true)
        settings[AVFormatIDKey] = Int32(-1)
        #expect(AVAudioFormat(settings: settings)?.streamDescription.pointee.mFormatID == .max)
        settings[AVFormatIDKey] = Double.infinity
        #expect(AVAudioFormat(settings: settings) == nil)

        let time = AVAudioTime(hostTime: 5, sampleTime: 7, atRate: 8_000)
        #expect(time.description == "<AVAudioTime: 5 ns, 7/8000.0 Hz>" && time.copy() as? AVAudioTime === time)
        #expect(time == AVAudioTime(hostTime: 5, sampleTime: 7, atRate: 8_000) && time != AVAudioTime(hostTime: 5))
        #expect(time.hash == AVAudioTime(hostTime: 5, sampleTime: 7, atRate: 8_000).hash)
        #expect(AVAudioTime(sampleTime: 7, atRate: 8_000).description == "<AVAudioTime: no host time, 7/8000.0 Hz>")
        #expect(AVAudioTime(hostTime: 5).description == "<AVAudioTime: 5 ns, no frames>")
        #expect(!time.isEqual("text") && !stereo.isEqual("text"))
        #expect(time.extrapolateTime(fromAnchor: time) === time)
        #expect(AVAudioTime.hostTime(forSeconds: -1) == 0 && AVAudioTime.hostTime(forSeconds: .infinity) == .max)
    }

    @Test("Times that cannot be extrapolated, and frames beyond the numbers")
    func limits() throws {
        let anchor = AVAudioTime(hostTime: 1_000, sampleTime: 0, atRate: 1)
        #expect(AVAudioTime(sampleTime: -10, atRate: 1).extrapolateTime(fromAnchor: anchor) == nil)
        #expect(AVAudioTime(sampleTime: 1, atRate: 0).extrapolateTime(fromAnchor: anchor) == nil)
        for (frames, expected) in [(1e300, Int64.max), (-1e300, .min), (.nan, 0)] {
            var stamp = AudioTimeStamp()
            stamp.mSampleTime = frames
            stamp.mFlags = .sampleTimeValid
            #expect(AVAudioTime(audioTimeStamp: &stamp, sampleRate: 1).sampleTime == expected)
        }
        let far = AVAudioTime(hostTime: .max).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 0, sampleTime: 0, atRate: 1e12))
        #expect(far == nil)
    }

    @Test("A layout by bits counts them; layouts survive an archive")
    func layouts() throws {
        var bits = AudioChannelLayout()
        bits.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        bits.mChannelBitmap = [.bit_Left, .bit_Right, .bit_Center]
        let layout = AVAudioChannelLayout(layout: &bits)
        #expect(layout.channelCount == 3 && layout.copy() as? AVAudioChannelLayout === layout)
        bits.mChannelBitmap = [.bit_Left]
        #expect(layout != AVAudioChannelLayout(layout: &bits) && !layout.isEqual("text"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: layout, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioChannelLayout.self, from: data)
        #expect(read == layout && read?.hash == layout.hash)
        var settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVChannelLayoutKey: layout]
        #expect(AVAudioFormat(settings: settings)?.channelCount == 3)
        settings[AVNumberOfChannelsKey] = 2
        #expect(AVAudioFormat(settings: settings) == nil)
        settings[AVChannelLayoutKey] = NSData(data: data)
        #expect(AVAudioFormat(settings: settings)?.channelCount == 2)
    }

    @Test("Settings of a codec state the frames and bytes of its packets")
    func packets() throws {
        func description(_ format: AudioFormatID) -> AudioStreamBasicDescription? {
            let settings: [String: Any] = [AVFormatIDKey: format, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1]
            return AVAudioFormat(settings: settings)?.streamDescription.pointee
        }
        #expect(description(kAudioFormatMPEG4AAC)?.mFramesPerPacket == 1_024)
        let law = try #require(description(kAudioFormatULaw))
        #expect(law.mFramesPerPacket == 1 && law.mBytesPerPacket == 1)
        #expect(description(kAudioFormatAppleIMA4)?.mBytesPerPacket == 34)
        // A format that nobody knows keeps what the settings state.
        #expect(description(0x6162_6364)?.mFramesPerPacket == 0)
    }

    @Test("Settings take Booleans and qualities, and the depth of an encoder without loss")
    func settings() throws {
        let float = AVAudioFormat(settings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 2, AVLinearPCMIsFloatKey: true,
            AVLinearPCMIsNonInterleaved: true, AVLinearPCMIsBigEndianKey: true,
        ])
        #expect(float?.streamDescription.pointee.mFormatFlags == 0x2B && float?.commonFormat == .otherFormat)
        let lossless = AVAudioFormat(settings: [
            AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
            AVEncoderBitDepthHintKey: 24,
        ])
        #expect(lossless?.streamDescription.pointee.mFormatFlags == 3)
        #expect(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: AVAudioQuality.max, AVNumberOfChannelsKey: 1,
            ])?.sampleRate == 127)
        #expect(AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: "text"]) == nil)
    }

    @Test("A buffer of packets of one size has no descriptions; one that is too large has no memory")
    func buffers() throws {
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatULaw, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1]
        var description = try #require(AVAudioFormat(settings: settings)).streamDescription.pointee
        (description.mBytesPerPacket, description.mFramesPerPacket, description.mBytesPerFrame) = (1, 1, 1)
        let format = try #require(AVAudioFormat(streamDescription: &description))
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 16)
        #expect(buffer.byteCapacity == 16 && buffer.packetDescriptions == nil && buffer.maximumPacketSize == 1)
        #expect((buffer.mutableCopy() as? AVAudioCompressedBuffer)?.packetCapacity == 16)
        let huge = AVAudioCompressedBuffer(format: format, packetCapacity: 1 << 31, maximumPacketSize: .max)
        #expect(huge.byteCapacity == 0)
        let linear = try #require(AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 1))
        #expect(AVAudioPCMBuffer(pcmFormat: linear, frameCapacity: 0)?.frameLength == 0)
    }
}

@Suite("Refusals of files and converters") struct RefusalTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func format(_ rate: Double, _ channels: UInt32) throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    }

    @Test("A position outside the file is refused, and a closed file has no position")
    func positions() throws {
        let url = folder.file("eight.wav")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 8,
            AVEncoderBitRatePerChannelKey: 64_000,
        ]
        let written = try AVAudioFile(forWriting: url, settings: settings)
        try written.write(from: filled(written.processingFormat, 4) { _, _ in 0.5 })
        try written.write(from: filled(written.processingFormat, 0) { _, _ in 0.5 })
        written.close()
        written.close()
        #expect(written.length == 4 && written.framePosition == 0)
        written.framePosition = 1
        let file = try AVAudioFile(forReading: url)
        file.framePosition = 2
        file.framePosition = -1
        #expect(file.framePosition == 2)
        #expect(throws: NSError.self) { try file.write(from: filled(file.processingFormat, 1) { _, _ in 0 }) }
        #expect(throws: NSError.self) { try AVAudioFile(forReading: url, commonFormat: .otherFormat, interleaved: true) }
    }

    /// The files of this test that the process has open.
    private var openFiles: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.contains(folder.url.lastPathComponent) }
    }

    @Test("A file that is refused is not open any more, each time, and opens in another format", arguments: [false, true])
    func refusedFile(isInterleaved: Bool) throws {
        let url = folder.file("refused.wav")
        let standard = try format(8_000, 1)
        let written = try AVAudioFile(forWriting: url, settings: standard.settings)
        try written.write(from: filled(standard, 4) { _, _ in 0.5 })
        written.close()
        for life in 1...3 {
            #expect(throws: NSError.self) {
                try AVAudioFile(forReading: url, commonFormat: .otherFormat, interleaved: isInterleaved)
            }
            #expect(openFiles == [], "life \(life)")
            let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: isInterleaved)
            #expect(openFiles.count == 1 && file.length == 4, "life \(life)")
            file.close()
            #expect(openFiles == [], "life \(life)")
        }
    }

    @Test("Settings that state no sound are refused")
    func settings() throws {
        let url = folder.file("none.wav")
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        for settings: [String: Any] in [
            [:], [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000],
            [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1, AVChannelLayoutKey: layout],
            [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1],
        ] {
            #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A converter says why it does not convert")
    func conversions() throws {
        let (from, to) = (try format(8_000, 1), try format(8_000, 1))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        let other = try filled(try format(16_000, 1), 1) { _, _ in 0 }
        let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 4))
        #expect(throws: NSError.self) { try converter.convert(to: output, from: other) }
        try converter.convert(to: output, from: filled(from, 0) { _, _ in 0 })
        #expect(output.frameLength == 0)
        var failure: NSError?
        let wrong = converter.convert(to: other, error: &failure) { _, _ in nil }
        #expect(wrong == .error && failure?.code == -50)
        let none = converter.convert(to: output, error: &failure) { _, status in
            status.pointee = .haveData
            return nil
        }
        #expect(none == .error && failure?.localizedDescription.contains("noDataNow") == true)
        let empty = try filled(from, 0) { _, _ in 0 }
        let dry = converter.convert(to: output, error: &failure) { _, status in
            status.pointee = .haveData
            return empty
        }
        #expect(dry == .inputRanDry && failure == nil)
        let small = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 0))
        #expect(converter.convert(to: small, error: &failure) { _, _ in nil } == .error)
        converter.channelMap = [1, 2]
        #expect(converter.channelMap.isEmpty)
    }

    @Test("A converter that decodes has the cookie of its input format")
    func cookie() throws {
        var description = AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatAppleIMA4, mFormatFlags: 0, mBytesPerPacket: 34, mFramesPerPacket: 64,
            mBytesPerFrame: 0, mChannelsPerFrame: 1, mBitsPerChannel: 0, mReserved: 0)
        let packets = try #require(AVAudioFormat(streamDescription: &description))
        let converter = try #require(AVAudioConverter(from: packets, to: try format(44_100, 1)))
        #expect(converter.magicCookie == nil)
        for cookie in [Data([1, 2]), Data([3]), nil] {
            packets.magicCookie = cookie
            let converter = try #require(AVAudioConverter(from: packets, to: try format(44_100, 1)))
            #expect(converter.magicCookie == cookie)
        }
    }

    @Test("Properties that a converter does not have are refused")
    func properties() throws {
        let converter = try #require(AVAudioConverter(from: try format(8_000, 1), to: try format(8_000, 1)))
        converter.dither = true
        converter.bitRateStrategy = AVAudioBitRateStrategy_Constant
        converter.magicCookie = Data([1, 2])
        converter.magicCookie = nil
        converter.bitRate = 64_000
        converter.primeInfo = AVAudioConverterPrimeInfo(leadingFrames: 1, trailingFrames: 1)
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_MinimumPhase
        #expect(!converter.dither && converter.bitRateStrategy == nil && converter.magicCookie == nil && converter.bitRate == 0)
        #expect(converter.availableEncodeChannelLayoutTags == nil && converter.applicableEncodeBitRates == nil)
        #expect(converter.availableEncodeSampleRates == nil && converter.applicableEncodeSampleRates == nil)
        #expect(converter.sampleRateConverterAlgorithm != AVSampleRateConverterAlgorithm_MinimumPhase)
        let resampler = try #require(AVAudioConverter(from: try format(8_000, 1), to: try format(16_000, 1)))
        resampler.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Normal
        #expect(resampler.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
        #expect(resampler.primeInfo.leadingFrames + resampler.primeInfo.trailingFrames > 0)
    }
}
