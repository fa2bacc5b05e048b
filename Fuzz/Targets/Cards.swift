// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    @testable import ALSAHardware
    import SessionModel

    /// The description of a card: lines of a kind and a name.
    @c(fuzz_names) public func fuzzNames(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        return describe(card(&input), overrides: CardOverrides([]), input.number())
    }

    /// Overrides of the configuration: lines of a name and a value. The description of the card follows.
    @c(fuzz_overrides) public func fuzzOverrides(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        var settings: [Setting] = []
        while !input.isEmpty, settings.count < 64 {
            let name = input.text(upTo: 0x20)
            if name.isEmpty { break }
            settings.append(Setting(name: name, value: input.text(upTo: 0x0A)))
        }
        let overrides = CardOverrides(settings)
        for port in overrides.ports where port.port(arrival: 1) == nil { return false }
        return describe(card(&input), overrides: overrides, input.number())
    }

    private func card(_ input: inout Input) -> CardFacts {
        var facts = CardFacts(id: "PCH", driver: "HDA-Intel", name: "card", longName: "card")
        while !input.isEmpty, facts.elements.count < 64, facts.pcms.count < 16 {
            let kind = input.byte()
            let parameter = input.byte()
            let name = input.text(upTo: 0x0A)
            switch kind & 7 {
            case 0: facts.driver = name
            case 1: facts.id = name
            case 2, 3:
                facts.pcms.append(
                    PCMFacts(device: UInt32(parameter), isPlayback: kind & 1 == 0, id: name, name: name, substreams: UInt32(kind))
                )
            case 4:
                facts.elements.append(
                    ElementFacts(number: number(facts), interface: .card, name: name, device: UInt32(parameter), kind: .boolean))
            default:
                facts.elements.append(
                    ElementFacts(
                        number: number(facts), interface: kind & 8 == 0 ? .mixer : .pcm, name: name, index: UInt32(parameter & 3),
                        device: UInt32(parameter & 3), kind: ElementFacts.Kind(rawValue: UInt32(kind % 3) + 1) ?? .integer,
                        count: UInt32(parameter), least: parameter & 1 == 0 ? 0 : Int32.min,
                        most: parameter & 2 == 0 ? 100 : Int32.max,
                        isWritable: parameter & 4 != 0, items: [name]))
            }
        }
        return facts
    }

    private func number(_ facts: CardFacts) -> UInt32 { UInt32(facts.elements.count) + 1 }

    private func describe(_ facts: CardFacts, overrides: CardOverrides, _ value: UInt32) -> Bool {
        for element in facts.elements { _ = Jack(controlName: element.name) }
        var state = CardState(facts, plans: facts.plans(overrides.card(facts.id)))
        for element in state.watched { state.values.set(element, to: [Int32(bitPattern: value), 1]) }
        for plan in state.present {
            let port = state.port(plan, arrival: 1)
            if let volume = port.volume, !(0...1).contains(volume) { return false }
            if let gain = port.gain, !(0...1).contains(gain) { return false }
            if let element = facts.element(plan.level.volume) {
                let written = element.value(of: Float(bitPattern: value))
                if written < min(element.least, element.most) || written > max(element.least, element.most) { return false }
            }
        }
        return true
    }
#endif
