// SPDX-License-Identifier: Apache-2.0
import CServerModules
import Testing

@Suite("A word that a sound server uses")
struct PortWordTests {
    typealias Row = (word: String, output: server_port_kind, input: server_port_kind)

    private static let speaker = (SERVER_SPEAKER, SERVER_MICROPHONE)
    private static let receiver = (SERVER_RECEIVER, SERVER_MICROPHONE)
    private static let headphones = (SERVER_HEADPHONES, SERVER_HEADSET_MICROPHONE)
    private static let line = (SERVER_LINE_OUT, SERVER_LINE_IN)
    private static let monitor = (SERVER_HDMI, SERVER_LINE_IN)
    private static let jackMicrophone = (SERVER_SPEAKER, SERVER_HEADSET_MICROPHONE)

    private static func rows(_ kinds: (server_port_kind, server_port_kind), _ words: [String]) -> [Row] {
        words.map { ($0, kinds.0, kinds.1) }
    }

    static let types: [Row] =
        rows(speaker, ["speaker", "handsfree"]) + rows(headphones, ["headphones", "headset"])
        + rows(receiver, ["handset", "earpiece", "phone"]) + rows(monitor, ["hdmi", "tv"])
        + rows(line, ["spdif", "line", "aux", "radio", "video", "car", "hifi"])
        + [("usb", SERVER_USB_OUTPUT, SERVER_USB_INPUT), ("bluetooth", SERVER_A2DP, SERVER_HFP_INPUT)]

    /// The last of each list contain words of several rows.
    static let names: [Row] =
        rows(monitor, ["hdmi", "displayport", "hdmi-line"])
        + rows(line, ["iec958", "spdif", "s/pdif", "line", "aux", "input-video", "radio", "tvtuner"])
        + rows(headphones, ["headset", "headphone", "earphone", "virtual-surround-7.1", "headset-mic"])
        + rows(speaker, ["speaker", "mic", "microphone", "speaker-phone"])
        + rows(receiver, ["earpiece", "handset", "phone"])
        + rows(
            jackMicrophone,
            [
                "front-mic", "rear-mic", "dock-mic", "external-mic", "microphone-front", "microphone-rear", "microphone-dock",
                "microphone-external", "mic2",
            ])

    static let connectors: [Row] =
        rows(monitor, ["hdmi", "displayport"]) + rows(line, ["iec958", "spdif"]) + rows(headphones, ["headphones"])

    static let forms: [Row] =
        rows(headphones, ["headset", "headphone"]) + rows(receiver, ["handset"]) + rows(monitor, ["tv"])
        + rows(line, ["car", "hifi"])

    static let icons: [Row] = rows(headphones, ["headset", "headphone"]) + rows(monitor, ["video-display"])

    /// Checks both directions of a port that has this fact alone.
    private func expect(
        _ row: Row, _ text: String, location: SourceLocation = #_sourceLocation, _ set: (inout DescribedPort, String) -> Void
    ) {
        for isInput in [false, true] {
            var port = DescribedPort(device: "", source: "", kind: SERVER_SPEAKER, isInput: isInput)
            set(&port, text)
            #expect(port.portKind == (isInput ? row.input : row.output), "\(text) \(isInput)", sourceLocation: location)
        }
    }

    private static let nothing: Row = ("", SERVER_SPEAKER, SERVER_MICROPHONE)

    @Test("that is the type of a port, and no longer word, decides the kind", arguments: types)
    func type(row: Row) {
        expect(row, row.word) { $0.type = $1 }
        expect(row, row.word.uppercased()) { $0.type = $1 }
        expect(Self.nothing, row.word + "2") { $0.type = $1 }
        // The type decides before the name of the port.
        expect(row, row.word) {
            $0.type = $1
            $0.port = row.output == SERVER_HDMI ? "line" : "hdmi"
        }
    }

    @Test("that the name of a port contains decides the kind", arguments: names)
    func name(row: Row) {
        expect(row, "x-\(row.word)-y") { $0.port = $1 }
        expect(row, "[Out] \(row.word.uppercased())") { $0.port = $1 }
        // The name of the port decides before the form and the icon of the device.
        expect(row, row.word) {
            $0.port = $1
            ($0.form, $0.icon) = row.output == SERVER_HDMI ? ("car", "headset") : ("tv", "video-display")
        }
    }

    @Test("that a device without ports has in its profile, name or PCM device decides the kind", arguments: connectors)
    func connector(row: Row) {
        let other = row.output == SERVER_HDMI ? "spdif" : "hdmi"
        expect(row, "X \(row.word.uppercased())-stereo") { $0.profile = $1 }
        expect(row, "x.\(row.word)-stereo") { $0.node = $1 }
        expect(row, "x \(row.word) 0") { $0.pcm = $1 }
        expect(row, row.word) { ($0.profile, $0.node, $0.pcm) = ($1, other, other) }
        expect(row, row.word) { ($0.node, $0.pcm) = ($1, other) }
        expect(row, row.word) { ($0.pcm, $0.form) = ($1, row.output == SERVER_HDMI ? "car" : "tv") }
        expect(Self.nothing, row.word) { ($0.port, $0.profile, $0.node, $0.pcm) = ("analog", $1, $1, $1) }
    }

