// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem

/// The result of a function of the C API. Inside the library a refusal is thrown as a `ResultCode`.
public enum ResultCode: Int32, Error, CaseIterable, Sendable {
    case noError = 0
    case notInitialized = 0x2169_6E69  // '!ini'
    case alreadyInitialized = 0x696E_6974  // 'init'
    case initializationError = 0x696E_693F  // 'ini?'
    case unsupportedProperty = 0x7074_793F  // 'pty?'
    case badPropertySize = 0x2173_697A  // '!siz'
    case notActive = 0x2161_6374  // '!act'
    case noHardware = 0x6E6F_6877  // 'nohw'
    case noCategorySet = 0x3F63_6174  // '?cat': declared for completeness; ALSA offers no hardware codec
    case incompatibleCategory = 0x2163_6174  // '!cat'
    case unspecified = 0x7768_6174  // 'what'
    case parameter = -50

    /// The constant's name in the C header.
    public var name: StaticString {
        switch self {
        case .noError: "kAudioSessionNoError"
        case .notInitialized: "kAudioSessionNotInitialized"
        case .alreadyInitialized: "kAudioSessionAlreadyInitialized"
        case .initializationError: "kAudioSessionInitializationError"
        case .unsupportedProperty: "kAudioSessionUnsupportedPropertyError"
        case .badPropertySize: "kAudioSessionBadPropertySizeError"
        case .notActive: "kAudioSessionNotActiveError"
        case .noHardware: "kAudioServicesNoHardwareError"
        case .noCategorySet: "kAudioSessionNoCategorySet"
        case .incompatibleCategory: "kAudioSessionIncompatibleCategory"
        case .unspecified: "kAudioSessionUnspecifiedError"
        case .parameter: "kAudio_ParamError"
        }
    }
}

extension ResultCode: StatusError {
    public var status: Int32 { rawValue }
}
