// SPDX-License-Identifier: Apache-2.0
public import SessionModel

/// The error of `AVAudioSession` for a refused operation. The raw value is the code of the platform.
public enum OperationError: Int32, Sendable {
    case mediaServicesFailed = 0x6D73_7276  // 'msrv'
    case isBusy = 0x2161_6374  // '!act'
    case incompatibleCategory = 0x2163_6174  // '!cat'
    case cannotInterruptOthers = 0x2169_6E74  // '!int'
    case badParam = -50
    case insufficientPriority = 0x2170_7269  // '!pri'
    case resourceNotAvailable = 0x2172_6573  // '!res'
    case unspecified = 0x7768_6174  // 'what'

    /// The operation that was refused.
    public enum Operation: Sendable {
        case activating, deactivating, setting
    }

    public init(_ refusal: ResultCode, when operation: Operation, serverIsAlive: Bool, isCallOngoing: Bool) {
        self =
            switch refusal {
            case .notActive: operation == .deactivating ? .isBusy : .insufficientPriority
            case .unsupportedProperty, .badPropertySize, .parameter: .badParam
            case .noHardware: .resourceNotAvailable
            case .incompatibleCategory, .noCategorySet: .incompatibleCategory
            case .noError, .notInitialized, .alreadyInitialized, .initializationError, .unspecified:
                if !serverIsAlive {
                    .mediaServicesFailed
                } else if isCallOngoing, operation == .setting {
                    .cannotInterruptOthers
                } else {
                    .unspecified
                }
            }
    }

    /// `session` is nil when it could not begin.
    public init(_ refusal: ResultCode, when operation: Operation, of session: ProcessSession?) {
        self.init(
            refusal, when: operation, serverIsAlive: session?.known.hardware.serverIsAlive ?? false,
            isCallOngoing: session?.isCallOngoing ?? false)
    }

    /// A sentence for people.
    public var text: StaticString {
        switch self {
        case .mediaServicesFailed: "The audio server is not running."
        case .isBusy: "Audio was running when the session was deactivated; it has been stopped."
        case .incompatibleCategory: "The session's category does not allow this."
        case .cannotInterruptOthers: "The session cannot interrupt the active phone call."
        case .badParam: "An argument is not valid."
        case .insufficientPriority: "A phone call is active."
        case .resourceNotAvailable: "The required hardware is not present."
        case .unspecified: "The audio session failed; its log states the cause."
        }
    }
}