    @Test("that is the form of a device decides the kind", arguments: forms)
    func form(row: Row) {
        expect(row, row.word.uppercased()) { $0.form = $1 }
        expect(Self.nothing, row.word + "2") { $0.form = $1 }
        expect(row, row.word) { ($0.form, $0.icon) = ($1, row.output == SERVER_HDMI ? "headset" : "video-display") }
    }

    @Test("that the icon of a device contains decides the kind", arguments: icons)
    func icon(row: Row) {
        expect(row, "audio-\(row.word.uppercased())-usb") { $0.icon = $1 }
    }

    @Test("that says how a device is connected decides before all others")
    func transport() {
        let airPlay: Row = ("", SERVER_AIRPLAY, SERVER_LINE_IN)
        let bluetooth: Row = ("", SERVER_A2DP, SERVER_HFP_INPUT)
        let usb: Row = ("", SERVER_USB_OUTPUT, SERVER_USB_INPUT)
        /// A port that would be a line without this fact.
        func expectNoLine(_ row: Row, _ words: [String], _ set: (inout DescribedPort, String) -> Void) {
            for word in words {
                expect(row, word) {
                    ($0.type, $0.port) = ("line", "line")
                    set(&$0, $1)
                }
            }
        }
        expectNoLine(airPlay, ["raop", "RAOP"]) { $0.api = $1 }
        expectNoLine(airPlay, ["raop_sink.x"]) { $0.node = $1 }
        expectNoLine(bluetooth, ["bluetooth", "Bluetooth"]) { $0.bus = $1 }
        expectNoLine(bluetooth, ["bluez", "bluez5"]) { $0.api = $1 }
        expectNoLine(bluetooth, ["bluez_output.x"]) { ($0.node, $0.bus) = ($1, "usb") }
        expectNoLine(Self.nothing, ["tunnel.host"]) { ($0.node, $0.bus) = ($1, "usb") }
        expectNoLine(Self.nothing, ["x"]) { ($0.node, $0.isNetwork) = ($1, true) }
        expectNoLine(usb, ["usb", "USB"]) { $0.bus = $1 }
        expect(("", SERVER_LINE_OUT, SERVER_LINE_IN), "x") {
            ($0.type, $0.port) = ("line", "line")
            ($0.bus, $0.api, $0.node) = ($1, "x-raop", "x-raop_")
        }
    }

    @Test("that names a monitor makes an output at USB that of the monitor")
    func monitors() {
        let monitor: Row = ("", SERVER_HDMI, SERVER_USB_INPUT)
        expect(monitor, "hdmi") { ($0.bus, $0.type) = ("usb", $1) }
        for name in ["x-HDMI-y", "displayport"] { expect(monitor, name) { ($0.bus, $0.port) = ("usb", $1) } }
        expect(("", SERVER_USB_OUTPUT, SERVER_USB_INPUT), "tv") { ($0.bus, $0.type) = ("usb", $1) }
    }

    private static let links: [(words: [String], link: bluetooth_link)] = [
        (
            [
                "gateway", "a2dp-source", "a2dp_source", "bap-source", "headset-gateway", "hfp_gateway", "off", "",
            ], BLUETOOTH_OTHER
        ),
        (["a2dp", "bap-sink", "asha", "a2dp-sink-sbc"], BLUETOOTH_MUSIC),
        (
            [
                "headset", "handsfree", "hands-free", "head-unit", "head_unit", "hfp", "hsp", "bap-duplex",
            ], BLUETOOTH_CALL
        ),
    ]

    @Test("in a profile of Bluetooth says what the link is for", arguments: links.indices)
    func link(row: Int) {
        let (words, link) = Self.links[row]
        for word in words {
            #expect(link_of_profile(word) == link && link_of_profile("X \(word.uppercased()) y") == link, "\(word)")
        }
    }

    @Test("in the protocol of a Bluetooth device decides before its profile, and that before its name")
    func bluetooth() {
        let call: Row = ("", SERVER_HFP_OUTPUT, SERVER_HFP_INPUT)
        let music: Row = ("", SERVER_A2DP, SERVER_HFP_INPUT)
        for (first, second) in [(call, "a2dp-sink"), (music, "hfp")] {
            let word = second == "hfp" ? "a2dp" : "hsp"
            expect(first, word) { ($0.bus, $0.link, $0.profile, $0.node) = ("bluetooth", $1, second, "bluez_.\(second)") }
            expect(first, word) { ($0.bus, $0.profile, $0.node) = ("bluetooth", $1, "bluez_.\(second)") }
            expect(first, "bluez_.\(word)") { ($0.bus, $0.link, $0.profile, $0.node) = ("bluetooth", "off", "off", $1) }
        }
        // Any other name says nothing.
        expect(music, "x.bluez_.hfp") { ($0.bus, $0.node) = ("bluetooth", $1) }
        expect(call, "audio-gateway") { ($0.bus, $0.link, $0.profile) = ("bluetooth", $1, "a2dp") }
    }
}
