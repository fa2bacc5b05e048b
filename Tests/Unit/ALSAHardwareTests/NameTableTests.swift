// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

@testable import ALSAHardware

/// Each row of the tables of names by which drivers, profiles and servers are recognised.
@Suite("A name that drivers use")
struct NameTableTests {
    // MARK: Volumes

    /// The names of the volume of each kind of output, the most likely first.
    private static let outputs: [(kinds: [PortKind], names: [String])] = [
        ([.hdmi], ["HDMI"]), ([.headphones], ["Master", "Headphone", "Headphones", "PCM", "Digital", "Front"]),
        ([.usbOutput], ["PCM", "Master", "Speaker", "Headset", "Headphone"]),
        ([.lineOut], ["Master", "Line Out", "Lineout", "PCM", "Digital", "Front"]),
        ([.builtInSpeaker, .builtInReceiver], ["Master", "Speaker", "PCM", "Digital", "Front"]),
    ]

    private static let inputs: [(kinds: [PortKind], names: [String])] = [
        ([.lineIn], ["Capture", "Line", "ADC", "Digital"]), ([.usbInput], ["Mic", "Capture", "PCM"]),
        ([.builtInMicrophone, .headsetMicrophone], ["Capture", "Internal Mic", "Mic", "ADC", "Digital"]),
    ]

    /// A card with these volumes, in this order, after one with another name.
    private func card(_ names: some Sequence<String>, _ direction: String) -> CardFacts {
        func control(_ name: String) -> String { name == direction ? "\(name) Volume" : "\(name) \(direction) Volume" }
        return .card("Card", pcms: [], controls: ["Another \(direction) Volume"] + names.map(control))
    }

    private func base(_ name: String?) -> String? { name.map { String($0.split(separator: " Volume")[0]) } }

    @Test("makes a control the volume of an output; of several the most likely is taken", arguments: outputs.indices)
    func outputVolume(row: Int) {
        let (kinds, names) = Self.outputs[row]
        for (kind, first) in kinds.flatMap({ kind in names.indices.map { (kind, $0) } }) {
            let card = card(names[first...].reversed(), "Playback")
            #expect(card.name(of: card.outputLevel(for: kind).volume) == "\(names[first]) Playback Volume", "\(kind)")
        }
        // Without such a name the first volume with a direction is taken, but not for a monitor.
        for kind in kinds {
            let level = card(["Third"], "Playback").outputLevel(for: kind)
            #expect(level.volume == (kind == .hdmi ? nil : 1), "\(kind)")
        }
    }

    @Test("makes a control the gain of an input; of several the most likely is taken", arguments: inputs.indices)
    func inputGain(row: Int) {
        let (kinds, names) = Self.inputs[row]
        for (kind, first) in kinds.flatMap({ kind in names.indices.map { (kind, $0) } }) {
            let card = card(names[first...].reversed(), "Capture")
            let wanted = names[first] == "Capture" ? "Capture" : "\(names[first]) Capture"
            #expect(base(card.name(of: card.inputLevel(for: kind).volume)) == wanted, "\(kind)")
        }
        for kind in kinds {
            #expect(card(["Third"], "Capture").inputLevel(for: kind).volume == 1, "\(kind)")
            let boosted = CardFacts.card("Card", pcms: [], controls: ["Rear Boost Capture Volume", "Rear Capture Volume"])
            #expect(boosted.inputLevel(for: kind).volume == 2, "\(kind)")
        }
    }

    @Test(
        "of an input that is mixed into the output is not the volume of the output",
        arguments: [
            "Mic", "Front Mic", "Line In", "Line", "CD", "Aux", "Beep", "Sidetone", "Loopback", "Front Boost", "PC Beep",
        ])
    func mixedInput(name: String) {
        let card = CardFacts.card(
            "Card", pcms: [], controls: ["\(name) Playback Volume", "Rear Playback Volume", "Rear Capture Volume"])
        for kind in [PortKind.builtInSpeaker, .headphones, .lineOut, .usbOutput] {
            #expect(card.outputLevel(for: kind).volume == 2, "\(kind)")
        }
    }

    @Test(
        "without a direction, or with the other one, is a volume of both directions, or of the other",
        arguments: [
            ("Master Volume", true, true), ("Playback Volume", true, false), ("Capture Volume", false, true),
            ("Master Playback Volume", true, false), ("Master Capture Volume", false, true), ("Master", false, false),
            ("Master Playback Switch", false, false), ("Master Playback Volume Control", false, false),
        ])
    func direction(name: String, isOfOutput: Bool, isOfInput: Bool) {
        let card = CardFacts.card("Card", pcms: [], controls: [name])
        #expect((card.outputLevel(named: name).volume != nil) == isOfOutput)
        #expect((card.inputLevel(named: name).volume != nil) == isOfInput)
    }

