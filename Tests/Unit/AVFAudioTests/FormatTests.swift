// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioFormat") struct FormatTests {
    @Test("A layout tag has the number of its channels in 16 bits", arguments: [1, 255, 256, 300, 1_024, 0xFFFF] as [UInt32])
    func channelsOfTags(count: UInt32) throws {
        let tag = kAudioChannelLayoutTag_DiscreteInOrder | count
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == count)
        let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
        #expect(layout.channelCount == count && layout.layoutTag == tag)
    }

    @Test("A standard format has floats, a buffer for each channel")
    func standard() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let description = format.streamDescription.pointee
        #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
        #expect(description.mFormatFlags == kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
        #expect(description.mBytesPerFrame == 4 && description.mBytesPerPacket == 4 && description.mFramesPerPacket == 1)
        #expect(format.sampleRate == 44_100 && format.channelCount == 2 && format.channelLayout == nil)
    }

    @Test(
        "A common format reads back",
        arguments: [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32], [true, false])
    func common(common: AVAudioCommonFormat, isInterleaved: Bool) throws {
        let format = try #require(
            AVAudioFormat(commonFormat: common, sampleRate: 16_000, channels: 2, interleaved: isInterleaved))
        #expect(format.commonFormat == common && format.isInterleaved == isInterleaved)
        #expect(format.isStandard == (common == .pcmFormatFloat32 && !isInterleaved))
        let again = try #require(AVAudioFormat(settings: format.settings))
        #expect(again == format)
        #expect(AVAudioFormat(streamDescription: format.streamDescription) == format)
    }

    @Test("More than two channels need a layout with as many")
    func channels() throws {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
        #expect(AVAudioFormat(commonFormat: .otherFormat, sampleRate: 48_000, channels: 1, interleaved: false) == nil)
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        #expect(format.channelCount == 6 && format.channelLayout == layout)
        #expect(AVAudioFormat(streamDescription: format.streamDescription) == nil)
        #expect(AVAudioFormat(streamDescription: format.streamDescription, channelLayout: layout) == format)
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        #expect(AVAudioFormat(streamDescription: format.streamDescription, channelLayout: stereo) == nil)
        #expect(AVAudioFormat(settings: format.settings) == format)
    }

    @Test("Settings have numbers of any type")
    func settings() throws {
        let format = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: Float(8_000), AVNumberOfChannelsKey: UInt8(1),
                AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: NSNumber(value: false),
            ]))
        #expect(format.commonFormat == .pcmFormatInt16 && format.sampleRate == 8_000 && format.channelCount == 1)
        let aac = try #require(
            AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
        #expect(aac.commonFormat == .otherFormat && aac.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
        #expect(AVAudioFormat(settings: [AVSampleRateKey: 44_100]) == nil)
        #expect(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 1, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 7,
            ]) == nil)
    }

    @Test("Formats differ by rate, channels and type; a stereo layout is the usual order")
    func equality() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        #expect(format != AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        #expect(format != AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        #expect(format != AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: true))
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        #expect(format == AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: stereo))
        let middle = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MidSide))
        #expect(format != AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: middle))
    }

    @Test("A layout keeps its descriptions; bytes that end before them are no layout")
    func layouts() throws {
        let size = AudioChannelLayout.sizeInBytes(maximumDescriptions: 3)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let layout = memory.bindMemory(to: AudioChannelLayout.self, capacity: 1)
        layout.pointee.mNumberChannelDescriptions = 3
        let kept = AVAudioChannelLayout(layout: layout)
        #expect(kept.channelCount == 3 && kept.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: kept)
        var settings = format.settings
        #expect(AVAudioFormat(settings: settings)?.channelLayout == kept)
        let bytes = try #require(settings[AVChannelLayoutKey] as? Data)
        settings[AVChannelLayoutKey] = bytes.dropLast(1)
        #expect(AVAudioFormat(settings: settings) == nil)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
    }

    @Test("Formats and layouts survive an archive")
    func archives() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
        let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 32_000, interleaved: true, channelLayout: layout)
        let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data) == format)
    }

    @Test(
        "The magic cookie of a format survives an archive, and an archive of what was read",
        arguments: [nil, Data([0]), Data([3, 0x80, 0xFF, 0])] as [Data?])
    func archivedCookie(cookie: Data?) throws {
        var format = try #require(
            AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
        format.magicCookie = cookie
        for life in 1...2 {
            let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
            let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data))
            #expect(read.magicCookie == cookie && read == format, "life \(life)")
            format = read
        }
    }
}

@Suite("AVAudioTime") struct TimeTests {
    @Test("A host time and a number of frames follow from each other by an anchor")
    func extrapolation() throws {
        let anchor = AVAudioTime(hostTime: 5_000_000_000, sampleTime: 1_000, atRate: 48_000)
        let host = try #require(AVAudioTime(hostTime: 6_000_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(host.sampleTime == 49_000 && host.hostTime == 6_000_000_000 && host.sampleRate == 48_000)
        let frames = try #require(AVAudioTime(sampleTime: 49_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(frames.hostTime == 6_000_000_000 && frames.isHostTimeValid && frames.isSampleTimeValid)
        let other = try #require(AVAudioTime(sampleTime: 98_000, atRate: 96_000).extrapolateTime(fromAnchor: anchor))
        #expect(other.hostTime == 6_000_000_000 && other.sampleTime == 98_000 && other.sampleRate == 96_000)
        #expect(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 2)) == nil)
    }

    @Test("A time stamp keeps its values, and host time counts nanoseconds")
    func values() {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = 12.5
        stamp.mFlags = .sampleTimeValid
        let time = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 8_000)
        #expect(time.isSampleTimeValid && !time.isHostTimeValid && time.sampleTime == 12)
        #expect(time.audioTimeStamp.mSampleTime == 12.5)
        #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
        #expect(AVAudioTime.seconds(forHostTime: 250_000_000) == 0.25)
    }
}
