// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import LinuxSystem
import SessionModel
import Testing

/// The options of a stream.
@Suite struct StreamOptionsTests {
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
        var options = StreamOptions()
        #expect(options.set(key, to: "nonsense")?.hasPrefix("\(key) is \"nonsense\": expected ") == true)
    }

    @Test("The complaint about an unknown key names the known ones; an empty value sets nothing") func keys() {
        var options = StreamOptions()
        #expect(options.set("volume", to: "3")?.hasPrefix("unknown key volume: expected category, mode, ") == true)
        #expect(options.set("category", to: "") == nil && options.category == nil)
    }

    @Test("Each word is one value of its option") func values() {
        var options = StreamOptions()
        for (word, value) in [("xrun", OnInterrupt.xrun), ("silence", .silence), ("hold", .hold)] {
            #expect(options.set("on_interrupt", to: word) == nil && options.onInterrupt == value)
        }
        #expect(options.set("name", to: "player") == nil && options.name == "player")
        for stops in [true, false] {
            #expect(options.set("on_route_loss", to: stops ? "stop" : "follow") == nil && options.stopsOnRouteLoss == stops)
            #expect(options.set("resume", to: stops ? "allowed" : "always") == nil && options.obeysShouldNotResume == stops)
        }
    }

    @Test("The complaint about a mode or an option that does not fit the category names the categories that it fits")
    func conflicts() {
        func conflict(_ pairs: [(String, String)], capture: Bool = false) -> String? {
            var options = StreamOptions()
            for (key, value) in pairs { #expect(options.set(key, to: value) == nil) }
            return options.conflict(capture: capture)
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

    @Test(
        "A session of streams that mixes does so after an interruption too, in each category that may mix",
        arguments: ["mix", "duck", "mix duck", "spoken"], [Category.mediaPlayback, .playAndRecord, .multiRoute])
    func mixing(word: String, category: SessionModel.Category) throws {
        var options = StreamOptions()
        for (key, value) in [("options", word), ("category", FourCC.characters(category.rawValue))] {
            #expect(options.set(key, to: value) == nil)
        }
        var settings = try options.settings(recording: false)
        let opened = settings
        #expect(settings.category == category && settings.mixes)
        settings.revertOverrides()
        #expect(settings == opened)
    }

    @Test("Options follow the rules of the category") func options() throws {
        var options = StreamOptions()
        #expect(options.set("options", to: "mix, duck") == nil)
        #expect(try options.settings(recording: false).ducks)
        #expect(options.set("category", to: "solo") == nil)
        #expect(throws: ResultCode.incompatibleCategory) { try options.settings(recording: false) }
    }
}
