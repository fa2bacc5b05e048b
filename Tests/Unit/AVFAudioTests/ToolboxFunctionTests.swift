// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("The C API from Swift") struct ToolboxFunctionTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test("A file is written and read by URL, with the names of the platform")
    func files() throws {
        let url = folder.file("c.wav")
        var format = AudioStreamBasicDescription(
            mSampleRate: 22_050, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2, mFramesPerPacket: 1,
            mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0)
        var created: AudioFileID?
        #expect(AudioFileCreateWithURL(url as CFURL, kAudioFileWAVEType, &format, .eraseFile, &created) == noErr)
        let file = try #require(created)
        var (packets, samples) = (UInt32(3), [Int16(1), -2, 3])
        #expect(AudioFileWritePackets(file, false, 6, nil, 0, &packets, &samples) == noErr && packets == 3)
        #expect(AudioFileClose(file) == noErr)

        var opened: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(url as CFURL, &opened) == noErr)
        let reader = try #require(opened)
        var (length, size) = (Int64(0), UInt32(MemoryLayout<Int64>.size))
        #expect(ExtAudioFileGetProperty(reader, kExtAudioFileProperty_FileLengthFrames, &size, &length) == noErr && length == 3)
        var isWritable: DarwinBoolean = true
        #expect(ExtAudioFileGetPropertyInfo(reader, kExtAudioFileProperty_FileDataFormat, &size, &isWritable) == noErr)
        #expect(size == 40 && !isWritable.boolValue)
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        var read = [Int16](repeating: 0, count: 8)
        var frames = UInt32(8)
        read.withUnsafeMutableBufferPointer { list[0] = AudioBuffer($0, numberOfChannels: 1) }
        #expect(ExtAudioFileSetProperty(reader, kExtAudioFileProperty_ClientDataFormat, 40, &format) == noErr)
        #expect(ExtAudioFileRead(reader, &frames, list.unsafeMutablePointer) == noErr && frames == 3)
        #expect(Array(UnsafeBufferPointer<Int16>(list[0])) == [1, -2, 3])
        #expect(ExtAudioFileDispose(reader) == noErr)
        let page = try #require(URL(string: "https://localhost/c.wav"))
        #expect(AudioFileOpenURL(page as CFURL, .readPermission, 0, &created) == kAudio_ParamError)
    }

    @Test("A list of buffers counts, reads and writes its buffers")
    func lists() {
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 3) == 56)
        list[2].mNumberChannels = 7
        #expect(list.count == 3 && list.map { $0.mNumberChannels } == [0, 0, 7])
        list.count = 2
        #expect(Array(list.indices) == [0, 1])
        #expect(UnsafeMutableAudioBufferListPointer(nil) == nil)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_7_1_A) == 8)
    }

    @Test("Memory is copied between buffers whose pointers are optional, and nothing without a pointer")
    func memory() {
        var (source, target) = ([Int16(1), 2, 3], [Int16(9), 9, 9])
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                let (from, to) = (AudioBuffer(source, numberOfChannels: 1), AudioBuffer(target, numberOfChannels: 1))
                memcpy(to.mData, from.mData, 4)
                memcpy(to.mData, AudioBuffer().mData, 6)
                memset(AudioBuffer().mData, 0, 6)
            }
        }
        #expect(target == [1, 2, 9])
        target.withUnsafeMutableBufferPointer { _ = memset(AudioBuffer($0, numberOfChannels: 1).mData, 0, 2) }
        #expect(target == [0, 2, 9])
    }

    @Test("Flags and enumerations have their cases")
    func names() {
        #expect(AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue == 16)
        #expect([AudioTimeStampFlags.sampleTimeValid, .hostTimeValid] as AudioTimeStampFlags == .sampleHostTimeValid)
        #expect(AudioFilePermissions.readWritePermission.rawValue == 3 && AudioUnitParameterUnit.hertz.rawValue == 8)
        #expect(SMPTETimeType.type30Drop.rawValue == 2 && AudioFileStreamParseFlags.discontinuity.rawValue == 1)
        #expect(MPEG4ObjectID.AAC_LC.rawValue == 2 && AudioComponentFlags.sandboxSafe.rawValue == 2)
    }
}
