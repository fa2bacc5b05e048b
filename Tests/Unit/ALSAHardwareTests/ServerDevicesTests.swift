// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel
import Testing

@testable import ALSAHardware

@Suite("The devices of a sound server")
struct ServerDevicesTests {
    private let module = FakeModule()
    private let devices = ServerDevices(.pipeWire)
    private let speaker = serverPort(.builtInSpeaker, "speaker", isDefault: true)

    private func connect() {
        devices.connect(by: module.connection) { _ in }
    }

    private func arrange() {
        var number: UInt32 = 0
        devices.arrange {
            number += 1
            return number
        }
    }

    private func port(_ described: ServerPort) -> Port { devices.port(described, arrival: 1, default: "default") }

    private func error(of body: () throws(SystemError) -> Void) -> SystemError? {
        do throws(SystemError) { try body() } catch { return error }
        return nil
    }

    @Test("are known after the first state, which the start awaits") func firstState() {
        connect()
        #expect(!devices.isKnown && !devices.needsConnection && devices.retryDelay == -1)
        module.tell([speaker])
        #expect(devices.awaitFirstState() && devices.isKnown && devices.told == [speaker])
        #expect(!devices.processEvents())
        arrange()
        #expect(devices.findings == ["the devices are those of a server 1.0", "speaker: The speaker, speaker, the default"])
        module.tell([speaker, serverPort(.hdmi, "screen")])
        #expect(devices.processEvents() && devices.told.map { $0.uid } == ["speaker", "screen"])
    }

    @Test("are not known of a server that tells nothing, and the start goes on") func silence() {
        connect()
        #expect(!devices.awaitFirstState() && !devices.isKnown)
        #expect(devices.findings.count == 1)
        module.tell([speaker])
        #expect(devices.processEvents() && devices.isKnown)
    }

