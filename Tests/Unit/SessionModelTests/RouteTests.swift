// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

/// An independent statement of the rules of routes: a list of the ports that each category and mode may use, and the
/// order of precedence.
private struct Oracle {
    let category: Category
    let mode: Mode
    var bluetooth = false
    var toSpeaker = false
    var speakerByDefault = false

    private var chat: Bool { [.voiceChat, .gameChat, .videoChat].contains(mode) }

    var inputKinds: [PortKind] {
        switch category {
        case .recordAudio, .playAndRecord:
            var kinds: [PortKind] = [.builtInMicrophone, .headsetMicrophone, .usbInput]
            if !chat { kinds.append(.lineIn) }
            if bluetooth { kinds.append(.bluetoothHFPInput) }
            return kinds
        case .multiRoute: return [.usbInput, .headsetMicrophone, .builtInMicrophone]
        default: return []
        }
    }

    var outputKinds: [PortKind] {
        switch category {
        case .ambientSound, .userInterfaceSoundEffects, .soloAmbientSound, .mediaPlayback, .liveAudio:
            return [.builtInSpeaker, .headphones, .lineOut, .hdmi, .usbOutput, .bluetoothA2DP, .airPlay]
        case .playAndRecord:
            return [.builtInSpeaker, .builtInReceiver, .headphones, .usbOutput] + (chat ? [] : [.lineOut, .hdmi])
        case .multiRoute: return [.usbOutput, .lineOut, .headphones, .hdmi]
        case .recordAudio, .audioProcessing: return []
        }
    }

    func route(among ports: [Port]) -> (inputs: [PortKind], outputs: [PortKind]) {
        var inputs: [PortKind] = []
        if let last = ports.last(where: { inputKinds.contains($0.kind) && $0.kind != .builtInMicrophone }) {
            inputs = [last.kind]
        } else if inputKinds.contains(.builtInMicrophone), ports.contains(where: { $0.kind == .builtInMicrophone }) {
            inputs = [.builtInMicrophone]
        }
        var outputs: [PortKind] = []
        let attached = ports.filter { outputKinds.contains($0.kind) && !$0.kind.isBuiltIn }
        if category == .multiRoute {
            outputs = attached.map { $0.kind }
            if outputs.isEmpty, ports.contains(where: { $0.kind == .builtInSpeaker }) { outputs = [.builtInSpeaker] }
        } else if inputs == [.bluetoothHFPInput], category == .playAndRecord {
            outputs = [.bluetoothHFPOutput]
        } else if let last = attached.last {
            outputs = [last.kind]
        } else {
            let built = ports.map { $0.kind }.filter { outputKinds.contains($0) && $0.isBuiltIn }
            let first: PortKind = category == .playAndRecord && !speakerByDefault ? .builtInReceiver : .builtInSpeaker
            outputs = built.contains(first) ? [first] : Array(built.prefix(1))
        }
        if toSpeaker {
            if ports.contains(where: { $0.kind == .builtInSpeaker }) { outputs = [.builtInSpeaker] }
            if ports.contains(where: { $0.kind == .builtInMicrophone }) { inputs = [.builtInMicrophone] }
        }
        return (inputs, outputs)
    }
}

@Suite struct RouteTests {
    private static let orders = arrivals(upTo: 4)

    private func check(_ settings: SessionSettings, _ oracle: Oracle, builtIn: [Port] = phone) {
        for order in RouteTests.orders {
            let there = ports(order, onto: builtIn)
            let route = Route(for: settings, among: there)
            let expected = oracle.route(among: there)
            guard route.inputs.map({ $0.kind }) != expected.inputs || route.outputs.map({ $0.kind }) != expected.outputs else {
                continue
            }
            Issue.record(
                "\(settings.category) \(settings.mode) \(order): \(route.inputs.map { $0.kind }) \(route.outputs.map { $0.kind }), expected \(expected)"
            )
            return
        }
    }

    @Test("Every category, every set of up to four devices in every order of arrival", arguments: Category.allCases)
    func categories(category: Category) {
        var settings = SessionSettings()
        settings.setCategory(category)
        check(settings, Oracle(category: category, mode: .standard))
    }

    @Test("Every mode of PlayAndRecord, with and without Bluetooth input", arguments: Mode.allCases, [true, false])
    func modes(mode: Mode, bluetooth: Bool) throws {
        guard mode.fits(.playAndRecord) else { return }
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        try settings.setMode(mode, whileActive: false)
        try settings.setEnablesBluetoothInput(bluetooth)
        check(settings, Oracle(category: .playAndRecord, mode: mode, bluetooth: bluetooth, speakerByDefault: mode == .videoChat))
    }

