// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// Identifies a listener by the addresses of the program's procedure and client data. The client data alone identifies
/// the listener of a property.
public struct ListenerIdentity: Equatable, Sendable {
    public let procedure: UInt
    public let clientData: UInt

    public init(procedure: UInt, clientData: UInt) {
        self.procedure = procedure
        self.clientData = clientData
    }
}

public typealias InterruptionListener = (Interruption) -> Void
public typealias PropertyListener = (SessionProperty, SessionEvent) -> Void

/// The property listeners of one subscription.
struct ListenerTable {
    struct Entry {
        let property: SessionProperty
        let identity: ListenerIdentity
        let call: PropertyListener
        /// Events up to this number happened before the listener was added. It does not receive them.
        let receivesAfter: UInt64
        /// Identifies this registration.
        let serial: UInt64
    }

    private var entries: [Entry] = []
    private var lastSerial: UInt64 = 0

    /// A pair of property and client data has one listener: a second one replaces the first and receives the events
    /// that wait for it.
    mutating func add(
        _ call: @escaping PropertyListener, as identity: ListenerIdentity, to property: SessionProperty, after number: UInt64
    ) {
        lastSerial &+= 1
        let position = entries.firstIndex { $0.property == property && $0.identity.clientData == identity.clientData }
        let entry = Entry(
            property: property, identity: identity, call: call,
            receivesAfter: position.map { entries[$0].receivesAfter } ?? number, serial: lastSerial)
        if let position { entries[position] = entry } else { entries.append(entry) }
    }

    mutating func remove(from property: SessionProperty) { entries = entries.filter { $0.property != property } }

    mutating func remove(_ identity: ListenerIdentity, from property: SessionProperty) {
        entries = entries.filter { $0.property != property || $0.identity != identity }
    }

    func hasListener(of property: SessionProperty) -> Bool { entries.contains { $0.property == property } }

    /// The listeners of an event, in the order in which they were added.
    func entries(of property: SessionProperty, number: UInt64) -> [Entry] {
        entries.filter { $0.property == property && $0.receivesAfter < number }
    }

    func contains(_ entry: Entry) -> Bool { entries.contains { $0.serial == entry.serial } }
}
