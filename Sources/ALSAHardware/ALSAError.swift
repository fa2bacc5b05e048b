// SPDX-License-Identifier: Apache-2.0
import CALSA

/// An error of libasound.
struct ALSAError: Error, Equatable, Sendable {
    /// A positive errno value.
    let number: Int32

    var text: String { String(cString: alsa_error_text(-number)) }

    /// The requested plug-in of libasound is not installed.
    static let noPlugIn = ALSAError(number: 6)
    static let noDevice = ALSAError(number: 19)

    @discardableResult
    static func check(_ result: Int32) throws(ALSAError) -> Int32 {
        guard result >= 0 else { throw ALSAError(number: 0 &- result) }
        return result
    }
}
