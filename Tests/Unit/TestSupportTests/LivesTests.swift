// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

private enum CounterCall { case add, clear }

private struct CounterModel: LifeModel {
    var value = 0
    mutating func predict(_ call: CounterCall) -> Int {
        value = call == .add ? value + 1 : 0
        return value
    }
}

/// A counter, with a bug if wanted.
private struct Counter: LivingObject {
    enum Bug { case none, keepsValue, saturates, showsLife }
    final class Memory {
        var value = 0
        var lives: UInt64 = 0
    }
    let bug: Bug
    let memory = Memory()

    func perform(_ call: CounterCall, _ trace: inout Trace) -> Int {
        memory.value = call == .add ? memory.value + 1 : 0
        if bug == .saturates { memory.value = min(memory.value, 2) }
        trace.append(bug == .showsLife ? memory.lives : 0)
        return memory.value
    }

    func reopened(_ way: Int) throws -> Counter {
        if bug != .keepsValue { memory.value = 0 }
        memory.lives += 1
        return self
    }
}

@Suite("The comparison of lives")
struct LivesTests {
    private func compared(_ bug: Counter.Bug) throws -> Lives<Counter, CounterModel> {
        var lives = Lives(of: [.add, .clear], longest: 4, make: { Counter(bug: bug) }, model: { CounterModel() })
        try lives.run()
        return lives
    }

    @Test("has every sequence up to the longest once")
    func complete() throws {
        let lives = try compared(.none)
        #expect(lives.faults.isEmpty && lives.sequences == 2 + 4 + 8 + 16)
        #expect(Lives<Counter, CounterModel>.count(calls: 2, longest: 4) == 30)
        #expect(lives.traced == 2 + 2 * 4 + 3 * 8 + 4 * 16)
    }

    @Test("reports sequences that were not compared, and lives without a trace")
    func findings() throws {
        #expect(try compared(.none).findings.isEmpty)
        #expect(
            Lives(of: [.add, .clear], longest: 4, make: { Counter(bug: .none) }, model: { CounterModel() }).findings
                == ["0 of 30 sequences were compared", "no life has left a trace"])
    }

    @Test("finds a first life that the model does not predict, with its sequence")
    func model() throws {
        #expect(try compared(.saturates).faults.first?.hasSuffix("call 3, first life: 2 and not 3") == true)
    }

    @Test("finds what a former life has left behind")
    func second() throws {
        #expect(try compared(.keepsValue).faults.first?.hasSuffix("call 1, life after way 0 of opening: 2 and not 1") == true)
    }

    @Test("finds a second life that looks different")
    func trace() throws {
        #expect(try compared(.showsLife).faults.first?.hasSuffix("differs from the first one in what is seen") == true)
    }
}
