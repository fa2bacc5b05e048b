// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import ALSAHardware

struct UseCaseTests {
    var phone: CardFacts {
        var facts = CardFacts.card(
            "Phone", driver: "Phone", pcms: ["p0 Multimedia", "c0 Multimedia"],
            controls: [
                "Headphone Jack", "Headset Mic Jack", "Earpiece Playback Volume", "Speaker Playback Volume", "Mic Capture Volume",
            ])
        facts.useCases = [
            UseCaseFacts(device: "Speaker", comment: "", playbackPCM: "hw:Phone,0", playbackVolume: "Speaker"),
            UseCaseFacts(
                device: "Earpiece", comment: "", playbackPCM: "hw:Phone,0", playbackVolume: "name='Earpiece Playback Volume'"),
            UseCaseFacts(device: "Headphones", comment: "", playbackPCM: "hw:Phone,0", jack: "Headphone Jack"),
            UseCaseFacts(device: "Headset", comment: "", capturePCM: "hw:Phone,0", jack: "Headset Mic Jack"),
            UseCaseFacts(device: "Mic", comment: "Bottom", capturePCM: "hw:Phone,0", captureVolume: "Mic"),
            UseCaseFacts(device: "Bluetooth", comment: "", playbackPCM: "hw:Phone,1", capturePCM: "hw:Phone,1"),
            UseCaseFacts(device: "SPDIF", comment: "", playbackPCM: "hw:Phone,2"),
        ]
        return facts
    }

