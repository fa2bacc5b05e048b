// SPDX-License-Identifier: Apache-2.0
/// All properties, in the order in which listeners are notified of several simultaneous changes.
///
/// A setter checks in this order: the hardware is present, the value is valid, the category allows it, the state
/// allows it.
public let propertyTable: [PropertyRow] = preferenceRows + hardwareRows + overrideRows + sourceRows + routeRows

private let preferenceRows: [PropertyRow] = [
    PropertyRow(
        .preferredHardwareSampleRate, "PreferredHardwareSampleRate", .float64, [.get, .set], .published,
        accepts: "a finite number of hertz, 0 for no preference",
        get: { state throws(ResultCode) in .float64(state.settings.preferredSampleRate) },
        set: { state, value throws(ResultCode) in
            guard case .float64(let rate) = value else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setPreferredSampleRate(rate) }
        }),
    PropertyRow(
        .preferredHardwareIOBufferDuration, "PreferredHardwareIOBufferDuration", .float32, [.get, .set], .published,
        accepts: "a finite number of seconds, 0 for no preference",
        get: { state throws(ResultCode) in .float32(Float(state.settings.preferredBufferDuration)) },
        set: { state, value throws(ResultCode) in
            guard case .float32(let seconds) = value else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setPreferredBufferDuration(Double(seconds)) }
        }),
    PropertyRow(
        .audioCategory, "AudioCategory", .uint32, [.get, .set], .published, routeChange: .categoryChange,
        accepts: "a kAudioSessionCategory_ constant",
        get: { state throws(ResultCode) in .uint32(state.settings.category.rawValue) },
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, let category = Category(rawValue: code) else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in settings.setCategory(category) }
        }),
    PropertyRow(.audioRouteChange, "AudioRouteChange", .dictionary, [.listen]),
]

private let hardwareRows: [PropertyRow] = [
    PropertyRow(
        .currentHardwareSampleRate, "CurrentHardwareSampleRate", .float64, [.get],
        get: { state throws(ResultCode) in .float64(try state.grantedFormat().sampleRate) }),
    PropertyRow(
        .currentHardwareInputNumberChannels, "CurrentHardwareInputNumberChannels", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in
            guard state.settings.category.traits.hasInput else { throw .incompatibleCategory }
            return .uint32(state.inputChannels)
        },
        announce: { state in .uint32(state.inputChannels) }),
    PropertyRow(
        .currentHardwareOutputNumberChannels, "CurrentHardwareOutputNumberChannels", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .uint32(state.outputChannels) }),
    PropertyRow(
        .currentHardwareOutputVolume, "CurrentHardwareOutputVolume", .float32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .float32(state.outputVolume) }),
    PropertyRow(
        .currentHardwareInputLatency, "CurrentHardwareInputLatency", .float32, [.get], .published,
        get: { state throws(ResultCode) in .float32(state.route.inputs.first?.latency ?? 0) }),
    PropertyRow(
        .currentHardwareOutputLatency, "CurrentHardwareOutputLatency", .float32, [.get], .published,
        get: { state throws(ResultCode) in .float32(state.route.outputs.first?.latency ?? 0) }),
    PropertyRow(
        .currentHardwareIOBufferDuration, "CurrentHardwareIOBufferDuration", .float32, [.get],
        get: { state throws(ResultCode) in
            let granted = try state.grantedFormat().bufferDuration
            return .float32(state.ioSlice ?? granted)
        }),
    PropertyRow(
        .otherAudioIsPlaying, "OtherAudioIsPlaying", .uint32, [.get],
        get: { state throws(ResultCode) in .flag(state.otherAudioIsPlaying) }),
]

