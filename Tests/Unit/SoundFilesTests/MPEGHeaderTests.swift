// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import SoundFiles
import Testing

/// A version and a layer as the second byte of a header, an index of bit rates, and what frames at the first rate have.
private struct Kind: Sendable {
    let code: UInt8
    let bitRate: UInt8
    let rate: Double
    let frames: UInt32
    let size: Int
    let type: SoundFileType
}

private let kinds = [
    Kind(code: 0xFF, bitRate: 6, rate: 44_100, frames: 384, size: 208, type: .mp1),
    Kind(code: 0xFD, bitRate: 8, rate: 44_100, frames: 1_152, size: 417, type: .mp2),
    Kind(code: 0xFB, bitRate: 9, rate: 44_100, frames: 1_152, size: 417, type: .mp3),
    Kind(code: 0xF7, bitRate: 8, rate: 22_050, frames: 384, size: 276, type: .mp1),
    Kind(code: 0xF5, bitRate: 8, rate: 22_050, frames: 1_152, size: 417, type: .mp2),
    Kind(code: 0xF3, bitRate: 8, rate: 22_050, frames: 576, size: 208, type: .mp3),
    Kind(code: 0xE3, bitRate: 8, rate: 11_025, frames: 576, size: 417, type: .mp3),
]

extension Kind {
    func header(rateIndex: UInt8 = 0, padding: UInt8 = 0, mode: UInt8 = 0) -> [UInt8] {
        [0xFF, code, bitRate << 4 | rateIndex << 2 | padding << 1, mode << 6]
    }

    func frame(rateIndex: UInt8 = 0, size: Int? = nil, padding: UInt8 = 0, mode: UInt8 = 0) -> [UInt8] {
        header(rateIndex: rateIndex, padding: padding, mode: mode) + [UInt8](repeating: 0, count: (size ?? self.size) - 4)
    }
}

private func error(_ bytes: [UInt8]) -> SoundFileError? {
    do {
        _ = try SoundFile(ByteMemory(bytes))
        return nil
    } catch { return error }
}

@Suite("The header of a frame of MPEG audio")
struct MPEGHeaderTests {
    @Test("states the version, the layer, the rate, the channels and the size", arguments: kinds.indices)
    func members(_ index: Int) throws {
        let kind = kinds[index]
        for mode: UInt8 in 0...3 {
            for padding: UInt8 in 0...1 {
                let size = kind.size + Int(padding) * (kind.type == .mp1 ? 4 : 1)
                let frame = kind.frame(size: size, padding: padding, mode: mode)
                let file = try SoundFile(ByteMemory(frame + frame + frame))
                #expect(file.packets.map(\.size) == [UInt32](repeating: UInt32(size), count: 3) && file.type == kind.type)
                #expect(file.format.framesPerPacket == kind.frames && file.format.sampleRate == kind.rate)
                #expect(file.format.channelsPerFrame == (mode == 3 ? 1 : 2))
            }
        }
        // The other rates have the ratio of 48,000 and 32,000 Hz to the first one.
        for (rateIndex, ratio) in [(1, 48_000 / 44_100.0), (2, 32_000 / 44_100.0)] as [(UInt8, Double)] {
            let unit = kind.type == .mp1 ? 4 : 1
            let exact = Double(kind.frames) / 8 * Double(bits(kind)) / (kind.rate * ratio) / Double(unit)
            let frame = kind.frame(rateIndex: rateIndex, size: Int(exact + 1e-9) * unit)
            let file = try SoundFile(ByteMemory(frame + frame))
            #expect(abs(file.format.sampleRate - kind.rate * ratio) < 1e-6 && file.packets.count == 2)
        }
        #expect(error(kind.frame(rateIndex: 3) + kind.frame(rateIndex: 3)) != nil)
    }

    /// Bits per second.
    private func bits(_ kind: Kind) -> Int {
        switch (kind.type, kind.code) {
        case (.mp1, 0xFF): 192_000
        case (.mp1, _), (_, 0xFD), (_, 0xFB): 128_000
        default: 64_000
        }
    }

    @Test("is that of another stream with another version, layer or rate, but not with other channels")
    func otherStreams() throws {
        for kind in kinds {
            let whole = kind.frame() + kind.frame()
            #expect(try SoundFile(ByteMemory(whole + kind.frame(mode: 3) + whole)).packets.count == 5)
            for other in kinds where other.code != kind.code {
                let file = try SoundFile(ByteMemory(whole + other.frame() + whole))
                #expect(file.packets.count == 4 && file.packets[2].offset == UInt64(2 * kind.size + other.size))
            }
            let rate = kind.frame(rateIndex: 1)
            #expect(try SoundFile(ByteMemory(whole + rate + whole)).packets.count == 4)
        }
    }
}

@Suite("The frame with information before MPEG layer 3")
struct InformationFrameTests {
    /// 576 frames before the sound and 1,629 behind it, in 12 bits each.
    private let delays: [UInt8] = [0x24, 0x06, 0x5D]

    @Test("has its members behind those that its flags state, and the place that version and channels give", arguments: 0...15)
    func members(_ flags: UInt8) throws {
        for (kind, mode, place) in [
            (kinds[2], 0, 36), (kinds[2], 3, 21), (kinds[5], 0, 21), (kinds[5], 3, 13), (kinds[6], 1, 21),
        ] as [(Kind, UInt8, Int)] {
            for name in ["Xing", "Info"] {
                var content = Array(name.utf8) + [0, 0, 0, flags]
                if flags & 1 != 0 { content += [0, 0, 0, 3] }
                if flags & 2 != 0 { content += [0, 0, UInt8(4 * kind.size >> 8), UInt8(4 * kind.size & 0xFF)] }
                if flags & 4 != 0 { content += [UInt8](repeating: 0x11, count: 100) }
                if flags & 8 != 0 { content += [0, 0, 0, 50] }
                content += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + delays
                var head = kind.frame(mode: mode)
                head.replaceSubrange(place..<place + content.count, with: content)
                let sound = kind.frame(mode: mode)
                let bytes = head + sound + sound + sound
                let file = try SoundFile(ByteMemory(bytes))
                #expect(file.packets.count == 3 && file.dataOffset == UInt64(kind.size))
                #expect(file.primingFrames == 1_105 && file.remainderFrames == 1_100, "\(name) at \(place), flags \(flags)")
                let program = Listener()
                try program.parse(bytes[...])
                #expect(program.packets.count == 3 && program.stream.file?.primingFrames == 1_105)
            }
        }
    }

    @Test("of another encoder has no frames to drop, and no frame has a remainder below the delay of a decoder")
    func otherEncoders() throws {
        let sound = kinds[2].frame()
        var vbri = sound
        vbri.replaceSubrange(36..<40, with: "VBRI".utf8)
        let file = try SoundFile(ByteMemory(vbri + sound + sound))
        #expect(file.packets.count == 2 && file.primingFrames == 0 && file.remainderFrames == 0)
        for (delays, priming, remainder): ([UInt8], UInt32, UInt32) in [
            ([0, 0, 0], 0, 0), ([0x24, 0x02, 0x11], 1_105, 0), ([0x24, 0x02, 0x12], 1_105, 1), ([0x24, 0, 0], 1_105, 0),
        ] {
            var head = sound
            head.replaceSubrange(
                36..<68, with: Array("Info".utf8) + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 21) + delays)
            let file = try SoundFile(ByteMemory(head + sound + sound))
            #expect(file.packets.count == 2 && file.primingFrames == priming && file.remainderFrames == remainder)
        }
    }
}
