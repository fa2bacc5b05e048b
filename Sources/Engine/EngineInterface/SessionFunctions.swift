// SPDX-License-Identifier: Apache-2.0
// The names are those of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioEngine
import AudioSession
public import CEngineTable
import LinuxSystem
import SessionModel

// The functions of the engine's table for the session of this process. They translate: the rules are those of the session.

/// The session, which begins with the first call.
@inline(never)
private func session() throws(ResultCode) -> ProcessSession { try ProcessEngine.beginSession() }

/// The code of AVAudioSession for what `body` throws; 0 if it throws nothing.
@inline(never)
private func perform(
    _ operation: OperationError.Operation = .setting, _ body: (ProcessSession) throws(ResultCode) -> Void
) -> Int32 {
    do throws(ResultCode) { try body(try session()) } catch {
        return OperationError(error, when: operation, of: ProcessEngine.session).rawValue
    }
    return 0
}

@c @implementation
public func audiosession_session_begin() -> Int32 { perform { _ in } }

// MARK: Values

@c @implementation
public func audiosession_session_read_values(_ values: UnsafeMutablePointer<session_values>?) {
    guard let values else { return }
    let state = (try? session())?.known ?? SessionState()
    let settings = state.settings
    values.pointee = session_values(
        category: settings.category.equivalent.rawValue, mode: settings.mode.rawValue,
        options: UInt64(settings.options.rawValue), policy: UInt64(settings.sharingPolicy.rawValue),
        preferred_rate: settings.preferredSampleRate, preferred_duration: settings.preferredBufferDuration,
        preferred_input_channels: UInt32(settings.preferredInputChannels),
        preferred_output_channels: UInt32(settings.preferredOutputChannels),
        input_latency: Double(state.route.inputs.first?.latency ?? 0),
        output_latency: Double(state.route.outputs.first?.latency ?? 0), output_volume: state.outputVolume,
        input_gain: state.inputGain ?? 1, gain_is_settable: state.inputGain != nil,
        allows_haptics_during_recording: settings.allowsHapticsDuringRecording,
        prefers_no_system_alerts: settings.prefersNoSystemAlerts)
}

@c @implementation
public func audiosession_session_read_choices(_ choices: UnsafeMutablePointer<session_choices>?) -> Bool {
    guard let choices, let known = ProcessEngine.choices else { return false }
    choices.pointee = session_choices(
        options: known.options, policy: known.policy, preferred_input_channels: known.inputChannels,
        preferred_output_channels: known.outputChannels,
        allows_haptics_during_recording: known.allowsHapticsDuringRecording,
        prefers_no_system_alerts: known.prefersNoSystemAlerts)
    return true
}

@c @implementation
public func audiosession_session_visit_ports(_ list: UInt32, _ visitor: UnsafePointer<session_visitor>?) -> Bool {
    guard let visitor, let state = (try? session())?.known else { return false }
    switch session_ports(rawValue: list) {
    case SESSION_ROUTE: visit(state.route, visitor.pointee)
    case SESSION_AVAILABLE_INPUTS:
        guard state.settings.category.traits.hasInput else { return false }
        for port in state.availableInputs { visit(port, visitor.pointee) }
    case SESSION_PREFERRED_INPUT:
        guard let port = state.preferredInput else { return false }
        visit(port, visitor.pointee)
    default: return false
    }
    return true
}

// Each copy of the functions that visit has thousands of bytes.

@inline(never)
private func visit(_ route: Route, _ visitor: session_visitor) {
    for port in route.inputs { visit(port, visitor) }
    for port in route.outputs { visit(port, visitor) }
}

@inline(never)
private func visit(_ port: Port, _ visitor: session_visitor) {
    withText(port.name) { name in
        withText(port.uid) { uid in
            withText(port.alsaDevice) { device in
                var value = session_port(
                    type: text(port.kind.portType), name: name, uid: uid, device: device, channels: port.channels,
                    is_input: port.kind.isInput)
                visitor.port(visitor.context, &value)
            }
        }
    }
    for selectable in port.selectables {
        withText(selectable.name) { name in
            var value = session_selectable(id: selectable.id, is_selected: selectable.id == port.selected, name: name)
            visitor.selectable(visitor.context, &value)
        }
    }
}