    @Test("RecordAudio with Bluetooth input")
    func recording() throws {
        var settings = SessionSettings()
        settings.setCategory(.recordAudio)
        try settings.setEnablesBluetoothInput(true)
        check(settings, Oracle(category: .recordAudio, mode: .standard, bluetooth: true))
    }

    @Test(
        "The speaker by default, and by override, with and without the built-in parts", arguments: [true, false], [true, false])
    func speaker(override: Bool, isPhone: Bool) throws {
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        if override { try settings.setOverridesToSpeaker(true) } else { try settings.setDefaultsToSpeaker(true) }
        let oracle = Oracle(category: .playAndRecord, mode: .standard, toSpeaker: override, speakerByDefault: !override)
        check(settings, oracle, builtIn: isPhone ? phone : [])
    }

    @Test("A machine without a receiver, or without a speaker, plays to the part that it has", arguments: Category.allCases)
    func builtInParts(category: Category) throws {
        let (receiver, speaker) = (port(.builtInReceiver, device: 1), port(.builtInSpeaker, device: 2))
        for isSpeakerDefault in category == .playAndRecord ? [false, true] : [false] {
            var settings = SessionSettings()
            settings.setCategory(category)
            try settings.setDefaultsToSpeaker(isSpeakerDefault)
            func outputs(_ ports: [Port]) -> [PortKind] { Route(for: settings, among: ports).outputs.map { $0.kind } }
            let (plays, calls) = (category.traits.hasOutput, category == .playAndRecord)
            #expect(outputs([speaker]) == (plays ? [.builtInSpeaker] : []))
            #expect(outputs([receiver]) == (calls ? [.builtInReceiver] : []))
            let both: PortKind = calls && !isSpeakerDefault ? .builtInReceiver : .builtInSpeaker
            #expect(outputs([receiver, speaker]) == (plays ? [both] : []))
        }
    }

    @Test(
        "PlayAndRecord plays to Bluetooth headphones and AirPlay where it allows them; a chat mode forbids A2DP, voice chat both")
    func wireless() throws {
        for mode in Mode.allCases where mode.fits(.playAndRecord) {
            for options in [[], .allowBluetoothA2DP, .allowAirPlay, [.allowBluetoothA2DP, .allowAirPlay]] as [CategoryOptions] {
                var settings = SessionSettings()
                try settings.configure(.playAndRecord, mode: mode, policy: .standard, options: options)
                func plays(to device: Device) -> Bool {
                    !Route(for: settings, among: ports([device])).outputs.contains { $0.kind.isBuiltIn }
                }
                #expect(plays(to: .a2dp) == (options.contains(.allowBluetoothA2DP) && !mode.isChat), "\(mode)")
                #expect(plays(to: .airPlay) == (options.contains(.allowAirPlay) && mode != .voiceChat), "\(mode)")
            }
        }
    }

    @Test("A Bluetooth HFP output belongs to the device whose microphone is the input", arguments: ["first", "second"])
    func handsFreePair(preferred: String) throws {
        func handsFree(_ uid: String, device: UInt32) -> [Port] {
            [PortKind.bluetoothHFPInput, .bluetoothHFPOutput].map { kind in
                Port(kind: kind, device: device, uid: uid, name: uid, alsaDevice: "null", channels: 1)
            }
        }
        let ports = phone + handsFree("first", device: 10) + handsFree("second", device: 11)
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        try settings.setEnablesBluetoothInput(true)
        try settings.setPreferredInput(preferred, among: ports)
        let route = Route(for: settings, among: ports)
        #expect(route.inputs.map { $0.uid } == [preferred])
        #expect(route.outputs.map { $0.uid } == [preferred])
    }

