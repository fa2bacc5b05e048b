// SPDX-License-Identifier: Apache-2.0
import CServerModules
import SessionModel
import Testing

@testable import ALSAHardware

/// A port of a device of its own.
func serverPort(_ kind: PortKind, _ node: String, isDefault: Bool = false, device: String? = nil) -> ServerPort {
    ServerPort(
        kind: kind, isDefault: isDefault, isOnDefault: isDefault, uid: node, device: device ?? node, name: "The \(node)",
        node: node)
}

extension ServerPort {
    /// The port while the server plays to it by default.
    var chosen: ServerPort {
        var port = self
        port.isDefault = true
        port.isOnDefault = true
        return port
    }

    /// A port of the default device that is not in use.
    var onDefault: ServerPort {
        var port = self
        port.isOnDefault = true
        return port
    }
}

@Suite("The order of the ports of a sound server")
struct ServerMachineTests {
    /// A machine with the numbers of arrivals that the cards give.
    private struct Arranged {
        var machine = ServerMachine()
        var arrivals = ArrivalOrder()
        var now: UInt64 = 10_000_000_000

        mutating func update(_ ports: [ServerPort], after milliseconds: UInt64 = 1_000) {
            now += milliseconds * 1_000_000
            arrivals.update(ports.map { $0.device })
            machine.update(ports, at: now) { arrivals.next() }
        }

        var ports: [Port] {
            machine.ports.map { port in
                let arrival = arrivals.number(of: port.device)
                return port.port(behind: .pipeWire, arrival: arrival)
            }
        }

        /// The node to which music plays.
        var output: String? {
            Route(for: SessionSettings(category: .mediaPlayback, mixes: false), among: ports).outputs.first?.uid
        }
        var input: String? {
            Route(for: SessionSettings(category: .recordAudio, mixes: false), among: ports).inputs.first?.uid
        }
    }

    private let speaker = serverPort(.builtInSpeaker, "speaker")
    private let screen = serverPort(.hdmi, "screen")
    private let headset = serverPort(.usbOutput, "headset")
    private let void = serverPort(.builtInSpeaker, "void")

    @Test("The default decides among the ports of the start, also a built-in one") func start() {
        for ports in [[speaker.chosen, screen, headset], [screen, headset, speaker.chosen], [screen, speaker.chosen, headset]] {
            var arranged = Arranged()
            arranged.update(ports)
            #expect(arranged.output == "speaker")
        }
        var arranged = Arranged()
        arranged.update([speaker, screen.chosen, headset])
        #expect(arranged.output == "screen")
    }

