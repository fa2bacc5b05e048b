// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

/// The byte that wakes another process.
@Suite(.serialized) struct WakeUpTests {
    /// The two ends of a pipe whose writing end does not wait.
    private func makePipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// Runs the body on a thread of its own, with SIGPIPE deadly for the process, as it is unless a program changes that.
    private func onThreadWhereSIGPIPEKills(_ body: @escaping @Sendable () -> Void) {
        let before = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, before) }
        let hasEnded = DispatchSemaphore(value: 0)
        Thread {
            body()
            hasEnded.signal()
        }.start()
        hasEnded.wait()
    }

    @Test("A wake-up without a reader returns EPIPE, and the program gets no SIGPIPE")
    func noReader() {
        let (reading, writing) = makePipe()
        linux_close(reading)
        defer { linux_close(writing) }
        onThreadWhereSIGPIPEKills {
            for _ in 0..<2 { #expect(linux_wake(writing) == -EPIPE) }
            var pending = sigset_t()
            sigpending(&pending)
            #expect(sigismember(&pending, SIGPIPE) == 0)
        }
    }

    @Test("A SIGPIPE that the program has waiting stays")
    func waitingSignal() {
        let (reading, writing) = makePipe()
        linux_close(reading)
        defer { linux_close(writing) }
        onThreadWhereSIGPIPEKills {
            var pipe = sigset_t()
            var pending = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipe, nil)
            pthread_kill(pthread_self(), SIGPIPE)
            #expect(linux_wake(writing) == -EPIPE)
            sigpending(&pending)
            #expect(sigismember(&pending, SIGPIPE) == 1)
            var taken: Int32 = 0
            sigwait(&pipe, &taken)
        }
    }

    @Test("A wake-up that finds the pipe full succeeds: its reader has been woken")
    func full() {
        let (reading, writing) = makePipe()
        defer {
            linux_close(reading)
            linux_close(writing)
        }
        let bytes = [UInt8](repeating: 0, count: 4096)
        while linux_write(writing, bytes, bytes.count) > 0 {}
        while linux_write(writing, bytes, 1) > 0 {}
        #expect(linux_write(writing, bytes, 1) == -EAGAIN)
        #expect(linux_wake(writing) == 0)
    }
}
