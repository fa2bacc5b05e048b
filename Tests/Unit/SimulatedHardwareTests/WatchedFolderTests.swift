// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import LinuxSystem
import Testing

@testable import SimulatedHardware

@Suite("The file of a simulated machine")
struct WatchedFolderTests {
    /// The file or folder that an inotify descriptor watches first, as the system names it.
    private func watched(_ descriptor: Int32) throws -> [Substring] {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/fdinfo/\(descriptor)"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("inotify ") })
        return line.split(separator: " ").filter { $0.hasPrefix("ino:") || $0.hasPrefix("sdev:") }
    }

    @Test(
        "is watched in its folder: without a slash in that of the process, and at the root in the root",
        arguments: [("no-machine", "."), ("/no-machine", "/"), ("/tmp/no-machine", "/tmp"), ("./no-machine", ".")])
    func folder(path: String, folder: String) throws {
        let inotify = linux_inotify_create()
        defer { _ = linux_close(inotify) }
        try #require(linux_inotify_watch_names(inotify, folder) >= 0)
        let expected = try watched(inotify)
        #expect(expected.count == 2)
        let file = SimulationFile(path)
        #expect(try watched(file.descriptor) == expected && file.path == path)
    }

    @Test("tells the log why its folder is not watched, and nothing where it is")
    func unwatched() {
        #expect(
            Log.lines { _ = SimulationFile("/no-folder/machine") } == [
                "/no-folder/machine: changes by other processes are not noticed: No such file or directory"
            ])
        #expect(Log.lines { _ = SimulationFile("/tmp/machine") }.isEmpty)
    }
}
