// SPDX-License-Identifier: Apache-2.0
#if LOG_CAPTURE
    /// Captures messages for tests. Several tests may capture at the same time.
    final class LogCapture: @unchecked Sendable {
        private let lock = Lock()
        private var captures = 0
        private var lines: [String] = []

        var isOpen: Bool { lock.withLock { captures > 0 } }

        func add(_ line: String) { lock.withLock { if captures > 0 { lines.append(line) } } }

        /// Returns the number of earlier lines.
        func open() -> Int {
            lock.withLock {
                captures += 1
                return lines.count
            }
        }

        func lines(since first: Int) -> [String] { lock.withLock { [String](lines[first...]) } }

        func close() {
            lock.withLock {
                captures -= 1
                if captures == 0 { lines = [] }
            }
        }
    }
#endif
