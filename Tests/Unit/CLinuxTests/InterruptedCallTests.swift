// SPDX-License-Identifier: Apache-2.0
import CLinux
import FaultPlan
import Foundation
import Testing

/// A signal that interrupts a call is no failure: the call is repeated.
@Suite struct InterruptedCallTests {
    /// The result of the call whose first attempt a signal interrupts.
    private func interrupted<Result>(_ call: () -> Result) -> Result {
        fault_plan_enter(EINTR, 1, false)
        let result = call()
        #expect(fault_plan_leave(), "no call was interrupted")
        return result
    }

    @Test("Opening a file is repeated after a signal")
    func opening() throws {
        let scratch = try Scratch()
        let file = interrupted { scratch.create("file") }
        #expect(file >= 0)
        linux_close(file)
    }

    @Test("Reading and writing are repeated after a signal")
    func transfers() throws {
        let scratch = try Scratch()
        let file = scratch.create("file")
        defer { linux_close(file) }
        var bytes: [UInt8] = [1, 2, 3]
        #expect(interrupted { linux_write(file, bytes, 3) } == 3)
        #expect(interrupted { linux_pwrite(file, bytes, 3, 3) } == 3)
        #expect(interrupted { linux_pread(file, &bytes, 3, 0) } == 3)
        #expect(interrupted { linux_read(file, &bytes, 3) } == 3)
        #expect(bytes == [1, 2, 3])
    }

    @Test("A request for random bytes is repeated after a signal, and no other error is hidden")
    func randomBytes() {
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(interrupted { linux_random(&bytes, 16) } == 0)
        #expect(bytes != [UInt8](repeating: 0, count: 16))
        fault_plan_enter(ENOSYS, 1, true)
        #expect(linux_random(&bytes, 16) == -ENOSYS)
        #expect(fault_plan_leave())
    }

    @Test("Reserving space and locking are repeated after a signal")
    func reservations() throws {
        let scratch = try Scratch()
        let file = scratch.create("file")
        defer { linux_close(file) }
        #expect(interrupted { linux_reserve(file, 100) } == 0)
        #expect(interrupted { linux_try_lock(file) } == 0)
    }

    @Test("A wait without a limit is repeated after a signal")
    func endlessWaits() {
        let event = linux_eventfd()
        let epoll = linux_epoll_create()
        defer {
            linux_close(event)
            linux_close(epoll)
        }
        #expect(linux_epoll_add(epoll, event, UInt32(LINUX_READABLE), 7) == 0)
        #expect(linux_eventfd_signal(event) == 0)
        #expect(interrupted { linux_poll(event, UInt32(LINUX_READABLE), -1) } == Int32(LINUX_READABLE))
        var found = linux_event()
        #expect(interrupted { linux_epoll_wait(epoll, &found, 1, -1) } == 1)
        #expect(found.token == 7)
    }

    @Test("A wait with a limit ends without an event after a signal")
    func limitedWaits() {
        let event = linux_eventfd()
        let epoll = linux_epoll_create()
        defer {
            linux_close(event)
            linux_close(epoll)
        }
        #expect(linux_eventfd_signal(event) == 0)
        #expect(linux_epoll_add(epoll, event, UInt32(LINUX_READABLE), 7) == 0)
        #expect(interrupted { linux_poll(event, UInt32(LINUX_READABLE), 1000) } == 0)
        var found = linux_event()
        #expect(interrupted { linux_epoll_wait(epoll, &found, 1, 1000) } == 0)
    }
}
