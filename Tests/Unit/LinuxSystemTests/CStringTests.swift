// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import Testing

@Suite("Texts in the memory of C")
struct CStringTests {
    /// Writes into a buffer of `size` bytes, and returns what the buffer and the four bytes behind it contain.
    private func written(_ text: String, size: Int) -> (text: String, behind: [CChar]) {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size + 4)
        defer { buffer.deallocate() }
        buffer.initialize(repeating: 0x55, count: size + 4)
        CString.write(text, to: buffer, size: size)
        return (String(cString: buffer), (0..<4).map { buffer[size + $0] })
    }

    @Test("A text fills a buffer of each size up to its final 0, and nothing behind it", arguments: 1...8)
    func size(_ size: Int) {
        let (text, behind) = written("route", size: size)
        #expect(text == String("route".prefix(size - 1)))
        #expect(behind == [0x55, 0x55, 0x55, 0x55])
    }

    @Test("An empty text is a final 0")
    func empty() { #expect(written("", size: 1).text == "") }

    @Test("A text of the thread is replaced by the next one, and one that is too long is truncated")
    func ofThread() throws {
        let first = try #require(CString.ofThread("first"))
        #expect(String(cString: first) == "first")
        let second = try #require(CString.ofThread("second"))
        #expect(second == first && String(cString: second) == "second")
        let long = try #require(CString.ofThread(String(repeating: "x", count: 10_000)))
        #expect(String(cString: long) == String(repeating: "x", count: Int(LINUX_THREAD_BUFFER_SIZE) - 1))
    }

    @Test("A copy is independent of the text of the thread", arguments: ["", "name", "Gerät"])
    func copy(_ text: String) {
        let copy = CString.copy(text)
        defer { copy.deallocate() }
        _ = CString.ofThread("another")
        #expect(String(cString: copy) == text)
    }
}
