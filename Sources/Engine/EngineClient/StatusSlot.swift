// SPDX-License-Identifier: Apache-2.0
public import CStatusPage

/// A slot of the status page of this process, in which a unit or a queue describes itself. The page is never unmapped.
public final class StatusSlot: @unchecked Sendable {
    private let slot: UnsafeMutablePointer<status_slot>

    public init(_ slot: UnsafeMutablePointer<status_slot>) { self.slot = slot }

    /// The stream that counts in the slot does not exist any more.
    deinit { status_release(slot) }

    /// The memory in which an audio thread counts events.
    public var counters: UnsafeMutablePointer<status_counters> { status_slot_counters(slot) }

    /// One thread at a time.
    public func describe(_ description: status_description) {
        var description = description
        status_describe(slot, &description)
    }
}
