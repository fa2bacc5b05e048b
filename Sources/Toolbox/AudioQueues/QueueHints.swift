// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

// Hints of the log for calls that are likely mistakes.
extension Queue {
    public var hasBuffers: Bool { lock.withLock { state.buffersInQueue > 0 } }

    /// Buffers are enqueued, and none of them has a frame to play.
    public var hasEmptyBuffersOnly: Bool {
        lock.withLock { !isInput && packets == nil && state.buffersInQueue > 0 && chain.pendingFrames == 0 }
    }

    /// This thread is in a callback or a listener of the queue.
    public var isCalling: Bool { lock.withLock { turn.isOwn } }
}