private let overrideRows: [PropertyRow] = [
    PropertyRow(
        .overrideAudioRoute, "OverrideAudioRoute", .uint32, [.set], routeChange: .override,
        accepts: "kAudioSessionOverrideAudioRoute_None or kAudioSessionOverrideAudioRoute_Speaker",
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, code == 0 || code == overrideToSpeaker else { throw .unsupportedProperty }
            return try state.changing { settings throws(ResultCode) in try settings.setOverridesToSpeaker(code != 0) }
        }),
    PropertyRow(
        .audioInputAvailable, "AudioInputAvailable", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .flag(state.hasInput) }),
    PropertyRow(.serverDied, "ServerDied", .uint32, [.listen], announce: { state in .flag(!state.hardware.serverIsAlive) }),
    PropertyRow(
        .otherMixableAudioShouldDuck, "OtherMixableAudioShouldDuck", .uint32, [.get, .set], .published, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.ducksOthers) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in settings.setDucksOthers(on) }
        }),
    PropertyRow(
        .overrideCategoryMixWithOthers, "OverrideCategoryMixWithOthers", .uint32, [.get, .set], .published, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.mixesWithOthers) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setMixesWithOthers(on) }
        }),
    PropertyRow(
        .overrideCategoryDefaultToSpeaker, "OverrideCategoryDefaultToSpeaker", .uint32, [.get, .set], .published,
        routeChange: .override, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.defaultsToSpeaker) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setDefaultsToSpeaker(on) }
        }),
    PropertyRow(
        .overrideCategoryEnableBluetoothInput, "OverrideCategoryEnableBluetoothInput", .uint32, [.get, .set], .published,
        routeChange: .override, accepts: "0 or 1",
        get: { state throws(ResultCode) in .flag(state.settings.enablesBluetoothInput) },
        set: { state, value throws(ResultCode) in
            try state.changing(value) { settings, on throws(ResultCode) in try settings.setEnablesBluetoothInput(on) }
        }),
    PropertyRow(
        .interruptionType, "InterruptionType", .uint32, [.get],
        get: { state throws(ResultCode) in
            guard let type = state.endingInterruption else { throw .unsupportedProperty }
            return .uint32(type.rawValue)
        }),
    PropertyRow(
        .mode, "Mode", .uint32, [.get, .set], .published, routeChange: .categoryChange, accepts: "a kAudioSessionMode_ constant",
        get: { state throws(ResultCode) in .uint32(state.settings.mode.rawValue) },
        set: { state, value throws(ResultCode) in
            guard case .uint32(let code) = value, let mode = Mode(rawValue: code) else { throw .unsupportedProperty }
            let isActive = state.isActive
            return try state.changing { settings throws(ResultCode) in try settings.setMode(mode, whileActive: isActive) }
        }),
]

private let sourceRows: [PropertyRow] = [
    PropertyRow(
        .inputSources, "InputSources", .array, [.get, .listen],
        get: { state throws(ResultCode) in .selectables(state.inputSources, of: .inputSource) }),
    PropertyRow(
        .outputDestinations, "OutputDestinations", .array, [.get, .listen],
        get: { state throws(ResultCode) in .selectables(state.outputDestinations, of: .outputDestination) }),
    PropertyRow(
        .inputSource, "InputSource", .number, [.get, .set], accepts: "a CFNumber with an ID of InputSources",
        get: { state throws(ResultCode) in .number(try selected(of: state.route.inputs)) },
        set: { state, value throws(ResultCode) in .hardware(.inputSource(try choice(value, among: state.inputSources))) }),
    PropertyRow(
        .outputDestination, "OutputDestination", .number, [.get, .set], accepts: "a CFNumber with an ID of OutputDestinations",
        get: { state throws(ResultCode) in .number(try selected(of: state.route.outputs)) },
        set: { state, value throws(ResultCode) in
            .hardware(.outputDestination(try choice(value, among: state.outputDestinations)))
        }),
    PropertyRow(
        .inputGainAvailable, "InputGainAvailable", .uint32, [.get, .listen], .published,
        get: { state throws(ResultCode) in .flag(state.inputGain != nil) }),
    PropertyRow(
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

private let routeRows: [PropertyRow] = [
    PropertyRow(
        .audioRouteDescription, "AudioRouteDescription", .dictionary, [.get],
        get: { state throws(ResultCode) in .routeDescription(state.route) }),
    PropertyRow(
        .audioRoute, "AudioRoute", .string, [.get],
        get: { state throws(ResultCode) in .routeName(state.isSilencedBySwitch ? .none : state.routeName) }),
    PropertyRow(
        .outputDevice, "OutputDevice", .string, [.get], isLinuxOnly: true,
        get: { state throws(ResultCode) in
            guard let port = state.route.outputs.first else { throw .noHardware }
            return .string(port.alsaDevice)
        }),
    PropertyRow(
        .inputDevice, "InputDevice", .string, [.get], isLinuxOnly: true,
        get: { state throws(ResultCode) in
            guard let port = state.route.inputs.first else { throw .noHardware }
            return .string(port.alsaDevice)
        }),
]

public let overrideToSpeaker: UInt32 = 0x7370_6B72  // 'spkr'

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
