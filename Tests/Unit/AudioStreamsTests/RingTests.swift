// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import Foundation
import Testing

/// The ring between the program's thread and the stream's thread.
@Suite struct RingTests {
    private func withRing(capture: Bool = false, _ body: (UnsafeMutablePointer<stream_ring>) throws -> Void) rethrows {
        var ring = stream_ring()
        ring.is_capture = capture
        ring.buffer = 1000
        ring.avail_min = 100
        let ready = linux_eventfd()
        defer { _ = linux_close(ready) }
        ring.ready = ready
        try body(&ring)
    }

    private func isReadable(_ descriptor: Int32) -> Bool { linux_poll(descriptor, UInt32(LINUX_READABLE), 0) > 0 }

    @Test("A player can write as many frames as were played, and gets a signal when there is room for avail_min") func playing() {
        withRing { ring in
            _ = stream_ring_program_advance(ring, 1000)
            #expect(stream_ring_available(ring) == 0)
            stream_ring_advance(ring, 99, 99)
            #expect(!isReadable(ring.pointee.ready))
            stream_ring_advance(ring, 100, 100)
            #expect(isReadable(ring.pointee.ready) && stream_ring_available(ring) == 100)
            _ = stream_ring_program_advance(ring, 1050)
            #expect(stream_ring_rest(ring) && !isReadable(ring.pointee.ready))
        }
    }

    @Test("A recorder can read the frames that were recorded") func recording() {
        withRing(capture: true) { ring in
            stream_ring_advance(ring, 150, 150)
            #expect(stream_ring_available(ring) == 150 && isReadable(ring.pointee.ready))
            _ = stream_ring_program_advance(ring, 150)
            #expect(stream_ring_rest(ring) && !isReadable(ring.pointee.ready))
        }
    }

    @Test("A fault makes the stream ready") func fault() {
        withRing { ring in
            _ = stream_ring_program_advance(ring, 1000)
            stream_ring_fail(ring, 32)
            #expect(isReadable(ring.pointee.ready) && !stream_ring_rest(ring))
        }
    }

    @Test("A ring that is closed at the program's position accepts no further frame until it restarts") func closing() {
        withRing { ring in
            #expect(stream_ring_program_advance(ring, 300))
            #expect(!stream_ring_close(ring, 200))
            #expect(stream_ring_program_advance(ring, 400))
            #expect(stream_ring_close(ring, 400))
            #expect(!stream_ring_program_advance(ring, 500))
            #expect(stream_ring_program(ring) == 400 && stream_ring_available(ring) == 600)
            stream_ring_fail(ring, 32)
            #expect(!stream_ring_program_advance(ring, 500) && ring.pointee.fault == 32)
            stream_ring_restart(ring)
            #expect(stream_ring_program(ring) == 0 && ring.pointee.fault == 0 && stream_ring_available(ring) == 1000)
            #expect(stream_ring_program_advance(ring, 500))
            stream_ring_fail(ring, 19)
            #expect(!stream_ring_program_advance(ring, 600))
        }
    }

    @Test("A signal whose write failed is tried again with the next one") func failedSignal() {
        withRing { ring in
            let ready = ring.pointee.ready
            ring.pointee.ready = -1
            stream_ring_signal(ring)
            ring.pointee.ready = ready
            stream_ring_signal(ring)
            #expect(isReadable(ready))
        }
    }

    /// Of a thread that rests.
    private struct Rest {
        let ring: UnsafeMutablePointer<stream_ring>
        var thread: UInt64 = 0
    }

