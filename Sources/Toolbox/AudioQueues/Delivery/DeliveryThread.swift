// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// One thread that delivers for many queues whose callbacks belong to the library and never block.
final class DeliveryThread: @unchecked Sendable {
    private let wake = ThreadSignal()
    private let lock = Lock()
    private var pending: [Queue] = []
    private var thread: UnsafeMutableRawPointer?
    private var isEnding = false

    /// False when no thread can be created.
    func start() -> Bool {
        lock.withLock {
            if thread != nil { return true }
            let reference = Unmanaged.passRetained(self)
            thread = linux_thread_start_for_program(
                { if let context = $0 { Unmanaged<DeliveryThread>.fromOpaque(context).takeRetainedValue().run() } },
                reference.toOpaque(), "audioqueue-snd")
            if thread == nil { reference.release() }
            return thread != nil
        }
    }

    private func run() {
        while true {
            wake.wait()
            let (queues, isEnding) = lock.withLock {
                defer { pending = [] }
                return (pending, self.isEnding)
            }
            if isEnding { return }
            for queue in queues { queue.deliver() }
        }
    }

    fileprivate func add(_ queue: Queue) {
        lock.withLock { pending.append(queue) }
        wake.signal()
    }

    /// Ends the thread. Must not be called on the thread itself.
    func end() {
        let thread = lock.withLock {
            isEnding = true
            defer { self.thread = nil }
            return self.thread
        }
        wake.signal()
        if let thread { linux_thread_join(thread) }
    }

    func delivery(_ queue: Queue) -> any QueueDelivery { Member(self, queue) }

    private final class Member: QueueDelivery, @unchecked Sendable {
        private let thread: DeliveryThread
        private let queue: Queue

        init(_ thread: DeliveryThread, _ queue: Queue) {
            self.thread = thread
            self.queue = queue
        }

        func signal() { thread.add(queue) }
        func invalidate() {}
    }
}