    @Test("Old route strings, one for each kind of route")
    func oldNames() throws {
        func name(_ category: Category, _ devices: [Device] = [], bluetooth: Bool = false, speaker: Bool = false) throws -> String
        {
            var state = SessionState(category, devices)
            if bluetooth { try state.settings.setEnablesBluetoothInput(true) }
            if speaker { try state.settings.setDefaultsToSpeaker(true) }
            return "\(state.routeName.text)"
        }
        #expect(try name(.soloAmbientSound) == "Speaker")
        #expect(try name(.playAndRecord) == "ReceiverAndMicrophone")
        #expect(try name(.playAndRecord, speaker: true) == "SpeakerAndMicrophone")
        #expect(try name(.mediaPlayback, [.headphones]) == "Headphone")
        #expect(try name(.playAndRecord, [.headphones]) == "HeadphonesAndMicrophone")
        #expect(try name(.mediaPlayback, [.headset]) == "Headset")
        #expect(try name(.playAndRecord, [.headset]) == "HeadsetInOut")
        #expect(try name(.mediaPlayback, [.lineOut]) == "LineOut")
        #expect(try name(.playAndRecord, [.lineIn, .lineOut]) == "LineInOut")
        #expect(try name(.playAndRecord, [.handsFree], bluetooth: true) == "HeadsetBT")
        #expect(try name(.recordAudio, [.handsFree], bluetooth: true) == "HeadsetBT")
        #expect(try name(.mediaPlayback, [.a2dp]) == "HeadphonesBT")
        #expect(try name(.mediaPlayback, [.hdmi]) == "HDMIOutput")
        #expect(try name(.playAndRecord, [.hdmi]) == "HDMIOutput")
        #expect(try name(.mediaPlayback, [.airPlay]) == "AirTunes")
        #expect(try name(.playAndRecord, [.usb]) == "USBOutput")
        #expect(try name(.recordAudio) == "MicrophoneBuiltIn")
        #expect(try name(.recordAudio, [.headset]) == "MicrophoneWired")
        #expect(try name(.recordAudio, [.lineIn]) == "LineIn")
        #expect(try name(.recordAudio, [.usb]) == "USBInput")
        #expect(try name(.audioProcessing, [.headphones]) == "")
        #expect(try name(.multiRoute, [.hdmi, .headphones]) == "HDMIOutput")
        #expect(try name(.multiRoute, [.headphones]) == "Headphone")
        #expect(try name(.multiRoute, [.headset]) == "Headset")
        #expect(try name(.playAndRecord, [.lineOut]) == "LineOut")
        #expect(SessionState(.playAndRecord, onto: [port(.builtInReceiver, device: 1)]).routeName == .receiver)
        #expect(SessionState(.playAndRecord, onto: [port(.builtInSpeaker, device: 1)]).routeName == .speaker)
        #expect(SessionState(.mediaPlayback, onto: []).routeName == .none)
    }
}

@Suite struct RouteChangeTests {
    private func changes(_ old: SessionState, _ new: [Port]) -> [RouteChange] {
        var last = old
        var changes: [RouteChange] = []
        var hardware = old.hardware
        hardware.ports = new
        for step in old.steps(to: hardware) {
            for case .routeChange(let change) in step.state.events(since: last, because: step.reason) { changes.append(change) }
            last = step.state
        }
        return changes
    }

    private func reasons(_ old: SessionState, _ new: [Port]) -> [RouteChangeReason] { changes(old, new).map { $0.reason } }

    @Test("The arrival of a device gives reason 1, its departure reason 2; an unchanged route gives no event")
    func devices() {
        #expect(reasons(SessionState(.mediaPlayback), ports([.headphones])) == [.newDeviceAvailable])
        #expect(reasons(SessionState(.mediaPlayback, [.headphones]), phone) == [.oldDeviceUnavailable])
        #expect(reasons(SessionState(.mediaPlayback), ports([.lineIn])) == [])
        #expect(reasons(SessionState(.playAndRecord), ports([.airPlay])) == [])
    }

    @Test("Reason 7 when no suitable port is left")
    func nothingSuitable() {
        let state = SessionState(.mediaPlayback, onto: [port(.builtInSpeaker, device: 2)])
        #expect(reasons(state, []) == [.noSuitableRouteForCategory])
        let recording = SessionState(.recordAudio, onto: [port(.builtInMicrophone, device: 2), port(.builtInSpeaker, device: 3)])
        #expect(reasons(recording, [port(.builtInSpeaker, device: 3)]) == [.noSuitableRouteForCategory])
    }

    @Test("Reason 8 only when channels or the selected source of an unchanged route change")
    func configuration() {
        let state = SessionState(.mediaPlayback)
        var louder = phone
        louder[1].volume = 0.9
        #expect(reasons(state, louder) == [])
        var wider = phone
        wider[1].channels = 6
        #expect(reasons(state, wider) == [.routeConfigurationChange])
        var chosen = phone
        chosen[1].selected = 2
        #expect(reasons(state, chosen) == [.routeConfigurationChange])
    }

