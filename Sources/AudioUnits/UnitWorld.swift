// SPDX-License-Identifier: Apache-2.0
public import EngineClient
import LinuxSystem

/// The engine, the listeners, the table and the lengths of the slices that all units share.
public final class UnitWorld: Sendable {
    /// Nil where the session's library has another version.
    public let engine: (any AudioEngineClient)?
    public let notifier = Notifier()
    public let table = UnitTable()
    let slices: SliceLengths
    /// The sound that all units play, for units that cancel its echo.
    let echo = EchoReference()

    public init(engine: (any AudioEngineClient)?) {
        self.engine = engine
        slices = SliceLengths(engine)
    }
}

/// The lengths of the slices of all initialized units. The session publishes that of the first.
final class SliceLengths: @unchecked Sendable {
    private let engine: (any AudioEngineClient)?
    private let lock = Lock()
    private var lengths: [(unit: ObjectIdentifier, seconds: Double)] = []

    init(_ engine: (any AudioEngineClient)?) { self.engine = engine }

    func set(_ unit: Unit, seconds: Double) {
        change { lengths in
            if let index = lengths.firstIndex(where: { $0.unit == ObjectIdentifier(unit) }) {
                lengths[index].seconds = seconds
            } else {
                lengths.append((ObjectIdentifier(unit), seconds))
            }
        }
    }

    func remove(_ unit: Unit) {
        change { lengths in lengths.removeAll { $0.unit == ObjectIdentifier(unit) } }
    }

    private func change(_ body: (inout [(unit: ObjectIdentifier, seconds: Double)]) -> Void) {
        let published: Double? = lock.withLock {
            let before = lengths.first?.seconds ?? 0
            body(&lengths)
            let after = lengths.first?.seconds ?? 0
            return before == after ? nil : after
        }
        if let published { engine?.publishSlice(seconds: published) }
    }
}
