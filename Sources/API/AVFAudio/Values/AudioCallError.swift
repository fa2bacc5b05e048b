// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation
internal import LinuxSystem

/// The errors of the classes above the C API, as the platform has them: a domain of its own, and the result code of the call
/// that failed.
enum AudioCallError {
    /// The domain of the errors of files, converters, engines and nodes.
    static let domain = "com.apple.coreaudio.avfaudio"

    /// The error of a function of the C API. `what` says what the program wanted.
    static func make(_ status: OSStatus, _ call: String, _ what: String, in domain: String = domain) -> NSError {
        let name = String(cString: AudioToolboxLinuxStatusName(status))
        return NSError(
            domain: domain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: "\(what): \(call) returned \(name).", "failed call": call])
    }

    /// The error of an argument that does not fit. `what` says which one, why, and what to do.
    static func argument(_ what: String, in domain: String = domain) -> NSError {
        NSError(
            domain: domain, code: Int(kAudio_ParamError),
            userInfo: [NSLocalizedDescriptionKey: what, "failed call": "required condition is false"])
    }

    /// Throws the error of a function that has failed.
    static func check(_ status: OSStatus, _ call: String, _ what: @autoclosure () -> String) throws {
        if status != noErr { throw make(status, call, what()) }
    }

    /// A refusal where the platform ends the program, and where the signature has no error.
    static func refuse(_ what: String) { Log.error(what) }
}
