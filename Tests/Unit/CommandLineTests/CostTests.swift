// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestSupport
import Testing

/// The kernel counts the costs of programs while nothing happens. Each interval without an event has the same length, and is
/// longer than a second, so that a wake-up each second is found.
@Suite struct CostTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    private func interval() async {
        await withCheckedContinuation { done in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1_200)) { done.resume() }
        }
    }

    /// The costs of a program after an interval without a wake-up. After its answer the program may still have to begin to wait: one of
    /// the first intervals must have no wake-up.
    private func idle(_ program: Program, _ what: String) async throws -> ProcessCosts {
        var history: [ProcessCosts] = []
        for _ in 0..<4 {
            let before = try #require(ProcessCosts(of: program.pid))
            await interval()
            let after = try #require(ProcessCosts(of: program.pid))
            if before == after { return after }
            history += [before, after]
        }
        Issue.record("\(what): no interval is without a wake-up: \(history)")
        throw CancellationError()
    }

    /// An event wakes the program, which is awake for it only.
    private func expectEvent(_ costs: ProcessCosts, _ program: Program, _ what: String) async throws {
        let after = try await idle(program, what)
        #expect(after.waits > costs.waits, "\(what): the event woke nothing")
        #expect(after.waits - costs.waits < 60, "\(what): \(after.waits - costs.waits) wake-ups for one event")
        #expect(after.descriptors == costs.descriptors && after.threads == costs.threads, "\(what): \(costs), then \(after)")
    }

    @Test(
        "An object that does nothing costs nothing until an event comes, and leaves no descriptor and no thread",
        arguments: ["session", "queue", "unit", "graph", "stream"])
    func objects(_ object: String) async throws {
        let program = try tool.idlePeer()
        func perform(_ word: String) throws {
            try program.write("\(word) \(object)")
            try program.line(with: "\(word) \(object): 0")
        }
        var lives: [ProcessCosts] = []
        var ends: [ProcessCosts] = []
        for _ in 0..<2 {
            try perform("open")
            lives.append(try await idle(program, object))
            try perform("close")
            ends.append(try await idle(program, object))
        }
        try perform("open")
        let costs = try await idle(program, object)
        for change in ["plug usb", "unplug usb"] {
            #expect(try tool.run("simulate \(change)").status == 0)
            try program.line(with: "event route")
        }
        try await expectEvent(costs, program, object)
        lives.append(costs)
        for (life, end) in zip(lives, ends) {
            #expect((life.descriptors, life.threads) == (lives[0].descriptors, lives[0].threads), "\(lives)")
            #expect((end.descriptors, end.threads) == (ends[0].descriptors, ends[0].threads), "\(ends)")
        }
    }

    @Test(
        "A command that waits costs nothing until an event comes",
        arguments: ["monitor --lines", "monitor --json", "trace events.json", "interrupt begin --name Ada"])
    func commands(_ line: String) async throws {
        let watcher = try tool.start("monitor --lines")
        try watcher.error(with: "watching")
        let program = try tool.start(line)
        if line.hasPrefix("interrupt") { try watcher.line(with: "Ada") } else { try program.error(with: "watching") }
        let costs = try await idle(program, line)
        #expect(try tool.run("silent on").status == 0)
        try watcher.line(with: "the silent switch is on")
        if line.hasPrefix("interrupt") {
            #expect(try tool.run("interrupt end").status == 0)
            #expect(try program.end().status == 0)
        } else {
            try await expectEvent(costs, program, line)
        }
    }
}
