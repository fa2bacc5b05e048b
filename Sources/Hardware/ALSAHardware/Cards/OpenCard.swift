// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// A card whose control device is open.
final class OpenCard {
    /// Distinguishes the card from an earlier card with the same number.
    let serial: UInt64
    let descriptor: Int32
    private let control: Control
    private(set) var state: CardState
    let index: UInt32
    /// Determines the ports from a description of the card.
    private let plan: (CardFacts) -> [PortPlan]
    /// Nil for a control device that reports the changes of all channels.
    private var volumeQuirk: PipeWireVolumeQuirk?
    private var hasReadProfile = false

    init(
        _ control: consuming Control, index: UInt32 = 0, serial: UInt64 = 0, reportsFirstChannelOnly: Bool = false,
        plan: @escaping (CardFacts) -> [PortPlan]
    ) throws(SystemError) {
        self.serial = serial
        self.control = control
        self.index = index
        self.plan = plan
        volumeQuirk = reportsFirstChannelOnly ? PipeWireVolumeQuirk() : nil
        state = CardState(CardFacts(), plans: [])
        descriptor = try self.control.descriptor()
        // The events are subscribed to before the card is read, so that no change in between is missed.
        try self.control.subscribe()
        try reload()
        _ = updateStreams()
    }

    // MARK: Changes

    /// Reads the configuration of the running streams of the present ports. True when it has changed.
    func updateStreams() -> Bool {
        var setups: [ActiveSetup] = []
        for address in state.presentAddresses where hasOpenStream(address) {
            if let setup = address.setup { setups.append(ActiveSetup(address: address, setup: setup)) }
        }
        defer { state.setups = setups }
        return setups != state.setups
    }

    /// Sends one request to the card. The kernel's files, one per stream, would need three system calls each.
    func hasOpenStream(_ address: PCMAddress) -> Bool { control.hasOpenStream(address) }

    /// Applies the events of the card. True when the state has changed. Throws when the card was removed.
    func processEvents() throws(SystemError) -> Bool {
        let before = state
        var isNew = false
        while let event = try control.nextEvent() {
            switch event {
            case .elements: isNew = true
            case .value(0): readAll()  // the elements of a plug-in have no numbers
            case .value(let number): if state.values[number] != nil { read(number) }
            case .other: break
            }
        }
        if isNew { try reload() }
        return state != before
    }

    /// Reads the whole description again.
    private func reload() throws(SystemError) {
        var facts = try control.facts()
        facts.index = index
        if hasReadProfile { facts.useCases = UseCaseFacts.of(card: index) }
        apply(facts)
    }

    private func apply(_ facts: CardFacts) {
        let setups = state.setups
        state = CardState(facts, plans: plan(facts))
        state.setups = setups
        readAll()
    }

    /// Reads the use-case profile of the card, once. True when it has changed the state.
    func readProfile() -> Bool {
        guard !hasReadProfile else { return false }
        hasReadProfile = true
        let before = state
        var facts = state.facts
        facts.useCases = UseCaseFacts.of(card: index)
        if !facts.useCases.isEmpty { apply(facts) }
        return state != before
    }

    /// Whether the card may have a profile that has not been read yet.
    var ucmProbe: UCMProbe { hasReadProfile ? .none : UCMProbe(state.facts) }

    private func readAll() { for number in state.watched { read(number) } }

    private func read(_ number: UInt32) {
        guard let element = state.facts.element(number) else { return }
        // An element that cannot be read counts as one without a value.
        do throws(SystemError) {
            let values = try control.values(of: element)
            state.values.set(number, to: volumeQuirk?.correct(values, of: number) ?? values)
        } catch { state.values.set(number, to: []) }
    }

    // MARK: Requests

    func perform(_ request: HardwareRequest, on plan: PortPlan) throws(SystemError) {
        let element: ElementFacts?
        let value: Int32
        switch request {
        case .inputGain(let gain):
            element = state.facts.element(plan.level.volume)
            value = element?.value(of: gain) ?? 0
        case .inputSource(let id), .outputDestination(let id):
            element = state.facts.element(plan.selector)
            value = id
        case .headsetProfile: throw .noDevice
        }
        guard let element, element.isWritable else { throw .noDevice }
        try control.set(element, to: value)
        read(element.number)
    }
}
