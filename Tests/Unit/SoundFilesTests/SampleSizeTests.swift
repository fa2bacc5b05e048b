// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import PCMConversion
import SoundFiles
import Testing

/// A file of AIFF or AIFC at 44,100 Hz whose samples have so many bits and are `[1, -1]` in units of their least byte.
private func file(bits: UInt8, channels: UInt8, compression: String?) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    let bytes = (Int(bits) + 7) / 8
    let frames = 3
    let data = [UInt8](repeating: 0x7F, count: frames * Int(channels) * bytes)
    let padding = [UInt8](repeating: 0, count: data.count % 2)
    let kind: [UInt8] = compression.map { Array($0.utf8) + [0, 0] as [UInt8] } ?? []
    var common = Array("COMM".utf8) + [0, 0, 0, UInt8(18 + kind.count)]
    common += [0, channels, 0, 0, 0, UInt8(frames), 0, bits] + rate + kind
    var sound = Array("SSND".utf8) + [0, 0, 0, UInt8(8 + data.count)]
    sound += [UInt8](repeating: 0, count: 8) + data + padding
    let version: [UInt8] = compression == nil ? [] : Array("FVER".utf8) + [0, 0, 0, 4, 0xA2, 0x80, 0x51, 0x40]
    let content = Array((compression == nil ? "AIFF" : "AIFC").utf8) + version + common + sound
    return Array("FORM".utf8) + [0, 0, 0, UInt8(content.count)] + content
}

@Suite("The size of a sample")
struct SampleSizeTests {
    @Test("of AIFF and AIFC is a number of whole bytes, whatever the bits", arguments: 1...32 as ClosedRange<UInt8>)
    func wholeBytes(bits: UInt8) throws {
        for channels: UInt8 in [1, 2] {
            for compression in [nil, "NONE", "twos", "sowt"] {
                let file = try SoundFile(ByteMemory(file(bits: bits, channels: channels, compression: compression)))
                let bytes = (UInt32(bits) + 7) / 8
                let comment = "\(bits) bits, \(channels) channels, \(compression ?? "AIFF")"
                #expect(file.format.bytesPerFrame == bytes * UInt32(channels), "\(comment)")
                #expect(file.format.bytesPerPacket == file.format.bytesPerFrame, "\(comment)")
                #expect(file.format.bitsPerChannel == UInt32(bits) && file.packetCount == 3, "\(comment)")
                // A sample that does not fill its bytes lies in their upper bits.
                #expect(file.format.formatFlags.contains(.packed) == (bits % 8 == 0), "\(comment)")
                #expect(file.format.formatFlags.contains(.alignedHigh) == (bits % 8 != 0), "\(comment)")
            }
        }
    }
}
