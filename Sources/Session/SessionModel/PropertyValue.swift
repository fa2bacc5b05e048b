// SPDX-License-Identifier: Apache-2.0
/// The C type of a property's value.
public enum PropertyType: Sendable {
    case uint32, float32, float64
    case dictionary, array, number, string

    public var size: UInt32 {
        switch self {
        case .uint32, .float32: 4
        case .float64, .dictionary, .array, .number, .string: 8
        }
    }

    public var isCoreFoundation: Bool {
        switch self {
        case .uint32, .float32, .float64: false
        case .dictionary, .array, .number, .string: true
        }
    }

    /// The spelling in the C header.
    public var name: StaticString {
        switch self {
        case .uint32: "UInt32"
        case .float32: "Float32"
        case .float64: "Float64"
        case .dictionary: "CFDictionaryRef"
        case .array: "CFArrayRef"
        case .number: "CFNumberRef"
        case .string: "CFStringRef"
        }
    }
}

/// A property's value before it becomes bytes or a CoreFoundation object.
public enum PropertyValue: Equatable, Sendable {
    case uint32(UInt32)
    case float32(Float)
    case float64(Double)
    case routeDescription(Route)
    case selectables([Selectable], of: SelectableKind)
    /// Nil in a set: the object of the program is not a CFNumber.
    case number(Int32?)
    case routeName(OldRouteName)
    case string(String)

    public static func flag(_ on: Bool) -> PropertyValue { .uint32(on ? 1 : 0) }
}

/// The kind of a selectable, which determines the keys of its dictionary.
public enum SelectableKind: Sendable { case inputSource, outputDestination }
