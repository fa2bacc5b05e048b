// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

@Suite struct FileTests {
    @Test("A lock is given up although another descriptor of the same open file stays open")
    func unlocking() throws {
        let scratch = try Scratch()
        let first = scratch.create("file")
        let second = scratch.create("file")
        let inherited = dup(first)
        defer { for file in [first, second, inherited] { linux_close(file) } }
        #expect(linux_try_lock(first) == 0)
        #expect(linux_try_lock(second) == -EAGAIN)
        #expect(linux_unlock(first) == 0)
        #expect(linux_try_lock(second) == 0)
    }

    @Test("Files are closed on exec")
    func closedOnExec() throws {
        let scratch = try Scratch()
        let file = scratch.create("file")
        defer { linux_close(file) }
        #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("A link is not followed where that is asked for")
    func links() throws {
        let scratch = try Scratch()
        linux_close(scratch.create("file"))
        #expect(symlink(scratch.file("file"), scratch.file("link")) == 0)
        #expect(linux_open(scratch.file("link"), Int32(LINUX_READ | LINUX_NOFOLLOW), 0) == -ELOOP)
        var status = linux_file_status()
        #expect(linux_status_of_path(scratch.file("link"), false, &status) == 0 && !status.is_regular)
        #expect(linux_status_of_path(scratch.file("link"), true, &status) == 0 && status.is_regular)
    }

    @Test("The names of a directory come once each, without . and ..")
    func listing() throws {
        let scratch = try Scratch()
        for name in ["a", "b", "c"] { linux_close(scratch.create(name)) }
        var error: Int32 = 1
        let directory = try #require(linux_directory_open(scratch.path, &error))
        #expect(error == 0)
        var names: [String] = []
        while let name = linux_directory_next(directory) { names.append(String(cString: name)) }
        linux_directory_close(directory)
        #expect(names.sorted() == ["a", "b", "c"])
        #expect(linux_directory_open(scratch.file("none"), &error) == nil && error == -ENOENT)
    }

    @Test("An inotify descriptor reports whether an event is about a file of that name")
    func watching() throws {
        let scratch = try Scratch()
        let inotify = linux_inotify_create()
        defer { linux_close(inotify) }
        #expect(linux_inotify_watch_names(inotify, scratch.path) > 0)
        for name in ["first", "second file with a longer name"] { linux_close(scratch.create(name)) }
        #expect(linux_unlink(scratch.file("first")) == 0)
        #expect(linux_inotify_drain(inotify, "second file with a longer name") == 1)
        #expect(linux_inotify_drain(inotify, nil) == 0)
        linux_close(scratch.create("third"))
        #expect(linux_inotify_drain(inotify, "first") == 0)
        #expect(linux_inotify_drain(inotify, nil) == 0)
        linux_close(scratch.create("fourth"))
        #expect(linux_inotify_drain(inotify, nil) == 1)
    }
}
