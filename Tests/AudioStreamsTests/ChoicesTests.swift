// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import SessionModel
import Testing

/// The options of a stream.
@Suite struct ChoicesTests {
    @Test("A category has the short name of its constant, its name in Swift, and its code, in any case") func categories() {
        for word in ["MediaPlayback", "mediaplayback", "playback", "medi"] { #expect(Category(word: word) == .mediaPlayback) }
        #expect(Category(word: "PlayAndRecord") == .playAndRecord && Category(word: "MultiRoute") == .multiRoute)
        for word in ["", "loud", "med", "media"] { #expect(Category(word: word) == nil) }
        #expect(Mode(word: "voicechat") == .voiceChat && Mode(word: "vcct") == .voiceChat && Mode(word: "x") == nil)
    }

    @Test(
        "The complaint about a wrong value names the expected values",
        arguments: [
            "category", "mode", "options", "on_interrupt", "on_route_loss", "resume", "port",
        ]) func mistakes(key: String)
    {
        var choices = StreamOptions()
        #expect(choices.set(key, to: "nonsense")?.hasPrefix("\(key) is \"nonsense\": expected ") == true)
    }

    @Test("The complaint about an unknown key names the known ones; an empty value sets nothing") func keys() {
        var choices = StreamOptions()
        #expect(choices.set("volume", to: "3")?.hasPrefix("unknown key volume: expected category, mode, ") == true)
        #expect(choices.set("category", to: "") == nil && choices.category == nil)
    }

    @Test("Each word is one value of its option") func values() {
        var choices = StreamOptions()
        for (word, value) in [("xrun", OnInterrupt.xrun), ("silence", .silence), ("hold", .hold)] {
            #expect(choices.set("on_interrupt", to: word) == nil && choices.onInterrupt == value)
        }
        #expect(choices.set("name", to: "player") == nil && choices.name == "player")
        for stops in [true, false] {
            #expect(choices.set("on_route_loss", to: stops ? "stop" : "follow") == nil && choices.stopsOnRouteLoss == stops)
            #expect(choices.set("resume", to: stops ? "allowed" : "always") == nil && choices.obeysShouldNotResume == stops)
        }
    }

    @Test("The complaint about a mode or an option that does not fit the category names the categories that it fits")
    func conflicts() {
        func conflict(_ pairs: [(String, String)], capture: Bool = false) -> String? {
            var choices = StreamOptions()
            for (key, value) in pairs { #expect(choices.set(key, to: value) == nil) }
            return choices.conflict(capture: capture)
        }
        #expect(
            conflict([("mode", "VideoRecording")])
                == "mode is \"VideoRecording\": category MediaPlayback does not allow it, only RecordAudio, PlayAndRecord")
        #expect(conflict([("mode", "VideoRecording")], capture: true) == nil)
        #expect(
            conflict([("category", "AmbientSound"), ("options", "duck, speaker")])
                == "options has \"speaker\": category AmbientSound does not allow it, only PlayAndRecord")
        #expect(conflict([("options", "duck, speaker")], capture: true) == nil)
        #expect(conflict([("category", "PlayAndRecord"), ("mode", "VoiceChat"), ("options", "speaker")]) == nil)
    }

    @Test("Without a category a player gets MediaPlayback, and a recorder PlayAndRecord") func usual() throws {
        #expect(try StreamOptions().settings(recording: false).category == .mediaPlayback)
        #expect(try StreamOptions().settings(recording: true).category == .playAndRecord)
    }

    @Test("Options follow the rules of the category") func options() throws {
        var choices = StreamOptions()
        #expect(choices.set("options", to: "mix, duck") == nil)
        #expect(try choices.settings(recording: false).ducks)
        #expect(choices.set("category", to: "solo") == nil)
        #expect(throws: ResultCode.incompatibleCategory) { try choices.settings(recording: false) }
    }
}
