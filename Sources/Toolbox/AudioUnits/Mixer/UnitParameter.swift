// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A parameter of a unit. Program threads and audio threads read it. `ParameterEvents` changes it.
final class UnitParameter: Sendable {
    private let last: Atomic<UInt32>
    private let applied: Atomic<UInt32>

    init(_ value: Float) {
        last = Atomic(value.bitPattern)
        applied = Atomic(value.bitPattern)
    }

    /// The value that was set last. Events that are not rendered yet may lead to it.
    var value: Float { Float(bitPattern: last.load(ordering: .relaxed)) }
    func set(_ value: Float) { last.store(value.bitPattern, ordering: .relaxed) }

    /// The end of the last event that was rendered: the value with which a new rendering path begins.
    var settled: Float { Float(bitPattern: applied.load(ordering: .relaxed)) }
    func settle(_ value: Float) { applied.store(value.bitPattern, ordering: .relaxed) }
}