    @Test("The first move after the start is by hand") func firstMove() {
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen])
        arranged.update([speaker, screen.chosen], after: 0)
        #expect(arranged.output == "screen" && arranged.machine.move.reason == .override)
    }

    @Test("Each port of a device has its own last choice, after each update")
    func choicesOfADevice() {
        let (lineOut, digital) = (
            serverPort(.lineOut, "line", device: "card"), serverPort(.usbOutput, "digital", device: "card")
        )
        var arranged = Arranged()
        arranged.update([speaker.chosen, lineOut, digital])
        for life in 1...2 {
            let former = arranged.machine.ports.map(\.choice)
            arranged.update([speaker, lineOut, digital.chosen])
            arranged.update([speaker, lineOut.chosen, digital])
            arranged.update([speaker, digital, lineOut.chosen])
            let choices = arranged.machine.ports.map(\.choice)
            // The speaker, the digital output and the line output were chosen in this order.
            #expect(choices[0] == former[0] && choices[0] < choices[1] && choices[1] < choices[2], "life \(life): \(choices)")
        }
    }

    @Test("Without a default the last port counts") func noDefault() {
        var arranged = Arranged()
        arranged.update([speaker, screen, headset])
        #expect(arranged.output == "headset" && arranged.machine.move.number == 0)
        arranged.update([speaker])
        #expect(arranged.output == "speaker")
    }

    @Test("A device that arrives takes the route without a move of the default; when it has gone, the choice counts again")
    func arrival() {
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen])
        for _ in 0..<2 {
            let before = arranged.machine.move
            arranged.update([speaker.chosen, screen, headset])
            #expect(arranged.output == "headset")
            arranged.update([speaker.chosen, screen])
            #expect(arranged.output == "speaker" && arranged.machine.move == before)
        }
    }

    @Test("A built-in port that arrives takes no route") func builtIn() {
        var arranged = Arranged()
        arranged.update([speaker.chosen])
        arranged.update([speaker.chosen, void])
        #expect(arranged.output == "speaker")
        arranged.update([speaker, void.chosen])
        #expect(arranged.output == "void")
    }

    @Test("A move by hand counts as the last arrival, and is an override") func byHand() {
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen, headset])
        for (ports, output) in [
            ([speaker, screen, headset.chosen], "headset"), ([speaker.chosen, screen, headset], "speaker"),
            ([speaker, screen.chosen, headset], "screen"), ([speaker, screen, headset.chosen], "headset"),
        ] {
            let number = arranged.machine.move.number
            arranged.update(ports)
            #expect(arranged.output == output)
            #expect(arranged.machine.move.number == number + 1 && arranged.machine.move.reason == .override)
        }
    }

    @Test("A move up to half a second after a device has come or gone has the reason of the device", arguments: [0, 1, 499, 500])
    func reasons(_ milliseconds: UInt64) {
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen])
        arranged.update([speaker.chosen, screen, headset])
        arranged.update([speaker, screen, headset.chosen], after: milliseconds)
        #expect(arranged.machine.move.reason == (milliseconds < 500 ? .newDeviceAvailable : .override))
        arranged.update([speaker, screen])
        #expect(arranged.output == "speaker")
        arranged.update([speaker, screen.chosen], after: milliseconds)
        #expect(arranged.machine.move.reason == (milliseconds < 500 ? .oldDeviceUnavailable : .override))
        #expect(arranged.output == "screen")
    }

    @Test("A device that arrives while another leaves is a new device, also when the default follows it later")
    func arrivalAndDeparture() {
        for movesAtOnce in [true, false] {
            var arranged = Arranged()
            arranged.update([speaker.chosen, screen])
            for (arriving, left) in [(headset, "screen"), (screen, "headset"), (headset, "screen")] {
                if !movesAtOnce { arranged.update([speaker.chosen, arriving]) }
                arranged.update([speaker, arriving.chosen], after: movesAtOnce ? 1_000 : 100)
                #expect(arranged.output == arriving.uid && arranged.machine.move.reason == .newDeviceAvailable, "\(left) left")
                arranged.update([speaker.chosen, arriving])
            }
        }
    }

    @Test("The default that moves with the device needs no step of its own") func together() {
        var arranged = Arranged()
        arranged.update([speaker.chosen])
        arranged.update([speaker, headset.chosen])
        #expect(arranged.output == "headset" && arranged.machine.move.reason == .newDeviceAvailable)
        arranged.update([speaker.chosen])
        #expect(arranged.output == "speaker" && arranged.machine.move.reason == .oldDeviceUnavailable)
    }

    @Test("A moment without a default changes nothing") func moment() {
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen])
        let move = arranged.machine.move
        arranged.update([speaker, screen])
        arranged.update([speaker.chosen, screen])
        #expect(arranged.output == "speaker" && arranged.machine.move == move)
    }

    @Test("After a moment without a port, or without the default's port, the default decides again, twice") func noPorts() {
        let (microphone, camera) = (serverPort(.builtInMicrophone, "microphone"), serverPort(.usbInput, "camera"))
        let all = [speaker.chosen, screen, microphone.chosen, camera]
        for remaining in [[], [screen, camera], [screen.chosen, camera.chosen]] {
            var arranged = Arranged()
            arranged.update(all)
            for life in 1...2 {
                arranged.update(remaining)
                let move = arranged.machine.move.number
                arranged.update(all)
                #expect(arranged.output == "speaker" && arranged.input == "microphone", "life \(life) after \(remaining)")
                // The first ports are no move. Otherwise the devices that arrived have moved the default.
                #expect(arranged.machine.move.number == (remaining.isEmpty ? move : move + 1))
                #expect(remaining.isEmpty || arranged.machine.move.reason == .newDeviceAvailable)
            }
        }
    }

    @Test("While the server changes the port of its default device, a program keeps the name default, twice") func changedPort() {
        let headphones = serverPort(.headphones, "jack", device: "card")
        let builtIn = serverPort(.builtInSpeaker, "speaker", device: "card")
        var arranged = Arranged()
        for _ in 1...2 {
            for ports in [
                [builtIn.chosen, screen], [builtIn.onDefault, headphones.onDefault, screen],
                [builtIn.onDefault, headphones.chosen, screen], [builtIn.onDefault, screen],
            ] {
                arranged.update(ports)
                #expect(
                    arranged.ports.map { $0.alsaDevice } == ports.map { $0.uid == "screen" ? "pipewire:NODE=screen" : "default" })
            }
        }
    }

    @Test("No monitor or camera is the route while the server changes the port of its default device, twice")
    func changedPortBesideOthers() {
        let (headphones, headset) = (serverPort(.headphones, "jack"), serverPort(.headsetMicrophone, "headset"))
        let (microphone, camera) = (serverPort(.builtInMicrophone, "microphone"), serverPort(.usbInput, "camera"))
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen, microphone.chosen, camera])
        for life in 1...2 {
            // The server hides what is built in while something is plugged in.
            for (output, input, outputName, inputName) in [
                (headphones, headset, "jack", "headset"), (speaker, microphone, "speaker", "microphone"),
            ] {
                arranged.update([output.onDefault, screen, input.onDefault, camera])
                let move = arranged.machine.move.number
                #expect(arranged.output == outputName && arranged.input == inputName, "life \(life)")
                arranged.update([output.chosen, screen, input.chosen, camera])
                #expect(arranged.output == outputName && arranged.input == inputName, "life \(life)")
                #expect(arranged.machine.move.number == move, "the same port is no other choice")
            }
        }
        // No port is chosen where the server can change to several ports.
        arranged.update([void.onDefault, speaker.onDefault, screen])
        #expect(arranged.output == "speaker")
    }

    @Test("Inputs have a default of their own") func inputs() {
        let microphone = serverPort(.builtInMicrophone, "microphone")
        let camera = serverPort(.usbInput, "camera")
        var arranged = Arranged()
        arranged.update([speaker.chosen, screen, microphone.chosen, camera])
        #expect(arranged.input == "microphone" && arranged.output == "speaker")
        arranged.update([speaker.chosen, screen, microphone, camera.chosen])
        #expect(arranged.input == "camera" && arranged.output == "speaker")
        arranged.update([speaker, screen.chosen, microphone.chosen, camera])
        #expect(arranged.input == "microphone" && arranged.output == "screen")
    }

    @Test("A session that may not use the default plays to the latest that it may") func category() {
        let receiver = serverPort(.airPlay, "receiver")
        var arranged = Arranged()
        arranged.update([speaker, headset, receiver.chosen])
        #expect(arranged.output == "receiver")
        let call = Route(for: SessionSettings(category: .playAndRecord, mixes: false), among: arranged.ports)
        #expect(call.outputs.first?.uid == "headset")
        #expect(arranged.ports.map { $0.alsaDevice } == ["pipewire:NODE=speaker", "pipewire:NODE=headset", "default"])
    }
}

