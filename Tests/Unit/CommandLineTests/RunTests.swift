// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionModel
import Testing

@testable import audiosessionctl

/// Programs that the tool becomes.
@Suite struct RunTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    private func variables(_ line: String, setting variables: [String: String] = [:]) throws -> [String: String] {
        let end = try tool.run("run \(line) env", setting: variables)
        #expect(end.status == 0 && end.errors == "")
        var found: [String: String] = [:]
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
        }
        return found
    }

    @Test("Every option of run becomes the variable that the ALSA plug-in reads")
    func options() throws {
        let found = try variables("--category MediaPlayback --mode SpokenAudio --mix --duck --name Radio --on-interrupt xrun --")
        #expect(found["AUDIOSESSION_CATEGORY"] == "MediaPlayback" && found["AUDIOSESSION_MODE"] == "SpokenAudio")
        #expect(found["AUDIOSESSION_OPTIONS"] == "mix duck" && found["AUDIOSESSION_NAME"] == "Radio")
        #expect(found["AUDIOSESSION_ON_INTERRUPT"] == "xrun")
        #expect(try variables("")["AUDIOSESSION_CATEGORY"] == nil)
    }

    @Test("The exit status is the command's, 127 without such a command, 126 when it cannot be executed")
    func statuses() throws {
        #expect(try tool.run("run sh -c 'exit 7'").status == 7)
        let missing = try tool.run("run /no/such/command")
        #expect(missing.status == 127)
        #expect(missing.errors == "audiosessionctl: /no/such/command: No such file or directory\n")
        #expect(try tool.run("run /").status == 126)
    }

    @Test("The command gets its own arguments unchanged, also those that look like options")
    func arguments() throws {
        #expect(try tool.run("run -- printf '%s|' --mix '' 'two words'").output == "--mix||two words|")
        #expect(try tool.run("run printf '%s|' -- --json").output == "--|--json|")
    }

    @Test("The sound server gets the role of the stream from the category and the mode")
    func roles() throws {
        func role(_ category: SessionModel.Category, _ mode: Mode = .standard) throws -> [String] {
            var settings = SessionSettings()
            settings.setCategory(category)
            try settings.setMode(mode, whileActive: false)
            return [settings.role.pulse, settings.role.pipeWire]
        }
        #expect(try role(.playAndRecord, .voiceChat) == ["phone", "Communication"])
        #expect(try role(.mediaPlayback, .moviePlayback) == ["video", "Movie"])
        #expect(try role(.mediaPlayback, .spokenAudio) == ["a11y", "Accessibility"])
        #expect(try role(.ambientSound) == ["game", "Game"] && role(.soloAmbientSound) == ["game", "Game"])
        #expect(try role(.playAndRecord) == ["production", "Production"])
        #expect(try role(.mediaPlayback) == ["music", "Music"] && role(.multiRoute) == ["music", "Music"])
    }

    @Test("Where a sound server is the default PCM, streams go to it with their role and their name; variables of the user stay")
    func server() throws {
        let file = tool.folder + "/asound.conf"
        try "pcm.!default { type pulse }\n".write(toFile: file, atomically: false, encoding: .utf8)
        let path = "\(tool.configuration):\(file)"
        let found = try variables("--category AmbientSound", setting: ["ALSA_CONFIG_PATH": path])
        #expect(found["ALSA_CONFIG_PATH"]?.hasPrefix(path) == true)
        #expect(found["AUDIOSESSION_SLAVE"] == "pulse" && found["PULSE_PROP_media.role"] == "game")
        #expect(found["PIPEWIRE_PROPS"] == "{ media.role = Game }")
        let named = try variables(
            "--name 'Radio \"of\" Ada'", setting: ["ALSA_CONFIG_PATH": path, "AUDIOSESSION_NAME": "Phone"])
        #expect(named["PIPEWIRE_PROPS"] == "{ media.role = Music media.name = \"Radio  of  Ada\" }")
        let chosen = try variables("--", setting: ["ALSA_CONFIG_PATH": path, "AUDIOSESSION_NAME": "Phone"])
        #expect(chosen["PIPEWIRE_PROPS"] == "{ media.role = Music media.name = \"Phone\" }")
        let own = try variables(
            "--", setting: ["ALSA_CONFIG_PATH": path, "AUDIOSESSION_SLAVE": "null", "PIPEWIRE_PROPS": "{ }"])
        #expect(own["AUDIOSESSION_SLAVE"] == "null" && own["PIPEWIRE_PROPS"] == "{ }")
        #expect(try variables("--", setting: ["ALSA_CONFIG_PATH": tool.configuration])["AUDIOSESSION_SLAVE"] == nil)
    }
}
