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

    private struct Word: @unchecked Sendable {
        let address = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        init() { address.initialize(to: 1) }
    }

    @Test("A wait with a limit ends with the change of the word, or when its time is over")
    func limitedWait() throws {
        let word = Word()
        defer { word.address.deallocate() }
        #expect(!linux_wait_while_for(word.address, 1, 1))
        let hasChanged = DispatchSemaphore(value: 0)
        let changes = Thread {
            linux_store(word.address, 2)
            linux_wake_waiting(word.address)
            hasChanged.signal()
        }
        changes.start()
        #expect(linux_wait_while_for(word.address, 1, 60_000))
        hasChanged.wait()
        #expect(linux_wait_while_for(word.address, 1, 0))
    }
}
