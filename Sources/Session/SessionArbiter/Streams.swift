// SPDX-License-Identifier: Apache-2.0
import SessionModel

// Entries for the ALSA streams of a session.
extension SessionTable {
    mutating func enterStreams(_ process: ProcessIdentity, of session: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let owner = self[session], owner.role == .session, owner.process == process else { return .unspecified }
        if let refusal = enter(process, owner.name, owner.settings, &decision) { return refusal }
        guard let slot = decision.outcome.slot else { return .unspecified }
        return join(session, slot, &decision)
    }

    mutating func join(_ session: TableSlot, _ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let owner = self[session], owner.role == .session, let streams = self[slot], streams.process == owner.process,
            session != slot
        else { return .unspecified }
        change(slot, &decision) { entry in
            entry.role = .streams(of: session)
            if entry.playback == .unknown { entry.playback = .stopped }
        }
        if case .streams(let former?) = streams.role, former != session { updatePlayback(of: former, &decision) }
        updatePlayback(of: session, &decision)
        return nil
    }

    mutating func play(_ playback: StreamActivity, _ slot: TableSlot, _ decision: inout Decision) -> ResultCode? {
        guard let entry = self[slot] else { return .unspecified }
        change(slot, &decision) { $0.playback = playback }
        if case .streams(let session?) = entry.role { updatePlayback(of: session, &decision) }
        return nil
    }

    /// A session plays while any of its streams plays.
    private mutating func updatePlayback(of session: TableSlot, _ decision: inout Decision) {
        var sum = StreamActivity.unknown
        for slot in slots(.streams) where entries[slot]?.role == .streams(of: session) {
            sum = max(sum, entries[slot]?.playback ?? .stopped, .stopped)
        }
        change(session, &decision) { $0.playback = sum }
    }

    /// The session or the streams in `slot` have left.
    mutating func detachStreams(_ slot: TableSlot, _ role: Role, _ decision: inout Decision) {
        if case .streams(let session) = role {
            if let session { updatePlayback(of: session, &decision) }
            return
        }
        guard hasSlots(.streams) else { return }
        for other in slots(.streams) where entries[other]?.role == .streams(of: slot) {
            change(other, &decision) { $0.role = .streams(of: nil) }
            decision.affect(other)
        }
    }

    /// Streams are notified with their session. Mutating like its caller: a call that only reads would copy the table.
    mutating func affectStreams(_ decision: inout Decision) {
        guard hasSlots(.streams) else { return }
        for slot in slots(.streams) {
            guard case .streams(let session?) = entries[slot]?.role else { continue }
            if decision.outcome.affected.contains(session) || decision.outcome.changed.contains(session) {
                decision.affect(slot)
            }
        }
    }

    /// The session in the slot, or the session of the streams in the slot.
    public func sessionOfSound(in slot: TableSlot) -> TableSlot? {
        guard entries.indices.contains(slot) else { return nil }
        return switch entries[slot]?.role {
        case .session: slot
        case .streams(let session): session
        case nil: nil
        }
    }
}
