// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel

extension Request {
    /// The same request with other slots.
    @inline(never)
    func moved(_ newSlot: (TableSlot) -> TableSlot) -> Request {
        switch self {
        case .enterStreams(let process, let session): .enterStreams(process: process, of: newSlot(session))
        case .join(let slot, let session): .join(newSlot(slot), session: newSlot(session))
        case .leave(let slot): .leave(newSlot(slot))
        case .death(let slot): .death(newSlot(slot))
        case .activate(let slot): .activate(newSlot(slot))
        case .deactivate(let slot, let notifying): .deactivate(newSlot(slot), notifyingOthers: notifying)
        case .reset(let slot): .reset(newSlot(slot))
        case .change(let slot, let settings, let yieldsToCall): .change(newSlot(slot), settings, yieldsToCall: yieldsToCall)
        case .rename(let slot, let name): .rename(newSlot(slot), name)
        case .playback(let slot, let playback): .playback(newSlot(slot), playback)
        case .changeGain(let slot, let found): .changeGain(newSlot(slot), found)
        case .releaseGains(let slot): .releaseGains(newSlot(slot))
        case .beginRestoringGain(let slot, let input): .beginRestoringGain(newSlot(slot), input: input)
        case .endRestoringGain(let slot, let input, let isDone): .endRestoringGain(newSlot(slot), input: input, isDone: isDone)
        case .interruptionsFetched(let slot): .interruptionsFetched(newSlot(slot))
        case .beginCall(let name, let holder): .beginCall(name, holder: holder.map(newSlot))
        case .enter, .endCall, .confirmCall, .silent, .lock: self
        }
    }
}
