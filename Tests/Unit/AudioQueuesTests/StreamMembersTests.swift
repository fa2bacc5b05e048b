// SPDX-License-Identifier: Apache-2.0
import CAudioQueues
import CAudioStreams
import Testing

@testable import AudioQueues

/// The voices of a stream, and the list that the audio thread visits.
@Suite struct StreamMembersTests {
    private final class Owner: VoiceOwner {
        func voiceChanged() {}
        func streamStopped() {}
    }

    private let owner = Owner()
    private let device: pull_format = {
        var format = pull_format()
        (format.output_rate, format.output_channels, format.slice) = (48_000, 2, 256)
        return format
    }()

    /// The chain frees the link of the voice.
    private func withVoices(_ rates: Double..., body: ([Voice]) -> Void) throws {
        var links: [Link] = []
        for _ in rates { links.append(try #require(LinkChain.makeLink())) }
        body(zip(rates, links).map { Voice(rate: $0, channels: 2, first: $1) })
        for link in links { queue_memory_free(link) }
    }

    private func members(_ voices: [Voice], isInput: Bool = false) -> StreamMembers {
        var members = StreamMembers(isInput: isInput)
        for voice in voices { members.insert(.init(voice: voice, owner: owner)) }
        return members
    }

    @Test("Voices of one rate are in one group, and the groups are in the order of their first voices")
    func groups() throws {
        try withVoices(44_100, 48_000, 44_100) { voices in
            var members = members(voices)
            let list = members.list(for: device)
            #expect(list?.groups.map { $0.group?.rate } == [44_100, 48_000])
            #expect(list?.groups.map { $0.voices.count } == [2, 1])
            #expect(list?.groups.first?.voices.last === voices[2])
        }
    }

    @Test("A rate keeps its group while it has a voice; a group that is new is prepared for the device")
    func sameGroup() throws {
        try withVoices(44_100, 48_000, 44_100) { voices in
            var members = members(Array(voices.prefix(2)))
            _ = members.list(for: device)
            let first = members.groups.first
            members.insert(.init(voice: voices[2], owner: owner))
            _ = members.remove(voices[1])
            var hasAsked = false
            func format() -> pull_format? {
                hasAsked = true
                return device
            }
            _ = members.list(for: format())
            #expect(members.groups.count == 1 && members.groups.first === first && !hasAsked)
            members.insert(.init(voice: voices[1], owner: owner))
            _ = members.list(for: format())
            #expect(hasAsked)
            let cycle = Slice(
                output: nil, input: nil, frames: 256, channels: 2, rate: 48_000, deviceRate: 48_000, frame: 0, time: 0, now: 0,
                rateScalar: 1, lostFrames: 0)
            #expect(members.groups.allSatisfy { $0.fits(cycle) })
        }
    }

    @Test("Voices that record have no group, and no voice makes no list")
    func withoutGroups() throws {
        try withVoices(44_100, 48_000) { voices in
            var input = members(voices, isInput: true)
            #expect(input.list(for: device)?.groups.map { $0.voices.count } == [2] && input.groups.isEmpty)
            var empty = StreamMembers(isInput: false)
            #expect(empty.list(for: device) == nil)
        }
    }

    @Test("A suspended voice is not rendered, and its owner stays an owner")
    func suspended() throws {
        try withVoices(44_100) { voices in
            var members = members(voices)
            let member = members.remove(voices[0])
            #expect(member != nil && members.remove(voices[0]) == nil && !members.renders(voices[0]))
            if let member { members.suspend(member) }
            #expect(members.rendered.isEmpty && members.owners.count == 1)
            #expect(members.list(for: device) == nil)
            #expect(members.removeSuspended(voices[0])?.voice === voices[0] && members.owners.isEmpty)
        }
    }
}
