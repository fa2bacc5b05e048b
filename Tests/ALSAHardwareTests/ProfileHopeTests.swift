import Foundation
import Testing

@testable import ALSAHardware

struct ProfileHopeTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func hope(_ driver: String, components: String = "", longName: String = "", makers: String = "") throws -> ProfileHope
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        for driver in ["USB-Audio", "HDA-Intel", "sof-hda-dsp"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("conf.d/\(driver)"), withIntermediateDirectories: true)
        }
        try makers.write(to: folder.appendingPathComponent("conf.d/USB-Audio/USB-Audio.conf"), atomically: true, encoding: .utf8)
        var facts = CardFacts.card("Card", driver: driver, pcms: [])
        facts.components = components
        facts.longName = longName
        return ProfileHope(facts, profiles: folder.path)
    }

    @Test func aDriverWithoutAFolderHasNoProfile() throws {
        #expect(try hope("Dummy") == .none)
        #expect(try hope("sof-hda-dsp") == .good)
    }

    @Test func libasoundFindsAnotherNameForACardWithoutADriver() throws {
        #expect(try hope("") == .good)
    }

    @Test func ofUSBDevicesThoseOfKnownMakersMayHaveAProfile() throws {
        let makers = "Regex \"USB((0414:a00[2d])|(0B05:191[78]))\""
        #expect(try hope("USB-Audio", components: "USB0414:a002", makers: makers) == .good)
        #expect(try hope("USB-Audio", components: "Mixer USB0b05:1917", makers: makers) == .good)
        #expect(try hope("USB-Audio", components: "USB046d:0a44", makers: makers) == .faint)
        #expect(try hope("USB-Audio", components: "", makers: makers) == .good)
    }

    @Test func ofPCsThoseWithTwoCodecsHaveAProfile() throws {
        #expect(try hope("HDA-Intel", longName: "HDA Intel PCH at 0xf7d10000 irq 33") == .faint)
        #expect(try hope("HDA-Intel", longName: "Gigabyte-HDA-DualCodecs") == .good)
    }
}

struct PulseSignsTests {
    @Test(arguments: ["default-server = tcp:music\n", "; comment\n  default-server=unix:/tmp/x"])
    func aServerThatIsNamedMayAnswer(configuration: String) { #expect(PulseSigns.namesServer(configuration)) }

    @Test(arguments: ["", "; default-server =\n", "# default-server = x\nautospawn = no\n"])
    func aServerThatIsNotNamedDoesNot(configuration: String) { #expect(!PulseSigns.namesServer(configuration)) }
}
