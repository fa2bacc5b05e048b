// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import LinuxSystem
import Testing

@Suite("A small file that is read and replaced as a whole")
struct TextFileTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "text-file-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    @Test("A file is read up to the limit; one byte more is an error", arguments: [0, 1, 63, 64, 65])
    func limit(_ length: Int) throws {
        defer { remove() }
        let text = String(repeating: "x", count: length)
        try TextFile.replace("\(folder)/file", with: text)
        if length <= 64 {
            #expect(try TextFile.read("\(folder)/file", limit: 64) == text)
        } else {
            #expect(throws: SystemError.tooLarge) { try TextFile.read("\(folder)/file", limit: 64) }
        }
    }

    @Test("A replacement leaves one file with the new content, also after a longer one, and the second time")
    func replacement() throws {
        defer { remove() }
        for text in ["the first content", "second", "the first content"] {
            try TextFile.replace("\(folder)/file", with: text)
            #expect(try TextFile.read("\(folder)/file", limit: 100) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        }
    }

    @Test("A new file that a killed process has left is reused")
    func remainder() throws {
        defer { remove() }
        try Data(repeating: 0x78, count: 200).write(to: URL(fileURLWithPath: "\(folder)/file.new"))
        try TextFile.replace("\(folder)/file", with: "content")
        #expect(try TextFile.read("\(folder)/file", limit: 100) == "content")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test("A replacement that fails leaves the former content, and no new file")
    func failure() throws {
        defer { remove() }
        // A folder that is not empty cannot be replaced by a file.
        try FileManager.default.createDirectory(atPath: "\(folder)/target/inside", withIntermediateDirectories: true)
        #expect(throws: SystemError.self) { try TextFile.replace("\(folder)/target", with: "content") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["target"])
        #expect(throws: SystemError.self) { try TextFile.replace("\(folder)/absent/file", with: "content") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["target"])
    }

    @Test("A FIFO in the place of the file has no content, and its reader does not wait for a writer")
    func fifo() throws {
        defer { remove() }
        #expect(mkfifo("\(folder)/file", 0o600) == 0)
        #expect(try TextFile.read("\(folder)/file", limit: 100) == "")
    }

    @Test("A write on a full device is an error")
    func fullDevice() throws {
        defer { remove() }
        let full = try FileDescriptor(opening: "/dev/full", how: LINUX_WRITE)
        #expect(throws: SystemError.self) { try TextFile.write("content", to: full) }
    }
}