@inline(never)
private func withText(_ string: String, _ body: (session_text) -> Void) {
    var string = string
    string.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { body(session_text(bytes: $0.baseAddress, size: $0.count)) }
    }
}

private func text(_ string: StaticString) -> session_text {
    session_text(
        bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), size: string.utf8CodeUnitCount)
}

@c @implementation
public func audiosession_session_may_record() -> Bool { (try? session())?.mayRecord ?? false }

@c @implementation
public func audiosession_session_primary_audio_plays() -> Bool { (try? session())?.primaryAudioPlays ?? false }

// MARK: Changes

@c @implementation
public func audiosession_session_set_category(_ category: UInt32, _ mode: UInt32, _ policy: UInt64, _ options: UInt64) -> Int32 {
    perform { session throws(ResultCode) in
        guard let category = Category(rawValue: category), let policy = RouteSharingPolicy(rawValue: UInt(policy)) else {
            throw .parameter
        }
        let mode = mode == UInt32(SESSION_SAME_MODE) ? nil : try known(mode)
        try session.change(because: .categoryChange) { settings, _ throws(ResultCode) in
            try settings.configure(category, mode: mode, policy: policy, options: CategoryOptions(rawValue: UInt(options)))
        }
    }
}

private func known(_ mode: UInt32) throws(ResultCode) -> Mode {
    guard let mode = Mode(rawValue: mode) else { throw .parameter }
    return mode
}

@c @implementation
public func audiosession_session_set_mode(_ mode: UInt32) -> Int32 {
    perform { session throws(ResultCode) in
        let mode = try known(mode)
        try session.change(because: .categoryChange) { settings, _ throws(ResultCode) in try settings.changeMode(mode) }
    }
}

@c @implementation
public func audiosession_session_set_active(_ active: Bool, _ notifiesOthers: Bool) -> Int32 {
    perform(active ? .activating : .deactivating) { session throws(ResultCode) in
        try session.setActive(active, notifyingOthers: notifiesOthers)
    }
}

@c @implementation
public func audiosession_session_set_number(_ setting: UInt32, _ value: Double) -> Int32 {
    perform { session throws(ResultCode) in
        switch session_setting(rawValue: setting) {
        case SESSION_INPUT_GAIN: try session.set(.inputGainScalar, to: .float32(Float(value)))
        case SESSION_OUTPUT_OVERRIDE: try session.set(.overrideAudioRoute, to: .uint32(UInt32(exactly: value) ?? .max))
        default:
            try session.change(because: .unknown) { settings, state throws(ResultCode) in
                try settings.set(session_setting(rawValue: setting), to: value, state)
            }
        }
    }
}

extension SessionSettings {
    fileprivate mutating func set(_ setting: session_setting, to value: Double, _ state: SessionState) throws(ResultCode) {
        switch setting {
        case SESSION_PREFERRED_RATE: try setPreferredSampleRate(value)
        case SESSION_PREFERRED_DURATION: try setPreferredBufferDuration(value)
        case SESSION_PREFERRED_INPUT_CHANNELS: try setPreferredInputChannels(Int(exactly: value) ?? -1, upTo: state.inputChannels)
        case SESSION_PREFERRED_OUTPUT_CHANNELS:
            try setPreferredOutputChannels(Int(exactly: value) ?? -1, upTo: state.outputChannels)
        case SESSION_ALLOWS_HAPTICS_DURING_RECORDING: setAllowsHapticsDuringRecording(value != 0)
        case SESSION_PREFERS_NO_SYSTEM_ALERTS: setPrefersNoSystemAlerts(value != 0)
        default: throw .parameter
        }
    }
}

