import SessionArbiter
import SessionModel

/// Policies that differ in what matters to others.
enum Kind: Int, CaseIterable {
    case solo, record, ambient, ducker, spoken, spokenInterrupter

    var policy: SessionPolicy {
        switch self {
        case .solo: SessionPolicy(category: .soloAmbientSound, mixes: false)
        case .record: SessionPolicy(category: .recordAudio, mixes: false)
        case .ambient: SessionPolicy(category: .ambientSound, mixes: true)
        case .ducker: SessionPolicy(category: .mediaPlayback, mixes: true, ducks: true)
        case .spoken: SessionPolicy(category: .mediaPlayback, mode: .spokenAudio, mixes: false)
        case .spokenInterrupter: SessionPolicy(category: .mediaPlayback, mixes: true, interruptsSpokenAudio: true)
        }
    }
}

/// What can happen, in the words of the contract. Sessions are named by their order of entering.
enum Step: Equatable, CustomStringConvertible {
    case enter(Kind)
    case activate(Int)
    case deactivate(Int, notify: Bool)
    case adopt(Int, Kind)
    case die(Int)
    case reset(Int)
    case fetch(Int)
    case call(holder: Int?)
    case endCall(shouldResume: Bool)
    case confirmCall
    /// Of one of two inputs.
    case changeGain(Int, input: Int)
    case beginReturningGain(Int, input: Int)
    case endReturningGain(Int, input: Int, isDone: Bool)

    var description: String {
        switch self {
        case .enter(let kind): "enter(\(kind))"
        case .activate(let session): "activate(\(session))"
        case .deactivate(let session, let notify): "deactivate(\(session), notify: \(notify))"
        case .adopt(let session, let kind): "adopt(\(session), \(kind))"
        case .die(let session): "die(\(session))"
        case .reset(let session): "reset(\(session))"
        case .fetch(let session): "fetch(\(session))"
        case .call(let holder): "call(holder: \(holder.map { "\($0)" } ?? "nil"))"
        case .endCall(let shouldResume): "endCall(shouldResume: \(shouldResume))"
        case .confirmCall: "confirmCall"
        case .changeGain(let session, let input): "changeGain(\(session), input: \(input))"
        case .beginReturningGain(let session, let input): "beginReturningGain(\(session), input: \(input))"
        case .endReturningGain(let session, let input, let isDone):
            "endReturningGain(\(session), input: \(input), isDone: \(isDone))"
        }
    }
}

/// Numbers that repeat, so that a failing history can be had again.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}

/// A history of up to 8 sessions at a time.
func randomHistory(_ seed: UInt64, steps: Int) -> [Step] {
    var dice = Dice(seed)
    var history: [Step] = [.enter(.solo), .enter(Kind.allCases[dice.below(6)])]
    var alive = [0, 1]
    var entered = 2
    while history.count < steps {
        let session = alive.isEmpty ? 0 : alive[dice.below(alive.count)]
        switch dice.below(24) {
        case 0 where alive.count < 8:
            history.append(.enter(Kind.allCases[dice.below(Kind.allCases.count)]))
            alive.append(entered)
            entered += 1
        case 1 where alive.count > 1:
            history.append(.die(session))
            alive.removeAll { $0 == session }
        case 2: history.append(.adopt(session, Kind.allCases[dice.below(Kind.allCases.count)]))
        case 3: history.append(.call(holder: dice.oneIn(2) ? session : nil))
        case 4, 5: history.append(.endCall(shouldResume: dice.oneIn(2)))
        case 6: history.append(.confirmCall)
        case 7 where dice.oneIn(3): history.append(.reset(session))
        case 8...10: history.append(.fetch(session))
        case 11...14: history.append(.deactivate(session, notify: dice.oneIn(2)))
        case 20, 21: history.append(.changeGain(session, input: dice.below(2)))
        case 22: history.append(.beginReturningGain(session, input: dice.below(2)))
        case 23: history.append(.endReturningGain(session, input: dice.below(2), isDone: dice.oneIn(2)))
        default: history.append(.activate(session))
        }
    }
    return history
}

/// The shortest history found that still fails, by leaving out ever smaller pieces.
func shrunk(_ history: [Step], stillFails: ([Step]) -> Bool) -> [Step] {
    var shortest = history
    var piece = max(1, history.count / 2)
    while true {
        var start = 0
        var hasShrunk = false
        while start < shortest.count {
            var shorter = shortest
            shorter.removeSubrange(start..<min(start + piece, shortest.count))
            if stillFails(shorter) {
                shortest = shorter
                hasShrunk = true
            } else {
                start += piece
            }
        }
        if !hasShrunk {
            if piece == 1 { return shortest }
            piece /= 2
        }
    }
}
