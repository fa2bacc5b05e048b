// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MediaTestSupport
import SoundFiles
import Testing

private func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}
private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

private let list = SoundFileType.wave.chunk(code("LIST"), text("INFO"))

/// RF64 with one channel of 16 bits. `size`: what the chunk of the data states.
private func large(_ sound: [UInt8], size: UInt64 = 0xFFFF_FFFF, _ behind: [UInt8] = []) -> [UInt8] {
    let format = text("fmt ") + little(16, 4) + [1, 0, 1, 0] + little(8_000, 4) + little(16_000, 4) + [2, 0, 16, 0]
    let data = text("data") + little(size, 4) + sound + (sound.count % 2 == 1 ? [0] : []) + behind
    let sizes = little(UInt64(4 + 36 + format.count + data.count), 8) + little(UInt64(sound.count), 8)
    let large = text("ds64") + little(28, 4) + sizes + little(UInt64(sound.count / 2), 8) + little(0, 4)
    return text("RF64") + little(0xFFFF_FFFF, 4) + text("WAVE") + large + format + data
}

@Suite("RF64 and BW64, whose sizes have 64 bits")
struct LargeWaveTests {
    @Test("has the right sizes after each write, with chunks behind the sound too", arguments: [[], list])
    func growing(_ behind: [UInt8]) throws {
        let sound = noise(200)
        for size in [0xFFFF_FFFF, 200] as [UInt64] {
            let storage = TestStorage(large(sound, size: size, behind))
            let file = try AudioFile.open(storage, storage)
            #expect(try file.number(code("optm")) == (behind.isEmpty ? 1 : 0))
            #expect(try file.userData(code("LIST")).count == (behind.isEmpty ? 0 : 1))
            try file.append([1, 2, 3, 4])
            #expect(storage.memory.bytes == large(sound + [1, 2, 3, 4], behind))
            try file.set(code("pcnt"), [1, 0, 0, 0, 0, 0, 0, 0])
            #expect(storage.memory.bytes == large(Array(sound[..<2]), behind))
        }
        let other = TestStorage(text("BW64") + large(sound, behind)[4...])
        try AudioFile.open(other, other).append([1, 2])
        #expect(other.memory.bytes == text("BW64") + large(sound + [1, 2], behind)[4...])
    }

    @Test("A chunk that is too short for the sizes states none: the sound reaches to the end, and a write spares the next chunk")
    func shortSizes() throws {
        let whole = large(noise(200))
        for size in [0, 8, 16, 22, 24, 28] as [UInt64] {
            let stated = Int(size)
            let bytes =
                text("RF64") + little(0xFFFF_FFFF, 4) + text("WAVEds64") + little(size, 4) + whole[20..<20 + stated]
                + whole[48...]
            let storage = TestStorage(bytes)
            for life in 1...2 {
                let file = try AudioFile.open(storage, storage)
                #expect(file.file.dataSize == UInt64(198 + 2 * life))
                try file.append([3, 4])
                #expect(
                    Array(storage.memory.bytes[20 + stated..<40 + stated]) == Array(whole[48..<68]),
                    "the format behind \(size) bytes")
            }
            #expect(try AudioFile.open(storage).bytes(200, 100) == [3, 4, 3, 4])
        }
    }

    @Test("is optimized")
    func optimizing() throws {
        let storage = TestStorage(large(noise(200), list))
        try AudioFile.open(storage, storage).optimize()
        let moved = try AudioFile.open(TestStorage(storage.memory.bytes))
        #expect(try moved.bytes(0, 1_000) == noise(200) && moved.number(code("optm")) == 1)
        #expect(try moved.userData(code("LIST")).count == 1)
    }

    @Test("grows beyond 4 GB")
    func beyond() throws {
        let storage = HugeStorage(large([]), size: 1 << 33)
        storage.header.replaceSubrange(28..<36, with: little(1 << 33 - 80, 8))
        let file = try AudioFile.open(storage, storage)
        #expect(file.file.dataSize == 1 << 33 - 80)
        try file.append([1, 2])
        #expect(storage.size == 1 << 33 + 2)
        #expect(Array(storage.header[20..<36]) == little(1 << 33 - 6, 8) + little(1 << 33 - 78, 8))
        #expect(Array(storage.header[76..<80]) == [0xFF, 0xFF, 0xFF, 0xFF])
    }
}

/// A file of which only the header is kept.
private final class HugeStorage: ByteSource, ByteSink {
    var header: [UInt8]
    private(set) var size: UInt64

    init(_ header: [UInt8], size: UInt64) { (self.header, self.size) = (header, size) }

    var allowsGaps: Bool { true }
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        let count = Int(min(UInt64(buffer.count), size - min(offset, size)))
        for index in 0..<count { buffer[index] = offset + UInt64(index) < header.count ? header[Int(offset) + index] : 0 }
        return count
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        for (index, byte) in bytes.enumerated() where offset < header.count { header[Int(offset) + index] = byte }
        size = max(size, offset + UInt64(bytes.count))
    }
    func setSize(_ size: UInt64) throws(SoundFileError) { self.size = size }
}
