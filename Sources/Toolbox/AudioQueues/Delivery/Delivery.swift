// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import Synchronization

/// The thread, or the run loop, on which a queue calls the program.
public protocol QueueDelivery: AnyObject, Sendable {
    /// Requests a call of `Queue.deliver` soon. Any thread may call this.
    func signal()
    /// `Queue.deliver` need not be called again.
    func invalidate()
}

/// Calls the program on a thread that belongs to the queue.
final class QueueThread: QueueDelivery, @unchecked Sendable {
    private let queue: Queue
    private let ended: (UnsafeMutableRawPointer) -> Void
    let wake = ThreadSignal()
    private let isInvalid = Atomic<Bool>(false)
    private let lock = Lock()
    private var thread: UnsafeMutableRawPointer?

    private init(_ queue: Queue, ended: @escaping (UnsafeMutableRawPointer) -> Void) {
        self.queue = queue
        self.ended = ended
    }

    /// Calls `ended` on the queue's thread as its last action, with the thread to join. Nil when no thread can be created.
    static func start(_ queue: Queue, ended: @escaping (UnsafeMutableRawPointer) -> Void) -> QueueThread? {
        let delivery = QueueThread(queue, ended: ended)
        let reference = Unmanaged.passRetained(delivery)
        return delivery.lock.withLock { () -> QueueThread? in
            let thread = linux_thread_start_for_program(
                { if let context = $0 { Unmanaged<QueueThread>.fromOpaque(context).takeRetainedValue().run() } },
                reference.toOpaque(), "audioqueue")
            guard let thread else {
                reference.release()
                return nil
            }
            delivery.thread = thread
            return delivery
        }
    }

    private func run() {
        while true {
            wake.wait()
            if isInvalid.load(ordering: .acquiring) { break }
            queue.deliver()
        }
        if let thread = lock.withLock({ thread }) { ended(thread) }
    }

    func signal() { wake.signal() }

    func invalidate() {
        isInvalid.store(true, ordering: .releasing)
        wake.signal()
    }
}
