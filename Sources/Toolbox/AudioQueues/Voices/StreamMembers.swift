// SPDX-License-Identifier: Apache-2.0
import CAudioStreams

/// The voices that a stream has, each with its owner: those that the audio thread renders, in groups of one rate, and those that
/// are suspended. A voice is in one of the two at most.
struct StreamMembers {
    struct Member {
        let voice: Voice
        let owner: any VoiceOwner
    }

    /// A stream that records has no groups.
    let isInput: Bool
    private(set) var rendered: [Member] = []
    /// Voices of running queues that have nothing to play.
    private(set) var suspended: [Member] = []
    /// A group for each rate of the rendered voices.
    private(set) var groups: [RateGroup] = []

    init(isInput: Bool) { self.isInput = isInput }

    var owners: [any VoiceOwner] { (rendered + suspended).map { $0.owner } }

    func renders(_ voice: Voice) -> Bool { rendered.contains { $0.voice === voice } }

    mutating func insert(_ member: Member) { rendered.append(member) }

    mutating func suspend(_ member: Member) { suspended.append(member) }

    mutating func remove(_ voice: Voice) -> Member? { StreamMembers.remove(voice, from: &rendered) }

    mutating func removeSuspended(_ voice: Voice) -> Member? { StreamMembers.remove(voice, from: &suspended) }

    mutating func removeAll() { (rendered, suspended) = ([], []) }

    private static func remove(_ voice: Voice, from list: inout [Member]) -> Member? {
        list.firstIndex { $0.voice === voice }.map { list.remove(at: $0) }
    }

    // MARK: The list of the audio thread

    /// The rendered voices by their rates; nil without one. A new group is prepared for a device of this format, which is only then
    /// asked for.
    mutating func list(for format: @autoclosure () -> pull_format?) -> VoiceList? {
        guard !rendered.isEmpty else { return nil }
        guard !isInput else { return VoiceList([(nil, rendered.map { $0.voice })]) }
        var lists: [(group: RateGroup?, voices: [Voice])] = []
        for member in rendered {
            if let index = lists.firstIndex(where: { $0.group?.rate == member.voice.rate }) {
                lists[index].voices.append(member.voice)
            } else {
                lists.append((group(member.voice.rate) ?? newGroup(member.voice.rate, for: format()), [member.voice]))
            }
        }
        groups = lists.compactMap { $0.group }
        return VoiceList(lists)
    }

    /// The group of a rate. It keeps the frames in its converter.
    private func group(_ rate: Double) -> RateGroup? { groups.first { $0.rate == rate } }

    private func newGroup(_ rate: Double, for format: pull_format?) -> RateGroup {
        let group = RateGroup(rate: rate)
        if let format { group.configure(format) }
        return group
    }
}
