// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Testing

@Suite("The path of a file")
struct FilePathTests {
    private func bytes(_ path: FilePath) -> [UInt8] {
        path.withCString { text in
            var bytes: [UInt8] = []
            while text[bytes.count] != 0 { bytes.append(UInt8(bitPattern: text[bytes.count])) }
            return bytes
        } ?? []
    }

    @Test("A text, the memory of C and bytes make the same path", arguments: ["", "a", "/tmp/Gerät 1.wav"])
    func sources(_ text: String) {
        let path = FilePath(text)
        #expect(path == FilePath(Array(text.utf8)))
        #expect(text.withCString { FilePath($0) } == path)
        #expect(path.text == text)
        #expect(bytes(path) == Array(text.utf8))
    }

    @Test("Bytes that are no UTF-8 reach the system unchanged, and are replaced in the log")
    func invalidText() {
        let name: [UInt8] = [0x2F, 0x61, 0xFF, 0x62]
        let path = FilePath(name)
        #expect(bytes(path) == name)
        #expect(path.text == "/a\u{FFFD}b")
        #expect(path != FilePath("/a\u{FFFD}b"))
    }

    @Test("A body without a result has none for the caller")
    func noResult() { #expect(FilePath("a").withCString { _ -> Int? in nil } == nil) }
}
