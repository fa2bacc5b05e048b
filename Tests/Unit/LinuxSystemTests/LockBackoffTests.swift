// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import Testing

private let millisecond: UInt64 = 1_000_000

/// The waits take the time of the machine. Only lower limits are tested: a step counts 50 ms at most.
@Suite("The wait for a lock")
struct LockBackoffTests {
    /// Past the waits that only yield.
    private func begun() -> LockBackoff {
        var backoff = LockBackoff()
        for _ in 0..<30 { _ = backoff.wait(while: 0) }
        return backoff
    }

    @Test("yields thirty times before it looks at the progress") func yields() {
        var backoff = LockBackoff()
        var looks = 0
        func progress() -> UInt64 {
            looks += 1
            return 0
        }
        let answers = (0..<30).map { _ in backoff.wait(while: progress()) }
        #expect(answers.allSatisfy { $0 } && looks == 0)
        let isWaiting = backoff.wait(while: progress())
        #expect(isWaiting && looks == 1)
    }

    @Test("ends after a second without progress") func withoutProgress() {
        let begin = linux_monotonic_nanoseconds()
        var backoff = LockBackoff()
        while backoff.wait(while: 7) {}
        #expect(linux_monotonic_nanoseconds() - begin >= 1_000 * millisecond)
    }

    @Test("goes on for more than a second while others make progress") func progress() {
        var backoff = begun()
        for value: UInt64 in 1...3 {
            let begin = linux_monotonic_nanoseconds()
            while linux_monotonic_nanoseconds() - begin < 600 * millisecond {
                guard backoff.wait(while: value) else {
                    Issue.record("the wait has ended after change \(value)")
                    return
                }
            }
        }
    }

    @Test("does not count the time for which the process was stopped") func stopped() {
        var backoff = begun()
        func stop() -> UInt64 {
            linux_sleep_nanoseconds(1_200 * millisecond)
            return 0
        }
        let isWaiting = backoff.wait(while: stop())
        #expect(isWaiting)
    }
}
