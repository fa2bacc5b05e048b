import SessionModel

/// A card whose control device is open.
final class OpenCard {
    /// Tells it from another card that had the same number.
    let serial: UInt64
    let descriptor: Int32
    private let control: Control
    private(set) var state: CardState
    let index: UInt32
    /// Which ports the facts make.
    private let plan: (CardFacts) -> [PortPlan]
    /// Nil where every channel's changes are told.
    private var untold: UntoldChannels?
    private var knowsProfile = false

    init(
        _ control: consuming Control, index: UInt32 = 0, serial: UInt64 = 0, tellsFirstChannelOnly: Bool = false,
        plan: @escaping (CardFacts) -> [PortPlan]
    ) throws(ALSAError) {
        self.serial = serial
        self.control = control
        self.index = index
        self.plan = plan
        untold = tellsFirstChannelOnly ? UntoldChannels() : nil
        state = CardState(CardFacts(), plans: [])
        descriptor = try self.control.descriptor()
        // First, so that no change goes unnoticed between looking and listening.
        try self.control.subscribe()
        try look()
        _ = lookAtStreams()
    }

    // MARK: Changes

    /// True when one is set up in another way than it was.
    func lookAtStreams() -> Bool {
        let setups = state.currentSetups
        defer { state.setups = setups }
        return setups != state.setups
    }

    /// Takes in what the card reported; true when something of it matters. Throws when the card has gone.
    func heed() throws(ALSAError) -> Bool {
        let before = state
        var isNew = false
        while let event = try control.nextEvent() {
            switch event {
            case .elements: isNew = true
            case .value(0): readAll()  // a plug-in does not number its elements
            case .value(let number): if state.values[number] != nil { read(number) }
            case .other: break
            }
        }
        if isNew { try look() }
        return state != before
    }

    /// Asks everything anew.
    func look() throws(ALSAError) {
        var facts = try control.facts()
        facts.index = index
        if knowsProfile { facts.useCases = UseCaseFacts.of(card: index) }
        take(facts)
    }

    private func take(_ facts: CardFacts) {
        let setups = state.setups
        state = CardState(facts, plans: plan(facts))
        state.setups = setups
        readAll()
    }

    /// Takes in the card's profile, where it has one; true when it made a difference.
    func askForProfile() -> Bool {
        guard !knowsProfile else { return false }
        knowsProfile = true
        let before = state
        var facts = state.facts
        facts.useCases = UseCaseFacts.of(card: index)
        if !facts.useCases.isEmpty { take(facts) }
        return state != before
    }

    /// Whether it may have a profile that it was not asked for.
    var profileHope: ProfileHope { knowsProfile ? .none : ProfileHope(state.facts) }

    private func readAll() { for number in state.watched { read(number) } }

    private func read(_ number: UInt32) {
        guard let element = state.facts.element(number) else { return }
        // An element that can't be read is as one without a value.
        do throws(ALSAError) {
            let values = try control.values(of: element)
            state.values.set(number, to: untold?.meaning(of: values, in: number) ?? values)
        } catch { state.values.set(number, to: []) }
    }

    // MARK: Requests

    func perform(_ request: HardwareRequest, on plan: PortPlan) throws(ALSAError) {
        let element: ElementFacts?
        let value: Int32
        switch request {
        case .inputGain(let gain):
            element = state.facts.element(plan.level.volume)
            value = element?.value(of: gain) ?? 0
        case .inputSource(let id), .outputDestination(let id):
            element = state.facts.element(plan.selector)
            value = id
        }
        guard let element, element.isWritable else { throw .noDevice }
        try control.set(element, to: value)
        read(element.number)
    }
}
