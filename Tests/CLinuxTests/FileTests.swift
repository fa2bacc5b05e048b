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

    @Test("Shared locks exclude exclusive ones, and not each other")
    func sharedLocks() throws {
        let scratch = try Scratch()
        let files = (0..<3).map { _ in scratch.create("file") }
        defer { for file in files { linux_close(file) } }
        #expect(linux_try_lock_shared(files[0]) == 0)
        #expect(linux_try_lock_shared(files[1]) == 0)
        #expect(linux_try_lock(files[2]) == -EAGAIN)
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

    @Test("A list of a folder has each name once, and ends when the visitor wants no more")
    func listing() throws {
        let scratch = try Scratch()
        for name in ["a", "b", "c"] { linux_close(scratch.create(name)) }
        final class Names { var all: [String] = [], most = 9 }
        func list(atMost most: Int) -> [String] {
            let names = Names()
            names.most = most
            let error = linux_list_directory(
                scratch.path,
                { name, context in
                    let names = Unmanaged<Names>.fromOpaque(context!).takeUnretainedValue()
                    names.all.append(String(cString: name!))
                    return names.all.count < names.most
                }, Unmanaged.passUnretained(names).toOpaque())
            #expect(error == 0)
            return names.all
        }
        #expect(list(atMost: 9).sorted() == ["a", "b", "c"])
        #expect(list(atMost: 2).count == 2)
    }

    @Test("An inotify descriptor reports the name of each file that comes or goes")
    func watching() throws {
        let scratch = try Scratch()
        let inotify = linux_inotify_create()
        defer { linux_close(inotify) }
        #expect(linux_inotify_watch_names(inotify, scratch.path) > 0)
        for name in ["first", "second file with a longer name"] { linux_close(scratch.create(name)) }
        #expect(linux_unlink(scratch.file("first")) == 0)
        final class Names { var all: [String] = [] }
        let names = Names()
        let error = linux_inotify_drain(
            inotify,
            { name, context in
                Unmanaged<Names>.fromOpaque(context!).takeUnretainedValue().all.append(String(cString: name!))
            }, Unmanaged.passUnretained(names).toOpaque())
        #expect(error == 0)
        #expect(names.all == ["first", "second file with a longer name", "first"])
    }
}
