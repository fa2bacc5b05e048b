// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

@Suite("Sources of codecs") struct CodecSourceTests {
    @Test("A format of other libraries names the packages that decode it, the fastest first; another format names none")
    func packages() {
        func names(_ id: UInt32) -> [String] { CodecSource.packages(decoding: id).map { "\($0)" } }
        #expect(names(0x2E6D_7033) == ["audiotoolbox-codecs-mpg123", "audiotoolbox-codecs-ffmpeg"])
        #expect(names(CodecFormat.aac) == ["audiotoolbox-codecs-ffmpeg"])
        #expect(names(CodecFormat.appleLossless) == ["audiotoolbox-codecs-ffmpeg", "audiotoolbox-codecs-sndfile"])
        #expect(names(GSMPacket.formatID) == ["audiotoolbox-codecs-ffmpeg"])
        #expect(names(FormatID.linearPCM).isEmpty && names(FormatID.appleIMA4).isEmpty)
    }

    @Test("A format that no module encodes names no package for its encoder")
    func encoders() {
        func names(_ id: UInt32) -> [String] { CodecSource.packages(encoding: id).map { "\($0)" } }
        #expect(names(CodecFormat.aac) == ["audiotoolbox-codecs-ffmpeg"])
        #expect(names(CodecFormat.appleLossless) == ["audiotoolbox-codecs-ffmpeg"])
        #expect(names(0x2E6D_7033).isEmpty && names(CodecFormat.flac).isEmpty && names(FormatID.linearPCM).isEmpty)
    }
}
