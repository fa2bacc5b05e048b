// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

/// Each kind of watch reports its own events.
@Suite struct WatchTests {
    private enum Watch: CaseIterable {
        case folder, names, writing, content, name

        /// Starts the watch of the folder, or of the file in it.
        func begin(_ inotify: Int32, _ scratch: Scratch) -> Int32 {
            switch self {
            case .folder: linux_inotify_watch(inotify, scratch.file("folder"))
            case .names: linux_inotify_watch_names(inotify, scratch.file("folder"))
            case .writing: linux_inotify_watch_writing(inotify, scratch.file("folder/file"))
            case .content: linux_inotify_watch_content(inotify, scratch.file("folder/file"))
            case .name: linux_inotify_watch_name(inotify, scratch.file("folder/file"))
            }
        }

        var events: Set<Event> {
            switch self {
            case .folder: [.create, .moveIn, .moveOut, .remove, .changeMode, .moveFolder, .changeModeOfFolder]
            case .names: [.create, .moveIn, .moveOut, .remove]
            case .writing: [.write]
            case .content: [.close]
            case .name: [.changeMode, .moveOut, .remove]
            }
        }
    }

    private enum Event: CaseIterable {
        case create, moveIn, moveOut, remove, changeMode, write, close, read, moveFolder, changeModeOfFolder

        func happen(_ scratch: Scratch, _ file: Int32) -> Bool {
            switch self {
            case .create: linux_mkdir(scratch.file("folder/new"), 0o700) == 0
            case .moveIn: linux_rename(scratch.file("outside"), scratch.file("folder/new")) == 0
            case .moveOut: linux_rename(scratch.file("folder/file"), scratch.file("moved")) == 0
            case .remove: linux_unlink(scratch.file("folder/file")) == 0
            case .changeMode: chmod(scratch.file("folder/file"), 0o640) == 0
            case .write: linux_write(file, "x", 1) == 1
            case .close: linux_close(file) == 0
            case .read: linux_pread(file, UnsafeMutableRawPointer(bitPattern: 0), 0, 0) == 0
            case .moveFolder: linux_rename(scratch.file("folder"), scratch.file("another")) == 0
            case .changeModeOfFolder: chmod(scratch.file("folder"), 0o711) == 0
            }
        }
    }

    @Test("A watch reports its events, and no others", arguments: Watch.allCases, Event.allCases)
    private func events(watch: Watch, event: Event) throws {
        let scratch = try Scratch()
        #expect(linux_mkdir(scratch.file("folder"), 0o700) == 0)
        linux_close(scratch.create("outside"))
        let file = scratch.create("folder/file")
        let inotify = linux_inotify_create()
        defer {
            if event != .close { linux_close(file) }
            linux_close(inotify)
        }
        #expect(watch.begin(inotify, scratch) > 0)
        #expect(linux_inotify_drain(inotify, nil) == 0)
        #expect(event.happen(scratch, file))
        #expect((linux_inotify_drain(inotify, nil) == 1) == watch.events.contains(event))
    }

    @Test("Only the names of a folder can be watched, and a watch that is removed reports nothing")
    func limits() throws {
        let scratch = try Scratch()
        linux_close(scratch.create("file"))
        let inotify = linux_inotify_create()
        defer { linux_close(inotify) }
        #expect(linux_inotify_watch_names(inotify, scratch.file("file")) == -ENOTDIR)
        #expect(linux_inotify_watch(inotify, scratch.file("none")) == -ENOENT)
        let watch = linux_inotify_watch(inotify, scratch.path)
        #expect(watch > 0 && linux_inotify_unwatch(inotify, watch) == 0)
        // The end of the watch is an event itself.
        _ = linux_inotify_drain(inotify, nil)
        linux_close(scratch.create("new"))
        #expect(linux_inotify_drain(inotify, nil) == 0)
    }
}
