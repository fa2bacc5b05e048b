// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import FakeKernel
import FaultPlan
import Foundation
import SessionModel
import Testing

@testable import ALSAHardware

/// A machine with the sound cards of a test. A process has one at a time.
final class Machine: @unchecked Sendable {
    let folder: URL

    init(devices: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        for path in ["/dev", "/proc/asound", Machine.runtimeFolder] {
            try FileManager.default.createDirectory(atPath: folder.path + path, withIntermediateDirectories: true)
        }
        if devices { try makeDevices() }
        let prefixes = [
            "/dev/snd", "/proc/asound", "/etc/alsa/conf.d", "/etc/asound.conf", Machine.profiles, Machine.runtimeFolder,
            Machine.usersFile, Machine.usersSettings + "/alsa", "/run/pulse", "/var/run/pulse", "/etc/pulse",
            "/usr/bin/pulseaudio", "/proc/\(Machine.process)",
        ]
        var texts: [UnsafePointer<CChar>?] = prefixes.map { UnsafePointer(strdup($0)) } + [nil]
        fake_begin(folder.path, &texts)
        for text in texts { free(UnsafeMutableRawPointer(mutating: text)) }
    }

    deinit {
        fake_end()
        try? FileManager.default.removeItem(at: folder)
    }

    static let runtimeFolder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    private static let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
    static let usersFile = home + "/.asoundrc"
    static let usersSettings = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    static let profiles =
        ProcessInfo.processInfo.environment["ALSA_CONFIG_UCM2"]
        ?? (ProcessInfo.processInfo.environment["ALSA_CONFIG_DIR"] ?? "/usr/share/alsa") + "/ucm2"

    // MARK: Cards

    func makeDevices() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/dev/snd", withIntermediateDirectories: true)
    }

    /// The kernel shows the card's control device.
    func show(_ card: UInt32) throws { try write("", to: "/dev/snd/controlC\(card)") }

    func pullOut(_ card: UInt32) throws {
        try FileManager.default.removeItem(atPath: folder.path + "/dev/snd/controlC\(card)")
        fake_remove(card)
    }

    /// Elements by their numbers.
    struct Laptop {
        let headphones, headset, master, mute, capture: UInt32
    }

    func laptop(_ card: UInt32 = 0, id: String = "PCH") throws -> Laptop {
        fake_card(card, id, "HDA-Intel", "HDA Intel PCH")
        fake_pcm(card, 0, true, "ALC Analog")
        fake_pcm(card, 0, false, "ALC Analog")
        func jack(_ name: String) -> UInt32 {
            fake_element(card, UInt32(FAKE_CARD), name, UInt32(FAKE_BOOLEAN), 1, 1, nil)
        }
        func mixer(_ name: String, _ type: Int, _ most: Int32) -> UInt32 {
            fake_element(card, UInt32(FAKE_MIXER), name, UInt32(type), 2, most, nil)
        }
        let laptop = Laptop(
            headphones: jack("Headphone Jack"), headset: jack("Headset Mic Jack"),
            master: mixer("Master Playback Volume", FAKE_INTEGER, 200),
            mute: mixer("Master Playback Switch", FAKE_BOOLEAN, 1), capture: mixer("Capture Volume", FAKE_INTEGER, 50))
        _ = mixer("Internal Mic Boost Volume", FAKE_INTEGER, 3)
        _ = mixer("Secret", FAKE_BYTES, 0)
        fake_set(card, laptop.master, 100)
        fake_set(card, laptop.mute, 1)
        fake_set(card, laptop.capture, 25)
        try show(card)
        return laptop
    }

    /// A device with a choice of sources.
    func interface(_ card: UInt32) throws -> (gain: UInt32, source: UInt32) {
        fake_card(card, "Interface", "USB-Audio", "USB Interface")
        fake_pcm(card, 0, true, "USB Audio")
        fake_pcm(card, 0, false, "USB Audio")
        let mixer = UInt32(FAKE_MIXER)
        let gain = fake_element(card, mixer, "Mic Capture Volume", UInt32(FAKE_INTEGER), 2, 100, nil)
        let source = fake_element(card, mixer, "PCM Capture Source", UInt32(FAKE_ENUMERATED), 1, 3, "Mic/Line/Mixer")
        try show(card)
        return (gain, source)
    }

    // MARK: Files

    func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder.path + path) }

    /// A program opens the stream of device 0 of a card: the kernel's files of the stream.
    func stream(
        _ card: UInt32 = 0, playback: Bool = true, owner: Int32, state: String = "RUNNING", parameters: String = "closed\n"
    ) throws {
        let files = "/proc/asound/card\(card)/pcm0\(playback ? "p" : "c")/sub0/"
        try write("state: \(state)\nowner_pid   : \(owner)\n", to: files + "status")
        try write(parameters, to: files + "hw_params")
        fake_occupy_pcm(card, 0, playback, true)
    }

    /// The number of a process that the test describes.
    static let process: Int32 = 0x7FFF_FFF0

    /// The program that the process runs.
    func program(_ name: String) throws {
        try write("Name:\t\(name)\nTgid:\t\(Machine.process)\n", to: "/proc/\(Machine.process)/status")
        try write(name + "\n", to: "/proc/\(Machine.process)/comm")
    }

    // MARK: The library

    /// All cards, looked at from this thread.
    func look() -> ObservedCards {
        let cards = ObservedCards()
        #expect(cards.begin())
        #expect(cards.limitWaits())
        return cards
    }

    /// The same while a call fails.
    func look(failing error: Int32, _ nth: UInt64, lasting: Bool) -> (cards: ObservedCards, hasFailed: Bool) {
        let cards = ObservedCards()
        fault_plan_enter(error, nth, lasting)
        _ = cards.begin()
        return (cards, fault_plan_leave())
    }

    /// The kernel reports a change of the device's permissions.
    func touch(_ card: UInt32) throws {
        let device = folder.path + "/dev/snd/controlC\(card)"
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: device)
    }

    /// A card with a use-case profile, without its device.
    func phone() throws -> UInt32 {
        fake_card(0, "Phone", "Phone", "A phone")
        fake_pcm(0, 0, true, "Multimedia")
        fake_pcm(0, 0, false, "Multimedia")
        let jack = fake_element(0, UInt32(FAKE_CARD), "Headphone Jack", UInt32(FAKE_BOOLEAN), 1, 1, nil)
        try writeProfile(
            driver: "Phone",
            devices: """
                    SectionDevice."Earpiece" { Comment "At the ear" Value { PlaybackPCM "hw:${CardId}" PlaybackMixerElem "Ear" } }
                    SectionDevice."Headphones" { Value { PlaybackPCM "hw:${CardId}" JackControl "Headphone Jack" } }
                    SectionDevice."Mic" { Value { CapturePCM "hw:${CardId},0" CaptureMixerElem "Mic" } }
                """)
        return jack
    }

    /// A use-case profile for the cards of a driver.
    func writeProfile(driver: String, devices: String) throws {
        try write(
            """
            Syntax 4
            Define.Driver "${CardDriver}"
            UseCasePath.profile { Directory "conf.d/${var:Driver}" File "${var:Driver}.conf" }
            """, to: Machine.profiles + "/ucm.conf")
        let folder = "/conf.d/\(driver)"
        try write(
            "Syntax 4\nSectionUseCase.\"HiFi\" { File \"\(folder)/HiFi.conf\" Comment \"Music\" }\n",
            to: Machine.profiles + "\(folder)/\(driver).conf")
        try write(devices + "\n", to: Machine.profiles + "\(folder)/HiFi.conf")
    }
}
