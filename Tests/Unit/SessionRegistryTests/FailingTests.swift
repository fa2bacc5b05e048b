// SPDX-License-Identifier: Apache-2.0
import FaultPlan
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import Testing

@testable import SessionRegistry

/// Each system call of a transaction fails in turn: once, and with all calls after it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FailingTests {
    /// Two registries, each for a process, with one table.
    private final class Pair {
        let folder: Folder
        let first, second: FileRegistry
        let music, prompt: TableSlot

        init() throws {
            folder = try Folder()
            first = try FileRegistry(in: RuntimeDirectory(folder.path))
            second = try FileRegistry(in: RuntimeDirectory(folder.path))
            let media = SessionSettings(category: .mediaPlayback, mixes: false)
            music = try first.enter(name: SessionName("music"), settings: media)
            prompt = try second.enter(name: SessionName("prompt"), settings: media)
        }

        /// Makes the table unreadable.
        func garble() {
            let file = open(folder.table, O_RDWR)
            let noise = [UInt8](repeating: 0xA5, count: 4096)
            pwrite(file, noise, noise.count, 0)
            close(file)
        }
    }

    /// A way in which the n-th call fails.
    struct Failure: Sendable, CustomTestStringConvertible {
        let error: Int32
        var lasts = false
        var testDescription: String { "\(String(cString: strerror(error)))\(lasts ? ", from there on" : "")" }
    }
    /// EINTR does not last: no signal interrupts every call.
    private static let failures =
        [Failure(error: EINTR)] + [EIO, EMFILE, ENOENT].flatMap { [Failure(error: $0), Failure(error: $0, lasts: true)] }

    /// Runs `act` once for each call that it makes, each time with a new pair.
    private func failEach(
        _ failure: Failure, most: UInt64 = 500, before: (Pair) throws -> Void = { _ in }, _ act: (Pair) throws -> Void,
        after: (Pair, ResultCode?) throws -> Void
    ) throws {
        for nth in 1...most {
            let pair = try Pair()
            try before(pair)
            fault_plan_enter(failure.error, nth, failure.lasts)
            var refusal: ResultCode?
            do { try act(pair) } catch { refusal = error as? ResultCode }
            let hasFailed = fault_plan_leave()
            try after(pair, refusal)
            if !hasFailed { return }
        }
        Issue.record("no end of calls")
    }

    /// The first registry of the pair works, with the other one or in private fallback.
    private func worksOn(_ pair: Pair) throws {
        try pair.first.submit(.deactivate(pair.music, notifyingOthers: true))
        #expect(!pair.first.view(of: pair.music).isActive)
        try pair.first.submit(.activate(pair.music))
        #expect(pair.first.view(of: pair.music).isActive)
        pair.first.processEvents()
        pair.first.updatePeerMonitors()
        guard !pair.first.isPrivate else { return }
        try pair.second.submit(.activate(pair.prompt))
        #expect(pair.first.view(of: pair.music).interruptions.contains(.begin))
        #expect(pair.first.table().entries.compactMap { $0 }.count == 2)
    }

    @Test("An activation happens or is refused as a whole", arguments: failures)
    func activation(failure: Failure) throws {
        try failEach(failure) {
            try $0.first.submit(.activate($0.music))
        } after: { pair, refusal in
            #expect(refusal == nil || refusal == .unspecified)
            if !pair.first.isPrivate {
                #expect(pair.second.table()[pair.music]?.isActive == (refusal == nil))
            }
            try worksOn(pair)
        }
    }

    @Test("What was refused shows in no view, also where the table cannot be read") func refusedView() throws {
        var refusals = 0
        try failEach(Failure(error: ENOMEM, lasts: true)) { pair in
            do { try pair.first.submit(.activate(pair.music)) } catch {
                refusals += 1
                #expect(!pair.first.view(of: pair.music).isActive)
            }
        } after: { _, _ in
        }
        #expect(refusals > 0)
    }

    @Test("A view that fails shows the last known state, and the next one has the interruptions that wait", arguments: failures)
    func looking(failure: Failure) throws {
        try failEach(failure) {
            try $0.first.submit(.activate($0.music))
            try $0.second.submit(.activate($0.prompt))
        } _: {
            $0.first.processEvents()
            if !$0.first.view(of: $0.music).interruptions.isEmpty {
                try $0.first.submit(.rename($0.music, SessionName("viewed")))
            }
            $0.first.updatePeerMonitors()
        } after: { pair, _ in
            guard !pair.first.isPrivate else { return try worksOn(pair) }
            let isHeard = pair.second.table()[pair.music]?.waiting == WaitingInterruptions.none
            #expect(isHeard || pair.first.view(of: pair.music).interruptions == [.begin])
            try worksOn(pair)
        }
    }

    @Test("A session enters as a whole or not at all", arguments: failures)
    func entering(failure: Failure) throws {
        try failEach(failure) { pair in
            let third = try FileRegistry(in: RuntimeDirectory(pair.folder.path))
            let slot = try third.enter(
                name: SessionName("third"), settings: SessionSettings(category: .ambientSound, mixes: true))
            defer { third.leave(slot) }
            let streams = try third.enterStreams(of: slot)
            third.leave(streams)
        } after: { pair, _ in
            // A registry that could not leave has closed its FIFOs since. The others notice that, but not while a process that
            // another test starts has copies of the descriptors: until it executes its program.
            try pair.folder.waitUntil("the end of the third session", watchingClose: true) { _ in
                pair.first.updatePeerMonitors()
                pair.first.processEvents()
                return pair.first.isPrivate || pair.first.table().entries.compactMap { $0 }.count == 2
            }
            try worksOn(pair)
        }
    }

    @Test("A removed, truncated or unreadable table is created again, also where that fails at first", arguments: failures, 0..<4)
    func recovery(failure: Failure, loss: Int) throws {
        try failEach(failure) {
            try $0.first.submit(.activate($0.music))
            switch loss {
            case 0: $0.garble()
            case 1: unlink($0.folder.table)
            case 2: truncate($0.folder.table, 3000)
            default: try FileManager.default.removeItem(atPath: $0.folder.path)
            }
        } _: {
            $0.first.processEvents()
            try $0.first.submit(.deactivate($0.music, notifyingOthers: true))
        } after: { pair, _ in
            try worksOn(pair)
        }
    }

    @Test("An endpoint whose files were removed is created again", arguments: failures)
    func rehousing(failure: Failure) throws {
        try failEach(failure) {
            for name in try $0.folder.names() where name != "sessions" { unlink($0.folder.path + "/" + name) }
        } _: {
            $0.first.processEvents()
            $0.first.updatePeerMonitors()
            _ = $0.first.othersArePlaying()
        } after: { pair, _ in
            pair.first.processEvents()
            _ = pair.second.table()
            pair.second.processEvents()
            pair.second.updatePeerMonitors()
            try worksOn(pair)
        }
    }

    @Test("The session of a dead process is removed, at the latest by the next view", arguments: failures)
    func burial(failure: Failure) throws {
        try failEach(failure) {
            try $0.first.submit(.activate($0.music))
            try $0.second.submit(.activate($0.prompt))
            try $0.second.submit(.beginCall(SessionName("call"), holder: $0.prompt))
            // As a process that has ended leaves them: FIFOs that no process has open.
            let endpoint = $0.second.peers.endpoint.id
            for path in [$0.second.directory.wakeUp(of: endpoint), $0.second.directory.liveness(of: endpoint)] {
                unlink(path)
                mkfifo(path, 0o600)
            }
        } _: {
            $0.first.processEvents()
            $0.first.updatePeerMonitors()
            _ = $0.first.view(of: $0.music)
        } after: { pair, _ in
            guard !pair.first.isPrivate else { return }
            #expect(pair.first.table()[pair.prompt] == nil)
            #expect(pair.first.table().call == nil)
            try pair.first.submit(.activate(pair.music))
            #expect(pair.first.view(of: pair.music).isActive)
        }
    }

    @Test("A transfer that moves a part is continued", arguments: 0..<2)
    func short(way: Int) throws {
        for nth: UInt64 in 1...500 {
            let pair = try Pair()
            if way == 1 { pair.garble() }
            fault_plan_enter_short(nth)
            let result = Result { try pair.first.submit(.activate(pair.music)) }
            let view = pair.first.view(of: pair.music)
            let hasFailed = fault_plan_leave()
            try result.get()
            #expect(view.isActive)
            #expect(pair.second.table()[pair.music]?.isActive == true)
            if !hasFailed { return }
        }
        Issue.record("no end of calls")
    }
}
