// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The kinds of entries that requests search for. One entry can have several kinds.
public struct EntryKinds: OptionSet, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let active = EntryKinds(rawValue: 1 << 0)
    /// Active without mixing.
    public static let exclusive = EntryKinds(rawValue: 1 << 1)
    /// Active in mode SpokenAudio.
    public static let speaking = EntryKinds(rawValue: 1 << 2)
    /// Active, and its program has requested the hint about primary audio.
    public static let hinted = EntryKinds(rawValue: 1 << 3)
    public static let ducking = EntryKinds(rawValue: 1 << 4)
    public static let recording = EntryKinds(rawValue: 1 << 5)
    /// Plays without mixing.
    public static let primary = EntryKinds(rawValue: 1 << 6)
    public static let interrupted = EntryKinds(rawValue: 1 << 7)
    /// Interrupted by sessions that its entry names.
    public static let listing = EntryKinds(rawValue: 1 << 8)
    /// May interrupt others: has not left as an interrupter.
    public static let interrupting = EntryKinds(rawValue: 1 << 9)
    public static let streams = EntryKinds(rawValue: 1 << 10)

    fileprivate static let count = 11

    /// 1 if the entry is of this kind.
    func count(_ kind: EntryKinds) -> Int { contains(kind) ? 1 : 0 }
}

/// The slots of each kind of entry. With them, a request about one session does not read a thousand entries.
struct SlotKinds: Equatable, Sendable {
    /// A set of slots for each kind, by the bit of the kind.
    private var words = [UInt64](repeating: 0, count: EntryKinds.count * SlotSet.wordCount)
    private var counts = [Int](repeating: 0, count: EntryKinds.count)
    /// By slot.
    private var kinds = [UInt16](repeating: 0, count: SessionTable.capacity)

    /// The slots of one kind.
    subscript(kind: EntryKinds) -> SlotSet {
        var words = InlineArray<16, UInt64>(repeating: 0)
        let first = bit(of: kind) * SlotSet.wordCount
        if count(of: kind) > 0 { for index in words.indices { words[index] = self.words[first + index] } }
        return SlotSet(words: words)
    }

    func count(of kind: EntryKinds) -> Int { counts[bit(of: kind)] }

    func hasSlots(_ kind: EntryKinds, besides slot: TableSlot) -> Bool {
        count(of: kind) > (kinds(of: slot).contains(kind) ? 1 : 0)
    }

    func kinds(of slot: TableSlot) -> EntryKinds { kinds.indices.contains(slot) ? EntryKinds(rawValue: kinds[slot]) : [] }

    mutating func set(_ new: EntryKinds, of slot: TableSlot) {
        guard kinds.indices.contains(slot) else { return }
        var differing = kinds[slot] ^ new.rawValue
        kinds[slot] = new.rawValue
        while differing != 0 {
            let bit = differing.trailingZeroBitCount
            let isOfKind = new.rawValue & 1 << bit != 0
            words[bit * SlotSet.wordCount + (slot >> 6)] ^= 1 << UInt64(slot & 63)
            counts[bit] += isOfKind ? 1 : -1
            differing &= differing - 1
        }
    }

    private func bit(of kind: EntryKinds) -> Int { min(kind.rawValue.trailingZeroBitCount, EntryKinds.count - 1) }
}

extension SessionEntry {
    private var playsPrimaryAudio: Bool { !settings.mixes && settings.category.traits.hasOutput && playback != .stopped }

    var kinds: EntryKinds {
        var kinds: EntryKinds = []
        if isActive {
            kinds.insert(.active)
            if !settings.mixes { kinds.insert(.exclusive) }
            if settings.mode == .spokenAudio { kinds.insert(.speaking) }
            if settings.flags.contains(.wantsSecondaryAudioHint) { kinds.insert(.hinted) }
            if ducksOthers { kinds.insert(.ducking) }
            if settings.category == .recordAudio { kinds.insert(.recording) }
            if playsPrimaryAudio { kinds.insert(.primary) }
        }
        if isInterrupted { kinds.insert(.interrupted) }
        if !listedInterrupters.isEmpty || speechInterrupter != nil { kinds.insert(.listing) }
        if interrupting != 0 { kinds.insert(.interrupting) }
        if case .streams = role { kinds.insert(.streams) }
        return kinds
    }
}
