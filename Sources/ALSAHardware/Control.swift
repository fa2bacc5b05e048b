import CALSA

/// An open control device.
struct Control: ~Copyable {
    private let handle: OpaquePointer

    /// A card's own; reads no configuration and touches no PCM.
    init(card: UInt32) throws(ALSAError) {
        var opened: OpaquePointer?
        try ALSAError.check(alsa_control_open_card(&opened, card))
        guard let opened else { throw .noDevice }
        handle = opened
    }

    /// A sound server's, through its plug-in.
    init(server kind: String) throws(ALSAError) {
        var opened: OpaquePointer?
        try ALSAError.check(alsa_control_open_server(&opened, kind))
        guard let opened else { throw .noDevice }
        handle = opened
    }

    deinit { alsa_control_close(handle) }

    func descriptor() throws(ALSAError) -> Int32 { try ALSAError.check(alsa_control_descriptor(handle)) }
    func subscribe() throws(ALSAError) { try ALSAError.check(alsa_control_subscribe(handle, true)) }

    // MARK: What there is

    func facts() throws(ALSAError) -> CardFacts {
        var facts = CardFacts()
        let result = withUnsafeMutablePointer(to: &facts) { facts in
            alsa_control_card(
                handle,
                { card, context in
                    guard let card = card?.pointee, let facts = context?.assumingMemoryBound(to: CardFacts.self) else { return }
                    facts.pointee.id = String(cString: card.id)
                    facts.pointee.driver = String(cString: card.driver)
                    facts.pointee.name = String(cString: card.name)
                    facts.pointee.longName = String(cString: card.long_name)
                    facts.pointee.components = String(cString: card.components)
                }, facts)
        }
        try ALSAError.check(result)
        facts.pcms = try pcms()
        facts.elements = try elements()
        return facts
    }

    func pcms() throws(ALSAError) -> [PCMFacts] {
        var found: [PCMFacts] = []
        let result = withUnsafeMutablePointer(to: &found) { found in
            alsa_control_pcms(
                handle,
                { pcm, context in
                    guard let pcm = pcm?.pointee, let found = context?.assumingMemoryBound(to: [PCMFacts].self) else { return }
                    guard !pcm.is_modem else { return }
                    found.pointee.append(
                        PCMFacts(
                            device: pcm.device, isPlayback: pcm.is_playback, id: String(cString: pcm.id),
                            name: String(cString: pcm.name), substreams: pcm.substreams))
                }, found)
        }
        try ALSAError.check(result)
        return found
    }

    func elements() throws(ALSAError) -> [ElementFacts] {
        var found: [ElementFacts] = []
        let result = withUnsafeMutablePointer(to: &found) { found in
            alsa_control_elements(
                handle,
                { element, context in
                    // An element without a number can't be asked for.
                    guard let element = element?.pointee, element.is_readable, element.number != 0,
                        let found = context?.assumingMemoryBound(to: [ElementFacts].self),
                        let interface = ElementFacts.Interface(rawValue: element.interface),
                        let kind = ElementFacts.Kind(rawValue: element.type)
                    else { return }
                    found.pointee.append(
                        ElementFacts(
                            number: element.number, interface: interface, name: String(cString: element.name),
                            index: element.index, device: element.device, kind: kind, count: element.count,
                            least: element.least, most: element.most, isWritable: element.is_writable,
                            items: [String](repeating: "", count: Int(min(element.items, 32)))))
                }, found)
        }
        try ALSAError.check(result)
        for place in found.indices {
            for item in found[place].items.indices {
                found[place].items[item] = name(of: UInt32(clamping: item), in: found[place].number)
            }
        }
        return found
    }

    private func name(of item: UInt32, in element: UInt32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let name = buffer.baseAddress, alsa_control_item(handle, element, item, name, buffer.count) >= 0 else {
                return ""
            }
            return String(cString: name)
        }
    }

    // MARK: Values

    func values(of element: ElementFacts) throws(ALSAError) -> [Int32] {
        var values = [Int32](repeating: 0, count: Int(min(element.count, 128)))
        let result = values.withUnsafeMutableBufferPointer {
            alsa_control_read(handle, element.number, element.kind.rawValue, $0.baseAddress, UInt32(clamping: $0.count))
        }
        try ALSAError.check(result)
        return values
    }

    func set(_ element: ElementFacts, to value: Int32) throws(ALSAError) {
        let values = [Int32](repeating: value, count: Int(min(element.count, 128)))
        let result = values.withUnsafeBufferPointer {
            alsa_control_write(handle, element.number, element.kind.rawValue, $0.baseAddress, UInt32(clamping: $0.count))
        }
        try ALSAError.check(result)
    }

    // MARK: Events

    enum Event: Equatable {
        case value(element: UInt32)
        case elements
        case other
    }

    /// Nil when none waits.
    func nextEvent() throws(ALSAError) -> Event? {
        var element: UInt32 = 0
        var what: UInt32 = 0
        guard try ALSAError.check(alsa_control_next_event(handle, &element, &what)) > 0 else { return nil }
        switch Int(what) {
        case ALSA_VALUE_CHANGED: return .value(element: element)
        case ALSA_ELEMENTS_CHANGED: return .elements
        default: return .other
        }
    }
}
