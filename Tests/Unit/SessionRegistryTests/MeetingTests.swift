// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionArbiter
import SessionModel
import TestSupport
import Testing

/// Processes at one table, compared with the arbiter alone.
@Suite(.serialized) struct MeetingTests {
    private static let kinds = ["media", "ambient", "ducker", "record"]

    private func settings(_ kind: String) -> SessionSettings {
        switch kind {
        case "ambient": SessionSettings(category: .ambientSound, mixes: true)
        case "ducker": SessionSettings(category: .mediaPlayback, mixes: true, ducks: true)
        case "record": SessionSettings(category: .recordAudio, mixes: false)
        default: SessionSettings(category: .mediaPlayback, mixes: false)
        }
    }

    private static func kind(_ random: inout SeededGenerator) -> String { kinds[Int.random(in: 0..<kinds.count, using: &random)] }

    private func request(_ slot: TableSlot, _ random: inout SeededGenerator) -> (line: String, request: Request) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return ("deactivate", .deactivate(slot, notifyingOthers: false))
        case 1, 2: return ("deactivate notify", .deactivate(slot, notifyingOthers: true))
        case 3:
            let kind = MeetingTests.kind(&random)
            return ("change \(kind)", .change(slot, settings(kind)))
        case 4: return ("call", .beginCall(SessionName("call"), holder: slot))
        case 5: return ("end", .endCall(shouldResume: true))
        case 6: return ("confirm", .confirmCall)
        default: return ("activate", .activate(slot))
        }
    }

    @Test("Each of three processes gets the events and the state that the arbiter decides, in random histories", arguments: 0..<6)
    func histories(seed: Int) throws {
        let folder = try Folder()
        var random = SeededGenerator(seed)
        var model = SessionTable()
        var peers: [(peer: Peer, slot: TableSlot)] = []
        var history: [String] = []
        for pid in 0..<3 {
            let kind = MeetingTests.kind(&random)
            let peer = try Peer(in: folder.path)
            try peer.enter(kind, active: false)
            let process = ProcessIdentity(pid: Int32(pid), startTime: 1, pidNamespace: 1)
            let outcome = model.decide(.enter(process: process, name: SessionName("peer"), settings: settings(kind)))
            peers.append((peer, try #require(outcome.slot)))
            history.append("\(pid) enter \(kind)")
        }
        for _ in 0..<40 {
            let index = Int.random(in: 0..<3, using: &random)
            let (line, request) = request(peers[index].slot, &random)
            history.append("\(index) \(line)")
            let refusal = model.decide(request).refusal
            let (printed, answer) = try peers[index].peer.exchange(line)
            #expect(answer == (refusal.map { "refused \($0)" } ?? "ok"), "\(history)")
            for (other, (peer, slot)) in peers.enumerated() {
                let state = try peer.exchange("active")
                let events = ((other == index ? printed : []) + state.events).filter { $0 == "begin" || $0.hasPrefix("end") }
                #expect(events == (model[slot]?.waiting ?? .none).printed, "\(other) after \(history)")
                #expect(state.answer == (model[slot]?.isActive == true ? "yes" : "no"), "\(other) after \(history)")
                _ = model.decide(.interruptionsFetched(slot))
            }
        }
    }

    @Test("Processes that have stopped do not keep another from its notifications")
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
            #expect(try ducker.ask("change ducker") == "ok")
            try healthy.expect("gain 0.2")
            #expect(try ducker.ask("change ambient") == "ok")
            try healthy.expect("gain 1.0")
        }
        _ = stopped
    }
}

extension WaitingInterruptions {
    /// As a peer prints them.
    fileprivate var printed: [String] {
        switch self {
        case .none: []
        case .begin: ["begin"]
        case .beginAndEnd(let type): ["begin", "end \(type)"]
        case .end(let type): ["end \(type)"]
        }
    }
}
