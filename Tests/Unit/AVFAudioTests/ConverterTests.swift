// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioConverter") struct ConverterTests {
    private func format(_ rate: Double, _ channels: UInt32, _ type: AVAudioCommonFormat = .pcmFormatFloat32) throws
        -> AVAudioFormat
    {
        try #require(
            AVAudioFormat(commonFormat: type, sampleRate: rate, channels: channels, interleaved: type != .pcmFormatFloat32))
    }

    @Test("One buffer is converted exactly; another rate and too little room are errors")
    func simple() throws {
        let (from, to) = (try format(48_000, 2), try format(48_000, 2, .pcmFormatInt16))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        let input = try filled(from, 512) { channel, index in Float(channel == 0 ? index : -index) / 32_768 }
        let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 512))
        try converter.convert(to: output, from: input)
        let data = try #require(output.int16ChannelData)
        #expect(output.frameLength == 512)
        #expect((0..<512).allSatisfy { data[0][$0 * 2] == Int16($0) && data[1][$0 * 2] == Int16(-$0) })
        let small = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 511))
        #expect(throws: NSError.self) { try converter.convert(to: small, from: input) }
        let slower = try format(16_000, 2)
        let resampler = try #require(AVAudioConverter(from: from, to: slower))
        let slow = try #require(AVAudioPCMBuffer(pcmFormat: slower, frameCapacity: 512))
        #expect(throws: NSError.self) { try resampler.convert(to: slow, from: input) }
    }

    @Test("A speech front end gets 16 kHz mono in pieces: no frame is lost between the calls")
    func speech() throws {
        let (from, to) = (try format(48_000, 1), try format(16_000, 1))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        var sound: [Float] = []
        var pieces = 0
        var status = AVAudioConverterOutputStatus.haveData
        while status != .endOfStream {
            let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 1_000))
            var wasGiven = false
            var failure: NSError?
            status = converter.convert(to: output, error: &failure) { _, inputStatus in
                guard pieces < 100 else {
                    inputStatus.pointee = .endOfStream
                    return nil
                }
                guard !wasGiven else {
                    inputStatus.pointee = .noDataNow
                    return nil
                }
                wasGiven = true
                inputStatus.pointee = .haveData
                pieces += 1
                return try? filled(from, 480) { _, index in
                    sinf(Float((pieces - 1) * 480 + index) * 2 * .pi * 440 / 48_000)
                }
            }
            #expect(failure == nil && status != .error)
            sound += UnsafeBufferPointer(start: output.floatChannelData?[0], count: Int(output.frameLength))
        }
        #expect(sound.count == 16_000)
        let worst = (200..<15_800).map { abs(sound[$0] - sinf(Float($0) * 2 * .pi * 440 / 16_000)) }.max() ?? 1
        #expect(worst < 0.01)
    }

    @Test("A dry input gives what could be converted; after the end nothing comes until a reset")
    func statuses() throws {
        let same = try format(8_000, 1)
        let converter = try #require(AVAudioConverter(from: same, to: try format(8_000, 1, .pcmFormatInt16)))
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 100))
        let input = try filled(same, 60) { _, _ in 0.5 }
        var calls = 0
        let dry = converter.convert(to: output, error: nil) { _, status in
            calls += 1
            status.pointee = calls == 1 ? .haveData : .noDataNow
            return calls == 1 ? input : nil
        }
        #expect(dry == .inputRanDry && output.frameLength == 60 && calls == 2)
        let end = converter.convert(to: output, error: nil) { _, status in
            status.pointee = .endOfStream
            return nil
        }
        #expect(end == .endOfStream && output.frameLength == 0)
        let after = converter.convert(to: output, error: nil) { _, status in
            status.pointee = .haveData
            return input
        }
        #expect(after == .endOfStream)
        converter.reset()
        let again = converter.convert(to: output, error: nil) { _, status in
            status.pointee = .haveData
            return input
        }
        #expect(again == .haveData && output.frameLength == 100 && output.int16ChannelData?[0][99] == 16_384)
    }

    @Test("A buffer of another format is an error that says so")
    func wrongInput() throws {
        let converter = try #require(AVAudioConverter(from: try format(8_000, 1), to: try format(16_000, 1)))
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 100))
        let wrong = try filled(try format(8_000, 2), 10) { _, _ in 0 }
        var failure: NSError?
        let status = converter.convert(to: output, error: &failure) { _, status in
            status.pointee = .haveData
            return wrong
        }
        #expect(status == .error && failure?.domain == "com.apple.coreaudio.avfaudio" && failure?.code == -50)
    }

    @Test("Channels are dropped, mixed by downmix, or chosen by a map")
    func channels() throws {
        let (from, to) = (try format(48_000, 2), try format(48_000, 1))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        let input = try filled(from, 4) { channel, _ in channel == 0 ? 0.5 : -0.25 }
        let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 4))
        func first() throws -> Float? {
            try converter.convert(to: output, from: input)
            return output.floatChannelData?[0][0]
        }
        #expect(try first() == 0.5)
        converter.downmix = true
        #expect(try first() == 0.125)
        converter.channelMap = [1]
        #expect(try first() == -0.25)
        converter.channelMap = [7]
        #expect(try first() == -0.25)
        #expect(converter.channelMap == [1])
    }

    @Test("Packets of IMA4 come back as sound")
    func packets() throws {
        let linear = try format(44_100, 1, .pcmFormatInt16)
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatAppleIMA4, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]
        let general = try #require(AVAudioFormat(settings: settings))
        let encoder = try #require(AVAudioConverter(from: linear, to: general))
        #expect(encoder.maximumOutputPacketSize == 34)
        let packets = AVAudioCompressedBuffer(
            format: general, packetCapacity: 10, maximumPacketSize: encoder.maximumOutputPacketSize)
        let input = try #require(AVAudioPCMBuffer(pcmFormat: linear, frameCapacity: 640))
        input.frameLength = 640
        for index in 0..<640 { input.int16ChannelData?[0][index] = Int16(10_000 * sin(Double(index) / 20)) }
        var isGiven = false
        let status = encoder.convert(to: packets, error: nil) { _, status in
            status.pointee = isGiven ? .endOfStream : .haveData
            defer { isGiven = true }
            return isGiven ? nil : input
        }
        #expect(status == .haveData && packets.packetCount == 10 && packets.byteLength == 340)
        let decoder = try #require(AVAudioConverter(from: general, to: linear))
        let output = try #require(AVAudioPCMBuffer(pcmFormat: linear, frameCapacity: 640))
        var isRead = false
        let decoded = decoder.convert(to: output, error: nil) { _, status in
            status.pointee = isRead ? .endOfStream : .haveData
            defer { isRead = true }
            return isRead ? nil : packets
        }
        #expect(decoded == .haveData && output.frameLength == 640)
        let (source, target) = (try #require(input.int16ChannelData), try #require(output.int16ChannelData))
        #expect((64..<640).allSatisfy { abs(Int(source[0][$0]) - Int(target[0][$0])) < 700 })
    }

    @Test("Settings of the rate read back; formats that cannot be converted have no converter")
    func settings() throws {
        let converter = try #require(AVAudioConverter(from: try format(48_000, 1), to: try format(16_000, 1)))
        converter.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        #expect(converter.sampleRateConverterQuality == 0x7F)
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
        #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering)
        converter.primeMethod = .none
        #expect(converter.primeMethod == .none && converter.bitRate == 0 && converter.availableEncodeBitRates == nil)
        let unknown = try #require(
            AVAudioFormat(settings: [AVFormatIDKey: 0x3F3F_3F3F, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]))
        #expect(AVAudioConverter(from: unknown, to: try format(44_100, 1)) == nil)
    }
}
