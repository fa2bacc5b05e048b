// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
public import SessionModel
import Synchronization

// The hardware is explored while the program initializes the session and continues. The first get or set that needs the
// hardware waits for its first snapshot. Without such a call nothing waits: the monitor applies the snapshot.
extension ProcessSession {
    /// Waits for the first snapshot, at most as long as the hardware makes a caller wait. Called before each use of
    /// the state, under no lock.
    public func awaitHardware() {
        guard !isHardwareKnown.load(ordering: .acquiring) else { return }
        let first = hardware.snapshot()
        changeLock.withLock { applyFirst(first) }
    }

    /// The listener is called for each change after this call. Therefore the state before the change has to be known.
    public func addListener(
        _ listener: @escaping PropertyListener, as identity: ListenerIdentity, to property: SessionProperty,
        in subscription: EventSubscription
    ) throws(ResultCode) {
        awaitHardware()
        try subscription.addListener(listener, as: identity, to: property)
    }

    /// The first snapshot is no change: no event is sent. The caller holds the change lock.
    func applyFirst(_ snapshot: HardwareSnapshot) {
        guard !isHardwareKnown.load(ordering: .acquiring) else { return }
        lock.withLock {
            state.hardware = snapshot
            published.store(state)
        }
        isHardwareKnown.store(true, ordering: .releasing)
        // Other processes may have died with gains to restore while no process was running.
        restoreGains()
    }
}
