// SPDX-License-Identifier: Apache-2.0
import CLinux
import FaultPlan
import Foundation
import Synchronization
import Testing

/// The plan of failing calls changes while threads of other tests call the system.
@Suite struct FaultPlanTests {
    /// A thread that opens and closes a file until it is stopped, and keeps the first error.
    private final class Caller: @unchecked Sendable {
        private let mustStop = Atomic(false)
        private let error = Atomic<Int32>(0)
        private let rounds = Atomic(0)
        private let hasEnded = DispatchSemaphore(value: 0)

        init() {
            Thread { [self] in
                while !mustStop.load(ordering: .acquiring) {
                    let file = linux_open("/dev/null", 0, 0)
                    if file < 0 { error.store(file, ordering: .relaxed) }
                    if file >= 0, linux_close(file) < 0 { error.store(-EIO, ordering: .relaxed) }
                    rounds.add(1, ordering: .relaxed)
                }
                hasEnded.signal()
            }.start()
            while rounds.load(ordering: .relaxed) == 0 { linux_yield() }
        }

        func stop() -> Int32 {
            mustStop.store(true, ordering: .releasing)
            hasEnded.wait()
            return error.load(ordering: .relaxed)
        }
    }

    @Test("A plan for one thread neither fails nor counts the calls of another, however often plans change")
    func otherThreads() {
        let caller = Caller()
        var struck = 0
        for _ in 0..<2000 {
            fault_plan_enter(EIO, 1, true)
            linux_yield()
            if fault_plan_leave() { struck += 1 }
        }
        #expect(struck == 0)
        #expect(caller.stop() == 0)
    }

    @Test("A plan fails the n-th call of its thread, alone or with all that follow, until it ends")
    func nth() {
        func results(_ nth: UInt64, _ fromThereOn: Bool) -> [Bool] {
            fault_plan_enter(ENOENT, nth, fromThereOn)
            let failed = (0..<4).map { _ in linux_unlink("/dev/null/absent") == -ENOENT }
            #expect(fault_plan_leave())
            #expect(linux_unlink("/dev/null/absent") == -ENOTDIR)
            return failed
        }
        #expect(results(2, false) == [false, true, false, false])
        #expect(results(2, true) == [false, true, true, true])
    }

    @Test("A plan that ended without a failure does not report the failure of an earlier plan")
    func struck() {
        fault_plan_enter(EIO, 1, false)
        #expect(linux_unlink("/dev/null/absent") == -EIO)
        #expect(fault_plan_leave())
        fault_plan_enter(EIO, 1, false)
        #expect(!fault_plan_leave())
    }
}
