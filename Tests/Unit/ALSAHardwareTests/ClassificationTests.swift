// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import ALSAHardware

struct ClassificationTests {
    let laptop = CardFacts.card(
        "PCH", pcms: ["p0 ALC257 Analog", "c0 ALC257 Analog", "p3 HDMI 0", "p7 HDMI 1"],
        controls: [
            "Headphone Jack", "Headset Mic Jack", "Internal Mic Phantom Jack", "Speaker Phantom Jack", "HDMI/DP,pcm=3 Jack",
            "HDMI/DP,pcm=7 Jack", "Master Playback Volume", "Master Playback Switch", "Speaker Playback Volume", "Capture Volume",
        ])
    let desktop = CardFacts.card(
        "PCH", pcms: ["p0 ALC892 Analog", "c0 ALC892 Analog", "p1 ALC892 Digital", "c2 ALC892 Alt Analog"],
        controls: [
            "Front Headphone Jack", "Line Out Front Jack", "Line Out Surround Jack", "Front Mic Jack", "Rear Mic Jack",
            "Line Jack",
            "Master Playback Volume", "Capture Volume",
        ])

    @Test("A card without evidence is a speaker and a microphone") func aCardWithoutEvidenceIsSpeakerAndMicrophone() {
        let card = CardState(
            .card("Dummy", driver: "Dummy", pcms: ["p0 Dummy PCM", "c0 Dummy PCM"], controls: ["Master Volume"]))
        #expect(card.keys == ["speaker", "microphone"])
        #expect(card.plans.map(\.evidence) == [.nothing, .nothing])
        #expect(card.facts.name(of: card.plans.first?.level.volume) == "Master Volume")
    }

    @Test("A laptop has its speaker and its microphone while nothing is plugged in")
    func aLaptopHasItsSpeakerAndMicrophoneWhileNothingIsPluggedIn() {
        #expect(CardState(laptop).keys == ["speaker", "microphone"])
    }

    @Test("A headset is headphones and a microphone of one group") func aHeadsetIsHeadphonesAndMicrophoneOfOneGroup() {
        let card = CardState(laptop, plugged: ["Headphone Jack", "Headset Mic Jack"])
        #expect(card.keys == ["speaker", "headphones", "microphone", "headset-microphone"])
        let plugged = card.present.filter { $0.group == "headset" }
        #expect(plugged.map(\.kind) == [.headphones, .headsetMicrophone])
        #expect(plugged.first.map { card.port($0, arrival: 1).isHeadset } == true)
    }

    @Test("A jack that is named for a headset is that of its headphones and of its microphone")
    func aHeadsetJackHasBoth() {
        let facts = CardFacts.card(
            "PCH", pcms: ["p0 ALC256 Analog", "c0 ALC256 Analog"],
            controls: ["Headset Jack", "Internal Mic Phantom Jack", "Speaker Phantom Jack"])
        for isPlugged in [true, false, true] {
            let card = CardState(facts, plugged: isPlugged ? ["Headset Jack"] : [])
            let headset = card.present.filter { $0.group == "headset" }
            #expect(headset.map(\.kind) == (isPlugged ? [.headphones, .headsetMicrophone] : []))
            #expect(headset.first.map { card.port($0, arrival: 1).isHeadset } == (isPlugged ? true : nil))
        }
    }

    @Test("Headphones without a microphone are no headset") func headphonesWithoutMicrophoneAreNoHeadset() {
        let card = CardState(laptop, plugged: ["Headphone Jack"])
        #expect(card.keys == ["speaker", "headphones", "microphone"])
        #expect(card.present.first { $0.kind == .headphones }.map { card.port($0, arrival: 1).isHeadset } == false)
    }

    @Test(
        "A monitor is the device that its jack names",
        arguments: [("HDMI/DP,pcm=3 Jack", "hdmi3"), ("HDMI/DP,pcm=7 Jack", "hdmi7")])
    func aMonitorIsTheDeviceThatItsJackNames(jack: String, key: String) throws {
        let card = CardState(laptop, plugged: [jack])
        let port = try #require(card.present.first { $0.kind == .hdmi })
        #expect(port.key == key)
        #expect(card.port(port, arrival: 1).alsaDevice == "hw:CARD=PCH,DEV=\(port.pcm)")
    }

    @Test("A desktop computer with empty jacks has a speaker and no input") func aDesktopComputerWithEmptyJacksHasNoInput() {
        #expect(CardState(desktop).keys == ["speaker"])
    }

