// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import LinuxSystem
import Testing

@Suite(.serialized) struct FileWatchTests: ~Copyable {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    private let events = FileDescriptor(owning: linux_epoll_create())
    private let eventsOfAnother = FileDescriptor(owning: linux_epoll_create())

    private func made(by change: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try change(folder)
    }

    /// The watches that are woken. Other watches of this process may wake them, too.
    private func woken(_ events: borrowing FileDescriptor) -> Set<UInt64> {
        var found = [linux_event](repeating: linux_event(), count: 8)
        let count = linux_epoll_wait(events.number, &found, Int32(found.count), waitLimit * 1_000)
        return Set(found.prefix(Int(max(count, 0))).map(\.token))
    }

    private var queues: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let targets = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        return targets.filter { $0 == "anon_inode:inotify" }.count
    }

    @Test("A watch that drains the queue of events wakes the others") func aWatchThatDrainsTheQueueWakesTheOthers() throws {
        try made { folder in
            let first = FileWatch()
            let second = FileWatch()
            #expect(first.wake(events.number, as: 1) && second.wake(eventsOfAnother.number, as: 2))
            #expect(first.watchFolder(folder))
            #expect(second.watchFolder(folder))
            #expect(!second.watchFolder(folder + "/none"))
            try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
            #expect(woken(events).contains(1))
            first.processEvents()
            #expect(woken(eventsOfAnother).contains(2))
        }
    }

    @Test("Two watches of the same thread are both woken") func twoWatchesOfTheSameThreadAreBothWoken() throws {
        try made { folder in
            let first = FileWatch()
            let second = FileWatch()
            #expect(first.wake(events.number, as: 1) && second.wake(events.number, as: 2))
            #expect(second.watchFolder(folder))
            try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
            #expect(!woken(events).isEmpty)
            first.processEvents()
            #expect(woken(events).contains(2))
        }
    }

    @Test("A watch outlives another watch of the same folder") func aWatchOutlivesAnotherOfTheSameFolder() throws {
        try made { folder in
            let first = FileWatch()
            #expect(first.wake(events.number, as: 1) && first.watchFolder(folder))
            do {
                let second = FileWatch()
                #expect(second.watchFolder(folder))
            }
            try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
            #expect(woken(events).contains(1))
        }
    }

    @Test("The watches of a process do not have an inotify instance each") func manyWatchesShareOneInotifyInstance() {
        let first = FileWatch()
        let before = queues
        let more = (0..<200).map { _ in FileWatch() }
        #expect(before > 0 && queues < before + 100)
        withExtendedLifetime((first, more)) {}
    }
}
