import AudioHardware
import SessionModel

/// What a caller wants of the hardware. It is carried out on the thread that talks to the cards, because a
/// card may take seconds over it.
enum Question {
    case perform(HardwareRequest, on: Port)
    case format(of: Port, sampleRate: Double, bufferDuration: Float)
    case isOtherProcessPlaying
    case findings
}

enum Answer {
    case done
    case refused(ResultCode)
    case format(StreamFormat?)
    case playing(Bool)
    case findings([String])
}

final class Errand {
    let question: Question
    /// Guarded by the exchange that holds the errand.
    var answer: Answer?

    init(_ question: Question) { self.question = question }
}
