import SessionModel

/// What a card said, which ports that makes, and the values that decide how these are now.
struct CardState: Equatable, Sendable {
    let facts: CardFacts
    let plans: [PortPlan]
    /// Of the elements that are watched.
    var values = ElementValues()
    /// Of the streams that were set up when they were last looked at.
    var setups: [PlacedSetup] = []

    init(_ facts: CardFacts, plans: [PortPlan]) {
        self.facts = facts
        self.plans = plans
    }

    /// The elements whose values matter.
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

    /// From a program's buffer to the air: a period, since that much is handed over at a time, and the way
    /// of the kind of port.
    private func latency(of plan: PortPlan) -> Float {
        let usualPeriod = 1024.0 / 48_000
        let place = place(of: plan)
        let period = setups.first { $0.place == place }.map { $0.setup.period / $0.setup.rate } ?? usualPeriod
        return Float(period + plan.kind.transport)
    }

    /// What the streams of the ports that are there are set up for now.
    var currentSetups: [PlacedSetup] {
        var found: [PlacedSetup] = []
        for place in present.compactMap({ place(of: $0) }) where !found.contains(where: { $0.place == place }) {
            if let setup = place.setup { found.append(PlacedSetup(place: place, setup: setup)) }
        }
        return found
    }

    /// Nil for a port whose sound goes elsewhere than to a PCM device of the card.
    func place(of plan: PortPlan) -> PCMPlace? {
        facts.pcms.first { $0.device == plan.pcm && $0.isPlayback != plan.kind.isInput }.map { place(of: $0) }
    }

    var playbackPlaces: [PCMPlace] { facts.pcms.filter { $0.isPlayback }.map { place(of: $0) } }

    private func place(of pcm: PCMFacts) -> PCMPlace {
        PCMPlace(card: facts.index, device: pcm.device, isPlayback: pcm.isPlayback, substreams: pcm.substreams)
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

    /// The loudest channel that is not muted, from 0 to 1.
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
    /// Seconds that a link adds, where the kernel does not see it.
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
    /// A value as a part of the range, as the mixer programs show it.
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
