import Foundation
import SessionArbiter
import SessionModel
import Testing

/// What real processes hear of each other, beside what the arbiter alone says they should.
@Suite(.serialized) struct MeetingTests {
    private static let kinds = ["media", "ambient", "ducker", "record"]

    private func policy(_ kind: String) -> SessionPolicy {
        switch kind {
        case "ambient": SessionPolicy(category: .ambientSound, mixes: true)
        case "ducker": SessionPolicy(category: .mediaPlayback, mixes: true, ducks: true)
        case "record": SessionPolicy(category: .recordAudio, mixes: false)
        default: SessionPolicy(category: .mediaPlayback, mixes: false)
        }
    }

    /// Says it; returns the interruptions heard until the answer, and the answer.
    private func exchange(_ peer: Peer, _ line: String) throws -> (heard: [String], answer: String) {
        peer.say(line)
        var heard: [String] = []
        while true {
            let next = try peer.hear()
            if next == "ok" || next.hasPrefix("refused") || next == "yes" || next == "no" { return (heard, next) }
            if next == "begin" || next.hasPrefix("end") { heard.append(next) }
        }
    }

    @Test("Random histories: each process hears what the arbiter says, and is active when it says so", arguments: 0..<6)
    func histories(seed: Int) throws {
        let folder = try Folder()
        var generator = SystemRandomNumberGenerator()
        var model = SessionTable()
        var peers: [(peer: Peer, slot: Slot)] = []
        var history: [String] = []
        for pid in 0..<3 {
            let kind = MeetingTests.kinds.randomElement(using: &generator) ?? "media"
            let peer = try Peer(in: folder.path)
            _ = try exchange(peer, "enter \(kind)")
            let process = ProcessIdentity(pid: Int32(pid), startTime: 1, pidNamespace: 1)
            let outcome = model.decide(.enter(process: process, name: SessionName("peer"), policy: policy(kind)))
            peers.append((peer, try #require(outcome.slot)))
            history.append("\(pid) enter \(kind)")
        }
        for _ in 0..<40 {
            let index = Int.random(in: 0..<3, using: &generator)
            let slot = peers[index].slot
            let kind = MeetingTests.kinds.randomElement(using: &generator) ?? "media"
            let (line, request): (String, Request) =
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: ("deactivate", .deactivate(slot, notifyingOthers: false))
                case 1, 2: ("deactivate notify", .deactivate(slot, notifyingOthers: true))
                case 3: ("adopt \(kind)", .adopt(slot, policy(kind)))
                case 4: ("call", .beginCall(SessionName("call"), holder: slot))
                case 5: ("end", .endCall(shouldResume: true))
                default: ("activate", .activate(slot))
                }
            history.append("\(index) \(line)")
            let refusal = model.decide(request).refusal
            let (heardAtOnce, answer) = try exchange(peers[index].peer, line)
            #expect(answer == (refusal.map { "refused \($0)" } ?? "ok"), "\(history)")
            for (other, (peer, slot)) in peers.enumerated() {
                let looked = try exchange(peer, "active")
                let heard = (other == index ? heardAtOnce : []) + looked.heard
                let expected = (model[slot]?.waiting ?? .none).told
                #expect(heard == expected, "\(other) after \(history)")
                #expect(looked.answer == (model[slot]?.isActive == true ? "yes" : "no"), "\(other) after \(history)")
                _ = model.decide(.fetched(slot))
            }
        }
    }

    @Test("However many have stopped listening, one who listens is rung")
    func stoppedReceivers() throws {
        // STOPPED_RECEIVERS=1000 for the long one.
        let count = Int(ProcessInfo.processInfo.environment["STOPPED_RECEIVERS"] ?? "") ?? 40
        let folder = try Folder()
        let stopped = try (0..<count).map { _ in
            let peer = try Peer(in: folder.path)
            try peer.enter("ambient")
            kill(peer.pid, SIGSTOP)
            return peer
        }
        let (healthy, ducker) = (try Peer(in: folder.path), try Peer(in: folder.path))
        try healthy.enter()
        try ducker.enter("ambient")
        for _ in 0..<100 {
            #expect(try ducker.ask("adopt ducker") == "ok")
            try healthy.expect("gain 0.2")
            #expect(try ducker.ask("adopt ambient") == "ok")
            try healthy.expect("gain 1.0")
        }
        _ = stopped
    }
}

extension WaitingInterruptions {
    /// As a peer says it.
    fileprivate var told: [String] {
        switch self {
        case .none: []
        case .begin: ["begin"]
        case .beginAndEnd(let type): ["begin", "\(Interruption.end(type))"]
        case .end(let type): ["\(Interruption.end(type))"]
        }
    }
}