@Suite("The ports of a sound server as programs reach them")
struct ServerPortTests {
    @Test(
        "The default is reached as default, others by a name that ALSA's syntax allows",
        arguments: [
            ("alsa_output.pci-0000_00_1f.3.analog-stereo", true), ("bluez_output.AC_12_2F_E3_BA_4E.1", true), ("a,b", false),
            ("a b", false), ("a'b", false), ("a\"b", false), ("Lautsprecher für", false), ("", false),
        ])
    func names(_ node: String, _ isNamed: Bool) {
        let port = serverPort(.hdmi, node)
        for (server, prefix) in [(ServerKind.pulseAudio, "pulse:DEVICE="), (.pipeWire, "pipewire:NODE=")] {
            let named = port.port(behind: server, arrival: 1)
            #expect(named.alsaDevice == (isNamed ? prefix + node : "default"))
            #expect(named.server == server && named.needsProfile == node.isEmpty)
            let usual = port.chosen.port(behind: server, arrival: 1)
            #expect(usual.alsaDevice == "default")
            // The server changes the port of its default device.
            #expect(port.onDefault.port(behind: server, arrival: 1).alsaDevice == "default")
        }
    }

    @Test("What a module tells is brought into range, and a kind that is not known is no port") func described() throws {
        for kind in PortKind.allCases {
            var told = server_port()
            (told.kind, told.channels, told.volume) = (UInt32(kind.rawValue), 0, 1.5)
            let port = try #require(ServerPort(told))
            #expect(port.kind == kind && port.channels == 1 && port.volume == 1)
            #expect(port.uid == "" && port.node == "" && !port.isDefault && !port.isHeadset && port.others == 0)
            #expect(!port.isOnDefault)
            (told.channels, told.volume, told.others, told.is_default, told.is_headset) = (6, 0.25, 3, 1, 0)
            let second = try #require(ServerPort(told))
            #expect(second.channels == 6 && second.volume == 0.25 && second.others == 3 && second.isDefault && !second.isHeadset)
            (told.volume, told.is_default, told.is_headset) = (-1, 0, 1)
            let third = try #require(ServerPort(told))
            #expect(third.volume == nil && !third.isDefault && !third.isOnDefault && third.isHeadset)
            told.is_on_default = 1
            #expect(ServerPort(told)?.isOnDefault == true && ServerPort(told)?.isDefault == false)
            #expect(
                third.port(behind: .pipeWire, arrival: 1).isHeadset && third.port(behind: .pipeWire, arrival: 1).channels == 6)
        }
        for kind in [UInt32(PortKind.allCases.count), 256, 256 + 5] as [UInt32] {
            var told = server_port()
            told.kind = kind
            #expect(ServerPort(told) == nil)
        }
    }

    @Test("The latency of a port of a server is one period and the transport of its link", arguments: PortKind.allCases)
    func latency(kind: PortKind) {
        let port = serverPort(kind, "node").port(behind: .pipeWire, arrival: 1)
        #expect(port.latency == Float(1024.0 / 48_000 + kind.transport))
    }

    @Test("An output has a volume, an input has a gain") func levels() {
        for kind in PortKind.allCases {
            var described = serverPort(kind, "node")
            described.volume = 0.25
            described.choice = 4
            let port = described.port(behind: .pulseAudio, arrival: 3)
            #expect(port.volume == (kind.isInput ? nil : 0.25) && port.gain == (kind.isInput ? 0.25 : nil))
            #expect(port.device == 3 && port.order == 4 && port.uid == "node" && port.name == "The node" && port.channels == 2)
        }
    }
}
