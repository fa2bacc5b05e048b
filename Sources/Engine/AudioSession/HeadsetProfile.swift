// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry

// A Bluetooth headset has no microphone in the profile that plays music. A session that takes input from it changes the profile.
// The registry lists the sessions that need it, as it lists those that use a gain, so that the former profile returns after the
// last of them, also after a kill.
extension ProcessSession {
    func applyHeadsetProfile() {
        guard state.isActive, state.hardware.serverIsAlive, let port = state.inputs.first, let key = port.profileHash else {
            headsetInUse = nil
            return
        }
        guard headsetInUse != key else { return }
        headsetInUse = key
        // The first session that needs the profile saves whether it has changed it. A profile that was there is not put back.
        let found = SavedGain(input: key, level: port.needsProfile ? 1 : 0)
        do throws(ResultCode) {
            try gains.registerUse(of: found)
            if port.needsProfile { try hardware.perform(.headsetProfile(true), on: port) }
        } catch { Log.debug("the headset has no microphone: its profile is not changed (\(error.name))") }
        if port.needsProfile { applyHardware() }
    }
}
