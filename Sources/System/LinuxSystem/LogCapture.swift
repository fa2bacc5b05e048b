// SPDX-License-Identifier: Apache-2.0
#if LOG_CAPTURE
    import CLinux

    /// Captures messages for tests. Several tests may capture at the same time.
    final class LogCapture: @unchecked Sendable {
        private let lock = Lock()
        private var captures = 0
        private var lines: [(thread: UInt64, text: String)] = []

        var isOpen: Bool { lock.withLock { captures > 0 } }

        func add(_ text: String) { lock.withLock { if captures > 0 { lines.append((linux_thread_self(), text)) } } }

        /// Returns the number of earlier lines.
        func open() -> Int {
            lock.withLock {
                captures += 1
                return lines.count
            }
        }

        func lines(since first: Int, of threads: LogThreads) -> [String] {
            let contains = threads.contains
            return lock.withLock { lines[first...].filter { contains($0.thread) }.map(\.text) }
        }

        func close() {
            lock.withLock {
                captures -= 1
                if captures == 0 { lines = [] }
            }
        }
    }
#endif