    @Test("of a control with an empty range, or that is no number, is not a volume")
    func noVolume() {
        for (kind, most) in [(ElementFacts.Kind.integer, Int32(0)), (.boolean, 1), (.enumerated, 3)] {
            let element = ElementFacts(number: 1, interface: .mixer, name: "Master Playback Volume", kind: kind, most: most)
            #expect(CardFacts.card("Card", pcms: [], more: [element]).outputLevel(for: .builtInSpeaker) == Level())
        }
    }

    // MARK: Use-case profiles

    private static let roles: [(name: String, output: PortKind?, input: PortKind?)] = [
        ("Headphones", .headphones, .headsetMicrophone), ("Headset", .headphones, .headsetMicrophone),
        ("Earpiece", .builtInReceiver, nil), ("Handset", .builtInReceiver, .builtInMicrophone),
        ("Bluetooth", .bluetoothHFPOutput, .bluetoothHFPInput), ("Speaker", .builtInSpeaker, nil),
        ("HDMI1", .hdmi, nil), ("DisplayPort2", .hdmi, nil), ("USB1", .usbOutput, .usbInput),
        ("Mic1", nil, .builtInMicrophone), ("Line2", .lineOut, .lineIn),
    ]

    @Test("gives a device of a profile its kind and its group", arguments: roles.indices)
    func role(row: Int) {
        let (name, output, input) = Self.roles[row]
        for (isInput, kind) in [(false, output), (true, input)] {
            for device in [name, name.uppercased(), name.lowercased()] {
                let role = UseCaseFacts(device: device, comment: "").role(isInput: isInput)
                #expect(role?.kind == kind, "\(device)")
                let isOfHeadset = kind == .headphones || kind == .headsetMicrophone
                if let kind { #expect(role?.group == (isOfHeadset ? "headset" : kind.isBuiltIn ? "card" : device), "\(device)") }
            }
        }
    }

    @Test("of the jack of a microphone decides whether the microphone belongs to a headset")
    func microphoneJack() {
        for (comment, jack, group) in [
            ("", "Headset Mic Jack", "headset"), ("Headphones Stereo Microphone", "Mic Jack", "headset"),
            ("", "Mic Jack", "Mic1"),
        ] {
            let role = UseCaseFacts(device: "Mic1", comment: comment, jack: jack).role(isInput: true)
            #expect(role?.kind == .headsetMicrophone && role?.group == group, "\(comment) \(jack)")
        }
    }

    // MARK: Jacks

    @Test(
        "makes a control the jack of a port, in upper and lower case",
        arguments: [
            ("DisplayPort", Jack.Kind.hdmi), ("DP,pcm=3", .hdmi), ("Headset Stereomic", .headsetMicrophone),
            ("Earphone", .headphones), ("Int Mic", .internalMicrophone), ("Front DMIC", .internalMicrophone),
            ("Line-Out", .lineOut), ("Front Lineout", .lineOut), ("AUX", .lineIn), ("Aux In", .lineIn),
        ])
    func jack(name: String, kind: Jack.Kind) throws {
        for name in [name, name.uppercased(), name.lowercased()] {
            let jack = try #require(Jack(controlName: "\(name) Jack"), "\(name)")
            #expect(jack.kind == kind && !jack.isPhantom, "\(name)")
            #expect(jack.pcm == (name.lowercased().hasSuffix("pcm=3") ? 3 : nil))
            #expect(Jack(controlName: "\(name) Phantom Jack")?.isPhantom == true)
        }
    }

    // MARK: Ports and servers

    @Test("of a kind of port ranks it among those that are found at the same moment")
    func ranks() {
        let inOrder: [[PortKind]] = [
            [.builtInMicrophone, .builtInSpeaker, .builtInReceiver], [.lineIn, .lineOut], [.hdmi, .airPlay],
            [.usbInput, .usbOutput],
            [.bluetoothA2DP, .bluetoothHFPInput, .bluetoothHFPOutput], [.headphones, .headsetMicrophone],
        ]
        #expect(inOrder.flatMap { $0 }.count == PortKind.allCases.count)
        for (rank, kinds) in inOrder.enumerated() { for kind in kinds { #expect(kind.rank == rank, "\(kind)") } }
        #expect(PortKind.highestRank == inOrder.count - 1)
    }

    @Test("of a program, or of a type of plug-in, is that of a sound server")
    func servers() {
        for program in ["pulseaudio", "pipewire", "pipewire-pulse", "wireplumber", "jackd", "jackdbus"] {
            #expect(SoundServer.isServer(program), "\(program)")
        }
        for program in ["pulse", "jack", "Pipewire", ""] { #expect(!SoundServer.isServer(program), "\(program)") }
        for type in ["pulse", "pipewire", "jack"] { #expect(SoundServer.isKnown(type), "\(type)") }
        for type in ["hw", "pulseaudio", "dmix", ""] { #expect(!SoundServer.isKnown(type), "\(type)") }
    }

    @Test("of a server leads to its title, the command that starts it and its module")
    func statuses() throws {
        let rows: [(type: String, title: String, command: String, kind: ServerKind?)] = [
            ("pulse", "PulseAudio", "pulseaudio --start", .pulseAudio),
            ("pipewire", "PipeWire", "systemctl --user restart pipewire", .pipeWire),
            ("jack", "JACK", "jack_control start", nil),
        ]
        for row in rows {
            let server = try #require(SoundServer.behind(ServerPCM(type: row.type, name: "out")))
            #expect(server.name == row.type && server.pcm == "out" && server.deviceKind == row.kind)
            let status = server.status
            #expect(status.name == row.title && status.command == row.command && status.errorText == nil && status.isDefault)
        }
        #expect(SoundServer.behind(ServerPCM(type: "hw", name: "out")) == nil)
    }
}

@Suite("What a card shows of its ports")
struct PortEvidenceTests {
    private func evidence(_ controls: [String], pcms: [String] = ["p0 Analog", "c0 Analog"]) -> [Evidence] {
        CardFacts.card("Card", pcms: pcms, controls: controls).plans.filter { $0.kind.isBuiltIn }.map { $0.evidence }
    }

    @Test("The evidence for a speaker and a microphone is a jack, a name, or nothing")
    func builtIn() {
        #expect(evidence([]) == [.nothing, .nothing])
        #expect(evidence(["Speaker Phantom Jack", "Internal Mic Phantom Jack"]) == [.jack, .jack])
        #expect(evidence(["Speaker Playback Volume", "Internal Mic Boost Volume"]) == [.name, .name])
        #expect(evidence([], pcms: ["p0 Analog", "c0 Analog", "c1 DMIC"]) == [.nothing, .name])
        #expect(evidence(["Speaker Phantom Jack", "Speaker Playback Volume"]) == [.jack, .nothing])
    }

    @Test("The name of an output without a speaker is that of its jack")
    func names() {
        for (controls, name) in [
            (["Headphone Jack"], "Headphones"), (["Line Out Jack", "Headphone Jack"], "Line Out"), (["Line Jack"], "Speaker"),
            ([], "Speaker"),
            (["Headphone Jack", "Speaker Playback Volume"], "Speaker"), (["Headphone Jack", "Speaker Phantom Jack"], "Speaker"),
        ] {
            #expect(CardFacts.card("Card", pcms: ["p0 Analog"], controls: controls).plans.first?.name == name, "\(controls)")
        }
    }

    @Test("Each evidence has its words")
    func words() {
        let words: [(Evidence, String)] = [
            (.useCase, "its use-case profile"), (.jack, "its jack"), (.name, "its name"), (.nothing, "default, without evidence"),
            (.user, "your configuration"), (.server, "the sound server"),
        ]
        for (evidence, text) in words { #expect("\(evidence.text)" == text) }
    }
}

@Suite("The format that a device probably grants")
struct LikelyFormatTests {
    @Test(
        "is 48 kHz and 1024 frames, or the preference within limits, in whole frames",
        arguments: [
            (0, 0, 48_000, 1024), (44_100, 0, 44_100, 1024), (44_099.6, 0, 44_100, 1024), (8_000, 0.01, 8_000, 80),
            (7_999, 0.01, 8_000, 80), (192_000, 2, 192_000, 384_000), (192_001, 2.5, 192_000, 384_000),
            (48_000, 0.0101, 48_000, 485),
            (48_000, 1e-9, 48_000, 1), (0, 0.02, 48_000, 960),
        ] as [(Double, Float, Double, Double)])
    func likely(wantedRate: Double, wantedDuration: Float, rate: Double, frames: Double) {
        #expect(
            likelyFormat(wantedRate, wantedDuration) == StreamFormat(sampleRate: rate, bufferDuration: Float(frames / rate)))
    }
}
