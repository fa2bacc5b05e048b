// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// All properties, in the order in which listeners are notified of several simultaneous changes.
///
/// A setter checks in this order: the hardware is present, the value is valid, the category allows it, the state
/// allows it.
public let propertyTable: [SessionPropertyRow] = preferenceRows + hardwareRows + overrideRows + sourceRows + routeRows

private let preferenceRows: [SessionPropertyRow] = [
    SessionPropertyRow(
        .preferredHardwareSampleRate, "PreferredHardwareSampleRate", .float64, [.get, .set], .published,
        accepts: "a finite number of hertz, 0 for no preference",
        get: { state throws(ResultCode) in .float64(state.settings.preferredSampleRate) },
        set: { state, value throws(ResultCode) in
            guard case .float64(let rate) = value else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setPreferredSampleRate(rate) }
        }),
    SessionPropertyRow(
        .preferredHardwareIOBufferDuration, "PreferredHardwareIOBufferDuration", .float32, [.get, .set], .published,
        accepts: "a finite number of seconds, 0 for no preference",
        get: { state throws(ResultCode) in .float32(Float(state.settings.preferredBufferDuration)) },
        set: { state, value throws(ResultCode) in
            guard case .float32(let seconds) = value else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setPreferredBufferDuration(Double(seconds)) }
        }),
    SessionPropertyRow(
        .audioCategory, "AudioCategory", .uint32, [.get, .set], .published, routeChange: .categoryChange,
        accepts: "a kAudioSessionCategory_ constant",
        get: { state throws(ResultCode) in .uint32(state.settings.category.rawValue) },
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, let category = Category(rawValue: code) else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in settings.setCategory(category) }
        }),
    SessionPropertyRow(.audioRouteChange, "AudioRouteChange", .dictionary, [.listen]),
]

private let hardwareRows: [SessionPropertyRow] = [
    SessionPropertyRow(
        .currentHardwareSampleRate, "CurrentHardwareSampleRate", .float64, [.get],
        get: { state throws(ResultCode) in .float64(try state.grantedFormat().sampleRate) }),
    SessionPropertyRow(
        .currentHardwareInputNumberChannels, "CurrentHardwareInputNumberChannels", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in
            guard state.settings.category.traits.hasInput else { throw .incompatibleCategory }
            return .uint32(state.inputChannels)
        },
        announce: { state in .uint32(state.inputChannels) }),
    SessionPropertyRow(
        .currentHardwareOutputNumberChannels, "CurrentHardwareOutputNumberChannels", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .uint32(state.outputChannels) }),
    SessionPropertyRow(
        .currentHardwareOutputVolume, "CurrentHardwareOutputVolume", .float32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .float32(state.outputVolume) }),
    SessionPropertyRow(
        .currentHardwareInputLatency, "CurrentHardwareInputLatency", .float32, [.get], .published,
        get: { state throws(ResultCode) in .float32(state.route.inputs.first?.latency ?? 0) }),
    SessionPropertyRow(
        .currentHardwareOutputLatency, "CurrentHardwareOutputLatency", .float32, [.get], .published,
        get: { state throws(ResultCode) in .float32(state.route.outputs.first?.latency ?? 0) }),
    SessionPropertyRow(
        .currentHardwareIOBufferDuration, "CurrentHardwareIOBufferDuration", .float32, [.get],
        get: { state throws(ResultCode) in
            let granted = try state.grantedFormat().bufferDuration
            return .float32(state.ioSlice ?? granted)
        }),
    SessionPropertyRow(
        .otherAudioIsPlaying, "OtherAudioIsPlaying", .uint32, [.get],
        get: { state throws(ResultCode) in .flag(state.otherAudioIsPlaying) }),
]

