// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("AVAudioBuffer") struct BufferTests {
    @Test("Each channel of a standard buffer is apart; the lists have the sizes of the sound and of the memory")
    func standard() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        #expect(buffer.frameLength == 0 && buffer.frameCapacity == 100 && buffer.stride == 1)
        #expect(buffer.int16ChannelData == nil && buffer.int32ChannelData == nil)
        let channels = try #require(buffer.floatChannelData)
        #expect(channels[0] != channels[1])
        channels[1][99] = 0.5
        buffer.frameLength = 10
        let sound = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
        #expect(sound.count == 2 && sound.map { $0.mDataByteSize } == [40, 40])
        let room = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        #expect(room.map { $0.mDataByteSize } == [400, 400])
        #expect(UnsafeMutableBufferPointer<Float>(room[1])[99] == 0.5)
        buffer.frameLength = 101
        #expect(buffer.frameLength == 10)
    }

    @Test("Channels of an interleaved buffer share its memory")
    func interleaved() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
        let channels = try #require(buffer.int16ChannelData)
        #expect(buffer.stride == 2 && channels[1] == channels[0] + 1 && buffer.floatChannelData == nil)
        buffer.frameLength = 4
        #expect(buffer.audioBufferList.pointee.mBuffers.mNumberChannels == 2)
        #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 16)
    }

    @Test("A copy has the frames of the buffer, and memory of its own")
    func copies() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        buffer.frameLength = 64
        let source = try #require(buffer.floatChannelData)
        for index in 0..<64 { (source[0][index], source[1][index]) = (Float(index), Float(-index)) }
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        source[0][1] = 99
        let target = try #require(copy.floatChannelData)
        #expect(copy.frameLength == 64 && copy.frameCapacity == 64)
        #expect((0..<64).allSatisfy { target[0][$0] == Float($0) && target[1][$0] == Float(-$0) })
    }

    @Test("A buffer in memory of the program gives it back once")
    func borrowed() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt32, sampleRate: 48_000, channels: 1, interleaved: true))
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: 8)
        defer { memory.deallocate() }
        memory.initialize(repeating: 7, count: 8)
        var list = AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: memory))
        nonisolated(unsafe) var returns = 0
        var buffer = withUnsafePointer(to: &list) {
            AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: $0) { _ in returns += 1 }
        }
        #expect(buffer?.frameCapacity == 8 && buffer?.frameLength == 8)
        #expect(buffer?.int32ChannelData?[0] == memory)
        buffer = nil
        #expect(returns == 1)
    }

    @Test("A buffer in memory of the program has the buffers of its format, no more and no fewer")
    func borrowedBuffers() throws {
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 8)
        defer { memory.deallocate() }
        // All buffers have memory.
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        for index in 0..<3 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: memory) }
        for _ in 1...2 {
            for count in 0...3 {
                list.count = count
                let buffers = [mono, stereo].map { AVAudioPCMBuffer(pcmFormat: $0, bufferListNoCopy: list.unsafePointer) }
                #expect(buffers.map { $0?.frameCapacity } == [count == 1 ? 8 : nil, count == 2 ? 8 : nil], "\(count)")
            }
        }
    }

    @Test("A buffer of packets has room and descriptions for them; one of linear PCM needs linear PCM")
    func packets() throws {
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]
        let format = try #require(AVAudioFormat(settings: settings))
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 8, maximumPacketSize: 768)
        #expect(buffer.packetCapacity == 8 && buffer.byteCapacity == 6_144 && buffer.packetCount == 0 && buffer.byteLength == 0)
        #expect(buffer.packetDescriptions != nil)
        buffer.packetCount = 9
        buffer.byteLength = 6_145
        #expect(buffer.packetCount == 0 && buffer.byteLength == 0)
        buffer.data.storeBytes(of: 0x41, as: UInt8.self)
        buffer.byteLength = 1
        buffer.packetCount = 1
        buffer.packetDescriptions?[0] = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 1)
        let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
        #expect(copy.data.load(as: UInt8.self) == 0x41 && copy.packetDescriptions?[0].mDataByteSize == 1 && copy.packetCount == 1)
        #expect(copy.byteLength == 1 && copy.audioBufferList.pointee.mBuffers.mDataByteSize == 1)
        #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16) == nil)
    }

    @Test("A buffer that no memory has is nil, or has room for no packet")
    func impossibleSizes() throws {
        var description = AudioStreamBasicDescription(
            mSampleRate: 8_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagIsSignedInteger,
            mBytesPerPacket: .max, mFramesPerPacket: 1, mBytesPerFrame: .max, mChannelsPerFrame: 1, mBitsPerChannel: 16,
            mReserved: 0)
        let wide = try #require(AVAudioFormat(streamDescription: &description))
        for capacity: AVAudioFrameCount in [.max, .max / 2, .max / 2 + 2] {
            #expect(AVAudioPCMBuffer(pcmFormat: wide, frameCapacity: capacity) == nil)
        }
        description.mFormatID = kAudioFormatMPEG4AAC
        for size in [UInt32.max, 0] {
            description.mBytesPerPacket = size
            let format = try #require(AVAudioFormat(streamDescription: &description))
            let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: .max, maximumPacketSize: .max)
            #expect(buffer.packetCapacity == 0 && buffer.byteCapacity == 0 && buffer.packetDescriptions == nil)
            buffer.packetCount = 1
            #expect(buffer.packetCount == 0)
        }
    }
}
