// SPDX-License-Identifier: Apache-2.0
public import CStatusPage

/// The place on the status page of this process where a unit or a queue describes itself. The page is never unmapped.
public final class StatusSlot: @unchecked Sendable {
    private let slot: UnsafeMutablePointer<status_slot>

    public init(_ slot: UnsafeMutablePointer<status_slot>) { self.slot = slot }

    /// Its stream does not exist any more.
    deinit { status_release(slot) }

    /// The memory in which an audio thread counts.
    public var counters: UnsafeMutablePointer<status_counters> { status_slot_counters(slot) }

    /// One thread at a time.
    public func describe(_ description: status_description) {
        var description = description
        status_describe(slot, &description)
    }
}
