// SPDX-License-Identifier: Apache-2.0
public import CAudioStreams

/// The unit or queue that a stream calls. The context of the stream's C callbacks is a reference to it.
open class EngineStreamOwner: @unchecked Sendable {
    public init() {}

    /// Called on the stream's thread, once for each cycle. Takes no lock, allocates nothing and makes no system call.
    open func render(_ cycle: UnsafeMutablePointer<pull_cycle>) {}
    /// Called on the stream's thread, before the first cycle and after each change of the hardware. May allocate.
    open func configure(_ format: pull_format) {}
    /// Called on a thread that is not real-time: the stream has stopped without `stop`.
    open func stopped(_ reason: StopReason) {}
    /// Called under no lock on a thread that is about to report an interruption or a deactivation of the session to the program:
    /// the session has stopped the stream. A render may still run. `stopped` follows.
    open func sessionStopped() {}
    /// Called on a thread that is not real-time: the format of the hardware has changed.
    open func formatChanged() {}
}
