// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// The definition of a stream of a sound server: its device, and what the server and its mixer programs learn of it.
struct ServerStream {
    let server: ServerKind
    /// The name of the device for programs: "default", "pipewire:NODE=alsa_output.usb".
    let device: String
    let title: String
    let role: StreamRole?

    /// The names for a program whose format ALSA converts, and for a stream that takes the format of the server.
    var converting: [String] { ["{ type plug slave.pcm \(definition) }", "plug:'\(device)'"] }
    var direct: [String] { [definition, "{ type plug slave.pcm \(definition) }", device] }

    /// The server's name of the sink or source. Empty for the default: the server itself moves streams to another default.
    private var node: String {
        let parts = device.parts { $0 == UInt8(ascii: "=") }
        return parts.count == 2 ? parts[1] : ""
    }

    /// A definition in ALSA's configuration. PulseAudio's plug-in has no field for a title or a role.
    private var definition: String {
        switch server {
        case .pulseAudio:
            return "{ type pulse\(field("device", node)) }"
        case .pipeWire:
            let nodes = field("playback_node", node) + field("capture_node", node)
            let role = role.map { field("role", "\($0.name)") } ?? ""
            return "{ type pipewire\(field("name", title))\(role)\(nodes) }"
        }
    }

    /// Empty for an empty value.
    private func field(_ name: StaticString, _ value: String) -> String { value.isEmpty ? "" : " \(name) \(value.inQuotes)" }
}

extension String {
    /// A text in the configuration of ALSA or PipeWire. Quotes, backslashes and control characters, which the syntax would read,
    /// become blanks.
    public var inQuotes: String {
        var plain: [UInt8] = []
        for byte in utf8 {
            let isSyntax = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            plain.append(isSyntax ? 0x20 : byte)
        }
        return "\"\(String(decoding: plain, as: UTF8.self))\""
    }
}

/// The role of a stream, by which a session manager chooses a headset's profile or stores a volume. Playback of media has none:
/// WirePlumber 0.4 stores one volume for all programs of a role.
enum StreamRole: Sendable {
    case communication, notification

    var name: StaticString { self == .communication ? "Communication" : "Notification" }
}