private let overrideRows: [SessionPropertyRow] = [
    SessionPropertyRow(
        .overrideAudioRoute, "OverrideAudioRoute", .uint32, [.set], routeChange: .override,
        accepts: "kAudioSessionOverrideAudioRoute_None or kAudioSessionOverrideAudioRoute_Speaker",
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, code == 0 || code == overrideToSpeaker else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setOverridesToSpeaker(code != 0) }
        }),
    SessionPropertyRow(
        .audioInputAvailable, "AudioInputAvailable", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .flag(state.hasInput) }),
    SessionPropertyRow(
        .serverDied, "ServerDied", .uint32, [.listen], announce: { state in .flag(!state.hardware.serverIsAlive) }),
    SessionPropertyRow(
        .otherMixableAudioShouldDuck, "OtherMixableAudioShouldDuck", .uint32, [.get, .set], .published, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.ducksOthers) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in settings.setDucksOthers(on) }
        }),
    SessionPropertyRow(
        .overrideCategoryMixWithOthers, "OverrideCategoryMixWithOthers", .uint32, [.get, .set], .published, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.mixesWithOthers) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setMixesWithOthers(on) }
        }),
    SessionPropertyRow(
        .overrideCategoryDefaultToSpeaker, "OverrideCategoryDefaultToSpeaker", .uint32, [.get, .set], .published,
        routeChange: .override, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.defaultsToSpeaker) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setDefaultsToSpeaker(on) }
        }),
    SessionPropertyRow(
        .overrideCategoryEnableBluetoothInput, "OverrideCategoryEnableBluetoothInput", .uint32, [.get, .set], .published,
        routeChange: .override, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.enablesBluetoothInput) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setEnablesBluetoothInput(on) }
        }),
    SessionPropertyRow(
        .interruptionType, "InterruptionType", .uint32, [.get],
        get: { state throws(ResultCode) in
            guard let type = state.endingInterruption else { throw .unsupportedProperty }
            return .uint32(type.rawValue)
        }),
    SessionPropertyRow(
        .mode, "Mode", .uint32, [.get, .set], .published, routeChange: .categoryChange, accepts: "a kAudioSessionMode_ constant",
        get: { state throws(ResultCode) in .uint32(state.settings.mode.rawValue) },
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, let mode = Mode(rawValue: code) else { throw .unsupportedProperty }
            let isActive = state.isActive
            return try state.changing { settings throws(ResultCode) in try settings.setMode(mode, whileActive: isActive) }
        }),
]

private let sourceRows: [SessionPropertyRow] = [
    SessionPropertyRow(
        .inputSources, "InputSources", .array, [.get, .listen],
        get: { state throws(ResultCode) in .selectables(state.inputSources, of: .inputSource) }),
    SessionPropertyRow(
        .outputDestinations, "OutputDestinations", .array, [.get, .listen],
        get: { state throws(ResultCode) in .selectables(state.outputDestinations, of: .outputDestination) }),
    SessionPropertyRow(
        .inputSource, "InputSource", .number, [.get, .set], accepts: "a CFNumber with an ID of InputSources",
        get: { state throws(ResultCode) in .number(try selected(of: state.route.inputs)) },
        set: { state, value throws(ResultCode) in .hardware(.inputSource(try choice(value, among: state.inputSources))) }),
    SessionPropertyRow(
        .outputDestination, "OutputDestination", .number, [.get, .set], accepts: "a CFNumber with an ID of OutputDestinations",
        get: { state throws(ResultCode) in .number(try selected(of: state.route.outputs)) },
        set: { state, value throws(ResultCode) in
            .hardware(.outputDestination(try choice(value, among: state.outputDestinations)))
        }),
    SessionPropertyRow(
        .inputGainAvailable, "InputGainAvailable", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .flag(state.inputGain != nil) }),
    SessionPropertyRow(
        .inputGainScalar, "InputGainScalar", .float32, [.get, .set, .listen], .published, accepts: "a number from 0 to 1",
        get: { state throws(ResultCode) in
            guard let gain = state.inputGain else { throw .noHardware }
            return .float32(gain)
        },
        set: { state, value throws(ResultCode) in
            guard state.inputGain != nil else { throw .noHardware }
            guard case .float32(let gain) = value, !gain.isNaN else { throw .unsupportedProperty }
            return .hardware(.inputGain(min(max(gain, 0), 1)))
        }),
]

private let routeRows: [SessionPropertyRow] = [
    SessionPropertyRow(
        .audioRouteDescription, "AudioRouteDescription", .dictionary, [.get],
        get: { state throws(ResultCode) in .routeDescription(state.route) }),
    SessionPropertyRow(
        .audioRoute, "AudioRoute", .string, [.get],
        get: { state throws(ResultCode) in .routeName(state.isSilencedBySwitch ? .none : state.routeName) }),
    SessionPropertyRow(
        .outputDevice, "OutputDevice", .string, [.get], isLinuxOnly: true,
        get: { state throws(ResultCode) in
            guard let port = state.route.outputs.first else { throw .noHardware }
            return .string(port.alsaDevice)
        }),
    SessionPropertyRow(
        .inputDevice, "InputDevice", .string, [.get], isLinuxOnly: true,
        get: { state throws(ResultCode) in
            guard let port = state.route.inputs.first else { throw .noHardware }
            return .string(port.alsaDevice)
        }),
]

public let overrideToSpeaker = FourCC.code("spkr")

private func selected(of ports: [Port]) throws(ResultCode) -> Int32 {
    for port in ports where !port.selectables.isEmpty {
        if let id = port.selected { return id }
    }
    throw .noHardware
}

private func choice(_ value: PropertyValue, among selectables: [Selectable]) throws(ResultCode) -> Int32 {
    guard !selectables.isEmpty else { throw .noHardware }
    guard case .number(let id?) = value, selectables.contains(where: { $0.id == id }) else { throw .unsupportedProperty }
    return id
}
