// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import TestSupport

/// Policies that differ in what matters to others.
enum Kind: Int, CaseIterable {
    case solo, record, ambient, ducker, spoken, spokenInterrupter, hinted

    var settings: SessionSettings {
        switch self {
        case .solo: return SessionSettings(category: .soloAmbientSound, mixes: false)
        case .record: return SessionSettings(category: .recordAudio, mixes: false)
        case .ambient: return SessionSettings(category: .ambientSound, mixes: true)
        case .ducker: return SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
        case .spoken: return SessionSettings(category: .mediaPlayback, mode: .spokenAudio, mixes: false)
        case .spokenInterrupter: return SessionSettings(category: .mediaPlayback, mixes: true, interruptsSpokenAudio: true)
        case .hinted:
            var settings = SessionSettings(category: .ambientSound, mixes: true)
            settings.flags.insert(.wantsSecondaryAudioHint)
            return settings
        }
    }

    /// The silent switch and the screen lock silence it.
    var obeysSilentSwitch: Bool { self == .solo || self == .ambient || self == .hinted }
    var hasOutput: Bool { self != .record }
}

/// One request, in the terms of the contract. Sessions and streams are named by the order in which they enter.
enum Step: Equatable {
    case enter(Kind)
    case activate(Int)
    case deactivate(Int, notify: Bool)
    case change(Int, Kind)
    /// The same by a property that a call does not refuse.
    case changeYielding(Int, Kind)
    case die(Int)
    case reset(Int)
    case fetch(Int)
    case call(holder: Int?)
    case endCall(shouldResume: Bool)
    case confirmCall
    /// Of one of two inputs.
    case changeGain(Int, input: Int)
    case beginRestoringGain(Int, input: Int)
    case endRestoringGain(Int, input: Int, isDone: Bool)
    case enterStreams(of: Int)
    case play(streams: Int, isRunning: Bool)
    case leaveStreams(Int)
    case silent(Bool)
    case lock(Bool)
}

/// A history of up to 8 sessions and 4 streams at a time.
func randomHistory(_ seed: UInt64, steps: Int) -> [Step] {
    var random = SeededGenerator(seed)
    var history: [Step] = [.enter(.solo), .enter(randomKind(&random))]
    var alive = [0, 1]
    var entered = 2
    var streams: [Int] = []
    var streamsEntered = 0
    while history.count < steps {
        let session = alive.isEmpty ? 0 : alive[random.below(alive.count)]
        switch random.below(30) {
        case 0 where alive.count < 8:
            history.append(.enter(randomKind(&random)))
            alive.append(entered)
            entered += 1
        case 1 where alive.count > 1:
            history.append(.die(session))
            alive.removeAll { $0 == session }
        case 2:
            let kind = randomKind(&random)
            history.append(random.oneIn(2) ? .change(session, kind) : .changeYielding(session, kind))
        case 3: history.append(.call(holder: random.oneIn(2) ? session : nil))
        case 4, 5: history.append(.endCall(shouldResume: random.oneIn(2)))
        case 6: history.append(.confirmCall)
        case 7 where random.oneIn(3): history.append(.reset(session))
        case 8...10: history.append(.fetch(session))
        case 11...14: history.append(.deactivate(session, notify: random.oneIn(2)))
        case 20, 21: history.append(.changeGain(session, input: random.below(2)))
        case 22: history.append(.beginRestoringGain(session, input: random.below(2)))
        case 23: history.append(.endRestoringGain(session, input: random.below(2), isDone: random.oneIn(2)))
        case 24: history.append(random.oneIn(2) ? .silent(random.oneIn(2)) : .lock(random.oneIn(2)))
        case 25 where streams.count < 4:
            history.append(.enterStreams(of: session))
            streams.append(streamsEntered)
            streamsEntered += 1
        case 26...27 where !streams.isEmpty:
            history.append(.play(streams: streams[random.below(streams.count)], isRunning: !random.oneIn(3)))
        case 28 where !streams.isEmpty: history.append(.leaveStreams(streams.remove(at: random.below(streams.count))))
        default: history.append(.activate(session))
        }
    }
    return history
}

private func randomKind(_ random: inout SeededGenerator) -> Kind { Kind.allCases[random.below(Kind.allCases.count)] }

/// The shortest history found that still fails. Leaves out ever smaller pieces.
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
