// SPDX-License-Identifier: Apache-2.0
internal import AudioSession
internal import Foundation

extension AVAudioSession {
    /// The codes of the errors that an audio session throws: each is an `NSError` of the domain
    /// `NSOSStatusErrorDomain`.
    ///
    ///     do { try session.setActive(false) } catch where AVAudioSession.ErrorCode(error) == .isBusy { … }
    public enum ErrorCode: Int, CaseIterable, Sendable {
        case none = 0
        /// The audio server died and is not back yet.
        case mediaServicesFailed = 0x6D73_7276  // 'msrv'
        /// A deactivation while audio was running. The session is inactive.
        case isBusy = 0x2161_6374  // '!act'
        /// The category does not allow it.
        case incompatibleCategory = 0x2163_6174  // '!cat'
        /// A session that mixes cannot stop mixing during a phone call.
        case cannotInterruptOthers = 0x2169_6E74  // '!int'
        /// Not thrown on Linux.
        case missingEntitlement = 0x656E_743F  // 'ent?'
        /// Not thrown on Linux.
        case siriIsRecording = 0x7369_7269  // 'siri'
        /// Not thrown on Linux.
        case cannotStartPlaying = 0x2170_6C61  // '!pla'
        /// Not thrown on Linux.
        case cannotStartRecording = 0x2172_6563  // '!rec'
        /// An invalid argument.
        case badParam = -50
        /// An activation while a phone call is active.
        case insufficientPriority = 0x2170_7269  // '!pri'
        /// The required hardware is not present.
        case resourceNotAvailable = 0x2172_6573  // '!res'
        /// Not thrown on Linux.
        case expiredSession = 0x2173_6573  // '!ses'
        /// Not thrown on Linux.
        case sessionNotActive = 0x696E_6163  // 'inac'
        /// Another error. The log states the cause.
        case unspecified = 0x7768_6174  // 'what'

        /// The code of an error that a session has thrown; nil for any other error.
        public init?(_ error: any Error) {
            guard let error = (error as Any) as? NSError, error.domain == NSOSStatusErrorDomain else { return nil }
            self.init(rawValue: error.code)
        }
    }
}

extension AVAudioSession.ErrorCode {
    init(_ error: OperationError) { self = Self(rawValue: Int(error.rawValue)) ?? .unspecified }

    var error: NSError {
        NSError(domain: NSOSStatusErrorDomain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }

    private var text: String {
        switch self {
        case .none: "No error."
        case .missingEntitlement: "The program lacks an entitlement."
        case .siriIsRecording: "The assistant is recording."
        case .cannotStartPlaying: "Playback cannot start."
        case .cannotStartRecording: "Recording cannot start."
        case .expiredSession: "The session has expired."
        case .sessionNotActive: "The session is not active."
        case .mediaServicesFailed, .isBusy, .incompatibleCategory, .cannotInterruptOthers, .badParam, .insufficientPriority,
            .resourceNotAvailable, .unspecified:
            (OperationError(rawValue: Int32(rawValue)) ?? .unspecified).text.description
        }
    }
}
