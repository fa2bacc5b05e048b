// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import Foundation
import HardwareTestSupport
import Testing

@testable import SimulatedHardware

/// A clock that a test steps, and threads that sleep by it.
@Suite struct ClockTests {
    /// A thread that does something each 10 ms of its clock and notes when.
    private final class Worker: @unchecked Sendable {
        private let clock: SteppedClock
        private let wakeUp = linux_eventfd()
        private let lock = NSLock()
        private var times: [UInt64] = []
        private var isEnded = false
        private let ended = DispatchSemaphore(value: 0)
        private let period: UInt64

        init(_ clock: SteppedClock, period: UInt64 = 10_000_000) {
            self.clock = clock
            self.period = period
            let wakeUp = wakeUp
            let ticket = clock.register { _ = linux_eventfd_signal(wakeUp) }
            Thread.detachNewThread { [self] in run(ticket) }
        }

        private func run(_ ticket: Int) {
            var next = clock.now + period
            while !lock.withLock({ isEnded }) {
                while clock.now >= next {
                    let now = clock.now
                    lock.withLock { times.append(now) }
                    next += period
                }
                let deadline = clock.sleep(ticket, until: next)
                #expect(deadline == UInt64.max, "a stepped clock never ends a sleep by itself")
                _ = linux_poll(wakeUp, UInt32(LINUX_READABLE), -1)
                _ = linux_eventfd_clear(wakeUp)
            }
            clock.unregister(ticket)
            ended.signal()
        }

        var noted: [UInt64] { lock.withLock { times } }

        func end() {
            lock.withLock { isEnded = true }
            _ = linux_eventfd_signal(wakeUp)
            ended.wait()
            _ = linux_close(wakeUp)
        }
    }

    @Test("A step wakes each thread at each of its deadlines, and ends when all of them sleep again")
    func deadlines() {
        let clock = SteppedClock(at: 0)
        let workers = [Worker(clock), Worker(clock, period: 25_000_000)]
        #expect(clock.step(nanoseconds: 35_000_000))
        #expect(clock.now == 35_000_000)
        #expect(workers[0].noted == [10_000_000, 20_000_000, 30_000_000])
        #expect(workers[1].noted == [25_000_000])
        #expect(clock.step(nanoseconds: 5_000_000))
        #expect(workers[0].noted.last == 40_000_000)
        #expect(clock.now == 40_000_000)
        for worker in workers { worker.end() }
    }

    @Test("A step does not wait for a thread that has ended")
    func threadsThatEnd() {
        let clock = SteppedClock()
        let worker = Worker(clock)
        #expect(clock.step(nanoseconds: 10_000_000))
        worker.end()
        #expect(clock.step(nanoseconds: 10_000_000))
        #expect(clock.now == 1_020_000_000)
    }

    @Test("A thread that does not sleep ends the step at the limit")
    func threadsThatDoNotSleep() {
        let clock = SteppedClock(limit: 50_000_000)
        let thread = clock.register {}
        #expect(!clock.step(nanoseconds: 10_000_000))
        #expect(clock.now == 1_000_000_000)
        clock.unregister(thread)
        #expect(clock.step(nanoseconds: UInt64.max))
    }

    @Test("A thread that was about to sleep when a step began checks once more before the time advances")
    func lastLook() {
        let clock = SteppedClock()
        let (isWoken, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = clock.register { isWoken.signal() }
        // The thread has seen no message. One comes now, and then the step begins.
        Thread.detachNewThread {
            #expect(clock.step(nanoseconds: 10_000_000))
            hasEnded.signal()
        }
        _ = clock.sleep(thread, until: UInt64.max)
        #expect(isWoken.wait(timeout: .now() + 60) == .success)
        #expect(clock.now == 1_000_000_000)
        _ = clock.sleep(thread, until: UInt64.max)
        #expect(hasEnded.wait(timeout: .now() + 60) == .success)
        #expect(clock.now == 1_010_000_000)
    }

    @Test("The time stands while a thread works that a message has woken before its deadline")
    func earlyWake() {
        let clock = SteppedClock(limit: 50_000_000)
        let thread = clock.register {}
        _ = clock.sleep(thread, until: 1_005_000_000)
        clock.endSleep(thread)
        #expect(!clock.step(nanoseconds: 10_000_000))
        #expect(clock.now == 1_000_000_000)
        clock.unregister(thread)
        clock.endSleep(thread)
        #expect(clock.step(nanoseconds: 10_000_000))
    }

    @Test("A machine has the kernel's clock, or the one that a test gives it")
    func clocks() {
        let clock = SteppedClock()
        #expect(SimulatedHardware(file: nil, clock: clock).clock.now == 1_000_000_000)
        let kernel = SimulatedHardware(file: nil).clock
        let before = linux_monotonic_nanoseconds()
        #expect((before...before + 60_000_000_000).contains(kernel.now))
        #expect(kernel.sleep(kernel.register {}, until: 7) == 7)
    }
}
