// SPDX-License-Identifier: Apache-2.0
@testable import ALSAHardware

// Short descriptions of cards: "p3 HDMI 0" is the playback direction of device 3. The name of a control decides
// its kind.
extension CardFacts {
    static func card(
        _ id: String, driver: String = "HDA-Intel", pcms: [String], controls: [String] = [], more: [ElementFacts] = []
    ) -> CardFacts {
        var facts = CardFacts(id: id, driver: driver, name: id, longName: id)
        for pcm in pcms {
            let words = pcm.split(separator: " ", maxSplits: 1)
            let name = words.count > 1 ? String(words[1]) : ""
            facts.pcms.append(
                PCMFacts(
                    device: UInt32(words[0].dropFirst()) ?? 0, isPlayback: words[0].hasPrefix("p"), id: name, name: name,
                    substreams: 1))
        }
        for name in controls { facts.elements.append(.control(name, number: UInt32(facts.elements.count + 1))) }
        facts.elements += more
        return facts
    }

    func element(_ name: String) -> ElementFacts? { elements.first { $0.name == name } }
    func name(of number: UInt32?) -> String? { element(number)?.name }
}

extension ElementFacts {
    static func control(_ name: String, number: UInt32) -> ElementFacts {
        if name.hasSuffix("Jack") { return ElementFacts(number: number, interface: .card, name: name, kind: .boolean) }
        if name.hasSuffix("Switch") {
            return ElementFacts(number: number, interface: .mixer, name: name, kind: .boolean, count: 2, isWritable: true)
        }
        if name.hasSuffix("Map") { return ElementFacts(number: number, interface: .pcm, name: name, kind: .integer, count: 2) }
        return ElementFacts(
            number: number, interface: .mixer, name: name, kind: .integer, count: 2, least: 0, most: 100, isWritable: true)
    }
}

extension CardState {
    /// With these jacks in use, and all other elements 0.
    init(_ facts: CardFacts, plugged: [String] = [], values named: [String: [Int32]] = [:]) {
        self.init(facts, plans: facts.plans)
        for number in watched { values.set(number, to: [0]) }
        for name in plugged { if let element = facts.element(name) { values.set(element.number, to: [1]) } }
        for (name, value) in named { if let element = facts.element(name) { values.set(element.number, to: value) } }
    }

    var keys: [String] { present.map(\.key) }
}
