// SPDX-License-Identifier: Apache-2.0
import CServerModules
import SessionModel

/// A port of a sink or source of a sound server, as the module of the server describes it.
struct ServerPort: Equatable, Sendable {
    var kind: PortKind
    var channels: UInt32 = 2
    /// The volume of an output, 0 while it is muted, or the gain of an input. Nil without a control.
    var volume: Float?
    /// The number of streams of other processes that run on the device.
    var others: UInt32 = 0
    /// The port in use of the server's default sink or source.
    var isDefault = false
    /// A port of the server's default sink or source, in use or not.
    var isOnDefault = false
    var isHeadset = false
    var uid: String
    /// Equal for the ports of one physical device.
    var device: String
    var name: String
    /// The server's name of the sink or source; empty while the card needs another profile for the port.
    var node: String
    /// The number of the last choice of the port as the server's default; 0: it was never chosen.
    var choice: UInt32 = 0
}

extension ServerPort {
    /// Nil for a kind that this version does not know.
    init?(_ port: server_port) {
        guard let kind = UInt8(exactly: port.kind).flatMap({ PortKind(rawValue: $0) }) else { return nil }
        self.init(
            kind: kind, channels: max(port.channels, 1), volume: port.volume >= 0 ? min(port.volume, 1) : nil,
            others: port.others,
            isDefault: port.is_default != 0, isOnDefault: port.is_on_default != 0, isHeadset: port.is_headset != 0,
            uid: ServerPort.text(port.uid), device: ServerPort.text(port.device), name: ServerPort.text(port.name),
            node: ServerPort.text(port.node))
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    /// The port as programs reach it. `all`: the ports of the server.
    func port(
        behind server: ServerKind, arrival: UInt32, default usual: String = "default", among all: [ServerPort] = []
    ) -> Port {
        let usualPeriod = 1024.0 / 48_000
        return Port(
            kind: kind, device: arrival, order: order(after: arrival), uid: uid, name: name,
            alsaDevice: alsaDevice(of: server, among: all) ?? usual,
            server: server, needsProfile: node.isEmpty, channels: channels,
            volume: kind.isInput ? nil : volume,
            gain: kind.isInput ? volume : nil, latency: Float(usualPeriod + kind.transport), isHeadset: isHeadset)
    }

    private func order(after arrival: UInt32) -> UInt32 { kind.isBuiltIn ? choice : max(arrival, choice) }

    /// The name for programs that open the device themselves. Nil for the default sink or source, also while the server changes its
    /// port: a stream stays open. Nil for a node that ALSA's syntax cannot name, which is reached as the default.
    /// While a Bluetooth headset is in a call, its output for music has no sink: what plays there goes on through the sink of the
    /// call, and not through the default.
    private func alsaDevice(of server: ServerKind, among all: [ServerPort]) -> String? {
        if node.isEmpty, kind == .bluetoothA2DP,
            let call = all.firstIndex(where: { $0.device == device && !$0.kind.isInput && !$0.node.isEmpty })
        {
            return all[call].alsaDevice(of: server, among: [])
        }
        let isPlain = node.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\"")
                && byte > 0x20 && byte < 0x7F
        }
        guard !isOnDefault, !node.isEmpty, isPlain else { return nil }
        return "\(server == .pulseAudio ? "pulse:DEVICE" : "pipewire:NODE")=\(node)"
    }
}
