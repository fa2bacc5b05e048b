// SPDX-License-Identifier: Apache-2.0
import CALSA
import LinuxSystem

/// An open control device.
struct Control: ~Copyable {
    private let handle: OpaquePointer

    /// The control device of a card. Opening it reads no configuration and opens no PCM.
    init(card: UInt32) throws(SystemError) {
        var opened: OpaquePointer?
        try SystemError.check(alsa_control_open_card(&opened, card))
        guard let opened else { throw .noDevice }
        handle = opened
    }

    /// The control device of a sound server, through its plug-in.
    init(server kind: String) throws(SystemError) {
        var opened: OpaquePointer?
        try SystemError.check(alsa_control_open_server(&opened, kind))
        guard let opened else { throw .noDevice }
        handle = opened
    }

    deinit { alsa_control_close(handle) }

    func descriptor() throws(SystemError) -> Int32 { try SystemError.check(alsa_control_descriptor(handle)) }
    func subscribe() throws(SystemError) { try SystemError.check(alsa_control_subscribe(handle, true)) }

    // MARK: Description

    func facts() throws(SystemError) -> CardFacts {
        var card = alsa_card()
        try SystemError.check(alsa_control_card(handle, &card))
        var facts = CardFacts(
            id: text(of: card.id), driver: text(of: card.driver), name: text(of: card.name), longName: text(of: card.long_name),
            components: text(of: card.components))
        facts.pcms = try pcms()
        facts.elements = try elements()
        return facts
    }

    func pcms() throws(SystemError) -> [PCMFacts] {
        var found: [PCMFacts] = []
        var iterator = alsa_control_pcms(handle)
        var pcm = alsa_pcm_info()
        while try SystemError.check(alsa_pcms_next(&iterator, &pcm)) > 0 {
            guard !pcm.is_modem else { continue }
            found.append(
                PCMFacts(
                    device: pcm.device, isPlayback: pcm.is_playback, id: text(of: pcm.id), name: text(of: pcm.name),
                    substreams: pcm.substreams))
        }
        return found
    }

    /// Whether a program has opened a stream of the device. True also where the driver does not answer.
    func hasOpenStream(_ pcm: PCMAddress) -> Bool { alsa_control_open_streams(handle, pcm.device, pcm.isPlayback) != 0 }

    func elements() throws(SystemError) -> [ElementFacts] {
        var found: [ElementFacts] = []
        var iterator: OpaquePointer?
        try SystemError.check(alsa_control_elements(handle, &iterator))
        defer { alsa_elements_close(iterator) }
        var element = alsa_element()
        while try SystemError.check(alsa_elements_next(iterator, &element)) > 0 {
            // An element without a number cannot be read.
            guard element.is_readable, element.number != 0,
                let interface = ElementFacts.Interface(rawValue: element.interface),
                let kind = ElementFacts.Kind(rawValue: element.type)
            else { continue }
            var items: [String] = []
            for item in 0..<min(element.items, 32) { items.append(name(of: item, in: element.number)) }
            found.append(
                ElementFacts(
                    number: element.number, interface: interface, name: text(of: element.name), index: element.index,
                    device: element.device, kind: kind, count: element.count, least: element.least, most: element.most,
                    isWritable: element.is_writable, items: items))
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

    func values(of element: ElementFacts) throws(SystemError) -> [Int32] {
        var values = [Int32](repeating: 0, count: Int(min(element.count, 128)))
        let result = values.withUnsafeMutableBufferPointer {
            alsa_control_read(handle, element.number, element.kind.rawValue, $0.baseAddress, UInt32(clamping: $0.count))
        }
        try SystemError.check(result)
        return values
    }

    func set(_ element: ElementFacts, to value: Int32) throws(SystemError) {
        let values = [Int32](repeating: value, count: Int(min(element.count, 128)))
        let result = values.withUnsafeBufferPointer {
            alsa_control_write(handle, element.number, element.kind.rawValue, $0.baseAddress, UInt32(clamping: $0.count))
        }
        try SystemError.check(result)
    }

    // MARK: Events

    enum Event: Equatable {
        case value(element: UInt32)
        case elements
        case other
    }

    /// Nil when no event is queued.
    func nextEvent() throws(SystemError) -> Event? {
        var element: UInt32 = 0
        var type: UInt32 = 0
        guard try SystemError.check(alsa_control_next_event(handle, &element, &type)) > 0 else { return nil }
        switch Int(type) {
        case ALSA_VALUE_CHANGED: return .value(element: element)
        case ALSA_ELEMENTS_CHANGED: return .elements
        default: return .other
        }
    }
}

/// The text in a C array of characters.
private func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
