// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CCoreAudioTypes

// The module of the C header is part of this one.
// swift-format-ignore: AvoidRetroactiveConformances
extension DarwinBoolean: @retroactive ExpressibleByBooleanLiteral, @retroactive CustomStringConvertible, @retroactive Equatable {
    public init(_ value: Bool) { self.init(_value: value ? 1 : 0) }
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// The value as a `Bool`.
    public var boolValue: Bool { _value != 0 }

    public var description: String { boolValue.description }

    public static func == (left: DarwinBoolean, right: DarwinBoolean) -> Bool { left.boolValue == right.boolValue }
}

// Numbers of the platform's dispatch/time.h, in which programs convert host time. This platform's Dispatch does not have them.

public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1_000
public let USEC_PER_SEC: UInt64 = 1_000_000