    @Test("A jack of a desktop computer is a port while something is plugged in") func theJacksOfADesktopComputerArePorts() {
        #expect(CardState(desktop, plugged: ["Line Out Front Jack"]).keys == ["speaker", "line-out"])
        #expect(CardState(desktop, plugged: ["Rear Mic Jack"]).keys == ["speaker", "plugged-microphone"])
        #expect(CardState(desktop, plugged: ["Line Jack"]).keys == ["speaker", "line-in"])
    }

    @Test("A phantom jack does not mean unplugged: its card has a speaker and a microphone")
    func aPhantomJackIsUnknownNotUnplugged() {
        let card = CardState(
            .card(
                "HDA", pcms: ["p0 Generic Analog", "c0 Generic Analog"],
                controls: ["Line Out Phantom Jack", "Line Phantom Jack", "Master Playback Volume", "Master Playback Switch"]))
        #expect(card.keys == ["speaker", "microphone"])
        #expect(card.plans.first?.name == "Line Out")
    }

    @Test("The output and the input of a USB card are one group, each with the volume of its direction")
    func aUSBCardIsOneGroupOfTwoDirections() {
        let card = CardState(
            .card(
                "Headset", driver: "USB-Audio", pcms: ["p0 USB Audio", "c0 USB Audio"],
                controls: ["Headset Playback Volume", "Mic Playback Volume", "Mic Capture Volume"]))
        #expect(card.present.map(\.kind) == [.usbOutput, .usbInput])
        #expect(card.present.map(\.group) == ["card", "card"])
        #expect(card.present.map { card.facts.name(of: $0.level.volume) } == ["Headset Playback Volume", "Mic Capture Volume"])
    }

    @Test("A volume and a mute switch with unusual names are found, too") func aVolumeWithAnUnusualNameIsFoundToo() {
        let card = CardFacts.card(
            "Audio", driver: "USB-Audio", pcms: ["p0 USB Audio"],
            controls: [
                "Mic Playback Volume", "Audio Output Volume Control Playback Volume",
                "Audio Output Volume Control Playback Switch",
            ])
        #expect(card.name(of: card.plans.first?.level.volume) == "Audio Output Volume Control Playback Volume")
        #expect(card.name(of: card.plans.first?.level.mute) == "Audio Output Volume Control Playback Switch")
    }

    @Test(
        "The selector of an input or an output is recognised by its name",
        arguments: [
            ("PCM Capture Source", true, false), ("Mic Select", true, false), ("Input Route", true, false),
            ("Output Destination", false, true), ("Playback Route", false, true), ("Playback Input Select", true, false),
            ("Capture Mode", false, false), ("Clock Source", false, false),
        ])
    func aSelectorIsRecognisedByItsName(name: String, isOfInput: Bool, isOfOutput: Bool) {
        let selector = ElementFacts(
            number: 1, interface: .mixer, name: name, kind: .enumerated, isWritable: true, items: ["One", "Two"])
        let card = CardFacts.card("Interface", pcms: ["p0", "c0"], more: [selector])
        #expect(card.selector(isInput: true) == (isOfInput ? 1 : nil))
        #expect(card.selector(isInput: false) == (isOfOutput ? 1 : nil))
    }

    @Test("The selector of a USB card offers its sources at the input, and names the selected one")
    func aSelectorOfAUSBCardOffersItsSources() throws {
        let selector = ElementFacts(
            number: 9, interface: .mixer, name: "PCM Capture Source", kind: .enumerated, isWritable: true, items: ["Mic", "Line"])
        var card = CardState(.card("DAC", driver: "USB-Audio", pcms: ["p0 USB", "c0 USB"], more: [selector]))
        card.values.set(9, to: [1])
        let input = card.port(try #require(card.present.first { $0.kind == .usbInput }), arrival: 1)
        #expect(input.selectables == [Selectable(id: 0, name: "Mic"), Selectable(id: 1, name: "Line")])
        #expect(input.selected == 1)
        let output = card.port(try #require(card.present.first { $0.kind == .usbOutput }), arrival: 1)
        #expect(output.selectables.isEmpty)
    }

    @Test("The devices of a board are recognised by their names") func theDevicesOfABoardAreRecognisedByTheirNames() {
        #expect(CardState(.card("Headphones", driver: "bcm2835_headpho", pcms: ["p0 bcm2835 Headphones"])).keys == ["headphones"])
        #expect(CardState(.card("vc4hdmi0", driver: "vc4-hdmi", pcms: ["p0 MAI PCM i2s-hifi-0"])).keys == ["hdmi0"])
        #expect(
            CardState(
                .card("vc4hdmi0", driver: "vc4-hdmi", pcms: ["p0 MAI PCM i2s-hifi-0"], controls: ["HDMI Jack"])
            ).keys.isEmpty)
        #expect(
            CardState(
                .card(
                    "sofhdadsp", driver: "sof-hda-dsp",
                    pcms: ["p0 HDA Analog (*)", "c0 HDA Analog (*)", "p3 HDMI1 (*)", "c6 DMIC (*)"],
                    controls: ["Headphone Jack", "Mic Jack", "HDMI/DP, pcm=3 Jack"])
            ).plans.map { "\($0.key) \($0.pcm)" } == [
                "speaker 0", "headphones 0", "microphone 6", "plugged-microphone 0", "hdmi3 3",
            ])
    }

