// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

// The mixer element that is the volume of a port. Drivers name volumes and switches "Master Playback Volume" and
// "Master Playback Switch", and leave the direction out for a card with one direction or a common control.
extension CardFacts {
    func outputLevel(for kind: PortKind) -> Level {
        let wanted =
            switch kind {
            case .hdmi: LevelNames.hdmi
            case .headphones: LevelNames.headphones
            case .usbOutput: LevelNames.usbOutput
            case .lineOut: LevelNames.lineOut
            default: LevelNames.speaker
            }
        let volumes = mixer.compactMap { LevelName($0, of: .playback) }
        return level(
            wanted, volumes, .playback, otherwise: kind == .hdmi ? nil : volumes.first { $0.isDirected && !$0.isOfAnInput })
    }

    func inputLevel(for kind: PortKind) -> Level {
        let wanted =
            switch kind {
            case .lineIn: LevelNames.lineIn
            case .usbInput: LevelNames.usbInput
            default: LevelNames.microphone
            }
        let volumes = mixer.compactMap { LevelName($0, of: .capture) }
        return level(wanted, volumes, .capture, otherwise: volumes.first { $0.isDirected && !$0.base.holds("Boost") })
    }

    /// By the name that mixer programs show, or by the name of the control: "Master", "name='HP Playback Volume'".
    func outputLevel(named name: String) -> Level {
        level(named: name, mixer.compactMap { LevelName($0, of: .playback) }, .playback)
    }
    func inputLevel(named name: String) -> Level {
        level(named: name, mixer.compactMap { LevelName($0, of: .capture) }, .capture)
    }

    private func level(named name: String, _ volumes: [LevelName], _ direction: Direction) -> Level {
        let quoted = name.parts(withEmpty: true) { $0 == 0x27 }
        let plain = quoted.count == 3 ? quoted[1] : name
        let chosen = volumes.first { $0.base == plain || $0.element.name == plain }
        return Level(volume: chosen?.element.number, mute: chosen.flatMap { mute(of: $0, direction) })
    }

    private var mixer: [ElementFacts] { elements.filter { $0.interface == .mixer } }

    private func level(
        _ wanted: [StaticString], _ volumes: [LevelName], _ direction: Direction, otherwise: LevelName?
    ) -> Level {
        for base in wanted {
            if let chosen = volumes.first(where: { $0.base == "\(base)" && $0.element.index == 0 }) {
                return Level(volume: chosen.element.number, mute: mute(of: chosen, direction))
            }
        }
        return Level(volume: otherwise?.element.number, mute: otherwise.flatMap { mute(of: $0, direction) })
    }

    /// Only outputs have a mute state. A switch does not change the gain of an input.
    private func mute(of level: LevelName, _ direction: Direction) -> UInt32? {
        guard direction == .playback else { return nil }
        let names = ["\(level.base) \(direction.name) Switch", "\(level.base) Switch"]
        return mixer.first { names.contains($0.name) && $0.kind == .boolean && $0.index == level.element.index }?.number
    }

    /// The element that chooses what a USB device records from or plays to.
    func selector(isInput: Bool) -> UInt32? {
        let chosen = mixer.first { element in
            guard element.kind == .enumerated, element.isWritable, element.items.count > 1 else { return false }
            let name = element.name.folded
            let isOfInput = name.holds("capture") || name.holds("input") || name.holds("mic")
            let isOfOutput = name.holds("playback") || name.holds("output")
            let isChoice = name.holds("source") || name.holds("select") || name.holds("route") || name.holds("destination")
            return isChoice && (isInput ? isOfInput : isOfOutput && !isOfInput)
        }
        return chosen?.number
    }
}

private enum Direction {
    case playback, capture

    var name: StaticString { self == .playback ? "Playback" : "Capture" }

    /// The name without the direction at its end; nil for a name that ends otherwise.
    func removed(from name: String) -> String? {
        self == .playback ? name.without(ending: " Playback") : name.without(ending: " Capture")
    }
}

/// The parts of the name of a volume.
private struct LevelName {
    let element: ElementFacts
    /// "Master" of "Master Playback Volume"; "Capture" of "Capture Volume".
    let base: String
    let isDirected: Bool

    init?(_ element: ElementFacts, of direction: Direction) {
        guard element.kind == .integer, element.most > element.least, let name = element.name.without(ending: " Volume") else {
            return nil
        }
        self.element = element
        if name == "\(direction.name)" {
            base = name
            isDirected = true
        } else if let bare = direction.removed(from: name) {
            base = bare
            isDirected = true
        } else if name.without(ending: "Playback") == nil, name.without(ending: "Capture") == nil {
            base = name
            isDirected = false
        } else {
            return nil
        }
    }

    /// The playback volume of an input that is mixed into the output.
    var isOfAnInput: Bool {
        let name = base.folded
        return name.holds("mic") || name.holds("line in") || name == "line" || name == "cd" || name == "aux" || name.holds("beep")
            || name.holds("sidetone") || name.holds("loopback") || name.holds("boost")
    }
}

/// The names of the level of each kind of port, the most likely first.
private enum LevelNames {
    static let hdmi: [StaticString] = ["HDMI"]
    static let headphones: [StaticString] = ["Master", "Headphone", "Headphones", "PCM", "Digital", "Front"]
    static let usbOutput: [StaticString] = ["PCM", "Master", "Speaker", "Headset", "Headphone"]
    static let lineOut: [StaticString] = ["Master", "Line Out", "Lineout", "PCM", "Digital", "Front"]
    static let speaker: [StaticString] = ["Master", "Speaker", "PCM", "Digital", "Front"]
    static let lineIn: [StaticString] = ["Capture", "Line", "ADC", "Digital"]
    static let usbInput: [StaticString] = ["Mic", "Capture", "PCM"]
    static let microphone: [StaticString] = ["Capture", "Internal Mic", "Mic", "ADC", "Digital"]
}
