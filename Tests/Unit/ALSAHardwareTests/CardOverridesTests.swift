// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel
import Testing

@testable import ALSAHardware

struct CardOverridesTests {
    let dummy = CardFacts.card(
        "Dummy", driver: "Dummy", pcms: ["p0 Dummy PCM", "c0 Dummy PCM"], controls: ["Master Volume", "Line Volume", "CD Volume"])

    func plans(_ settings: [(String, String)]) -> [PortPlan] {
        dummy.plans(CardOverrides(settings.map { Setting(name: $0.0, value: $0.1) }).card("Dummy"))
    }

    @Test("An override sets the kind of a card's output and input") func anOverrideNamesTheKindOfAPort() {
        let plans = plans([("cards.Dummy.output", "headphones"), ("cards.Dummy.input", "usb")])
        #expect(plans.map(\.kind) == [.headphones, .usbInput])
        #expect(plans.allSatisfy { $0.evidence == .user })
    }

    @Test("An override with the kind none removes the ports of a card") func anOverrideRemovesACard() {
        #expect(plans([("cards.Dummy.output", "none"), ("cards.Dummy.input", "none")]).isEmpty)
    }

    @Test("An override names the volume and the gain control of a card") func anOverrideNamesTheVolumes() {
        let plans = plans([("cards.Dummy.volume", "CD"), ("cards.Dummy.gain", "Line")])
        #expect(plans.map { dummy.name(of: $0.level.volume) } == ["CD Volume", "Line Volume"])
    }

