// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The renders of a unit that have failed. Audio threads count them; any thread reads them.
final class RenderFailures: Sendable {
    private let failed = Atomic<UInt32>(0)
    private let last = Atomic<Int32>(0)

    /// The number since the start of the unit.
    var count: UInt32 { failed.load(ordering: .relaxed) }
    /// The result of the last one, until the program has read it; 0 without one.
    var lastStatus: Int32 { last.load(ordering: .relaxed) }

    func add(_ status: Int32) {
        last.store(status, ordering: .relaxed)
        failed.wrappingAdd(1, ordering: .relaxed)
    }

    /// The unit starts. The last result stays.
    func beginRun() { failed.store(0, ordering: .relaxed) }

    /// The program has read the last result.
    func clearLastStatus() { last.store(0, ordering: .relaxed) }
}