    @Test(
        "A digital link is neither a speaker nor a microphone",
        arguments: ["ALC892 Digital", "IEC958", "S/PDIF", "SPDIF Out", "HDMI 0", "DisplayPort 1", "BT SCO", "BT-SCO Link"])
    func aDigitalLinkIsNeitherSpeakerNorMicrophone(name: String) {
        let card = CardFacts.card("Card", pcms: ["p0 \(name)", "c0 \(name)", "p1 Analog", "c1 Analog"])
        let builtIn = card.plans.filter { $0.kind.isBuiltIn }
        #expect(builtIn.map { $0.kind } == [.builtInSpeaker, .builtInMicrophone])
        #expect(builtIn.map { $0.pcm } == [1, 1])
    }

    @Test("A channel map gives the channels of the external ports of its device; built-in ports are stereo")
    func aChannelMapTellsTheChannelsOfItsDevice() {
        func map(_ name: String, device: UInt32, count: UInt32) -> ElementFacts {
            ElementFacts(number: 50 + count, interface: .pcm, name: name, device: device, kind: .integer, count: count)
        }
        let maps = [
            map("Playback Channel Map", device: 0, count: 6), map("Playback Channel Map", device: 3, count: 8),
            map("Capture Channel Map", device: 0, count: 4),
        ]
        let card = CardFacts.card(
            "Card", pcms: ["p0 Analog", "c0 Analog", "p3 HDMI 0", "p7 HDMI 1"],
            controls: ["Line Out Jack", "Line Jack", "Internal Mic Phantom Jack"], more: maps)
        let channels = Dictionary(uniqueKeysWithValues: card.plans.map { ($0.key, $0.channels) })
        #expect(
            channels == ["speaker": 2, "line-out": 6, "microphone": 2, "line-in": 4, "hdmi3": 8, "hdmi7": 2])
    }

    @Test("Jacks that name no device belong to the HDMI devices in their order")
    func eachMonitorHasAJackOfItsOwnAlsoWithoutANumber() {
        let card = CardFacts.card("Card", pcms: ["p3 HDMI 0", "p7 HDMI 1", "p8 HDMI 2"], controls: ["HDMI Jack", "HDMI 2 Jack"])
        #expect(card.plans.map { $0.jacks } == [[1], [2], []])
        #expect(card.plans.map { $0.evidence } == [.jack, .jack, .name])
    }

    @Test("A card for a monitor alone has no speaker and no volume") func aCardForAMonitorAloneIsNoSpeaker() {
        let card = CardState(
            .card("NVidia", pcms: ["p3 HDMI 0"], controls: ["HDMI/DP,pcm=3 Jack", "IEC958 Playback Switch"]),
            plugged: ["HDMI/DP,pcm=3 Jack"])
        #expect(card.keys == ["hdmi3"])
        #expect(card.present.first?.level == Level())
    }
}

struct JackTests {
    @Test(
        "The kind of a jack is known by the name of its control",
        arguments: [
            ("Headphone Jack", Jack.Kind.headphones), ("Front Headphone Front Jack", .headphones),
            ("Headphone Mic Jack", .headphones),
            ("Headset Jack", .headset), ("Headset Mic Jack", .headsetMicrophone),
            ("Headset Mic Phantom Jack", .headsetMicrophone),
            ("Internal Mic Phantom Jack", .internalMicrophone), ("Dock Mic Jack", .microphone), ("Line Out Jack", .lineOut),
            ("Dock Line Out Jack", .lineOut), ("Line Jack", .lineIn), ("Rear Line In Jack", .lineIn),
            ("Speaker Phantom Jack", .internalSpeaker),
            ("HDMI/DP,pcm=8 Jack", .hdmi), ("DP/HDMI Jack", .hdmi),
        ])
    func kindsByName(name: String, kind: Jack.Kind) {
        #expect(Jack(controlName: name)?.kind == kind)
    }

    @Test(
        "A control with another name is no jack",
        arguments: ["Master Playback Volume", "Jack", "SPDIF Phantom Jack", "CD Phantom Jack", "Headphone Jack Mode", ""])
    func otherControlsAreNoJacks(name: String) {
        #expect(Jack(controlName: name) == nil)
    }
}

