// SPDX-License-Identifier: Apache-2.0
/// Type, subtype and manufacturer of a component. 0 matches everything in a search.
public struct ComponentDescription: Equatable, Hashable, Sendable {
    public var type: UInt32
    public var subtype: UInt32
    public var manufacturer: UInt32

    public init(type: UInt32, subtype: UInt32, manufacturer: UInt32) {
        self.type = type
        self.subtype = subtype
        self.manufacturer = manufacturer
    }

    /// Whether a search for this description finds `component`.
    public func matches(_ component: ComponentDescription) -> Bool {
        (type == 0 || type == component.type) && (subtype == 0 || subtype == component.subtype)
            && (manufacturer == 0 || manufacturer == component.manufacturer)
    }
}
