// SPDX-License-Identifier: Apache-2.0
import CAudioQueues

typealias Link = UnsafeMutablePointer<queue_link>

/// The side of the chain of enqueued buffers that appends buffers.
///
/// A chain always has at least one link, the one that was finished last: the side that follows the chain stays at it.
struct LinkChain: ~Copyable {
    private var oldest: Link
    private(set) var last: Link
    private var spare: Link?

    init(_ first: Link) {
        oldest = first
        last = first
    }

    static func makeLink() -> Link? {
        queue_memory_allocate(MemoryLayout<queue_link>.size)?.bindMemory(to: queue_link.self, capacity: 1)
    }

    deinit {
        LinkChain.free(oldest)
        LinkChain.free(spare)
    }

    private static func free(_ first: Link?) {
        var next = first
        while let link = next {
            next = link.pointee.next
            queue_memory_free(link.pointee.decoded)
            queue_memory_free(link)
        }
    }

    /// A zeroed link that is not in the chain yet; nil when memory is exhausted.
    mutating func newLink() -> Link? {
        guard let link = spare else { return LinkChain.makeLink() }
        spare = link.pointee.next
        link.pointee = queue_link()
        return link
    }

    mutating func append(_ link: Link) {
        link.pointee.number = last.pointee.number + 1
        pendingFrames &+= link.pointee.frames &- link.pointee.first
        queue_link_append(last, link)
        last = link
    }

    /// The frames of all links that were not finished at the last call of `finish`.
    private(set) var pendingFrames: UInt64 = 0

    /// Passes each link that was finished since the last call, up to this number.
    mutating func finish(through number: UInt64, _ body: (Link) -> Void) {
        while oldest.pointee.number < number, let next = queue_link_next(oldest) {
            oldest.pointee.next = spare
            spare = oldest
            oldest = next
            pendingFrames &-= next.pointee.frames &- next.pointee.first
            queue_memory_free(next.pointee.decoded)
            next.pointee.decoded = nil
            body(next)
        }
    }
}