struct LevelTests {
    let card = CardFacts.card(
        "PCH", pcms: ["p0 Analog", "c0 Analog"],
        controls: ["Master Playback Volume", "Master Playback Switch", "Capture Volume", "Capture Switch"])

    func volume(_ values: [String: [Int32]]) -> Float? {
        let state = CardState(card, values: values)
        return state.present.first.flatMap { state.port($0, arrival: 1).volume }
    }

    @Test("The volume is a fraction of the control's range") func theVolumeIsAPartOfTheRange() {
        #expect(volume(["Master Playback Volume": [25, 25], "Master Playback Switch": [1, 1]]) == 0.25)
    }

    @Test("The volume of a muted output is 0") func aMutedOutputIsAtZero() {
        #expect(volume(["Master Playback Volume": [25, 25], "Master Playback Switch": [0, 0]]) == 0)
    }

    @Test("The volume is that of the loudest channel that is not muted") func theLoudestChannelThatIsNotMutedCounts() {
        #expect(volume(["Master Playback Volume": [25, 75], "Master Playback Switch": [1, 0]]) == 0.25)
        #expect(volume(["Master Playback Volume": [25, 75], "Master Playback Switch": [1, 1]]) == 0.75)
        #expect(volume(["Master Playback Volume": [25, 75], "Master Playback Switch": [1]]) == 0.75)
    }

    @Test("Any level that is set on a control of any range reads as a fraction from 0 to 1") func anyRangeAndAnyFractionFit() {
        for (least, most) in [(Int32.min, Int32.max), (0, 0), (5, -5), (-50, 100)] {
            let element = ElementFacts(number: 1, interface: .mixer, name: "", kind: .integer, least: least, most: most)
            for fraction in [Float(-1), 0, 0.5, 1, 7, .nan, .infinity] {
                let value = element.value(of: fraction)
                #expect((0...1).contains(element.fraction(of: value)))
            }
        }
    }
}

extension LevelTests {
    @Test("The first of several controls with one name is the level, with the switch of its own index")
    func theFirstOfSeveralControlsOfANameIsTheLevelWithItsOwnSwitch() {
        func control(_ number: UInt32, _ name: String, _ index: UInt32, _ kind: ElementFacts.Kind) -> ElementFacts {
            ElementFacts(
                number: number, interface: .mixer, name: name, index: index, kind: kind, count: 2, least: 0, most: 100,
                isWritable: true)
        }
        let card = CardFacts.card(
            "Card", pcms: ["p0 Analog"],
            more: [
                control(1, "Master Playback Volume", 1, .integer), control(2, "Master Playback Switch", 1, .boolean),
                control(3, "Master Playback Volume", 0, .integer), control(4, "Master Playback Switch", 0, .boolean),
            ])
        #expect(card.plans.first?.level == Level(volume: 3, mute: 4))
    }

    @Test("The switch of an input does not mute its gain, and an input has no volume") func aSwitchOfAnInputDoesNotMuteItsGain() {
        let state = CardState(card, values: ["Capture Volume": [25, 25], "Capture Switch": [0, 0]])
        let microphone = state.present.first { $0.kind == .builtInMicrophone }
        #expect(microphone.map { state.port($0, arrival: 1).gain } == 0.25)
        #expect(microphone.map { state.port($0, arrival: 1).volume } == .some(nil))
    }
}

struct ArrivalTests {
    @Test("A device that stays keeps its number, and a new one has a higher number") func devicesThatStayKeepTheirNumbers() {
        var arrivalOrder = ArrivalOrder()
        arrivalOrder.update(["a", "b", "a"])
        let (a, b) = (arrivalOrder.number(of: "a"), arrivalOrder.number(of: "b"))
        arrivalOrder.update(["b", "c", "a"])
        #expect(arrivalOrder.number(of: "a") == a && arrivalOrder.number(of: "b") == b)
        #expect(arrivalOrder.number(of: "c") > b)
        #expect(arrivalOrder.number(of: "d") == 0)
    }

    @Test("A group that is removed and added again gets a new, higher number")
    func aGroupThatIsRemovedAndAddedAgainGetsANewNumber() {
        var arrivalOrder = ArrivalOrder()
        arrivalOrder.update(["a", "b"])
        #expect(arrivalOrder.number(of: "a") < arrivalOrder.number(of: "b"))
        arrivalOrder.update(["b"])
        arrivalOrder.update(["a", "b"])
        #expect(arrivalOrder.number(of: "a") > arrivalOrder.number(of: "b"))
    }
}
