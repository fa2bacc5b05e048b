// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionArbiter
import SessionModel
import SessionRegistry

/// The hardware of a group, and the conditions that it and a session make for the streams.
struct GroupTargets {
    let hardware: any AudioHardware
    let isSimulated: Bool

    /// The stream waits for hardware that has not been explored, because it may have a device.
    func mayHaveDevice(capture: Bool) -> Bool {
        let snapshot = hardware.snapshot()
        return snapshot.isPending || snapshot.ports.contains { $0.kind.isInput == capture }
    }

    func conditions(of session: GroupSession, in view: SessionView, _ snapshot: HardwareSnapshot) -> StreamConditions {
        StreamConditions(
            view, snapshot, hardware, isSimulated: isSimulated, playsSystemSounds: session.playsSystemSounds,
            title: session.name)
    }

    func conditions(of session: GroupSession, in view: SessionView) -> StreamConditions {
        conditions(of: session, in: view, hardware.snapshot())
    }

    /// The conditions in which streams with these needs would start.
    func conditions(of session: GroupSession, in view: SessionView, expecting needs: GroupSession.Needs) -> StreamConditions {
        var view = view
        view.settings = session.expectedSettings(for: needs)
        return conditions(of: session, in: view)
    }
}
