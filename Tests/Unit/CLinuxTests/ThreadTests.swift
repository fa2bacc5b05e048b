// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

@Suite struct ThreadTests {
    private final class SelfJoin: @unchecked Sendable {
        var thread: UnsafeMutableRawPointer?
        var detachState: Int32 = -1
        let hasThread = DispatchSemaphore(value: 0)
        let hasJoined = DispatchSemaphore(value: 0)
    }

    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// Swift does not import pthread_getattr_np.
    private static func ownDetachState() -> Int32 {
        guard let function = dlsym(nil, "pthread_getattr_np") else { return -1 }
        var attributes = pthread_attr_t()
        guard unsafeBitCast(function, to: GetAttributes.self)(pthread_self(), &attributes) == 0 else { return -1 }
        defer { pthread_attr_destroy(&attributes) }
        var state: Int32 = -1
        pthread_attr_getdetachstate(&attributes, &state)
        return state
    }

    @Test("A thread that joins itself is detached")
    func selfJoin() {
        let state = SelfJoin()
        let thread = linux_thread_start(
            { context in
                guard let context else { return }
                let state = Unmanaged<SelfJoin>.fromOpaque(context).takeRetainedValue()
                state.hasThread.wait()
                linux_thread_join(state.thread)
                state.detachState = ThreadTests.ownDetachState()
                state.hasJoined.signal()
            }, Unmanaged.passRetained(state).toOpaque(), "selfjoin")
        state.thread = thread
        state.hasThread.signal()
        #expect(state.hasJoined.wait(timeout: .now() + 60) == .success, "the thread waits for itself for 60 s")
        #expect(state.detachState == Int32(PTHREAD_CREATE_DETACHED))
    }

    /// SCHED_BATCH. Swift does not import it.
    private static let batch: Int32 = 3

    private final class Background: @unchecked Sendable {
        var results: [Bool] = []
        var policies: [Int32] = []
    }

    @Test("A thread in the background has the policy SCHED_BATCH until its end; one with another policy keeps it")
    func background() {
        let state = Background()
        let thread = linux_thread_start(
            { context in
                guard let context else { return }
                let state = Unmanaged<Background>.fromOpaque(context).takeUnretainedValue()
                for _ in 0..<2 {
                    state.results.append(linux_thread_begin_background())
                    state.policies.append(sched_getscheduler(0))
                }
                linux_thread_end_background()
                state.policies.append(sched_getscheduler(0))
            }, Unmanaged.passUnretained(state).toOpaque(), "background")
        linux_thread_join(thread)
        #expect(state.results == [true, false])
        #expect(state.policies == [ThreadTests.batch, ThreadTests.batch, SCHED_OTHER])
    }

    private struct Word: @unchecked Sendable {
        let address = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        init() { address.initialize(to: 1) }
    }

    @Test("A wait with a limit ends with the change of the word, or when its time is over")
    func limitedWait() throws {
        let word = Word()
        defer { word.address.deallocate() }
        #expect(!linux_wait_until(word.address, 1, linux_monotonic_nanoseconds() + 1_000_000))
        let hasChanged = DispatchSemaphore(value: 0)
        let changes = Thread {
            linux_store(word.address, 2)
            linux_wake_waiting(word.address)
            hasChanged.signal()
        }
        changes.start()
        #expect(linux_wait_until(word.address, 1, linux_monotonic_nanoseconds() + 60_000_000_000))
        hasChanged.wait()
        #expect(linux_wait_until(word.address, 1, linux_monotonic_nanoseconds() + 0_000_000))
    }

    /// What linux_once initializes. The initialization does not end while it is held.
    private struct Initialization: @unchecked Sendable {
        let predicate = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
        let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 3)
        var runs: UnsafeMutablePointer<UInt32> { words }
        var isHeld: UnsafeMutablePointer<UInt32> { words + 1 }
        var hasBegun: UnsafeMutablePointer<UInt32> { words + 2 }

        init() {
            predicate.initialize(to: 0)
            words.initialize(repeating: 0, count: 3)
            linux_store(isHeld, 1)
        }

        func deallocate() {
            predicate.deallocate()
            words.deallocate()
        }

        func run() {
            linux_once(
                predicate,
                { context in
                    guard let words = context?.assumingMemoryBound(to: UInt32.self) else { return }
                    linux_store(words, linux_load(words) + 1)
                    linux_store(words + 2, 1)
                    linux_wake_waiting(words + 2)
                    linux_wait_while(words + 1, 1)
                }, words)
        }

        func release() {
            linux_store(isHeld, 0)
            linux_wake_waiting(isHeld)
        }

        /// Starts a thread that runs it, and returns when the initialization has begun.
        func begin() -> DispatchSemaphore {
            let hasReturned = runInThread()
            #expect(
                linux_wait_until(hasBegun, 0, linux_monotonic_nanoseconds() + 60_000_000_000),
                "the initialization does not begin in 60 s")
            return hasReturned
        }

        func runInThread() -> DispatchSemaphore {
            let hasReturned = DispatchSemaphore(value: 0)
            Thread {
                run()
                hasReturned.signal()
            }.start()
            return hasReturned
        }

        /// No event tells that a thread sleeps: it marks the predicate before.
        func isAwaitedWithin(seconds: Int) -> Bool {
            predicate.withMemoryRebound(to: UInt32.self, capacity: 2) { state in
                (0..<(seconds * 1000)).contains { _ in
                    if linux_load(state) & 1 != 0 { return true }
                    usleep(1000)
                    return false
                }
            }
        }
    }

    @Test("Threads that need an initialization sleep until the one that runs it has ended")
    func once() {
        let initialization = Initialization()
        defer { initialization.deallocate() }
        let first = initialization.begin()
        let others = (0..<3).map { _ in initialization.runInThread() }
        #expect(initialization.isAwaitedWithin(seconds: 60), "no thread waits within 60 s")
        #expect(others.allSatisfy { $0.wait(timeout: .now()) == .timedOut })
        initialization.release()
        for thread in [first] + others {
            #expect(thread.wait(timeout: .now() + 60) == .success, "a thread still waits after 60 s")
        }
        initialization.run()
        #expect(linux_load(initialization.runs) == 1)
        #expect(initialization.predicate.pointee < 0, "compiled Swift code does not see that it is done")
    }

    @Test("A child of fork runs an initialization that a thread of its parent was in")
    func onceInChild() {
        let initialization = Initialization()
        defer { initialization.deallocate() }
        let first = initialization.begin()
        let status = waitStatus {
            linux_store(initialization.isHeld, 0)
            initialization.run()
            initialization.run()
            return Int32(linux_load(initialization.runs))
        }
        #expect(status == 2 << 8, "one run of the parent and one of the child; 14: the child waits for ever")
        initialization.release()
        #expect(first.wait(timeout: .now() + 60) == .success)
        #expect(linux_load(initialization.runs) == 1)
    }
}
