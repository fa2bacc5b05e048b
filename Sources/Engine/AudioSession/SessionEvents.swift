// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization

// Changes by other sessions, the user and the hardware. The caller holds the change lock.
extension ProcessSession {
    /// On the monitor's thread: the registry has changed.
    public func applyEverything() {
        changeLock.withLock {
            applyRegistry()
            applyHardware()
        }
    }

    /// On the monitor's thread: the hardware has changed. The table is read only if the change concerns it: a server that died,
    /// an override that ends, the gain of an input. `streamsHaveStopped`: the server is dead, and the streams know it.
    public func applyHardwareEvents(streamsHaveStopped: Bool = false) {
        changeLock.withLock { applyHardware(streamsHaveStopped: streamsHaveStopped) }
    }

    /// Interruptions by other sessions, and the user's switches.
    func applyRegistry() { apply(registry.view(of: slot)) }

    func apply(_ view: SessionView) {
        registeredSettings = view.settings ?? registeredSettings
        for interruption in view.interruptions { receive(interruption) }
        applyFlags(of: view)
        gains.waiting = view.gainsToRestore
        restoreGains()
        applyHeadsetProfile()
        applyKeptGain()
    }

    /// No published property follows from these. The state is changed in place, because its copies count the references of its ports.
    private func applyFlags(of view: SessionView) {
        let differs = view.primaryAudioPlays != state.primaryAudioPlays
        guard differs || view.isActive != state.isActive || view.isSilent != state.isSilent else { return }
        // A hint concerns only an active session.
        let isHint = differs && state.isActive && view.isActive
        lock.withLock {
            state.isActive = view.isActive
            state.isSilent = view.isSilent
            state.primaryAudioPlays = view.primaryAudioPlays
        }
        send(isHint ? [.secondaryAudioHint(shouldBeSilenced: view.primaryAudioPlays)] : [])
    }

    /// Devices that arrived or departed, changed levels, a server that died or returned. While streams may run without their
    /// server, the monitor stops them first and then calls this again.
    func applyHardware(streamsHaveStopped: Bool = false) {
        guard let snapshot = hardware.knownSnapshot else { return }
        guard isHardwareKnown.load(ordering: .acquiring) else { return applyFirst(snapshot) }
        guard snapshot != state.hardware else { return }
        if state.hardware.serverIsAlive, !snapshot.serverIsAlive {
            if !streamsHaveStopped, let monitor, monitor.serverHasDied() { return }
            applyServerDeath()
        }
        for step in state.steps(to: snapshot) {
            publish(step.state, sending: step.state.events(since: state, because: step.reason))
        }
        registerSettings()
        restoreGains()
        applyHeadsetProfile()
        applyKeptGain()
    }

    /// The arrival or departure of a device may have reverted the override to the speaker. Other processes and the
    /// streams derive the route from the settings in the table.
    private func registerSettings() {
        guard state.settings != registeredSettings else { return }
        do throws(ResultCode) { apply(try registry.submit(.change(slot, state.settings), viewing: slot)) } catch {
            Log.debug("other processes do not see that the route override has ended: the table of sessions cannot be written")
        }
    }

    func receive(_ interruption: Interruption) {
        guard interruption == .begin else {
            Log.debug("the interruption of the session has ended")
            publish(state, sending: [.interruption(interruption)])
            return
        }
        Log.debug("the session is interrupted, and inactive until the program activates it again")
        var next = state
        next.isActive = false
        next.settings.revertOverrides()
        publish(next, sending: [.interruption(.begin)] + next.events(since: state, because: .override))
    }

    /// A session whose server died is inactive and not interrupted. No interruption event is sent.
    private func applyServerDeath() {
        do throws(ResultCode) { try registry.submit(.reset(slot)) } catch {
            Log.debug("other processes do not see that the sound server has died: the table of sessions cannot be written")
        }
        dropInterruptions()
        gains.waiting = registry.view(of: slot).gainsToRestore
        state.isActive = false
    }

    // MARK: Publishing

    /// Publishes `next` and enqueues the events.
    func publish(_ next: SessionState, sending events: [SessionEvent]) {
        lock.withLock {
            let isChanged = next.settings != state.settings || next.hardware != state.hardware
            if isChanged, isHardwareKnown.load(ordering: .acquiring) { published.store(next) }
            state = next
        }
        send(events)
    }

    /// Enqueues the events, and the change of the sample rate.
    private func send(_ events: [SessionEvent]) {
        let events = events + changeOfSampleRate()
        guard !events.isEmpty else { return }
        // All subscriptions have the events before the first subscription is notified.
        let affected = currentSubscriptions.filter { $0.post(events) }
        for subscription in affected { subscription.eventsArePending() }
        if !affected.isEmpty { undeliveredEventsWarning.expectFetching(by: currentSubscriptions) }
    }

    /// On the monitor's thread: the alarm for unfetched events is due.
    public func warnOfUndeliveredEvents() {
        changeLock.withLock { undeliveredEventsWarning.warnOfUndeliveredEvents(currentSubscriptions) }
    }

    /// Readable when `warnOfUndeliveredEvents` is due; -1 without the log.
    public var warningDescriptor: Int32 { changeLock.withLock { undeliveredEventsWarning.descriptor } }

    /// The last event of a change. The kernel does not report a change of the rate: once a program has requested the event, the
    /// session computes the rate after each change.
    private func changeOfSampleRate() -> [SessionEvent] {
        guard let before = announcedSampleRate else { return [] }
        let now = currentSampleRate
        guard now != before else { return [] }
        announcedSampleRate = now
        return [.propertyChange(.currentHardwareSampleRate, .float64(now))]
    }
}
