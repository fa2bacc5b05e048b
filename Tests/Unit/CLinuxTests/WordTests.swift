// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

/// Words that threads share without a lock.
@Suite struct WordTests {
    @Test("A signal before the wait ends it at once, and counts once")
    func signalBefore() {
        var word: UInt32 = 0
        linux_signal_thread(&word)
        linux_signal_thread(&word)
        linux_await_signal(&word, UInt64.max)
        #expect(word == LINUX_AWAKE.rawValue)
        // No signal is left: the wait ends by its deadline.
        linux_await_signal(&word, linux_monotonic_nanoseconds() + 1_000_000)
        #expect(word == LINUX_AWAKE.rawValue)
    }

    @Test("Each wait of one thread gets the signal of the other")
    func pingPong() {
        let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 2)
        words.initialize(repeating: 0, count: 2)
        defer { words.deallocate() }
        nonisolated(unsafe) let shared = words
        let ended = DispatchSemaphore(value: 0)
        Thread {
            for _ in 0..<1000 {
                linux_await_signal(shared, UInt64.max)
                linux_signal_thread(shared + 1)
            }
            ended.signal()
        }.start()
        for _ in 0..<1000 {
            linux_signal_thread(words)
            linux_await_signal(words + 1, UInt64.max)
        }
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }

    @Test("A copy is refused while a thread writes, and after a write that it missed")
    func sequence() {
        var sequence: UInt32 = 0
        let before = linux_sequence_read(&sequence)
        #expect(linux_sequence_is(&sequence, before))
        let begun = linux_sequence_begin(&sequence)
        #expect(!linux_sequence_is(&sequence, linux_sequence_read(&sequence)))
        linux_sequence_end(&sequence, begun)
        #expect(!linux_sequence_is(&sequence, before))
        #expect(linux_sequence_is(&sequence, linux_sequence_read(&sequence)))
    }

    @Test("A complete copy has the words of one write, with several writers")
    func record() {
        let count = 8
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count + 1)
        words.initialize(repeating: 0, count: count + 1)
        defer { words.deallocate() }
        nonisolated(unsafe) let shared = words
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let sequence = UnsafeMutableRawPointer(shared + count).assumingMemoryBound(to: UInt32.self)
            var copy = [UInt64](repeating: 0, count: count)
            for round in 0..<10_000 {
                if thread < 2 {
                    let value = [UInt64](repeating: UInt64(round * 2 + thread), count: count)
                    let begun = linux_sequence_begin(sequence)
                    linux_copy_words(shared, value, UInt32(count))
                    linux_sequence_end(sequence, begun)
                } else {
                    let before = linux_sequence_read(sequence)
                    linux_copy_words(&copy, shared, UInt32(count))
                    if linux_sequence_is(sequence, before) { #expect(Set(copy).count == 1) }
                }
            }
        }
    }
}
