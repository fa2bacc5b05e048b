// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import SessionModel

extension StreamDirections {
    func isPermitted(in category: Category?) -> Bool {
        guard let traits = category?.traits else { return false }
        return (!contains(.output) || traits.hasOutput) && (!contains(.input) || traits.hasInput)
    }

    /// For the log.
    var name: StaticString { self == .input ? "capture" : self == .output ? "playback" : "playback with capture" }
}
