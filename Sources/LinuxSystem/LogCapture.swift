#if LOG_CAPTURE
    /// What the log says while somebody listens: several tests do at once.
    final class LogCapture: @unchecked Sendable {
        private let lock = Lock()
        private var listeners = 0
        private var lines: [String] = []

        var isOpen: Bool { lock.withLock { listeners > 0 } }

        func hear(_ line: String) { lock.withLock { if listeners > 0 { lines.append(line) } } }

        /// How many lines were said before.
        func open() -> Int {
            lock.withLock {
                listeners += 1
                return lines.count
            }
        }

        func lines(since first: Int) -> [String] { lock.withLock { [String](lines[first...]) } }

        func close() {
            lock.withLock {
                listeners -= 1
                if listeners == 0 { lines = [] }
            }
        }
    }
#endif
