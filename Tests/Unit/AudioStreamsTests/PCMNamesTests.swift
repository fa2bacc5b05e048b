// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite("The names of an ALSA device")
struct PCMNamesTests {
    @Test("begin with the mixer of a card, and only that is one", arguments: [true, false])
    func card(playback: Bool) {
        let names = PCMNames("hw:Set,3")
        let mixer = playback ? "dmix" : "dsnoop"
        #expect(names.converting(playback: playback) == ["plug:'\(mixer):Set,3'", "plughw:Set,3"])
        #expect(names.direct(playback: playback) == ["\(mixer):Set,3", "hw:Set,3", "plughw:Set,3"])
        let all = names.converting(playback: playback) + names.direct(playback: playback)
        #expect(all.map(PCMNames.isMixer) == [playback, false, playback, false, false])
    }

    @Test("are those of the configuration for any other device, whose mixer is not known", arguments: ["pulse", "dmixer", "hw"])
    func other(device: String) {
        let names = PCMNames(device)
        let all = names.converting(playback: true) + names.direct(playback: true)
        #expect(all == ["plug:'\(device)'", device, "plug:'\(device)'"])
        #expect(!all.contains(where: PCMNames.isMixer))
    }
}
