// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SessionModel

@Suite("Sources, gain and format of the route's devices")
struct SourceTests {
    private let microphone = Selectable(id: 0, name: "Microphone")
    private let line = Selectable(id: 1, name: "Line")

    /// A route with a USB device that has sources and destinations.
    private var state: SessionState {
        var state = SessionState(.playAndRecord, [.usb])
        for position in state.hardware.ports.indices where [.usbInput, .usbOutput].contains(state.hardware.ports[position].kind) {
            let port = state.hardware.ports[position]
            state.hardware.ports[position] = Port(
                kind: port.kind, device: port.device, uid: port.uid, name: port.name, alsaDevice: port.alsaDevice, channels: 2,
                volume: nil, gain: port.kind.isInput ? 0.5 : nil, selectables: [microphone, line], selected: 1)
        }
        return state
    }

    private func change(_ property: SessionProperty, to value: PropertyValue, in state: SessionState) throws -> PropertyChange {
        try property.row.set(state, value)
    }

    @Test("The sources of a USB device in the route can be read, and one of them can be selected")
    func sources() throws {
        #expect(state.inputSources == [microphone, line])
        #expect(state.outputDestinations == [microphone, line])
        #expect(try SessionProperty.inputSource.row.get(state) == .number(1))
        #expect(try SessionProperty.outputDestination.row.get(state) == .number(1))
        #expect(try change(.inputSource, to: .number(0), in: state) == .hardware(.inputSource(0)))
        #expect(try change(.outputDestination, to: .number(0), in: state) == .hardware(.outputDestination(0)))
        #expect(state.port(for: .inputSource(0))?.kind == .usbInput)
        #expect(state.port(for: .outputDestination(0))?.kind == .usbOutput)
        #expect(state.port(for: .inputGain(0))?.kind == .usbInput)
    }

    @Test(
        "A value that is no number, or no source, is refused", arguments: [PropertyValue.number(2), .number(nil), .uint32(0)])
    func wrongSource(value: PropertyValue) {
        #expect(throws: ResultCode.unsupportedProperty) { try change(.inputSource, to: value, in: state) }
        #expect(throws: ResultCode.unsupportedProperty) { try change(.outputDestination, to: value, in: state) }
    }

    @Test("Without sources, gain or a device the property gives NoHardware")
    func nothing() {
        let bare = SessionState(.playAndRecord)
        for property in [SessionProperty.inputSource, .outputDestination, .inputGainScalar, .currentHardwareSampleRate] {
            #expect(throws: ResultCode.noHardware) { try property.row.get(bare) }
        }
        #expect(throws: ResultCode.noHardware) { try change(.inputSource, to: .number(0), in: bare) }
        #expect(throws: ResultCode.noHardware) { try change(.outputDestination, to: .number(0), in: bare) }
        #expect(throws: ResultCode.noHardware) { try change(.inputGainScalar, to: .float32(0), in: bare) }
        var silent = state
        for position in silent.hardware.ports.indices { silent.hardware.ports[position].selected = nil }
        #expect(throws: ResultCode.noHardware) { try SessionProperty.inputSource.row.get(silent) }
    }

    @Test("A value of another type than the property's is refused")
    func otherTypes() {
        for row in propertyTable where row.access.contains(.set) {
            let wrong: PropertyValue = row.type == .number ? .uint32(0) : .number(0)
            #expect(throws: ResultCode.unsupportedProperty) { try row.set(state, wrong) }
        }
    }

