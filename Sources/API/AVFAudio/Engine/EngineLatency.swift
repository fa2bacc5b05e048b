// SPDX-License-Identifier: Apache-2.0
internal import AVAudioSession
internal import AudioEngine
internal import AudioSession
internal import Foundation
internal import SessionModel

extension AVAudioSession {
    /// The delay of the present device in seconds; 0 before the first stream of a program without a session.
    static func sharedLatency(isInput: Bool) -> TimeInterval {
        guard let route = ProcessEngine.session?.known.route else { return 0 }
        return TimeInterval((isInput ? route.inputs : route.outputs).first?.latency ?? 0)
    }
}
