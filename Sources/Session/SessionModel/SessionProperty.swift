// SPDX-License-Identifier: Apache-2.0
/// The properties of a session, by their four-character codes.
public enum SessionProperty: UInt32, CaseIterable, Sendable {
    case preferredHardwareSampleRate = 0x6877_7372  // 'hwsr'
    case preferredHardwareIOBufferDuration = 0x696F_6264  // 'iobd'
    case audioCategory = 0x6163_6174  // 'acat'
    case audioRouteChange = 0x726F_6368  // 'roch'
    case currentHardwareSampleRate = 0x6368_7372  // 'chsr'
    case currentHardwareInputNumberChannels = 0x6368_6963  // 'chic'
    case currentHardwareOutputNumberChannels = 0x6368_6F63  // 'choc'
    case currentHardwareOutputVolume = 0x6368_6F76  // 'chov'
    case currentHardwareInputLatency = 0x6369_6C74  // 'cilt'
    case currentHardwareOutputLatency = 0x636F_6C74  // 'colt'
    case currentHardwareIOBufferDuration = 0x6368_6264  // 'chbd'
    case otherAudioIsPlaying = 0x6F74_6872  // 'othr'
    case overrideAudioRoute = 0x6F76_7264  // 'ovrd'
    case audioInputAvailable = 0x6169_6176  // 'aiav'
    case serverDied = 0x6469_6564  // 'died'
    case otherMixableAudioShouldDuck = 0x6475_636B  // 'duck'
    case overrideCategoryMixWithOthers = 0x636D_6978  // 'cmix'
    case overrideCategoryDefaultToSpeaker = 0x6373_706B  // 'cspk'
    case overrideCategoryEnableBluetoothInput = 0x6362_6C75  // 'cblu'
    case interruptionType = 0x7479_7065  // 'type'
    case mode = 0x6D6F_6465  // 'mode'
    case inputSources = 0x7372_6373  // 'srcs'
    case outputDestinations = 0x6473_7473  // 'dsts'
    case inputSource = 0x6973_7263  // 'isrc'
    case outputDestination = 0x6F64_7374  // 'odst'
    case inputGainAvailable = 0x6967_6176  // 'igav'
    case inputGainScalar = 0x6967_7363  // 'igsc'
    case audioRouteDescription = 0x6372_6172  // 'crar'
    case audioRoute = 0x726F_7574  // 'rout'
    case outputDevice = 0x6C6F_6476  // 'lodv': Linux
    case inputDevice = 0x6C69_6476  // 'lidv': Linux

    public var row: SessionPropertyRow { SessionPropertyRow.of(self) }

    /// The position among all cases.
    @inlinable @inline(__always)
    public var ordinal: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}

/// A perfect hash of the identifiers: each property has its own slot, which is found without a search.
public enum PropertySlot {
    public static let count = 64

    @inline(__always)
    public static func index(of id: UInt32) -> Int {
        // The factor was found by trial. A new property may need another factor.
        Int((id &* 0x243F_1B19) >> 26)
    }
}

public struct PropertyAccess: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let get = PropertyAccess(rawValue: 1)
    public static let set = PropertyAccess(rawValue: 2)
    public static let listen = PropertyAccess(rawValue: 4)
}

/// The effect of a set: new settings, or a request to the hardware.
public enum PropertyChange: Equatable, Sendable {
    case settings(SessionSettings)
    case hardware(HardwareRequest)
}

/// How a get finds the value.
public enum PropertySource: Sendable {
    /// An atomic integer that each change of the session updates. A get needs no lock.
    case published
    /// By the row's getter, at each get.
    case computed
}

/// One row of the property table. A new property is a new case of `SessionProperty` and a new row.
public struct SessionPropertyRow: Sendable {
    public typealias Getter = @Sendable (borrowing SessionState) throws(ResultCode) -> PropertyValue
    public typealias Setter = @Sendable (borrowing SessionState, PropertyValue) throws(ResultCode) -> PropertyChange
    public typealias Announcement = @Sendable (borrowing SessionState) -> PropertyValue?

    public let property: SessionProperty
    /// The constant's name in the C header without its prefix. The log and the manual use the same name.
    public let name: StaticString
    public let type: PropertyType
    public let access: PropertyAccess
    public let source: PropertySource
    /// The reason of a route change that a set causes.
    public let routeChangeReason: RouteChangeReason
    /// Describes the values that a set accepts.
    public let accepts: StaticString
    /// The Linux header declares the constant.
    public let isLinuxOnly: Bool
    public let get: Getter
    public let set: Setter
    /// The payload of the listener, which does not depend on the success of a get. Nil when no event is sent.
    public let announce: Announcement

    init(
        _ property: SessionProperty, _ name: StaticString, _ type: PropertyType, _ access: PropertyAccess,
        _ source: PropertySource = .computed, routeChange reason: RouteChangeReason = .unknown, accepts: StaticString = "",
        isLinuxOnly: Bool = false,
        get: @escaping Getter = { _ throws(ResultCode) in throw .unsupportedProperty },
        set: @escaping Setter = { _, _ throws(ResultCode) in throw .unsupportedProperty },
        announce: Announcement? = nil
    ) {
        self.property = property
        self.name = name
        self.type = type
        self.access = access
        self.source = source
        routeChangeReason = reason
        self.accepts = accepts
        self.isLinuxOnly = isLinuxOnly
        self.get = get
        self.set = set
        self.announce = announce ?? { state in try? get(state) }
    }

    /// Not inlined, because the search would be compiled into each of its twenty callers.
    @inline(never)
    static func of(_ property: SessionProperty) -> SessionPropertyRow {
        for row in propertyTable where row.property == property { return row }
        // Each case has a row, as a test verifies. A case without a row would not be accessible.
        return SessionPropertyRow(property, "", .uint32, [])
    }
}