    @Test("A property without a get, or without a set, refuses it")
    func refused() {
        for row in propertyTable {
            if !row.access.contains(.get) { #expect(throws: ResultCode.unsupportedProperty) { try row.get(state) } }
            if !row.access.contains(.set) { #expect(throws: ResultCode.unsupportedProperty) { try row.set(state, .uint32(0)) } }
        }
    }

    @Test("Rate and buffer are those of the route's output, else its input, else of any device")
    func leading() {
        #expect(state.leadingPort?.kind == .usbOutput)
        #expect(SessionState(.recordAudio).leadingPort?.kind == .builtInMicrophone)
        #expect(SessionState(.audioProcessing).leadingPort?.kind.isInput == false)
        let microphone = port(.builtInMicrophone, device: 3)
        #expect(SessionState(.audioProcessing, onto: [microphone]).leadingPort == microphone)
        #expect(SessionState(.audioProcessing, onto: []).leadingPort == nil)
    }

    @Test("While the silent switch is on, a category that obeys it has an empty route name")
    func hushed() throws {
        var state = SessionState(.soloAmbientSound)
        state.isSilent = true
        #expect(state.isSilencedBySwitch)
        #expect(try SessionProperty.audioRoute.row.get(state) == .routeName(.none))
        state.settings.setCategory(.mediaPlayback)
        #expect(!state.isSilencedBySwitch)
        #expect(try SessionProperty.audioRoute.row.get(state) == .routeName(.speaker))
    }

    @Test("Objects of CoreFoundation are arrays, dictionaries, numbers and strings")
    func objects() {
        #expect([PropertyType.dictionary, .array, .number, .string].allSatisfy { $0.isCoreFoundation })
        #expect(![PropertyType.uint32, .float32, .float64].contains { $0.isCoreFoundation })
    }

    @Test("Each kind of port has a distinct type, and each old name a distinct text")
    func names() {
        let kinds = Device.allCases.flatMap { $0.kinds } + phone.map { $0.kind }
        #expect(Set(kinds.map { "\($0.type)" }).count == Set(kinds).count)
        #expect(Set(OldRouteName.allCases.map { "\($0.text)" }).count == OldRouteName.allCases.count)
        #expect(OldRouteName.none.text.utf8CodeUnitCount == 0)
    }

    @Test("Each kind of port has a word, and the word with the direction gives the kind", arguments: PortKind.allCases)
    func words(kind: PortKind) {
        #expect(PortKind(word: "\(kind.word)", isInput: kind.isInput) == kind)
        #expect(PortKind(word: "\(kind.word)")?.word.description == "\(kind.word)")
        #expect(PortKind(word: "no such port") == nil)
    }

    @Test(
        "Each word means its port; one word for both directions means the output where none is stated",
        arguments: [
            ("speaker", nil, .builtInSpeaker), ("receiver", nil, .builtInReceiver), ("headphones", nil, .headphones),
            ("line-out", nil, .lineOut), ("hdmi", nil, .hdmi), ("bluetooth-a2dp", nil, .bluetoothA2DP),
            ("airplay", nil, .airPlay),
            ("microphone", nil, .builtInMicrophone), ("headset", nil, .headsetMicrophone), ("line-in", nil, .lineIn),
            ("usb", nil, .usbOutput), ("usb", false, .usbOutput), ("usb", true, .usbInput), ("usb-input", nil, .usbInput),
            ("bluetooth-hfp", nil, .bluetoothHFPOutput), ("bluetooth-hfp", true, .bluetoothHFPInput),
            ("bluetooth-hfp-input", nil, .bluetoothHFPInput), ("speaker", true, nil), ("headset", false, nil),
            ("usb-input", false, nil), ("Speaker", nil, nil), ("", nil, nil),
        ] as [(String, Bool?, PortKind?)])
    func kinds(word: String, isInput: Bool?, kind: PortKind?) { #expect(PortKind(word: word, isInput: isInput) == kind) }

    @Test("The hash of a port is FNV-1a of its UID, in every process and version; a headset behind a server has a second one")
    func hashes() {
        func port(_ uid: String, _ kind: PortKind = .hdmi, server: ServerKind? = nil) -> Port {
            Port(kind: kind, device: 1, uid: uid, name: "", alsaDevice: "", server: server, channels: 2)
        }
        for (uid, hash) in [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
            as [(String, UInt64)]
        {
            #expect(port(uid).uidHash == hash)
        }
        for kind in PortKind.allCases {
            #expect(port("a", kind).profileHash == nil)
            let profile: UInt64? = kind == .bluetoothHFPInput ? ~0xAF63_DC4C_8601_EC8C | 1 : nil
            for server in [ServerKind.pulseAudio, .pipeWire] { #expect(port("a", kind, server: server).profileHash == profile) }
        }
    }
}
