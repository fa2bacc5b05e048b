import CLinux

/// Hears of changes to files and folders. All of a process share one queue of the kernel's, of which a user
/// has but 128: whoever takes from it wakes the others. So one may be woken for what another watches, and
/// looks at what it watches itself.
public final class FileWatch: @unchecked Sendable {
    private let queue: FileQueue
    private let bell: FileDescriptor

    public init() {
        bell = FileDescriptor(owning: linux_eventfd())
        queue = FileQueue.join(bell.number)
    }

    deinit { queue.leave(bell.number) }

    /// Lets an epoll descriptor know. False where nothing will ever be heard.
    public func wake(_ events: Int32, as token: UInt64) -> Bool {
        let common = linux_epoll_add(events, queue.descriptor.number, UInt32(LINUX_READABLE), token)
        // Where another watch wakes the same one already, that one hears of it and rings this bell.
        guard common >= 0 || common == -SystemError.exists.number else { return false }
        return linux_epoll_add(events, bell.number, UInt32(LINUX_READABLE), token) >= 0
    }

    /// The entries of a folder: which there are, and who may open them. False where there is no such folder.
    public func watchFolder(_ path: String) -> Bool {
        queue.take(linux_inotify_watch(queue.descriptor.number, path), for: bell.number)
    }

    /// What becomes of the name of a file.
    public func watchName(_ path: String) -> Bool {
        queue.take(linux_inotify_watch_name(queue.descriptor.number, path), for: bell.number)
    }

    /// Comes before looking, so that nothing is missed.
    public func processEvents() {
        _ = linux_eventfd_clear(bell.number)
        queue.drain(by: bell.number)
    }
}

/// The queue of this process, there as long as somebody watches. A child of fork() makes its own: words
/// that the kernel wipes say that there is none, and that nobody is at it.
private final class FileQueue: @unchecked Sendable {
    let descriptor = FileDescriptor(owning: linux_inotify_create())
    private var bells: [Int32] = []
    /// Of two who watch the same thing each has the same number.
    private var watches: [(bell: Int32, number: Int32)] = []

    nonisolated(unsafe) private static var kept: FileQueue?

    static func join(_ bell: Int32) -> FileQueue {
        withLock {
            let isPresent = linux_load(linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_FILE_QUEUE))) != 0
            let present = isPresent ? kept.flatMap { $0.descriptor.number >= 0 ? $0 : nil } : nil
            // One that the system refused to whoever came first is no reason to be deaf for good.
            let queue = present ?? FileQueue()
            queue.bells.append(bell)
            keep(queue)
            return queue
        }
    }

    func leave(_ bell: Int32) {
        FileQueue.withLock {
            let gone = watches.filter { $0.bell == bell }
            watches = watches.filter { $0.bell != bell }
            bells = bells.filter { $0 != bell }
            for watch in gone where !watches.contains(where: { $0.number == watch.number }) {
                _ = linux_inotify_unwatch(descriptor.number, watch.number)
            }
            if bells.isEmpty, FileQueue.kept === self { FileQueue.keep(nil) }
        }
    }

    func take(_ watch: Int32, for bell: Int32) -> Bool {
        guard watch >= 0 else { return false }
        FileQueue.withLock {
            if !watches.contains(where: { $0.bell == bell && $0.number == watch }) { watches.append((bell, watch)) }
        }
        return true
    }

    func drain(by reader: Int32) {
        FileQueue.withLock {
            guard linux_inotify_drain(descriptor.number, nil) > 0 else { return }
            for bell in bells where bell != reader { _ = linux_eventfd_signal(bell) }
        }
    }

    private static func keep(_ queue: FileQueue?) {
        kept = queue
        linux_store(linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_FILE_QUEUE)), queue == nil ? 0 : 1)
    }

    private static func withLock<Result>(_ body: () -> Result) -> Result {
        let word = linux_word_wiped_on_fork(UInt32(LINUX_WORD_OF_FILE_QUEUE_LOCK))
        while !linux_compare_and_store(word, 0, 1) { linux_wait_while(word, 1) }
        defer {
            linux_store(word, 0)
            linux_wake_waiting(word)
        }
        return body()
    }
}
