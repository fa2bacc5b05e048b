// SPDX-License-Identifier: Apache-2.0
import SessionModel

/// The description of a card, the ports that follow from it, and the current values of its elements.
struct CardState: Equatable, Sendable {
    let facts: CardFacts
    let plans: [PortPlan]
    /// The values of the watched elements.
    var values = ElementValues()
    /// The streams that were configured at the last update.
    var setups: [ActiveSetup] = []

    init(_ facts: CardFacts, plans: [PortPlan]) {
        self.facts = facts
        self.plans = plans
    }

    /// The elements whose values decide the state of a port.
    var watched: [UInt32] {
        var numbers: [UInt32] = []
        for plan in plans {
            for number in plan.watched where !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    var present: [PortPlan] { plans.filter { isPresent($0) } }
    func isPresent(_ plan: PortPlan) -> Bool { plan.jacks.isEmpty || plan.jacks.contains(where: isTrue) }

    func port(_ plan: PortPlan, arrival: UInt32) -> Port {
        let level = reading(of: plan.level)
        return Port(
            kind: plan.kind, device: arrival, uid: "\(facts.id):\(plan.key)", name: plan.name,
            alsaDevice: plan.alsaDevice ?? facts.device(plan.pcm), channels: plan.channels,
            volume: plan.kind.isInput ? nil : level, gain: plan.kind.isInput ? level : nil, latency: latency(of: plan),
            selectables: selectables(of: plan), selected: plan.selector.flatMap { values[$0]?.first },
            isHeadset: plan.headsetJacks.contains(where: isTrue))
    }

    // MARK: Streams

    /// The time from the program's buffer to the sound: one period, and the transport of the kind of port.
    private func latency(of plan: PortPlan) -> Float {
        let usualPeriod = 1024.0 / 48_000
        let address = address(of: plan)
        let period = setups.first { $0.address == address }.map { $0.setup.period / $0.setup.rate } ?? usualPeriod
        return Float(period + plan.kind.transport)
    }

    /// The devices of all present ports.
    var presentAddresses: [PCMAddress] {
        var found: [PCMAddress] = []
        for address in present.compactMap({ address(of: $0) }) where !found.contains(address) { found.append(address) }
        return found
    }

    /// Nil for a port that is not a PCM device of the card.
    func address(of plan: PortPlan) -> PCMAddress? {
        facts.pcms.first { $0.device == plan.pcm && $0.isPlayback != plan.kind.isInput }.map { address(of: $0) }
    }

    var playbackAddresses: [PCMAddress] { facts.pcms.filter { $0.isPlayback }.map { address(of: $0) } }

    private func address(of pcm: PCMFacts) -> PCMAddress {
        PCMAddress(card: facts.index, device: pcm.device, isPlayback: pcm.isPlayback, substreams: pcm.substreams)
    }

    // MARK: Values

    private func isTrue(_ number: UInt32) -> Bool { values[number]?.contains { $0 != 0 } ?? false }

    private func selectables(of plan: PortPlan) -> [Selectable] {
        var found: [Selectable] = []
        for item in facts.element(plan.selector)?.items ?? [] {
            found.append(Selectable(id: Int32(clamping: found.count), name: item))
        }
        return found
    }

    /// The level of the loudest channel that is not muted, from 0 to 1.
    private func reading(of level: Level) -> Float? {
        let isMuted = level.mute.map { !isTrue($0) } ?? false
        guard let volume = facts.element(level.volume) else { return isMuted ? 0 : nil }
        let switches = level.mute.flatMap { values[$0] } ?? []
        let levels = values[volume.number] ?? []
        var loudest: Int32?
        for (channel, value) in levels.enumerated() where switches.count != levels.count || switches[channel] != 0 {
            loudest = max(loudest ?? value, value)
        }
        guard let loudest, !isMuted else { return 0 }
        return volume.fraction(of: loudest)
    }
}

extension PortKind {
    /// The delay of the link in seconds, which the kernel does not report.
    var transport: Double {
        switch self {
        case .usbInput, .usbOutput: 0.002
        case .bluetoothHFPInput, .bluetoothHFPOutput: 0.06
        case .bluetoothA2DP: 0.15
        case .airPlay: 2
        default: 0
        }
    }
}

extension ElementFacts {
    /// A value as a fraction of the range, as mixer programs show it.
    func fraction(of value: Int32) -> Float {
        guard most > least else { return 1 }
        let range = Double(most) - Double(least)
        return Float(min(max((Double(value) - Double(least)) / range, 0), 1))
    }

    func value(of fraction: Float) -> Int32 {
        guard fraction.isFinite else { return least }
        let range = Double(most) - Double(least)
        return Int32((Double(least) + Double(min(max(fraction, 0), 1)) * range).rounded())
    }
}
