// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Watches files and folders. All watches of a process share one inotify instance, because Linux allows 128 instances per user.
/// The watch that reads the instance wakes the others. A watch may be woken for the files of another watch, and checks its own
/// files.
public final class FileWatch: @unchecked Sendable {
    private let queue: InotifyQueue
    private let wakeUp: FileDescriptor

    public init() {
        wakeUp = FileDescriptor(owning: linux_eventfd())
        queue = InotifyQueue.join(wakeUp.number)
    }

    deinit { queue.leave(wakeUp.number) }

    /// Makes an epoll descriptor ready at events. False when no event can be received.
    public func wake(_ events: Int32, as token: UInt64) -> Bool {
        let common = linux_epoll_add(events, queue.descriptor.number, UInt32(LINUX_READABLE), token)
        // If another watch uses the same epoll instance, that watch wakes this one by its eventfd.
        guard common >= 0 || common == -SystemError.exists.number else { return false }
        return linux_epoll_add(events, wakeUp.number, UInt32(LINUX_READABLE), token) >= 0
    }

    /// Watches the entries of a folder, and their permissions. False when the folder does not exist.
    public func watchFolder(_ path: String) -> Bool {
        queue.add(linux_inotify_watch(queue.descriptor.number, path), for: wakeUp.number)
    }

    /// Watches the name of a file.
    public func watchName(_ path: String) -> Bool {
        queue.add(linux_inotify_watch_name(queue.descriptor.number, path), for: wakeUp.number)
    }

    /// Reads the pending events. The caller checks the files afterwards, so that it misses no event.
    public func processEvents() {
        _ = linux_eventfd_clear(wakeUp.number)
        queue.drain(by: wakeUp.number)
    }
}

/// The inotify instance of this process, which exists while a watch exists. A child of fork() creates its own instance.
private final class InotifyQueue: @unchecked Sendable {
    let descriptor = FileDescriptor(owning: linux_inotify_create())
    private var wakeUps: [Int32] = []
    /// Two watches of the same file have the same number.
    private var watches: [(wakeUp: Int32, number: Int32)] = []

    /// Guards the members of the instance as well.
    private static let ofProcess = ForkLocal<InotifyQueue>(LINUX_WORD_OF_FILE_QUEUE)

    static func join(_ wakeUp: Int32) -> InotifyQueue {
        ofProcess.withExclusive { present in
            // If the system refused the first instance, the next watch tries again.
            let queue = present.flatMap { $0.descriptor.number >= 0 ? $0 : nil } ?? InotifyQueue()
            queue.wakeUps.append(wakeUp)
            present = queue
            return queue
        }
    }

    func leave(_ wakeUp: Int32) {
        InotifyQueue.ofProcess.withExclusive { present in
            let gone = watches.filter { $0.wakeUp == wakeUp }
            watches = watches.filter { $0.wakeUp != wakeUp }
            wakeUps = wakeUps.filter { $0 != wakeUp }
            for watch in gone where !watches.contains(where: { $0.number == watch.number }) {
                _ = linux_inotify_unwatch(descriptor.number, watch.number)
            }
            if wakeUps.isEmpty, present === self { present = nil }
        }
    }

    func add(_ watch: Int32, for wakeUp: Int32) -> Bool {
        guard watch >= 0 else { return false }
        InotifyQueue.ofProcess.withExclusive { _ in
            if !watches.contains(where: { $0.wakeUp == wakeUp && $0.number == watch }) { watches.append((wakeUp, watch)) }
        }
        return true
    }

    func drain(by reader: Int32) {
        InotifyQueue.ofProcess.withExclusive { _ in
            guard linux_inotify_drain(descriptor.number, nil) > 0 else { return }
            for wakeUp in wakeUps where wakeUp != reader { _ = linux_eventfd_signal(wakeUp) }
        }
    }
}
