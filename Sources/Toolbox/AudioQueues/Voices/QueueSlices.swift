// SPDX-License-Identifier: Apache-2.0
import EngineClient

/// The length of the slices of a stream. The session publishes it while a queue of the stream exists. System sounds are no part of
/// the program's session, which neither knows nor prefers the length of their slices. The stream calls all members under its lock.
struct QueueSlices {
    private let client: any AudioEngineClient
    private let lengths: SliceLengths
    private let isInSession: Bool
    private var queueCount = 0

    init(_ client: any AudioEngineClient, _ lengths: SliceLengths, isInSession: Bool) {
        self.client = client
        self.lengths = lengths
        self.isInSession = isInSession
    }

    /// The preferred length of the session, or that of 1,024 frames of 44,100 Hz.
    var seconds: Double {
        let preferred = isInSession ? client.preferredSlice : 0
        return preferred > 0 ? preferred : 1_024 / 44_100
    }

    /// The length in the published ones belongs to `stream`.
    func publish(_ seconds: Double, of stream: ObjectIdentifier) {
        if isInSession { lengths.set(stream, .queues, seconds: seconds) }
    }

    mutating func addQueue(of stream: ObjectIdentifier) {
        queueCount += 1
        if queueCount == 1 { publish(seconds, of: stream) }
    }

    mutating func removeQueue(of stream: ObjectIdentifier) {
        queueCount -= 1
        if queueCount == 0 { lengths.remove(stream) }
    }
}