@c @implementation
public func audiosession_session_prefer_input(_ uid: UnsafePointer<CChar>?) -> Int32 {
    perform { session throws(ResultCode) in
        let uid = uid.map { String(cString: $0) }
        try session.change(because: .override) { settings, state throws(ResultCode) in
            try settings.setPreferredInput(uid, among: state.availableInputs)
        }
    }
}

@c @implementation
public func audiosession_session_select(_ uid: UnsafePointer<CChar>?, _ input: Bool, _ id: Int32) -> Int32 {
    perform { session throws(ResultCode) in
        guard let uid else { throw .parameter }
        try session.perform(input ? .inputSource(id) : .outputDestination(id), onPort: String(cString: uid))
    }
}

@c @implementation
public func audiosession_session_error_text(_ code: Int32) -> UnsafePointer<CChar>? {
    text((OperationError(rawValue: code) ?? .unspecified).text).bytes
}

// MARK: Events

@c @implementation
public func audiosession_session_announce_rate() { (try? session())?.announceSampleRate() }

/// A subscription lasts as long as the process. The context of C is used on any thread.
private struct PendingCall: @unchecked Sendable {
    let call: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let context: UnsafeMutableRawPointer?
}

@c @implementation
public func audiosession_session_join(
    _ pending: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let pending, let session = try? session() else { return nil }
    let notice = PendingCall(call: pending, context: context)
    let subscription = session.join(receivingEverything: true) { notice.call(notice.context) }
    return Unmanaged.passRetained(subscription).toOpaque()
}

@c @implementation
public func audiosession_session_next_event(
    _ subscription: UnsafeMutableRawPointer?, _ event: UnsafeMutablePointer<session_event>?,
    _ visitor: UnsafePointer<session_visitor>?
) -> Bool {
    guard let subscription, let event, let visitor else { return false }
    let pending = Unmanaged<EventSubscription>.fromOpaque(subscription).takeUnretainedValue()
    while let next = pending.nextEvent() {
        guard let (kind, value) = next.forObjects else { continue }
        event.pointee = session_event(kind: kind.rawValue, value: value)
        if case .routeChange(let change) = next { visit(change.previous, visitor.pointee) }
        // Units and queues do not run any more when the begin of an interruption is reported.
        if case .interruption(.begin) = next { _ = ProcessEngine.reportStops() }
        return true
    }
    return false
}

extension SessionEvent {
    /// Nil for an event of the C API only.
    fileprivate var forObjects: (session_event_kind, Double)? {
        switch self {
        case .interruption(.begin): (SESSION_INTERRUPTION_BEGAN, 0)
        case .interruption(.end(let type)): (SESSION_INTERRUPTION_ENDED, type == .shouldResume ? 1 : 0)
        case .routeChange(let change): (SESSION_ROUTE_CHANGED, Double(change.reason.rawValue))
        case .secondaryAudioHint(let shouldBeSilenced): (SESSION_SECONDARY_AUDIO_HINT, shouldBeSilenced ? 1 : 0)
        case .propertyChange(.serverDied, .uint32(let died)): (died != 0 ? SESSION_SERVER_DIED : SESSION_SERVER_RESTARTED, 0)
        case .propertyChange(.audioInputAvailable, .uint32(let flag)): (SESSION_INPUT_AVAILABILITY, Double(flag))
        case .propertyChange(.currentHardwareInputNumberChannels, .uint32(let count)): (SESSION_INPUT_CHANNELS, Double(count))
        case .propertyChange(.currentHardwareOutputNumberChannels, .uint32(let count)): (SESSION_OUTPUT_CHANNELS, Double(count))
        case .propertyChange(.currentHardwareOutputVolume, .float32(let volume)): (SESSION_OUTPUT_VOLUME, Double(volume))
        case .propertyChange(.inputGainScalar, .float32(let gain)): (SESSION_INPUT_GAIN_CHANGED, Double(gain))
        case .propertyChange(.currentHardwareSampleRate, .float64(let rate)): (SESSION_SAMPLE_RATE, rate)
        case .propertyChange: nil
        }
    }
}
