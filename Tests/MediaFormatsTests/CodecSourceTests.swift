// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

@Suite("Sources of codecs") struct CodecSourceTests {
    @Test("A format of other libraries names the packages that have its codec, the fastest first; another format names none")
    func packages() {
        func names(_ id: UInt32) -> [String] { CodecSource.packages(for: id).map { "\($0)" } }
        #expect(names(0x2E6D_7033) == ["audiotoolbox-codecs-mpg123", "audiotoolbox-codecs-ffmpeg"])
        #expect(names(CodecFormat.aac) == ["audiotoolbox-codecs-ffmpeg"])
        #expect(names(CodecFormat.appleLossless) == ["audiotoolbox-codecs-ffmpeg", "audiotoolbox-codecs-sndfile"])
        #expect(names(FormatID.linearPCM).isEmpty && names(FormatID.appleIMA4).isEmpty)
    }
}
