// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ALSAHardware

struct UCMProbeTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func probe(_ driver: String, components: String = "", longName: String = "", makers: String = "") throws -> UCMProbe {
        defer { try? FileManager.default.removeItem(at: folder) }
        for driver in ["USB-Audio", "HDA-Intel", "sof-hda-dsp"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("conf.d/\(driver)"), withIntermediateDirectories: true)
        }
        try makers.write(to: folder.appendingPathComponent("conf.d/USB-Audio/USB-Audio.conf"), atomically: true, encoding: .utf8)
        var facts = CardFacts.card("Card", driver: driver, pcms: [])
        facts.components = components
        facts.longName = longName
        return UCMProbe(facts, profiles: folder.path)
    }

    @Test("A card whose driver has no folder of profiles has no use-case profile")
    func aDriverWithoutAFolderHasNoProfile() throws {
        #expect(try probe("Dummy") == .none)
        #expect(try probe("sof-hda-dsp") == .likely)
    }

    @Test("A card without a driver name is likely to have a use-case profile")
    func aCardWithoutADriverNameIsLikelyToHaveAProfile() throws {
        #expect(try probe("") == .likely)
    }

    @Test("A USB device is likely to have a use-case profile if the profiles name its vendor, or it has no identity")
    func aUSBDeviceOfANamedVendorIsLikelyToHaveAProfile() throws {
        let makers = "Regex \"USB((0414:a00[2d])|(0B05:191[78]))\""
        #expect(try probe("USB-Audio", components: "USB0414:a002", makers: makers) == .likely)
        #expect(try probe("USB-Audio", components: "Mixer USB0b05:1917", makers: makers) == .likely)
        #expect(try probe("USB-Audio", components: "USB046d:0a44", makers: makers) == .unlikely)
        #expect(try probe("USB-Audio", components: "", makers: makers) == .likely)
    }

    @Test("A PC with two codecs is likely to have a use-case profile, and another PC is not")
    func aPCWithTwoCodecsIsLikelyToHaveAProfile() throws {
        #expect(try probe("HDA-Intel", longName: "HDA Intel PCH at 0xf7d10000 irq 33") == .unlikely)
        #expect(try probe("HDA-Intel", longName: "Gigabyte-HDA-DualCodecs") == .likely)
    }
}

struct PulseProbeFileTests {
    @Test(
        "A configuration that sets default-server names a server",
        arguments: ["default-server = tcp:music\n", "; comment\n  default-server=unix:/tmp/x"])
    func aServerThatIsNamedIsLikely(configuration: String) { #expect(PulseProbe.namesServer(configuration)) }

    @Test(
        "A configuration without default-server, or with it in a comment, names no server",
        arguments: ["", "; default-server =\n", "# default-server = x\nautospawn = no\n"])
    func aServerThatIsNotNamedIsNotLikely(configuration: String) { #expect(!PulseProbe.namesServer(configuration)) }
}