    @Test(
        "The profile of a headset is changed unless the configuration keeps it",
        arguments: [(nil, false), ("keep", true), ("change", false)] as [(String?, Bool)])
    func profiles(_ value: String?, _ keeps: Bool) {
        let settings = value.map { [Setting(name: "headset.profile", value: $0)] } ?? []
        let lines = Log.lines { #expect(CardOverrides(settings).keepsProfiles == keeps) }
        #expect(lines.contains { $0.contains("headset.profile") } == (value == "change"))
    }

    @Test("Overrides of another card have no effect") func settingsOfAnotherCardHaveNoEffect() {
        #expect(plans([("cards.PCH.output", "none")]) == dummy.plans)
    }

    @Test(
        "An unknown or invalid setting is ignored",
        arguments: [
            ("", ""), ("cards", "x"), ("cards.Dummy.output", "trumpet"), ("cards.Dummy.input", "headphones"),
            ("cards.Dummy.colour", "red"), ("things.Dummy.output", "hdmi"), ("ports.car.colour", "red"),
            ("cards.Dummy.output.more", "hdmi"), ("ports.car.channels", "-1"), ("ports.car.kind", "car"),
        ])
    func unknownSettingsAreIgnored(name: String, value: String) {
        let overrides = CardOverrides([Setting(name: name, value: value)])
        #expect(overrides.cards.isEmpty && overrides.ports.isEmpty)
    }

    #if DEBUG
        @Test("A setting that is ignored is logged") func ignoredSettingsAreLogged() {
            let lines = Log.lines {
                _ = CardOverrides([
                    Setting(name: "cards.Dummy.output", value: "trumpet"), Setting(name: "ports.half.kind", value: "usb"),
                ])
            }
            #expect(lines.contains("defaults.audiosession.cards.Dummy.output trumpet: not understood, ignored"))
            #expect(lines.contains("defaults.audiosession.ports.half: needs a kind and a device, ignored"))
        }
    #endif

    @Test("The overridden ports of a card without controls are stereo") func anOverrideOfACardWithoutControlsIsStereo() {
        var bare = CardFacts.card("Dummy", driver: "Dummy", pcms: ["p3 HDMI 0", "c4 Loopback"])
        bare.elements = []
        let overrides = CardOverrides([
            Setting(name: "cards.Dummy.output", value: "headphones"), Setting(name: "cards.Dummy.input", value: "microphone"),
        ])
        let plans = bare.plans(overrides.card("Dummy"))
        #expect(plans.map(\.kind) == [.headphones, .builtInMicrophone])
        #expect(plans.map(\.channels) == [2, 2])
        #expect(plans.map(\.pcm) == [3, 4])
    }

    @Test("A port of the configuration has 1 to 64 channels, and two where it does not say; its key is its name until it has one")
    func channelsOfAPort() throws {
        for (text, channels) in [("1", 1), ("64", 64), ("0", 2), ("65", 2), ("two", 2), (nil, 2)] as [(String?, UInt32)] {
            let settings = [("kind", "hdmi"), ("device", "hw:7")] + (text.map { [("channels", $0)] } ?? [])
            for settings in [settings, settings.reversed()] {
                let overrides = CardOverrides(settings.map { Setting(name: "ports.wall.\($0.0)", value: $0.1) })
                let port = try #require(overrides.ports.first?.port(arrival: 2), "\(text ?? "")")
                #expect(port.channels == channels && port.name == "wall" && port.uid == "configuration:wall", "\(text ?? "")")
                #expect(overrides.ports.count == 1 && port.kind == .hdmi && port.alsaDevice == "hw:7")
            }
        }
    }

    @Test("An overridden port keeps the device, the channels and the choice of sources of the port that it replaces")
    func whatAnOverrideKeeps() throws {
        func map(_ name: String, device: UInt32, count: UInt32) -> ElementFacts {
            ElementFacts(number: 50 + count, interface: .pcm, name: name, device: device, kind: .integer, count: count)
        }
        let selector = ElementFacts(
            number: 9, interface: .mixer, name: "PCM Capture Source", kind: .enumerated, isWritable: true, items: ["Mic", "Line"])
        let card = CardFacts.card(
            "DAC", driver: "USB-Audio", pcms: ["c1 USB", "c2 USB", "p4 USB", "p5 USB"],
            controls: ["Mic Capture Volume", "Line Capture Volume", "PCM Playback Volume", "Master Playback Volume"],
            more: [selector, map("Capture Channel Map", device: 1, count: 4), map("Playback Channel Map", device: 4, count: 6)])
        let overrides = CardOverrides([
            Setting(name: "cards.DAC.input", value: "line-in"), Setting(name: "cards.DAC.output", value: "speaker"),
        ])
        let plans = card.plans(overrides.card("DAC"))
        #expect(plans.map { $0.kind } == [.builtInSpeaker, .lineIn])
        #expect(plans.map { $0.pcm } == [4, 1] && plans.map { $0.channels } == [6, 4])
        #expect(plans.map { $0.selector } == [nil, 9] && plans.map { $0.key } == ["output", "input"])
        #expect(plans.map { card.name(of: $0.level.volume) } == ["Master Playback Volume", "Line Capture Volume"])
        #expect(plans.allSatisfy { $0.group == "card" && $0.name == "DAC" && $0.evidence == .user })
    }

    @Test("An overridden port keeps the device that the profile of its card names, whichever the card has first")
    func whatAnOverrideKeepsOfAProfile() {
        for (output, input) in [(UInt32(4), UInt32(1)), (5, 2), (4, 2), (5, 1)] {
            var card = CardFacts.card("DAC", driver: "USB-Audio", pcms: ["c1 USB", "c2 USB", "p4 USB", "p5 USB"])
            card.useCases = [
                UseCaseFacts(device: "Speaker", comment: "", playbackPCM: "hw:DAC,\(output)"),
                UseCaseFacts(device: "Mic", comment: "", capturePCM: "hw:DAC,\(input)"),
            ]
            let overrides = CardOverrides([
                Setting(name: "cards.DAC.input", value: "line-in"), Setting(name: "cards.DAC.output", value: "headphones"),
            ])
            let plans = card.plans(overrides.card("DAC"))
            #expect(plans.map { $0.kind } == [.headphones, .lineIn] && plans.map { $0.pcm } == [output, input])
        }
    }

    @Test("A port of the configuration needs a kind and a device, but no card") func aPortOfTheConfigurationNeedsNoCard() throws {
        let overrides = CardOverrides([
            Setting(name: "ports.car.kind", value: "bluetooth-a2dp"), Setting(name: "ports.car.device", value: "bluealsa:DEV=1"),
            Setting(name: "ports.car.name", value: "The car"), Setting(name: "ports.incomplete.kind", value: "airplay"),
        ])
        let port = try #require(overrides.ports.first?.port(arrival: 7))
        #expect(overrides.ports.count == 1)
        #expect(port.kind == .bluetoothA2DP && port.alsaDevice == "bluealsa:DEV=1" && port.name == "The car" && port.device == 7)
    }
}
