// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CLinux
import LinuxSystem

/// The thread, or the run loop, on which a queue calls the program.
public protocol QueueDelivery: AnyObject, Sendable {
    /// On any thread: `Queue.deliver` shall be called soon.
    func signal()
    /// `Queue.deliver` need not be called any more.
    func invalidate()
}

/// A thread of the queue's own.
final class QueueThread: QueueDelivery, @unchecked Sendable {
    private let queue: Queue
    private let ended: (UnsafeMutableRawPointer) -> Void
    private let wake = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private let isInvalid = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private let lock = Lock()
    private var thread: UnsafeMutableRawPointer?

    private init(_ queue: Queue, ended: @escaping (UnsafeMutableRawPointer) -> Void) {
        self.queue = queue
        self.ended = ended
        wake.initialize(to: UInt32(WAKE_AWAKE.rawValue))
        isInvalid.initialize(to: 0)
    }

    deinit {
        wake.deallocate()
        isInvalid.deallocate()
    }

    /// `ended` receives the thread for joining, on this thread, which ends then. Nil where no thread can be made.
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
        while linux_load(isInvalid) == 0 {
            wake_await(wake)
            guard linux_load(isInvalid) == 0 else { break }
            queue.deliver()
        }
        if let thread = lock.withLock({ thread }) { ended(thread) }
    }

    func signal() { wake_signal(wake) }

    func invalidate() {
        linux_store(isInvalid, 1)
        wake_signal(wake)
    }
}
