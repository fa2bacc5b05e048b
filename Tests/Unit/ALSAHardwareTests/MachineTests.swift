// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CALSA
import FakeKernel
import Foundation
import SessionModel
import Testing

@testable import ALSAHardware

/// The cards of a machine, through libasound.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MachineTests {
    init() { alsa_silence_this_thread() }

    // MARK: Ports

    @Test("The ports and levels of a card come from its control device")
    func found() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        let cards = machine.look()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        let speaker = try #require(cards.port(.builtInSpeaker))
        #expect(speaker.volume == 0.5)
        #expect(speaker.alsaDevice == "hw:CARD=PCH,DEV=0")
        #expect(cards.port(.builtInMicrophone)?.gain == 0.5)
        #expect(cards.findings().first == "hw:CARD=PCH,DEV=0: Headphones, speaker, by default, without evidence")
    }

    @Test("A device that is plugged in or out changes the ports")
    func plugged() throws {
        let machine = try Machine()
        let laptop = try machine.laptop()
        let cards = machine.look()
        fake_set(0, laptop.headphones, 1)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone, .headphones])
        #expect(cards.port(.headphones)?.isHeadset == false)
        fake_set(0, laptop.headset, 1)
        try cards.waitForChange()
        #expect(cards.port(.headphones)?.isHeadset == true)
        fake_set(0, laptop.headset, 0)
        fake_set(0, laptop.headphones, 0)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
    }

    @Test("A changed or muted volume is reported as a change; an event that affects no port is not")
    func volume() throws {
        let machine = try Machine()
        let laptop = try machine.laptop()
        let cards = machine.look()
        fake_set(0, laptop.master, 200)
        try cards.waitForChange()
        #expect(cards.port(.builtInSpeaker)?.volume == 1)
        fake_set(0, laptop.mute, 0)
        try cards.waitForChange()
        #expect(cards.port(.builtInSpeaker)?.volume == 0)
        fake_report_other(0)
        #expect(try cards.next() == .nothing)
        fake_set(0, laptop.mute, 0)
        #expect(try cards.next() == .nothing)
    }

    @Test("Elements of one name are told apart by their index, whichever comes first", arguments: [false, true])
    func indexes(isSecondFirst: Bool) throws {
        let machine = try Machine()
        fake_card(0, "PCH", "HDA-Intel", "HDA Intel PCH")
        fake_pcm(0, 0, true, "ALC Analog")
        func element(_ name: String, _ type: Int, _ most: Int32, index: UInt32) -> UInt32 {
            let number = fake_element(0, UInt32(FAKE_MIXER), name, UInt32(type), 2, most, nil)
            fake_index(0, number, index)
            return number
        }
        var (volumes, switches) = ([UInt32](repeating: 0, count: 2), [UInt32](repeating: 0, count: 2))
        for index in isSecondFirst ? [1, 0] : [0, 1] {
            switches[index] = element("Master Playback Switch", FAKE_BOOLEAN, 1, index: UInt32(index))
            volumes[index] = element("Master Playback Volume", FAKE_INTEGER, 100, index: UInt32(index))
            fake_set(0, switches[index], 1)
        }
        fake_set(0, volumes[0], 25)
        fake_set(0, volumes[1], 75)
        try machine.show(0)
        let cards = machine.look()
        #expect(cards.port(.builtInSpeaker)?.volume == 0.25)
        fake_set(0, switches[1], 0)
        #expect(try cards.next() == .nothing)
        #expect(cards.port(.builtInSpeaker)?.volume == 0.25)
        fake_set(0, switches[0], 0)
        try cards.waitForChange()
        #expect(cards.port(.builtInSpeaker)?.volume == 0)
        fake_set(0, switches[0], 1)
        try cards.waitForChange()
        #expect(cards.port(.builtInSpeaker)?.volume == 0.25)
    }

    @Test("Elements that are added later make ports, too")
    func laterElements() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        let cards = machine.look()
        let jack = fake_element(0, UInt32(FAKE_CARD), "Line Out Jack", UInt32(FAKE_BOOLEAN), 1, 1, nil)
        fake_report_new(0)
        try cards.waitForChange()
        fake_set(0, jack, 1)
        try cards.waitForChange()
        #expect(cards.kinds.contains(.lineOut))
    }

    @Test("Elements that are removed are no part of the ports any more, and are again when they are added again")
    func removedElements() throws {
        let machine = try Machine()
        var (gain, source) = try machine.interface(1)
        fake_set(1, gain, 50)
        let cards = machine.look()
        for life in 1...2 {
            let whole = try #require(cards.port(.usbInput))
            #expect(whole.gain == 0.5 && whole.selectables.count == 3 && whole.selected == 0, "life \(life)")
            fake_remove_element(1, gain)
            try cards.waitForChange("an input without a gain")
            let fixed = try #require(cards.port(.usbInput))
            #expect(fixed.gain == nil && fixed.selectables.count == 3, "life \(life)")
            fake_remove_element(1, source)
            try cards.waitForChange("an input without sources")
            let bare = try #require(cards.port(.usbInput))
            #expect(bare.gain == nil && bare.selectables.isEmpty && bare.selected == nil, "life \(life)")
            gain = fake_element(1, UInt32(FAKE_MIXER), "Mic Capture Volume", UInt32(FAKE_INTEGER), 2, 100, nil)
            source = fake_element(1, UInt32(FAKE_MIXER), "PCM Capture Source", UInt32(FAKE_ENUMERATED), 1, 3, "Mic/Line/Mixer")
            fake_set(1, gain, 50)
            fake_report_new(1)
            try cards.waitForChange("an input with a gain and sources")
        }
    }

    @Test("A card with a use-case profile keeps the ports of its profile when elements are added")
    func laterElementsOfAProfile() throws {
        let machine = try Machine()
        let headphones = try machine.phone()
        try machine.show(0)
        let cards = machine.look()
        for name in ["Line Out Jack", "Dock Line Out Jack"] {
            _ = fake_element(0, UInt32(FAKE_CARD), name, UInt32(FAKE_BOOLEAN), 1, 1, nil)
            fake_report_new(0)
            try cards.waitForChange()
            #expect(cards.kinds == [.builtInReceiver, .builtInMicrophone], "after \(name)")
        }
        #expect(cards.port(.builtInReceiver)?.name == "At the ear")
        fake_set(0, headphones, 1)
        try cards.waitForChange()
        #expect(cards.kinds.last == .headphones)
    }

    // MARK: Cards that come and go

    @Test("A card that is added brings its ports, and a card that is removed takes them away")
    func hotPlug() throws {
        let machine = try Machine(devices: false)
        let cards = machine.look()
        #expect(cards.snapshot().ports.isEmpty)
        try machine.makeDevices()
        _ = try machine.laptop()
        try cards.waitForChange()
        let interface = try machine.interface(1)
        #expect(interface.source != interface.gain)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone, .usbOutput, .usbInput])
        try machine.pullOut(1)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        try machine.pullOut(0)
        try cards.waitForChange()
        #expect(cards.snapshot().ports.isEmpty)
    }

    @Test("The folder of the devices can be removed with the last card and created again")
    func folder() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        let cards = machine.look()
        for _ in 0..<3 {
            try machine.pullOut(0)
            try machine.remove("/dev/snd")
            try cards.waitForChange()
            #expect(cards.snapshot().ports.isEmpty)
            try machine.makeDevices()
            _ = try machine.laptop()
            try cards.waitForChange()
            #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        }
        try machine.pullOut(0)
        try machine.remove("/dev/snd")
        try machine.makeDevices()
        try cards.wait(for: "no port") { $0.kinds.isEmpty }
        _ = try machine.laptop()
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
    }

    @Test("A card that is removed and added again counts as a new arrival")
    func again() throws {
        let machine = try Machine()
        _ = try machine.interface(1)
        let cards = machine.look()
        let first = try #require(cards.port(.usbOutput))
        try machine.pullOut(1)
        try cards.waitForChange()
        #expect(cards.refusal(of: .inputSource(0), on: first) == .noHardware)
        _ = try machine.interface(1)
        try cards.waitForChange()
        let second = try #require(cards.port(.usbOutput))
        #expect(second.device > first.device)
        #expect(second.uid == first.uid)
        // Also when it is back before its removal is noticed. The removal may be reported as a change of its own: another
        // test of this process may read the events of the folder first.
        try machine.pullOut(1)
        _ = try machine.interface(1)
        try cards.wait(for: "a later arrival of the interface") { ($0.port(.usbOutput)?.device ?? 0) > second.device }
    }

    @Test("Of devices that are found at the same moment the most personal counts as the latest")
    func rank() throws {
        let machine = try Machine()
        let laptop = try machine.laptop()
        fake_set(0, laptop.headphones, 1)
        fake_pcm(0, 3, true, "HDMI 0")
        _ = try machine.interface(1)
        let cards = machine.look()
        let ports = cards.snapshot().ports
        #expect(ports.map { $0.kind } == [.builtInSpeaker, .builtInMicrophone, .hdmi, .usbOutput, .usbInput, .headphones])
        #expect(zip(ports.dropFirst(2), ports.dropFirst(3)).allSatisfy { $0.device <= $1.device })
        // The latest arrival stands last, whatever its rank.
        try machine.pullOut(1)
        try cards.waitForChange()
        _ = try machine.interface(1)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone, .hdmi, .headphones, .usbOutput, .usbInput])
    }

    @Test("A card without a name is used when it has got its name")
    func nameless() throws {
        let machine = try Machine()
        _ = try machine.laptop(id: "")
        let cards = machine.look()
        #expect(cards.snapshot().ports.isEmpty)
        fake_rename(0, "PCH")
        try cards.waitForChange()
        #expect(cards.port(.builtInSpeaker)?.alsaDevice == "hw:CARD=PCH,DEV=0")
    }

    @Test("A card without permission is reported, and used when the permission is given")
    func refused() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        fake_refuse(0, EACCES)
        let cards = machine.look()
        #expect(cards.snapshot().ports.isEmpty)
        #expect(cards.findings() == ["card 0 can't be used: Permission denied"])
        fake_refuse(0, 0)
        let device = machine.folder.path + "/dev/snd/controlC0"
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: device)
        try cards.waitForChange()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        #expect(cards.findings().count == 4)
    }

    @Test("A card that fails any request at the start is used in part or reported, and used when it is added again")
    func failing() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        _ = try machine.interface(1)
        var whole = 0
        for nth: UInt32 in 1...80 {
            fake_fail(1, EIO, nth)
            let cards = machine.look()
            #expect(cards.kinds.starts(with: [.builtInSpeaker, .builtInMicrophone]))
            let isUsed = cards.kinds.contains(.usbOutput) || cards.kinds.contains(.usbInput)
            #expect(isUsed || cards.findings().contains("card 1 can't be used: Input/output error"))
            if cards.kinds.count == 4 { whole += 1 }
            fake_fail(1, 0, 0)
            try machine.pullOut(1)
            try cards.wait(for: "only the ports of the laptop") { $0.kinds.count == 2 }
            _ = try machine.interface(1)
            try cards.wait(for: "the ports of both cards") { $0.kinds.count == 4 }
        }
        #expect(whole > 40, "the start makes at most 40 requests")
    }

    // MARK: Queries

    @Test("Gain and source are set on the card, and the snapshot has them at once")
    func performed() throws {
        let machine = try Machine()
        let interface = try machine.interface(1)
        let cards = machine.look()
        let input = try #require(cards.port(.usbInput))
        #expect(input.selectables.map { $0.name } == ["Mic", "Line", "Mixer"])
        #expect(cards.refusal(of: .inputGain(0.75), on: input) == nil)
        #expect(fake_value(1, interface.gain) == 75)
        #expect(cards.port(.usbInput)?.gain == 0.75)
        #expect(cards.refusal(of: .inputSource(2), on: input) == nil)
        #expect(fake_value(1, interface.source) == 2)
        #expect(cards.port(.usbInput)?.selected == 2)
        #expect(cards.refusal(of: .outputDestination(1), on: try #require(cards.port(.usbOutput))) == .unspecified)
    }

    @Test("A change that the card refuses changes nothing and is an error")
    func refusedSet() throws {
        let machine = try Machine()
        let interface = try machine.interface(1)
        let cards = machine.look()
        fake_refuse_sets(1, EIO)
        #expect(cards.refusal(of: .inputGain(1), on: try #require(cards.port(.usbInput))) == .unspecified)
        #expect(fake_value(1, interface.gain) == 0)
    }

    @Test("A free device is opened once for each preference")
    func granted() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        let cards = machine.look()
        let speaker = try #require(cards.port(.builtInSpeaker))
        #expect(cards.format(of: speaker) == StreamFormat(sampleRate: 48_000, bufferDuration: Float(1024.0 / 48_000)))
        #expect(cards.format(of: speaker, 96_000, 0.01) == StreamFormat(sampleRate: 48_000, bufferDuration: 0.01))
        #expect(cards.format(of: speaker, 22_050, 1) == StreamFormat(sampleRate: 22_050, bufferDuration: Float(4096.0 / 22_050)))
        fake_refuse_pcm(0, EBUSY)
        // A format that was read before is still valid; for others the likely format is used.
        #expect(cards.format(of: speaker, 22_050, 1) == StreamFormat(sampleRate: 22_050, bufferDuration: Float(4096.0 / 22_050)))
        #expect(cards.format(of: speaker, 16_000, 0) == likelyFormat(16_000, 0))
        for rate in 0..<40 { _ = cards.format(of: speaker, Double(8_000 + rate)) }
        fake_refuse_pcm(0, 0)
        for rate in 0..<40 { #expect(cards.format(of: speaker, Double(8_000 + rate))?.sampleRate == Double(8_000 + rate)) }
        let gone = SessionModel.Port(kind: .usbInput, device: 99, uid: "", name: "", alsaDevice: "", channels: 1)
        #expect(cards.format(of: gone, 44_100, 0.1) == likelyFormat(44_100, 0.1))
    }

    @Test("A running or open device is not opened: the kernel reports its format")
    func running() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        try machine.stream(owner: 1, parameters: "rate: 44100 (44100/1)\nperiod_size: 441\n")
        let cards = machine.look()
        let speaker = try #require(cards.port(.builtInSpeaker))
        #expect(cards.format(of: speaker, 8_000) == StreamFormat(sampleRate: 44_100, bufferDuration: 0.01))
        #expect(speaker.latency == 0.01)
        try machine.stream(owner: 1, state: "OPEN", parameters: "no setup\n")
        // The device would grant 48 kHz.
        #expect(cards.format(of: speaker, 96_000) == likelyFormat(96_000, 0))
    }

    @Test("The kernel's files of a device are read only while one of its streams is open")
    func closed() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        try machine.stream(owner: 1, parameters: "rate: 44100 (44100/1)\nperiod_size: 441\n")
        fake_occupy_pcm(0, 0, true, false)
        let cards = machine.look()
        #expect(cards.port(.builtInSpeaker)?.latency != 0.01)
        #expect(!cards.isOtherProcessPlaying)
        fake_occupy_pcm(0, 0, true, true)
        #expect(cards.isOtherProcessPlaying)
        // Of a device that the card does not describe, the files are read.
        let unknown = PCMAddress(card: 0, device: 9, isPlayback: true, substreams: 1)
        #expect(try Control(card: 0).hasOpenStream(unknown))
    }

    @Test("Another process plays while its stream runs; streams of this process do not count")
    func playing() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        let cards = machine.look()
        #expect(!cards.isOtherProcessPlaying)
        try machine.stream(owner: 1)
        #expect(cards.isOtherProcessPlaying)
        try machine.stream(owner: 1, state: "PREPARED")
        #expect(!cards.isOtherProcessPlaying)
        try machine.stream(owner: getpid(), state: "DRAINING")
        #expect(!cards.isOtherProcessPlaying)
        // The process of this thread is unknown.
        try machine.stream(owner: 0x7FFF_FFFF)
        #expect(cards.isOtherProcessPlaying)
    }

    @Test("Each substream of a device may be the one that runs")
    func substreams() throws {
        let machine = try Machine()
        let address = PCMAddress(card: 0, device: 0, isPlayback: true, substreams: 2)
        #expect(address.owners.isEmpty && address.setup == nil)
        try machine.write("closed\n", to: "/proc/asound/card0/pcm0p/sub0/hw_params")
        try machine.write("closed\n", to: "/proc/asound/card0/pcm0p/sub0/status")
        try machine.write("rate: 44100\nperiod_size: 441\n", to: "/proc/asound/card0/pcm0p/sub1/hw_params")
        try machine.write("state: RUNNING\nowner_pid   : 7\n", to: "/proc/asound/card0/pcm0p/sub1/status")
        #expect(address.setup?.period == 441)
        #expect(address.owners.map { $0.thread } == [7])
    }

    // MARK: The user's configuration

    @Test("Overrides of cards and additional ports come from ALSA's configuration")
    func configuration() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        try machine.write(
            """
            defaults.audiosession {
                cards.PCH.output line-out
                cards.PCH.input none
                ports.car { kind bluetooth-a2dp device "bluealsa" name "The car" channels 2 }
            }
            pcm.!default { type plug slave.pcm { type hw card 0 } }
            """, to: "/etc/asound.conf")
        let cards = machine.look()
        #expect(cards.kinds == [.bluetoothA2DP, .lineOut] || cards.kinds == [.lineOut, .bluetoothA2DP])
        #expect(
            cards.findings() == [
                "hw:CARD=PCH,DEV=0: HDA Intel PCH, line-out, by your configuration",
                "bluealsa: The car, bluetooth-a2dp, by your configuration",
            ])
        #expect(ALSAConfiguration.serverBehindDefault() == nil)
        #expect(ALSAConfiguration.mainFile.hasSuffix("/alsa.conf"))
    }

    @Test("A card that hardly has a profile brings its ports at once, and the profile's ports a moment later")
    func unlikelyProfile() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        try machine.writeProfile(
            driver: "HDA-Intel",
            devices: #"SectionDevice."Speaker" { Comment "Two speakers" Value { PlaybackPCM "hw:${CardId}" } }"#)
        let cards = machine.look()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        try cards.waitForChange("the ports of the profile")
        #expect(cards.kinds == [.builtInSpeaker])
        #expect(cards.port(.builtInSpeaker)?.name == "Two speakers")
    }

    @Test("A configuration that cannot be read is reported, and the cards are used all the same")
    func brokenConfiguration() throws {
        let machine = try Machine()
        _ = try machine.laptop()
        try machine.write("pcm.x { type \n", to: "/etc/asound.conf")
        let cards = machine.look()
        #expect(cards.kinds == [.builtInSpeaker, .builtInMicrophone])
        #expect(cards.findings().first?.hasPrefix("ALSA's configuration can't be used: ") == true)
    }

    @Test("The level of a use case is its mixer element, else its control, of its own direction")
    func levelsOfUseCases() throws {
        let machine = try Machine()
        _ = try machine.phone()
        try machine.writeProfile(
            driver: "Phone",
            devices: """
                    SectionDevice."Both" { Value { PlaybackVolume "Out" CaptureVolume "In" } }
                    SectionDevice."Elements" { Value {
                        PlaybackMixerElem "Front" PlaybackVolume "Out" CaptureMixerElem "Mic" CaptureVolume "In" } }
                    SectionDevice."Input" { Value { CaptureVolume "In" } }
                    SectionDevice."Output" { Value { PlaybackVolume "Out" } }
                """)
        let levels = UseCaseFacts.of(card: 0).map { "\($0.device): \($0.playbackVolume ?? "-") \($0.captureVolume ?? "-")" }
        #expect(levels.sorted() == ["Both: Out In", "Elements: Front Mic", "Input: - In", "Output: Out -"])
    }

    @Test("The use-case profile of a card decides before its jacks and names")
    func profile() throws {
        let machine = try Machine()
        let jack = try machine.phone()
        try machine.show(0)
        let cards = machine.look()
        #expect(cards.kinds == [.builtInReceiver, .builtInMicrophone])
        #expect(cards.port(.builtInReceiver)?.name == "At the ear")
        #expect(cards.findings().first == "hw:Phone: At the ear, receiver, by its use-case profile")
        fake_set(0, jack, 1)
        try cards.waitForChange()
        #expect(cards.kinds.last == .headphones)
        try machine.write(
            """
            Syntax 4
            SectionUseCase."Voice Call" { File "/conf.d/Phone/Call.conf" Comment "A call" }
            SectionUseCase."HiFi" { File "/conf.d/Phone/HiFi.conf" Comment "A phone" }
            """, to: Machine.profiles + "/conf.d/Phone/Phone.conf")
        try machine.write(
            #"SectionDevice."Speaker" { Value { PlaybackPCM "hw:${CardId}" } }"#, to: Machine.profiles + "/conf.d/Phone/Call.conf"
        )
        #expect(machine.look().kinds.contains(.builtInReceiver), "the verb HiFi is the everyday one wherever it stands")
        try machine.write("Syntax 4\nSectionUseCase.\"HiFi\" {\n", to: Machine.profiles + "/conf.d/Phone/Phone.conf")
        #expect(machine.look().kinds.contains(.builtInSpeaker), "a profile that cannot be read counts as none")
    }

    @Test("A use-case profile without the verb HiFi is read for its first verb")
    func firstVerb() throws {
        let machine = try Machine()
        _ = try machine.phone()
        try machine.show(0)
        let folder = "/conf.d/Phone"
        try machine.write(
            #"SectionDevice."Earpiece" { Value { PlaybackPCM "hw:${CardId}" } }"#, to: Machine.profiles + folder + "/Call.conf")
        try machine.write(
            #"SectionDevice."Mic" { Value { CapturePCM "hw:${CardId}" } }"#, to: Machine.profiles + folder + "/Memo.conf")
        let call = "SectionUseCase.\"Voice Call\" { File \"\(folder)/Call.conf\" Comment \"A call\" }\n"
        let memo = "SectionUseCase.\"Record\" { File \"\(folder)/Memo.conf\" Comment \"A memo\" }\n"
        for (verbs, kind) in [(call + memo, PortKind.builtInReceiver), (memo + call, PortKind.builtInMicrophone)] {
            try machine.write("Syntax 4\n" + verbs, to: Machine.profiles + folder + "/Phone.conf")
            #expect(machine.look().kinds == [kind])
        }
    }
}
