// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import CAudioQueues
import CAudioToolbox
import Synchronization

/// Calls the block of a queue on the dispatch queue that the program has given. libdispatch is not linked: a process without it
/// has no dispatch queue.
final class DispatchDelivery: QueueDelivery, @unchecked Sendable {
    private let queue: Queue
    private let target: UnsafeMutableRawPointer
    private let isSignalled = Atomic<Bool>(false)

    init(_ queue: Queue, on target: UnsafeMutableRawPointer) {
        self.queue = queue
        self.target = target
        queue_dispatch_retain(target)
    }

    deinit { queue_dispatch_release(target) }

    func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue_dispatch_async(target, Unmanaged.passRetained(self).toOpaque()) {
            if let delivery = $0 { Unmanaged<DispatchDelivery>.fromOpaque(delivery).takeRetainedValue().run() }
        }
    }

    private func run() {
        isSignalled.store(false, ordering: .releasing)
        queue.deliver()
    }

    /// A queue that was disposed of calls nothing.
    func invalidate() {}
}

/// A copy of a block of the program.
final class ProgramBlock: @unchecked Sendable {
    let block: UnsafeMutableRawPointer

    private init(_ block: UnsafeMutableRawPointer) { self.block = block }

    deinit { queue_block_release(block) }

    static func copy(_ block: UnsafeRawPointer) throws(QueueStatus) -> ProgramBlock {
        guard queue_dispatch_is_available() else { throw QueueStatus(Int32(kAudio_UnimplementedError)) }
        guard let copy = queue_block_copy(block) else { throw .outOfMemory }
        return ProgramBlock(copy)
    }
}