    @Test("The use-case profile of a phone names its ports and their volumes") func aPhonesProfileNamesItsPorts() {
        let card = CardState(phone)
        #expect(card.present.map(\.kind) == [.builtInSpeaker, .builtInReceiver, .builtInMicrophone])
        #expect(card.plans.allSatisfy { $0.evidence == .useCase })
        #expect(
            card.present.map { card.facts.name(of: $0.level.volume) } == [
                "Speaker Playback Volume", "Earpiece Playback Volume", "Mic Capture Volume",
            ])
    }

    @Test("The headphones and the microphone of a phone's headset are one group") func aPhonesHeadsetIsOneGroup() throws {
        let card = CardState(phone, plugged: ["Headphone Jack", "Headset Mic Jack"])
        let headset = card.present.filter { $0.group == "headset" }
        #expect(headset.map(\.kind) == [.headphones, .headsetMicrophone])
        #expect(card.port(try #require(headset.first), arrival: 1).isHeadset)
    }

    @Test("Headphones without their microphone are no headset") func headphonesWithoutTheirMicrophoneAreNoHeadset() throws {
        let card = CardState(phone, plugged: ["Headphone Jack"])
        let headphones = try #require(card.present.first { $0.kind == .headphones })
        #expect(!card.port(headphones, arrival: 1).isHeadset)
    }

    @Test("A microphone in another socket does not make headphones a headset")
    func anotherSocketsMicrophoneMakesNoHeadset() throws {
        var facts = phone
        facts.useCases = [
            UseCaseFacts(device: "Headphones", comment: "", playbackPCM: "hw:Phone,0", jack: "Headphone Jack"),
            UseCaseFacts(device: "Mic2", comment: "Front", capturePCM: "hw:Phone,0", jack: "Headset Mic Jack"),
        ]
        facts.elements[1] = ElementFacts(number: 2, interface: .card, name: "Mic Jack", kind: .boolean)
        facts.useCases[1].jack = "Mic Jack"
        let card = CardState(facts, plugged: ["Headphone Jack", "Mic Jack"])
        let headphones = try #require(card.present.first { $0.kind == .headphones })
        #expect(!card.port(headphones, arrival: 1).isHeadset)
        #expect(card.present.map { $0.kind } == [.headphones, .headsetMicrophone])
    }

    @Test("A receiver has one channel, and a speaker two") func aReceiverHasOneChannel() throws {
        let plans = CardState(phone).plans
        #expect(plans.first { $0.kind == .builtInReceiver }?.channels == 1)
        #expect(plans.first { $0.kind == .builtInSpeaker }?.channels == 2)
    }

    @Test("A port that no jack reports is left out beside built-in ports") func aPortThatNoJackReportsGivesWayToBuiltInPorts() {
        #expect(!CardState(phone).plans.contains { $0.kind == .bluetoothHFPOutput })
    }

    @Test("The use-case profile of a laptop names the devices of its ports") func aLaptopsProfileNamesTheDevicesOfItsPorts() {
        var facts = CardFacts.card(
            "sofhdadsp", driver: "sof-hda-dsp", pcms: ["p0 HDA Analog", "c0 HDA Analog", "p3 HDMI1", "c6 DMIC"],
            controls: ["Headphone Jack", "Mic Jack", "HDMI/DP,pcm=3 Jack", "Master Playback Volume"])
        facts.useCases = [
            UseCaseFacts(device: "Headphones", comment: "", playbackPCM: "hw:sofhdadsp", jack: "Headphone Jack"),
            UseCaseFacts(device: "Speaker", comment: "Speaker", playbackPCM: "hw:sofhdadsp"),
            UseCaseFacts(device: "HDMI1", comment: "HDMI 1", playbackPCM: "hw:sofhdadsp,3", jack: "HDMI/DP,pcm=3 Jack"),
            UseCaseFacts(device: "Mic1", comment: "Digital Microphone", capturePCM: "hw:sofhdadsp,6"),
            UseCaseFacts(device: "Mic2", comment: "Headphones Stereo Microphone", capturePCM: "hw:sofhdadsp", jack: "Mic Jack"),
        ]
        #expect(CardState(facts).present.map { "\($0.kind) \($0.pcm)" } == ["builtInSpeaker 0", "builtInMicrophone 6"])
        let all = CardState(facts, plugged: ["Headphone Jack", "Mic Jack", "HDMI/DP,pcm=3 Jack"])
        #expect(all.present.map(\.kind) == [.headphones, .builtInSpeaker, .hdmi, .builtInMicrophone, .headsetMicrophone])
        #expect(all.present.map(\.group) == ["headset", "card", "HDMI1", "card", "headset"])
        #expect(all.present.first { $0.kind == .hdmi }?.alsaDevice == "hw:sofhdadsp,3")
    }

    @Test(
        "The name of a kernel device gives its number if it has one",
        arguments: [("hw:Phone,2", 2), ("hw:CARD=Phone,DEV=3", 3), ("hw:Phone", nil), ("default", nil)] as [(String, UInt32?)])
    func aNameOfAKernelDeviceHasItsNumber(name: String, device: UInt32?) {
        #expect(PCMName(name).device == device)
    }

    @Test("A port whose PCM has no number belongs to the first device of its direction")
    func aPortWithoutANumberBelongsToTheFirstDevice() {
        var facts = CardFacts.card("Phone", driver: "Phone", pcms: ["c1 Mic", "p3 Speaker", "p4 HDMI", "c5 Line"])
        facts.useCases = [
            UseCaseFacts(device: "Speaker", comment: "", playbackPCM: "hw:Phone"),
            UseCaseFacts(device: "Mic", comment: "Bottom", capturePCM: "hw:Phone"),
        ]
        #expect(CardState(facts).plans.map { "\($0.kind) \($0.pcm)" } == ["builtInSpeaker 3", "builtInMicrophone 1"])
    }

    @Test("A microphone whose jack and comment name no headset has a group of its own, and an unknown device no role")
    func anInputBelongsToAHeadsetByItsJackOrItsComment() {
        let mic = UseCaseFacts(device: "Mic2", comment: "Front", capturePCM: "hw:Phone", jack: "Mic Jack")
        #expect(mic.role(isInput: true)?.kind == .headsetMicrophone)
        #expect(mic.role(isInput: true)?.group == "Mic2")
        #expect(mic.role(isInput: false) == nil)
        #expect(UseCaseFacts(device: "Trumpet", comment: "").role(isInput: true) == nil)
    }

    @Test("A use-case profile without ports counts as none") func aProfileWithoutPortsCountsAsNone() {
        var facts = CardFacts.card("Dummy", driver: "Dummy", pcms: ["p0 Dummy PCM"])
        facts.useCases = [UseCaseFacts(device: "SPDIF", comment: "", playbackPCM: "hw:Dummy")]
        #expect(CardState(facts).keys == ["speaker"])
    }
}
