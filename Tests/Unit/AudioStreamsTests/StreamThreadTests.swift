// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import LinuxSystem
import TestSupport
import Testing

@testable import AudioStreams

/// Notes its calls, and the threads that make them.
private final class NotingPump: StreamPump, @unchecked Sendable {
    private let noted = LockedValue<(calls: [String], threads: Set<UInt64>)>(([], []))
    /// The error of all commands that can fail.
    let failure = LockedValue<SystemError?>(nil)
    let hasTarget = DispatchSemaphore(value: 0)

    var calls: [String] { noted.withLock { $0.calls } }
    var threads: Set<UInt64> { noted.withLock { $0.threads } }

    private func note(_ call: String) {
        noted.withLock {
            $0.calls.append(call)
            $0.threads.insert(linux_thread_self())
        }
    }

    private func attempt(_ call: String) throws(SystemError) {
        note(call)
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func open() throws(SystemError) { try attempt("open") }
    func prepare() throws(SystemError) { try attempt("prepare") }
    func start() throws(SystemError) { try attempt("start") }
    func pause(_ on: Bool) throws(SystemError) { try attempt("pause \(on)") }
    func drain() throws(SystemError) { try attempt("drain") }
    func stop() { note("stop") }
    func close() { note("close") }
    func apply(_ target: StreamTarget) {
        note("gain \(target.gain)")
        hasTarget.signal()
    }
    /// Only a wake-up makes the thread move again.
    func move() -> UInt64 { .max }
}

@Suite struct StreamThreadTests {
    private let pump = NotingPump()
    private let ring = TestRing(capture: false, TestRing.shape())

    @Test("A command is performed on the stream's thread before the call returns, and its error is that of the call")
    func commands() throws {
        let thread = StreamThread(pump, ring.ring, StreamTarget())
        try thread.begin()
        let commands: [(StreamThread.Command, String)] = [
            (.open, "open"), (.prepare, "prepare"), (.start, "start"), (.pause(true), "pause true"),
            (.pause(false), "pause false"), (.drain, "drain"), (.stop, "stop"), (.close, "close"),
        ]
        for (command, call) in commands {
            try thread.perform(command)
            #expect(pump.calls.last == call)
        }
        pump.failure.withLock { $0 = .noDevice }
        for (command, call) in commands {
            let canFail = call != "stop" && call != "close"
            var error: SystemError?
            do throws(SystemError) { try thread.perform(command) } catch let thrown { error = thrown }
            #expect(error == (canFail ? .noDevice : nil) && pump.calls.last == call)
        }
        thread.end()
        #expect(pump.calls.first == "gain 1.0" && pump.calls.last == "close" && pump.calls.count == 18)
        thread.end()
        #expect(pump.calls.count == 18 && pump.threads.count == 1 && !pump.threads.contains(linux_thread_self()))
    }

    @Test("A new target wakes the thread, and the same target does not") func targets() throws {
        let thread = StreamThread(pump, ring.ring, StreamTarget())
        try thread.begin()
        #expect(pump.hasTarget.happens())
        var target = StreamTarget()
        thread.apply(target)
        target.gain = 0.25
        thread.apply(target)
        #expect(pump.hasTarget.happens())
        thread.apply(target)
        try thread.perform(.prepare)
        thread.end()
        #expect(pump.calls == ["gain 1.0", "gain 0.25", "prepare", "close"])
    }
}
