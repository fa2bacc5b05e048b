// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// The devices that can be plugged, and their ports.
private let devices: [(name: String, kinds: [PortKind])] = [
    ("nothing", []),
    ("headphones", [.headphones]),
    ("headset", [.headsetMicrophone, .headphones]),
    ("line-out", [.lineOut]),
    ("line-in", [.lineIn]),
    ("hdmi", [.hdmi]),
    ("usb", [.usbInput, .usbOutput]),
    ("bluetooth-hfp", [.bluetoothHFPInput, .bluetoothHFPOutput]),
    ("bluetooth-a2dp", [.bluetoothA2DP]),
    ("airplay", [.airPlay]),
]

private func ports(_ name: String, _ kinds: [PortKind]) -> [Port] {
    let all: [PortKind] = [.builtInReceiver, .builtInSpeaker, .builtInMicrophone] + kinds
    return all.enumerated().map { index, kind in
        // A plugged device is one device; the built-in ports are three.
        Port(
            kind: kind, device: UInt32(min(index, 3)), uid: "\(kind)", name: name, alsaDevice: "null", channels: 2,
            isHeadset: name == "headset")
    }
}

/// Settings of a session with their name in four-character codes.
private struct Use {
    let name: String
    let settings: SessionSettings

    init(_ category: Category, _ change: (inout SessionSettings) throws -> SessionProperty? = { _ in nil }) {
        var settings = SessionSettings()
        settings.setCategory(category)
        let changed = try? change(&settings)
        self.settings = settings
        name = FourCC.text(category.rawValue) + (changed.map { "+" + FourCC.text($0.rawValue) } ?? "")
    }

    func route(with device: (name: String, kinds: [PortKind])) -> Route {
        Route(for: settings, among: ports(device.name, device.kinds))
    }
}

private func defaultingToSpeaker(_ settings: inout SessionSettings) throws -> SessionProperty? {
    try settings.setDefaultsToSpeaker(true)
    return .overrideCategoryDefaultToSpeaker
}

private func enablingBluetoothInput(_ settings: inout SessionSettings) throws -> SessionProperty? {
    try settings.setEnablesBluetoothInput(true)
    return .overrideCategoryEnableBluetoothInput
}

private let uses: [Use] =
    Category.allCases.filter { $0.equivalent == $0 }.map { Use($0) } + [
        Use(.playAndRecord, defaultingToSpeaker), Use(.playAndRecord, enablingBluetoothInput),
        Use(.recordAudio, enablingBluetoothInput),
    ]

/// One row for each device and route; settings with the same route share a row.
func routeTable() -> Table {
    var table = Table("Plugged in", "Input", "Output", "Category")
    for device in devices {
        var found: [(route: [String], uses: [Use])] = []
        for use in uses where use.settings.category != .audioProcessing {
            let route = use.route(with: device)
            let cells = [types(route.inputs), types(route.outputs)]
            if let place = found.firstIndex(where: { $0.route == cells }) {
                // Omits an override that does not change the route.
                let isPlain = found[place].uses.contains { $0.settings.category == use.settings.category }
                if !isPlain { found[place].uses.append(use) }
            } else {
                found.append((cells, [use]))
            }
        }
        for (index, row) in found.enumerated() {
            table.rows.append(
                [index == 0 ? device.name : ""] + row.route + [
                    row.uses.map(\.name).joined(separator: " ").replacing("'", with: "")
                ])
        }
    }
    return table
}

private func types(_ ports: [Port]) -> String {
    ports.isEmpty ? "none" : ports.map { "\($0.kind.type)" }.joined(separator: ", ")
}

/// The names of AudioRoute, with a route that has each name.
func oldRouteTable() -> Table {
    var table = Table("AudioRoute", "Output", "Input")
    var seen: Set<String> = []
    // Every pair of devices, so that every possible name occurs.
    let pairs = devices.flatMap { first in
        devices.map { (first.name == "nothing" ? $0.name : first.name, first.kinds + $0.kinds) }
    }
    for use in uses {
        for pair in pairs {
            let route = use.route(with: (pair.0, pair.1))
            guard use.settings.category != .multiRoute else { continue }
            let name = "\(OldRouteName(of: route, in: use.settings.category).text)"
            let isHeadset = route.outputs.first?.isHeadset == true ? " of a headset" : ""
            let row = ["\"\(name)\"", types(route.outputs) + isHeadset, types(route.inputs)]
            if seen.insert(name).inserted { table.rows.append(row) }
        }
    }
    return table
}
