// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFiles
import Testing

/// The files with which the fuzzer begins. Those with these names contradict themselves on purpose.
private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fuzz/corpus/sounds")
private let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []).sorted()

private func seeds(_ prefix: String) -> [String] { names.filter { $0.hasPrefix(prefix) } }

@Suite("The files of the fuzzer")
struct FuzzCorpusTests {
    private func read(_ name: String) throws -> SoundFile {
        try SoundFile(ByteMemory([UInt8](Data(contentsOf: folder.appending(path: name)))))
    }

    @Test("are refused, or have packets that lie in them", arguments: names)
    func consistency(_ name: String) throws {
        do {
            let file = try read(name)
            let size = UInt64(try Data(contentsOf: folder.appending(path: name)).count)
            #expect(file.dataOffset <= size && file.dataSize <= size - file.dataOffset && file.frameCount < .max)
            #expect(file.packets.allSatisfy { $0.offset + UInt64($0.size) <= file.dataSize })
        } catch { #expect(error is SoundFileError) }
    }

    @Test("are read whatever their edits and their texts of gapless playback are", arguments: seeds("edits-") + seeds("gapless-"))
    func times(_ name: String) throws {
        let cutBoxes = ["edits-count", "edits-cut"]
        let file = try? read(name)
        #expect(file != nil || cutBoxes.contains(name))
        if let file { #expect(file.packets.count == 3 && file.frameCount <= 3_072) }
    }

    @Test("are of each kind", arguments: ["cookie-", "edits-", "gapless-", "chunks-", "boxes-"])
    func kinds(_ prefix: String) {
        #expect(seeds(prefix).count >= 9)
    }
}
