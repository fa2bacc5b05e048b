// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The lengths of the slices of all units and of the streams of the queues. The session publishes the length of the first
/// unit or, without a unit, of the first stream.
public final class SliceLengths: @unchecked Sendable {
    public enum Kind: Sendable { case unit, queues }

    private struct Length {
        var owner: ObjectIdentifier
        var kind: Kind
        var seconds: Double
    }

    private let engine: (any AudioEngineClient)?
    /// Held during the call of the engine, so that the last published value is the present one.
    private let lock = Lock()
    private var lengths: [Length] = []
    private var published = 0.0

    public init(_ engine: (any AudioEngineClient)?) { self.engine = engine }

    public func set(_ owner: ObjectIdentifier, _ kind: Kind, seconds: Double) {
        lock.withLock {
            if let index = lengths.firstIndex(where: { $0.owner == owner }) {
                lengths[index].seconds = seconds
            } else {
                lengths.append(Length(owner: owner, kind: kind, seconds: seconds))
            }
            publish()
        }
    }

    public func remove(_ owner: ObjectIdentifier) {
        lock.withLock {
            lengths.removeAll { $0.owner == owner }
            publish()
        }
    }

    private func publish() {
        let present = (lengths.first { $0.kind == .unit } ?? lengths.first)?.seconds ?? 0
        guard present != published else { return }
        published = present
        engine?.publishSlice(seconds: present)
    }
}