    @Test("A rest reads the descriptor before it allows another signal, which it would read away") func orderOfRest() throws {
        try withRing { ring in
            _ = stream_ring_program_advance(ring, 1000)
            // A read of this descriptor waits.
            let pipe = Pipe()
            ring.pointee.ready = pipe.fileHandleForReading.fileDescriptor
            ring.pointee.is_signalled = 1
            var rest = Rest(ring: ring)
            try withUnsafeMutablePointer(to: &rest) { rest in
                let thread = linux_thread_start(
                    { argument in
                        let rest = argument!.assumingMemoryBound(to: Rest.self)
                        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                        linux_store64(&rest.pointee.thread, own?.split(separator: "/").last.flatMap { UInt64($0) } ?? 1)
                        _ = stream_ring_rest(rest.pointee.ring)
                    }, rest, "rest")
                while linux_load64(&rest.pointee.thread) == 0 { linux_yield() }
                while try state(ofThread: linux_load64(&rest.pointee.thread)) != "S" { linux_yield() }
                #expect(ring.pointee.is_signalled == 1)
                try pipe.fileHandleForWriting.write(contentsOf: [1])
                linux_thread_join(thread)
                #expect(ring.pointee.is_signalled == 0)
            }
        }
    }

    private func state(ofThread thread: UInt64) throws -> Substring? {
        try String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8).split(separator: ") ").last?.prefix(1)
    }

    @Test("A draining stream is ready when all frames were played") func draining() {
        withRing { ring in
            ring.pointee.is_draining = 1
            _ = stream_ring_program_advance(ring, 500)
            stream_ring_advance(ring, 500, 499)
            #expect(!isReadable(ring.pointee.ready))
            stream_ring_advance(ring, 500, 500)
            #expect(isReadable(ring.pointee.ready))
        }
    }

    @Test("A write wakes the stream's thread once, and only if the thread waits for it") func waking() {
        withRing { ring in
            _ = stream_ring_program_advance(ring, 10)
            #expect(ring.pointee.is_woken == 0)
            #expect(!stream_ring_await_program(ring, 9))
            #expect(stream_ring_await_program(ring, 10))
            _ = stream_ring_program_advance(ring, 20)
            // The sleep ends at once.
            stream_ring_sleep(ring, UInt64.max)
            _ = stream_ring_program_advance(ring, 30)
            #expect(ring.pointee.is_woken == 0)
        }
    }

    @Test("A program that goes to rest at the moment of an advance is woken by it") func lostWakeUp() {
        consume { ring in
            while stream_ring_rest(ring) {
                guard linux_poll(ring.pointee.ready, UInt32(LINUX_READABLE), limit) > 0 else { return false }
            }
            return true
        }
    }

    @Test("The descriptor is readable after a rest that found the ring ready, also for a program that waits before it looks")
    func waitBeforeRest() {
        consume { ring in
            repeat {
                guard linux_poll(ring.pointee.ready, UInt32(LINUX_READABLE), limit) > 0 else { return false }
            } while stream_ring_rest(ring)
            return true
        }
    }

    /// Reads frames one by one. The device advances soon after the program has read the last frame, at each moment
    /// of the program's way to its rest in turn. `wait` is false when no signal came.
    private func consume(_ wait: (UnsafeMutablePointer<stream_ring>) -> Bool) {
        withRing(capture: true) { ring in
            ring.pointee.avail_min = 1
            let device = linux_thread_start(
                { argument in
                    let ring = argument!.assumingMemoryBound(to: stream_ring.self)
                    for round in 0..<rounds {
                        while stream_load(&ring.pointee.program) < round { linux_yield() }
                        var delay = round % 128
                        while delay > 0 {
                            _ = stream_load(&ring.pointee.program)
                            delay -= 1
                        }
                        stream_ring_advance(ring, round + 1, round + 1)
                    }
                }, ring, "device")
            for round in 0..<rounds {
                guard wait(ring) else {
                    Issue.record("frame \(round + 1) is there (available: \(stream_ring_available(ring))), and no signal came")
                    // The device's thread reaches its end.
                    stream_store(&ring.pointee.program, rounds)
                    break
                }
                _ = stream_ring_program_advance(ring, round + 1)
            }
            linux_thread_join(device)
        }
    }
}

/// The longest wait of a test, in milliseconds.
private let limit: Int32 = 60_000

/// The frames that a program and a device exchange one by one.
private let rounds = UInt64(ProcessInfo.processInfo.environment["RING_ROUNDS"] ?? "") ?? 100_000
