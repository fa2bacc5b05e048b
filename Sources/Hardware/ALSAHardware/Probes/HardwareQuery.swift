// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionModel

/// A question or a change that the thread of the cards performs, because a card can take seconds to answer.
enum HardwareQuery {
    case perform(HardwareRequest, on: Port)
    case format(of: Port, sampleRate: Double, bufferDuration: Float)
    case gain(of: Port)
    case isOtherProcessPlaying(on: [Port])
    /// Reads the state of the cards, for the command line tool: the library does not contain what only the tool asks.
    case inspect((SoundCards) -> Void)
}

enum HardwareAnswer {
    case done
    case refused(ResultCode)
    case format(StreamFormat?)
    case gain(Float?)
    case playing(Bool)
}

/// A query in the queue of the thread.
final class PendingRequest {
    let query: HardwareQuery
    /// Guarded by the lock of the queue.
    var answer: HardwareAnswer?

    init(_ query: HardwareQuery) { self.query = query }
}
