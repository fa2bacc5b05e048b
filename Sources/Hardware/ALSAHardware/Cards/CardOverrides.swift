// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// One line of `defaults.audiosession` in the user's configuration: "cards.PCH.output", "headphones".
struct Setting: Equatable, Sendable {
    let name: String
    let value: String
}

/// The user's statements about cards and ports, in the ALSA configuration:
///
///     defaults.audiosession {
///         cards.PCH.output headphones      # or receiver, speaker, line-out, hdmi, usb, ..., none
///         cards.PCH.input none             # or microphone, headset, line-in, usb, ...
///         cards.PCH.volume "Headphone"     # the mixer's name of the output's volume
///         cards.PCH.gain "Line"            # the mixer's name of the input's
///         ports.car {                      # a port that no card shows
///             kind bluetooth-a2dp
///             device "bluealsa:DEV=00:11:22:33:44:55"
///             name "The car"
///             channels 2
///         }
///         headset.profile keep             # a call does not change the profile of a Bluetooth headset
///     }
struct CardOverrides: Equatable, Sendable {
    struct Card: Equatable, Sendable {
        var id: String
        var output: Choice?
        var input: Choice?
        var volume: String?
        var gain: String?
    }

    enum Choice: Equatable, Sendable {
        case none
        case port(PortKind)
    }

    struct ExtraPort: Equatable, Sendable {
        var key: String
        var kind: PortKind?
        var device: String?
        var name: String?
        var channels: UInt32 = 2
    }

    private(set) var cards: [Card] = []
    private(set) var ports: [ExtraPort] = []
    private(set) var keepsProfiles = false

    init(_ settings: [Setting]) {
        for setting in settings where !apply(setting) {
            Log.debug("defaults.audiosession.\(setting.name) \(setting.value): not understood, ignored")
        }
        for port in ports where port.kind == nil || port.device == nil {
            Log.debug("defaults.audiosession.ports.\(port.key): needs a kind and a device, ignored")
        }
        ports = ports.filter { $0.kind != nil && $0.device != nil }
    }

    func card(_ id: String) -> Card? { cards.first { $0.id == id } }

    // MARK: Parsing

    private mutating func apply(_ setting: Setting) -> Bool {
        let path = setting.name.parts { $0 == 0x2E }
        if setting.name == "headset.profile" {
            keepsProfiles = setting.value == "keep"
            return keepsProfiles
        }
        guard path.count == 3 else { return false }
        switch path[0] {
        case "cards": return changeCard(path[1], path[2], setting.value)
        case "ports": return changePort(path[1], path[2], setting.value)
        default: return false
        }
    }

    private mutating func changeCard(_ id: String, _ field: String, _ value: String) -> Bool {
        var card = card(id) ?? Card(id: id)
        switch field {
        case "output": card.output = Choice(value, isInput: false)
        case "input": card.input = Choice(value, isInput: true)
        case "volume": card.volume = value
        case "gain": card.gain = value
        default: return false
        }
        if field == "output", card.output == nil { return false }
        if field == "input", card.input == nil { return false }
        cards = cards.filter { $0.id != id }
        cards.append(card)
        return true
    }

    private mutating func changePort(_ key: String, _ field: String, _ value: String) -> Bool {
        var port = ports.first { $0.key == key } ?? ExtraPort(key: key)
        switch field {
        case "kind": port.kind = PortKind(word: value)
        case "device": port.device = value
        case "name": port.name = value
        case "channels":
            guard let channels = value.number(), (1...64).contains(channels) else { return false }
            port.channels = channels
        default: return false
        }
        if field == "kind", port.kind == nil { return false }
        ports = ports.filter { $0.key != key }
        ports.append(port)
        return true
    }
}

extension CardOverrides.Choice {
    init?(_ word: String, isInput: Bool) {
        if word == "none" {
            self = .none
        } else {
            guard let kind = PortKind(word: word, isInput: isInput) else { return nil }
            self = .port(kind)
        }
    }
}

// MARK: Application

extension CardFacts {
    /// The ports of the card with the user's overrides.
    func plans(_ overrides: CardOverrides.Card?) -> [PortPlan] {
        var plans = plans
        guard let overrides else { return plans }
        if let output = overrides.output { replace(&plans, isInput: false, by: output) }
        if let input = overrides.input { replace(&plans, isInput: true, by: input) }
        for index in plans.indices {
            if plans[index].kind.isInput {
                if let gain = overrides.gain { plans[index].level = inputLevel(named: gain) }
            } else if let volume = overrides.volume {
                plans[index].level = outputLevel(named: volume)
            }
        }
        return plans
    }

    private func replace(_ plans: inout [PortPlan], isInput: Bool, by choice: CardOverrides.Choice) {
        let before = plans.first { $0.kind.isInput == isInput }
        plans = plans.filter { $0.kind.isInput != isInput }
        guard case .port(let kind) = choice, let pcm = pcms.first(where: { $0.isPlayback != isInput }) else { return }
        plans.append(
            PortPlan(
                kind: kind, name: name, key: isInput ? "input" : "output", group: "card", pcm: before?.pcm ?? pcm.device,
                channels: before?.channels ?? 2, level: isInput ? inputLevel(for: kind) : outputLevel(for: kind),
                selector: before?.selector, evidence: .user))
    }
}
