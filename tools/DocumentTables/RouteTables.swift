import SessionModel

/// What can be plugged into a phone, and the ports it brings.
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
        // What is plugged is one device, what is built in is three.
        Port(
            kind: kind, device: UInt32(min(index, 3)), uid: "\(kind)", name: name, alsaDevice: "null", channels: 2,
            isHeadset: name == "headset")
    }
}

/// A way of using the machine, in four-character codes.
private struct Use {
    let name: String
    let settings: SessionSettings

    init(_ category: Category, _ change: (inout SessionSettings) throws -> Property? = { _ in nil }) {
        var settings = SessionSettings()
        settings.setCategory(category)
        let changed = try? change(&settings)
        self.settings = settings
        name = code(category.rawValue) + (changed.map { "+" + code($0.rawValue) } ?? "")
    }

    func route(with device: (name: String, kinds: [PortKind])) -> Route {
        Route(for: settings, among: ports(device.name, device.kinds))
    }
}

private func defaultingToSpeaker(_ settings: inout SessionSettings) throws -> Property? {
    try settings.setDefaultsToSpeaker(true)
    return .overrideCategoryDefaultToSpeaker
}

private func enablingBluetoothInput(_ settings: inout SessionSettings) throws -> Property? {
    try settings.setEnablesBluetoothInput(true)
    return .overrideCategoryEnableBluetoothInput
}

private let uses: [Use] =
    Category.allCases.filter { $0.equivalent == $0 }.map { Use($0) } + [
        Use(.playAndRecord, defaultingToSpeaker), Use(.playAndRecord, enablingBluetoothInput),
        Use(.recordAudio, enablingBluetoothInput),
    ]

/// A row for each device and each different route; uses that share a route share the row.
func routeTable() -> Table {
    var table = Table("Plugged in", "Input", "Output", "Category")
    for device in devices {
        var found: [(route: [String], uses: [Use])] = []
        for use in uses where use.settings.category != .audioProcessing {
            let route = use.route(with: device)
            let cells = [types(route.inputs), types(route.outputs)]
            if let place = found.firstIndex(where: { $0.route == cells }) {
                // An override that changes nothing is not worth a word.
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

/// The one-word names, by what makes them.
func oldRouteTable() -> Table {
    var table = Table("AudioRoute", "Output", "Input")
    var seen: Set<String> = []
    // Every pair of things, so that each name that can come does.
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
