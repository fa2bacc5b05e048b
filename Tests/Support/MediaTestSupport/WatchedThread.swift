// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

/// A thread that runs one call which may wait. A test learns by events whether it waits.
public final class WatchedThread: Sendable {
    private struct State {
        var file: String?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    public init(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            state.withLock { $0.file = own.map { "/proc/\($0)/stat" } }
            body()
            state.withLock { $0.hasEnded = true }
            end.signal()
        }
        thread.start()
    }

    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Returns when the thread sleeps in the kernel or has ended; after a minute at the latest. True where it sleeps.
    public func sleeps() -> Bool {
        let limit = DispatchTime.now() + 60
        while DispatchTime.now() < limit {
            let now = state.withLock { $0 }
            if now.hasEnded { return false }
            guard let file = now.file else { continue }
            let fields = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: ") ")
            if fields?.last?.hasPrefix("S") == true { return !hasEnded }
            sched_yield()
        }
        return false
    }

    /// False when the thread has not ended after a minute.
    public func join() -> Bool { end.wait(timeout: .now() + 60) == .success }
}
