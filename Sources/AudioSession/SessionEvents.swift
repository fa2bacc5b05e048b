import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry

// What the world does to the session. All of it runs in the holder's turn.
extension Session {
    /// On the monitor's thread: the registry or the hardware has something new.
    func takeInEverything() {
        turn.withLock {
            takeInRegistry()
            takeInHardware()
        }
    }

    /// Interruptions by other sessions, and the user's switches.
    func takeInRegistry() { takeIn(registry.look(slot)) }

    func takeIn(_ view: SessionView) {
        registeredSettings = view.policy ?? registeredSettings
        for interruption in view.interruptions { receive(interruption) }
        var next = state
        next.isActive = view.isActive
        next.isSilent = view.isSilent
        next.primaryAudioPlays = view.primaryAudioPlays
        if next.isActive != state.isActive || next.isSilent != state.isSilent || next.primaryAudioPlays != state.primaryAudioPlays
        {
            // Only who is playing has something to silence.
            let isHint = next.primaryAudioPlays != state.primaryAudioPlays && state.isActive && next.isActive
            publish(next, telling: isHint ? [.secondaryAudioHint(shouldBeSilenced: next.primaryAudioPlays)] : [])
        }
        gainsToReturn = view.gainsToReturn
        returnGains()
        applyKeptGain()
    }

    /// Devices that came or went, levels that moved, a server that died or returned.
    func takeInHardware() {
        let snapshot = hardware.snapshot()
        guard snapshot != state.hardware else { return }
        if state.hardware.serverIsAlive, !snapshot.serverIsAlive { loseServer() }
        for step in state.steps(to: snapshot) {
            publish(step.state, telling: step.state.events(since: state, because: step.reason))
        }
        registerSettings()
        returnGains()
        applyKeptGain()
    }

    /// A device that came or went may have reverted the override to the speaker. Other processes and the streams
    /// find the route by the settings in the table.
    private func registerSettings() {
        guard state.settings != registeredSettings else { return }
        do throws(ResultCode) { takeIn(try registry.submit(.adopt(slot, state.settings), lookingFrom: slot)) } catch {
            Log.line("the table did not accept the reverted route override (\(error.rawValue))")
        }
    }

    func receive(_ interruption: Interruption) {
        guard interruption == .begin else {
            Log.line("the session's interruption has ended")
            publish(state, telling: [.interruption(interruption)])
            return
        }
        Log.line("the session is interrupted, and inactive until the program activates it again")
        var next = state
        next.isActive = false
        next.settings.revertOverrides()
        publish(next, telling: [.interruption(.begin)] + next.events(since: state, because: .override))
    }

    /// With its server a session loses its activity and its interruptions, without a word about them.
    private func loseServer() {
        do throws(ResultCode) { try registry.submit(.reset(slot)) } catch {
            Log.line("the table did not take the server's death")
        }
        dropInterruptions()
        gainsToReturn = registry.look(slot).gainsToReturn
        state.isActive = false
    }

    // MARK: Publishing

    /// Makes `next` what everybody reads, and lets the events wait for those who listen.
    func publish(_ next: SessionState, telling events: [SessionEvent]) {
        lock.withLock {
            if next.settings != state.settings || next.hardware != state.hardware { published.store(next) }
            state = next
        }
        let events = events + changeOfSampleRate()
        // Who is woken finds that the others have been told as well.
        let concerned = everyAudience.filter { $0.post(events) }
        for audience in concerned { audience.eventsWait() }
        if !concerned.isEmpty { reminder.expectFetching(by: everyAudience) }
    }

    /// On the monitor's thread: events may have waited in vain.
    func remind() { turn.withLock { reminder.remind(everyAudience) } }

    /// What comes last of what a change has brought. No kernel event tells of it: it is asked for where
    /// somebody wants to know.
    private func changeOfSampleRate() -> [SessionEvent] {
        guard let before = announcedSampleRate else { return [] }
        let now = currentSampleRate
        guard now != before else { return [] }
        announcedSampleRate = now
        return [.propertyChange(.currentHardwareSampleRate, .float64(now))]
    }
}
