// SPDX-License-Identifier: Apache-2.0
import CALSA
import CAudioStreams
import CLinux
import LinuxSystem

/// The thread that moves the frames of one stream. Only this thread uses the device. Commands of the program and targets of
/// the session are passed under a lock. The thread takes the lock only after a wake-up.
final class StreamThread: @unchecked Sendable {
    enum Command {
        case open
        case prepare, start
        case pause(Bool)
        case drain, stop, close, end
    }

    private let ring: UnsafeMutablePointer<stream_ring>
    private let pump: any StreamPump
    private let lock = ConditionLock()
    /// 1 when a command or a target is pending. The thread does not take the lock while it is 0.
    private let hasMessage = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private var thread: UnsafeMutableRawPointer?
    // Guarded by the lock:
    private var command: Command?
    private var failure: SystemError?
    private var target: StreamTarget
    private var hasTarget = true

    init(_ pump: any StreamPump, _ ring: UnsafeMutablePointer<stream_ring>, _ target: StreamTarget) {
        self.pump = pump
        self.ring = ring
        self.target = target
        hasMessage.initialize(to: 1)
    }

    deinit { hasMessage.deallocate() }

    /// The owner keeps the object until `end`.
    func begin() throws(SystemError) {
        guard lock.isValid else { throw .noMemory }
        thread = linux_thread_start(
            { if let thread = $0 { Unmanaged<StreamThread>.fromOpaque(thread).takeUnretainedValue().run() } },
            Unmanaged.passUnretained(self).toOpaque(), "audiosession-io")
        if thread == nil { throw .noMemory }
    }

    func end() {
        guard let thread else { return }
        do throws(SystemError) { try perform(.end) } catch {}
        linux_thread_join(thread)
        self.thread = nil
    }

    // MARK: Other threads

    /// Makes the thread perform a command, and waits for the result.
    func perform(_ command: Command) throws(SystemError) {
        let failure = lock.withLock {
            self.command = command
            self.failure = nil
            linux_store(hasMessage, 1)
            stream_ring_wake(ring)
            while self.command != nil { _ = lock.wait(until: UInt64.max) }
            return self.failure
        }
        if let failure { throw failure }
    }

    func apply(_ new: StreamTarget) {
        lock.withLock {
            guard new != target else { return }
            target = new
            hasTarget = true
            linux_store(hasMessage, 1)
            stream_ring_wake(ring)
        }
    }

    // MARK: The thread

    private func run() {
        alsa_silence_this_thread()
        var deadline: UInt64 = 0
        while true {
            if deadline > 0 { stream_ring_sleep(ring, deadline) }
            if linux_load(hasMessage) != 0, !processMessages() { return }
            deadline = pump.move()
        }
    }

    /// False after the last command.
    private func processMessages() -> Bool {
        let (command, new) = lock.withLock {
            linux_store(hasMessage, 0)
            defer { hasTarget = false }
            return (self.command, hasTarget ? target : nil)
        }
        if let new { pump.apply(new) }
        guard let command else { return true }
        var failure: SystemError?
        do throws(SystemError) { try execute(command) } catch { failure = error }
        lock.withLock {
            self.command = nil
            self.failure = failure
            lock.broadcast()
        }
        if case .end = command { return false }
        return true
    }

    private func execute(_ command: Command) throws(SystemError) {
        switch command {
        case .open: try pump.open()
        case .prepare: try pump.prepare()
        case .start: try pump.start()
        case .pause(let on): try pump.pause(on)
        case .drain: try pump.drain()
        case .stop: pump.stop()
        case .close, .end: pump.close()
        }
    }
}
