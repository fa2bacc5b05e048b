// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreFoundation

/// The name of a mode of a run loop.
public struct CFRunLoopMode: RawRepresentable, Equatable, @unchecked Sendable {
    public let rawValue: CoreFoundation.CFString
    public init(rawValue: CoreFoundation.CFString) { self.rawValue = rawValue }
    public init(_ rawValue: CoreFoundation.CFString) { self.rawValue = rawValue }

    public static var defaultMode: CFRunLoopMode { CFRunLoopMode(CoreFoundation.kCFRunLoopDefaultMode) }
    public static var commonModes: CFRunLoopMode { CFRunLoopMode(CoreFoundation.kCFRunLoopCommonModes) }

    public static func == (left: CFRunLoopMode, right: CFRunLoopMode) -> Bool { CFEqual(left.rawValue, right.rawValue) }
}

public var kCFRunLoopDefaultMode: CFRunLoopMode { .defaultMode }
public var kCFRunLoopCommonModes: CFRunLoopMode { .commonModes }

/// Runs the run loop of the calling thread in a mode, for a time in seconds.
@discardableResult
public func CFRunLoopRunInMode(_ mode: CFRunLoopMode?, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool)
    -> CFRunLoopRunResult
{
    CoreFoundation.CFRunLoopRunInMode((mode ?? .defaultMode).rawValue, seconds, returnAfterSourceHandled)
}
