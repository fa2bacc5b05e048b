// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import LinuxSystem
import Synchronization
import Testing

@testable import AudioQueues

/// The right to call the program, of two threads.
@Suite struct CallTurnTests {
    private final class World: Sendable {
        let lock = ConditionLock()
        let turn = CallTurn()
        let isUsable = Atomic<Bool>(true)

        func enter() -> Bool { lock.withLock { turn.enter(lock) { isUsable.load(ordering: .relaxed) } } }
        func leave() { lock.withLock { turn.leave(lock) } }
        func dispose() {
            lock.withLock {
                isUsable.store(false, ordering: .relaxed)
                lock.broadcast()
            }
        }

        /// Calls `body` on another thread, and returns when it waits for the turn.
        func whileWaiting(_ body: @escaping @Sendable (World) -> Bool) -> Answer {
            let answer = Answer()
            DispatchQueue.global().async {
                answer.result.store(body(self) ? 1 : 0, ordering: .relaxed)
                answer.end.signal()
            }
            let limit = linux_monotonic_nanoseconds() + 60_000_000_000
            lock.withLock { while !turn.hasWaiters, lock.wait(until: limit) {} }
            return answer
        }
    }

    /// The result of another thread.
    private final class Answer: Sendable {
        let end = DispatchSemaphore(value: 0)
        let result = Atomic<Int>(-1)

        /// Nil when the thread does not return in a minute.
        var value: Bool? { end.wait(timeout: .now() + 60) == .success ? result.load(ordering: .relaxed) == 1 : nil }
    }

    @Test("A thread that has the turn takes it again, and another thread waits until it has left as often")
    func nesting() {
        let world = World()
        #expect(world.enter() && world.enter())
        #expect(world.lock.withLock { world.turn.isOwn })
        let other = world.whileWaiting { $0.enter() }
        world.leave()
        #expect(world.lock.withLock { world.turn.hasWaiters && world.turn.isOwn })
        world.leave()
        #expect(other.value == true)
        #expect(world.lock.withLock { !world.turn.isOwn && !world.turn.hasWaiters })
    }

    @Test("A thread that waits for the turn of a queue that is disposed of does not get it")
    func disposal() {
        let world = World()
        #expect(world.enter())
        let other = world.whileWaiting { $0.enter() }
        world.dispose()
        #expect(other.value == false)
        #expect(!world.enter())
        world.leave()
    }

    @Test("A disposal waits for the end of a call of another thread, and not for a call of its own")
    func end() {
        let world = World()
        #expect(world.enter())
        world.lock.withLock { world.turn.awaitOther(world.lock) }
        let other = world.whileWaiting { world in
            world.lock.withLock { world.turn.awaitOther(world.lock) }
            return true
        }
        world.leave()
        #expect(other.value == true)
        #expect(world.lock.withLock { !world.turn.hasWaiters })
    }
}