    @Test("Of a wake-up with which devices come and go, each has a step of its own, the wake-up last")
    func wakeWithDevices() throws {
        var state = SessionState(.mediaPlayback, [.hdmi])
        state.hardware.wakes = 4
        var hardware = state.hardware
        hardware.wakes = 5
        hardware.ports = phone + [port(.usbOutput, device: 20)]
        hardware.ports[1].volume = 0.25
        let steps = state.steps(to: hardware)
        #expect(steps.map { $0.reason } == [.oldDeviceUnavailable, .newDeviceAvailable, .wakeFromSleep])
        #expect(steps.map { $0.state.hardware.wakes } == [4, 4, 5])
        #expect(steps.last?.state.hardware == hardware)
        let last = try #require(steps.dropLast().last?.state)
        #expect(steps.last?.state.events(since: last, because: .wakeFromSleep).count == 1)
    }

    @Test("While devices come and go, the ports are in the order of the new machine, and those that depart later behind them")
    func order() {
        let old = SessionState(.mediaPlayback, onto: phone + [port(.headphones, device: 10)])
        var hardware = old.hardware
        hardware.ports = [port(.hdmi, device: 21)] + phone + [port(.usbOutput, device: 22), port(.headphones, device: 10)]
        #expect(
            old.steps(to: hardware).map { $0.state.hardware.ports.map { $0.device } } == [
                [21, 1, 2, 3, 10], [21, 1, 2, 3, 22, 10],
            ])
        // Built-in ports come in the step in which those of their kind go. Without a successor they go last.
        let server = SessionState(
            .playAndRecord, onto: [port(.builtInMicrophone, device: 4), port(.builtInSpeaker, device: 5), port(.hdmi, device: 6)])
        hardware.ports = [port(.builtInMicrophone, device: 7), port(.builtInSpeaker, device: 7), port(.hdmi, device: 6)]
        #expect(
            server.steps(to: hardware).map { $0.state.hardware.ports.map { $0.device } } == [
                [7, 7, 6]
            ])
        hardware.ports = [port(.builtInSpeaker, device: 7), port(.hdmi, device: 6)]
        #expect(server.steps(to: hardware).map { $0.state.hardware.ports.map { $0.device } } == [[7, 6, 4], [7, 6]])
    }

    @Test("A device that has gone and come back is another arrival, also where its name and its kind are the same")
    func replaced() {
        let old = SessionState(.mediaPlayback, onto: phone + [port(.hdmi, device: 10)])
        #expect(reasons(old, phone + [port(.hdmi, device: 11)]) == [.oldDeviceUnavailable, .newDeviceAvailable])
        let renamed = Port(kind: .hdmi, device: 10, uid: "another", name: "hdmi", alsaDevice: "null", channels: 2)
        #expect(reasons(old, phone + [renamed]) == [.oldDeviceUnavailable, .newDeviceAvailable])
        let changed = Port(kind: .lineOut, device: 10, uid: "hdmi", name: "hdmi", alsaDevice: "null", channels: 2)
        #expect(reasons(old, phone + [changed]) == [.oldDeviceUnavailable, .newDeviceAvailable])
    }

    @Test("Reason 6 is always sent")
    func wake() {
        let state = SessionState(.mediaPlayback)
        var hardware = state.hardware
        hardware.wakes += 1
        let steps = state.steps(to: hardware)
        #expect(steps.count == 1)
        let events = steps[0].state.events(since: state, because: steps[0].reason)
        #expect(events.count == 1)
        guard case .routeChange(let change)? = events.first else { return }
        #expect(change.reason == .wakeFromSleep && change.previous == change.current)
    }

    @Test("The override reverts when a device that the category could use arrives or departs, and only then")
    func overrideReverts() throws {
        var state = SessionState(.playAndRecord)
        try state.settings.setOverridesToSpeaker(true)
        var hardware = state.hardware
        hardware.ports = ports([.headphones])
        #expect(state.steps(to: hardware).last?.state.settings.overridesToSpeaker == false)
        hardware.ports = ports([.airPlay])
        #expect(state.steps(to: hardware).last?.state.settings.overridesToSpeaker == true)
        hardware.ports = phone
        hardware.ports[1].volume = 0.1
        #expect(state.steps(to: hardware).last?.state.settings.overridesToSpeaker == true)
        state.hardware.ports = ports([.airPlay])
        #expect(state.steps(to: hardware).last?.state.settings.overridesToSpeaker == true)
        state.hardware.ports = ports([.headphones])
        #expect(state.steps(to: hardware).last?.state.settings.overridesToSpeaker == false)
    }

    @Test("Built-in ports that take the place of others in the same change leave no moment without a route")
    func replacement() {
        let server = [port(.builtInMicrophone, device: 2), port(.builtInSpeaker, device: 3)]
        let headset = [port(.bluetoothA2DP, device: 4)]
        let plain = [port(.builtInMicrophone, device: 5), port(.builtInSpeaker, device: 5)]
        for (old, new) in [(server, plain), (plain, server)] {
            let changes = reasons(SessionState(.playAndRecord, onto: old), new)
            #expect(!changes.isEmpty && changes.allSatisfy { $0 == .newDeviceAvailable })
        }
        #expect(reasons(SessionState(.mediaPlayback, onto: server), plain) == [.newDeviceAvailable])
        #expect(reasons(SessionState(.mediaPlayback, onto: server + headset), plain) == [.oldDeviceUnavailable])
        #expect(
            reasons(SessionState(.mediaPlayback, onto: plain), server + headset) == [.newDeviceAvailable, .newDeviceAvailable])
        #expect(reasons(SessionState(.mediaPlayback, onto: []), plain) == [.newDeviceAvailable])
        #expect(reasons(SessionState(.mediaPlayback, onto: server + headset), headset) == [])
        #expect(reasons(SessionState(.mediaPlayback, onto: headset), plain) == [.oldDeviceUnavailable])
        // PlayAndRecord does not play to this headset: it loses no device.
        #expect(reasons(SessionState(.playAndRecord, onto: server + headset), plain) == [.newDeviceAvailable])
        // A microphone without a successor is a lost device.
        let speaker = [port(.builtInSpeaker, device: 6)]
        #expect(reasons(SessionState(.playAndRecord, onto: server), speaker) == [.newDeviceAvailable, .oldDeviceUnavailable])
        #expect(reasons(SessionState(.playAndRecord, onto: plain), speaker) == [.newDeviceAvailable, .oldDeviceUnavailable])
        #expect(reasons(SessionState(.mediaPlayback, onto: server), speaker) == [.newDeviceAvailable])
    }

    /// Built-in ports with and without the number of a choice, before and after.
    static let choices: [(UInt32, UInt32)] = [(0, 0), (0, 20), (10, 0), (10, 20), (20, 10)]

    @Test(
        "Built-in ports take the place of those of their kind with the route, whichever a server has chosen", arguments: choices)
    func chosenReplacement(before: UInt32, after: UInt32) throws {
        let former = [port(.builtInMicrophone, device: 2, order: before), port(.builtInSpeaker, device: 3, order: before)]
        let successor = [port(.builtInMicrophone, device: 5, order: after), port(.builtInSpeaker, device: 5, order: after)]
        let (headset, call) = ([port(.bluetoothA2DP, device: 30)], [port(.bluetoothHFPInput, device: 30)])
        for category in [SessionModel.Category.mediaPlayback, .recordAudio, .playAndRecord] {
            let onto = changes(SessionState(category, onto: former), successor)
            #expect(onto.map { $0.reason } == [.newDeviceAvailable])
            #expect(onto.last?.current == SessionState(category, onto: successor).route)
        }
        let lost = changes(SessionState(.mediaPlayback, onto: former + headset), successor)
        #expect(lost.map { $0.reason } == [.oldDeviceUnavailable])
        #expect(lost.last?.current.outputs == [successor[1]])
        var calling = SessionState(.playAndRecord, onto: former + call)
        try calling.settings.setEnablesBluetoothInput(true)
        #expect(reasons(calling, successor) == [.oldDeviceUnavailable])
        // A microphone without a successor is a lost device.
        #expect(
            reasons(SessionState(.playAndRecord, onto: former), [successor[1]]) == [.newDeviceAvailable, .oldDeviceUnavailable])
        #expect(reasons(SessionState(.recordAudio, onto: former), [successor[1]]) == [.noSuitableRouteForCategory])
    }

    /// The jack of a laptop whose sound server hides the speaker while something is plugged in.
    struct Jack: CustomTestStringConvertible {
        /// The device of the microphone that is built in; the speaker's is 1.
        var microphone: UInt32?
        /// The plug is that of a headset, which has a microphone.
        var isHeadset = false
        var hidesMicrophone = false

        static let all = [
            Jack(), Jack(microphone: 1), Jack(microphone: 2), Jack(microphone: 1, isHeadset: true),
            Jack(microphone: 2, isHeadset: true), Jack(microphone: 1, isHeadset: true, hidesMicrophone: true),
            Jack(microphone: 2, isHeadset: true, hidesMicrophone: true),
        ]

        /// `order`: the number of the last choice of the built-in ports. Those that were hidden arrive again.
        func unplugged(_ order: UInt32) -> [Port] {
            let isHidden = microphone != 1 || hidesMicrophone
            return [port(.builtInSpeaker, device: isHidden ? order : 1, order: order)] + builtInMicrophone(order)
        }

        func plugged(_ arrival: UInt32, after order: UInt32) -> [Port] {
            (hidesMicrophone ? [] : builtInMicrophone(order)) + [port(.headphones, device: arrival, order: arrival)]
                + (isHeadset ? [port(.headsetMicrophone, device: arrival, order: arrival)] : [])
        }

        private func builtInMicrophone(_ order: UInt32) -> [Port] {
            microphone.map { [port(.builtInMicrophone, device: hidesMicrophone ? order + $0 - 1 : $0, order: order)] } ?? []
        }

        var testDescription: String { "microphone \(microphone ?? 0), headset \(isHeadset), hidden \(hidesMicrophone)" }
    }

    @Test(
        "A plug that hides the built-in ports is one new device, and the end of it one lost device, twice",
        arguments: [Category.mediaPlayback, .playAndRecord, .recordAudio], Jack.all)
    func hiddenPorts(category: SessionModel.Category, jack: Jack) {
        var order: UInt32 = 10
        var state = SessionState(category, onto: jack.unplugged(order))
        // A route that does not change has no event.
        let isConcerned = category.traits.hasOutput || jack.isHeadset
        for life in 1...2 {
            for isPlugged in [true, false] {
                let ports = isPlugged ? jack.plugged(order + 10, after: order) : jack.unplugged(order + 10)
                order += 10
                let changes = changes(state, ports)
                let reason: RouteChangeReason = isPlugged ? .newDeviceAvailable : .oldDeviceUnavailable
                #expect(changes.map { $0.reason } == (isConcerned ? [reason] : []), "life \(life)")
                let (before, now) = (state.route, SessionState(category, onto: ports).route)
                #expect(changes.allSatisfy { $0.previous == before && $0.current == now }, "life \(life)")
                state.hardware.ports = ports
            }
        }
    }

    @Test("With a plug that hides the speaker other devices come and go: each is an event, and there is always a route")
    func hiddenSpeakerAmongOthers() throws {
        let jack = Jack(microphone: 1)
        let (screen, dock) = (port(.hdmi, device: 5), port(.usbOutput, device: 40))
        let unplugged = jack.unplugged(30)
        let plugged = jack.plugged(20, after: 10)
        #expect(reasons(SessionState(.mediaPlayback, onto: plugged + [screen]), unplugged) == [.oldDeviceUnavailable])
        #expect(
            reasons(SessionState(.mediaPlayback, onto: plugged + [screen]), unplugged + [screen]) == [.oldDeviceUnavailable])
        #expect(
            reasons(SessionState(.mediaPlayback, onto: plugged), unplugged + [dock])
                == [.oldDeviceUnavailable, .newDeviceAvailable])
        let both = changes(SessionState(.multiRoute, onto: plugged + [screen]), unplugged)
        #expect(both.allSatisfy { $0.reason == .oldDeviceUnavailable && !$0.current.outputs.isEmpty } && !both.isEmpty)
        // The override to the speaker ends with the plug, whose event says so.
        var speaking = SessionState(.playAndRecord, onto: jack.unplugged(10))
        try speaking.settings.setOverridesToSpeaker(true)
        let plug = changes(speaking, plugged)
        #expect(plug.map { $0.reason } == [.newDeviceAvailable])
        #expect(plug.first?.current.outputs.map { $0.kind } == [.headphones])
    }

    @Test("Several devices that change at once give one event each, departures first")
    func oneByOne() {
        let state = SessionState(.mediaPlayback, [.headphones])
        var new = phone
        new.append(port(.usbOutput, device: 20))
        new.append(port(.hdmi, device: 21))
        #expect(reasons(state, new) == [.oldDeviceUnavailable, .newDeviceAvailable, .newDeviceAvailable])
    }
}