    @Test("need the module: without it no attempt follows") func absent() {
        devices.connect(by: nil) { _ in }
        #expect(!devices.needsConnection && devices.retryDelay == -1 && !devices.isKnown && !devices.awaitFirstState())
        #expect(
            devices.findings == ["the devices of the sound server are not known: install audiosession-server-pulse"])
    }

    @Test("stay while a server restarts, and are forgotten after six attempts") func restart() {
        connect()
        module.tell([speaker])
        _ = devices.processEvents()
        for _ in 0..<2 {
            for failure in 1...6 {
                module.end()
                #expect(devices.processEvents() == (failure == 6))
                #expect(module.isClosed && devices.connection == nil && devices.needsConnection)
                #expect(devices.isKnown == (failure < 6) && devices.told == [speaker])
                #expect(devices.retryDelay == (failure < 6 ? 50 << Int32(failure) : -1))
                connect()
            }
            #expect(devices.findings == ["the devices of the sound server are not known: the server is gone"])
            // It is back: the attempts begin again.
            module.tell([speaker])
            #expect(devices.processEvents() && devices.isKnown)
        }
    }

    @Test("are not known where their descriptor cannot be watched") func unwatched() {
        devices.connect(by: module.connection) { _ throws(SystemError) in throw .tooManyFiles }
        #expect(devices.needsConnection && devices.retryDelay == 100 && module.isClosed)
    }

    @Test("take a gain, and refuse it without a connection, without the port, and for other requests") func gain() {
        let microphone = serverPort(.builtInMicrophone, "microphone")
        #expect(error { () throws(SystemError) in try devices.perform(.inputGain(0.5), on: port(microphone)) } == .noDevice)
        connect()
        module.tell([microphone])
        _ = devices.processEvents()
        #expect(error { () throws(SystemError) in try devices.perform(.inputGain(0.5), on: port(microphone)) } == nil)
        #expect(module.requests == ["volume 0.5 microphone"])
        for request in [HardwareRequest.inputSource(1), .outputDestination(1)] {
            #expect(error { () throws(SystemError) in try devices.perform(request, on: port(microphone)) } == .noDevice)
        }
        module.refuses = true
        #expect(error { () throws(SystemError) in try devices.perform(.inputGain(1), on: port(microphone)) } == .noDevice)
        #expect(module.requests.count == 1)
    }

    // MARK: The profile of a headset

    private let music = ServerPort(
        kind: .bluetoothHFPInput, uid: "call", device: "headset", name: "Ears", node: "")
    private var call: ServerPort {
        var port = music
        port.node = "bluez_input.1"
        return port
    }

    private func reach() -> SystemError? {
        error { () throws(SystemError) in try devices.perform(.headsetProfile(true), on: port(music)) }
    }

    @Test("wait until the card has the profile") func profile() {
        connect()
        module.tell([music])
        _ = devices.processEvents()
        module.onReach = { [module, call] in module.tell([call]) }
        #expect(port(music).needsProfile && reach() == nil)
        #expect(devices.told == [call] && !port(call).needsProfile)
        #expect(error { () throws(SystemError) in try devices.perform(.headsetProfile(false), on: port(call)) } == nil)
        #expect(module.requests == ["reach call", "leave call"])
    }

    @Test("need the profile again as soon as it has been left, each time") func profileAgain() {
        connect()
        module.tell([music])
        _ = devices.processEvents()
        module.onReach = { [module, call] in module.tell([call]) }
        module.onLeave = { [module, music] in module.tell([music]) }
        for _ in 1...3 {
            #expect(reach() == nil && devices.told == [call])
            #expect(error { () throws(SystemError) in try devices.perform(.headsetProfile(false), on: port(call)) } == nil)
            #expect(devices.told == [music])
        }
        #expect(module.requests == ["reach call", "leave call", "reach call", "leave call", "reach call", "leave call"])
    }

    @Test("wait for a profile no longer than the limit, and not for a server that refuses or has gone") func noProfile() {
        connect()
        module.tell([music])
        _ = devices.processEvents()
        #expect(reach() == .timedOut)
        module.onReach = { [module] in module.end() }
        #expect(reach() == .noDevice && devices.connection == nil)
        connect()
        module.refuses = true
        #expect(reach() == .noDevice)
    }

    /// The outputs of a headset with two profiles, in a call or not, and its microphone. The names of nodes are empty without a
    /// sink or source.
    private func headset(music: String, call: String, input: String, isDefault: Bool = false) -> [ServerPort] {
        [(PortKind.bluetoothA2DP, music), (.bluetoothHFPOutput, call), (.bluetoothHFPInput, input)].map { kind, node in
            ServerPort(
                kind: kind, isDefault: isDefault && !node.isEmpty, isOnDefault: isDefault && !node.isEmpty, uid: "\(kind)",
                device: "headset", name: "Ears", node: node)
        }
    }

    @Test("play music through the sink of a headset's call, while there is one") func musicInACall() {
        let other = ServerPort(kind: .bluetoothA2DP, uid: "other", device: "other", name: "Other", node: "bluez_output.9")
        connect()
        func names(_ ports: [ServerPort]) -> [String] {
            module.tell([other, speaker] + ports)
            _ = devices.processEvents()
            arrange()
            return devices.machine.ports.dropFirst(2).map { port($0).alsaDevice }
        }
        for _ in 1...2 {
            let music = headset(music: "bluez_output.1", call: "", input: "")
            #expect(names(music) == ["pipewire:NODE=bluez_output.1", "default", "default"])
            let call = headset(music: "", call: "bluez_output.2", input: "bluez_input.1")
            #expect(
                names(call) == ["pipewire:NODE=bluez_output.2", "pipewire:NODE=bluez_output.2", "pipewire:NODE=bluez_input.1"])
            #expect(devices.machine.ports.dropFirst(2).map { port($0).needsProfile } == [true, false, false])
            // The sink of the call is the default.
            let usual = headset(music: "", call: "bluez_output.2", input: "bluez_input.1", isDefault: true)
            #expect(names(usual) == ["default", "default", "default"])
            // The card changes its profile.
            #expect(names(headset(music: "", call: "", input: "")) == ["default", "default", "default"])
        }
    }

    // MARK: Other programs

    @Test("tell of the streams of others on these outputs only") func others() {
        var busy = serverPort(.hdmi, "screen")
        busy.others = 1
        connect()
        module.tell([speaker, busy])
        _ = devices.processEvents()
        arrange()
        #expect(devices.isPlayedTo([port(busy)]) && devices.isPlayedTo([port(speaker), port(busy)]))
        #expect(!devices.isPlayedTo([port(speaker)]) && !devices.isPlayedTo([]))
    }
}
