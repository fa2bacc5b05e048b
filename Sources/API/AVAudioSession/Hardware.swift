// SPDX-License-Identifier: Apache-2.0
internal import AudioSession
public import Foundation
internal import SessionModel

// Rates, durations, channels and levels: preferences and granted values.
extension AVAudioSession {
    // MARK: Sample rate

    /// The value of the last set; 0 without a preference.
    public var preferredSampleRate: Double { state.settings.preferredSampleRate }

    /// The rate at which the route's device runs, or would run; 0 without any device.
    public var sampleRate: Double {
        if case .float64(let rate)? = value(of: .currentHardwareSampleRate) { rate } else { 0 }
    }

    /// 0 removes the preference; an invalid rate throws `badParam`.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ throws(ResultCode) in
                try settings.setPreferredSampleRate(sampleRate)
            }
        }
    }

    // MARK: Buffer duration

    /// In seconds; the value of the last set, 0 without a preference.
    public var preferredIOBufferDuration: TimeInterval { state.settings.preferredBufferDuration }

    /// The granted period in seconds; 0 without any device.
    public var ioBufferDuration: TimeInterval {
        if case .float32(let seconds)? = value(of: .currentHardwareIOBufferDuration) { TimeInterval(seconds) } else { 0 }
    }

    /// 0 removes the preference; an invalid duration throws `badParam`.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ throws(ResultCode) in
                try settings.setPreferredBufferDuration(duration)
            }
        }
    }

    // MARK: Channels

    /// The value of the last set; 0 without a preference.
    public var preferredInputNumberOfChannels: Int { Int(state.settings.preferredInputChannels) }
    public var preferredOutputNumberOfChannels: Int { Int(state.settings.preferredOutputChannels) }

    /// The channels of the route; 0 without that direction.
    public var inputNumberOfChannels: Int { Int(state.inputChannels) }
    public var outputNumberOfChannels: Int { Int(state.outputChannels) }
    public var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    public var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    /// 0 removes the preference; more than the maximum throws `badParam`.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, state throws(ResultCode) in
                try settings.setPreferredInputChannels(count, upTo: state.inputChannels)
            }
        }
    }

    /// 0 removes the preference; more than the maximum throws `badParam`.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, state throws(ResultCode) in
                try settings.setPreferredOutputChannels(count, upTo: state.outputChannels)
            }
        }
    }

    // MARK: Latency

    /// In seconds; 0 without that direction.
    public var inputLatency: TimeInterval { TimeInterval(state.route.inputs.first?.latency ?? 0) }
    public var outputLatency: TimeInterval { TimeInterval(state.route.outputs.first?.latency ?? 0) }

    // MARK: Levels

    /// From 0 to 1; 1 when the output has no volume control.
    public var outputVolume: Float { state.outputVolume }

    /// Whether the route's input has a gain that can be set.
    public var isInputGainSettable: Bool { state.inputGain != nil }

    /// From 0 to 1; 1 when the input has no gain.
    public var inputGain: Float { state.inputGain ?? 1 }

    /// The gain is clamped to 0…1. It takes effect while the session is active.
    public func setInputGain(_ gain: Float) throws {
        try perform { session throws(ResultCode) in try session.set(.inputGainScalar, to: .float32(gain)) }
    }

    // MARK: Recording

    /// Whether the machine has an input, whatever the category.
    public var isInputAvailable: Bool { state.hasInput }

    /// Denied when the machine has inputs and this process may open none of them.
    public var recordPermission: RecordPermission {
        guard let session = try? session() else { return .undetermined }
        return session.mayRecord ? .granted : .denied
    }

    /// Whether haptics and system sounds may play while the program records; initially false. Stored without an effect: recording
    /// silences no system sound here, and there are no haptics.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { state.settings.allowsHapticsDuringRecording }

    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ in settings.setAllowsHapticsDuringRecording(inValue) }
        }
    }

    // MARK: Interruptions

    /// Whether the session prefers that alerts of the system do not interrupt it; initially false. Stored without an effect: no
    /// alert interrupts a session here. A phone call does.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { state.settings.prefersNoSystemAlerts }

    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ in settings.setPrefersNoSystemAlerts(inValue) }
        }
    }

    // MARK: Permission

    /// Linux asks no user: the answer is the present permission. `response` is called on another thread.
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        let isGranted = recordPermission == .granted
        DispatchQueue.global().async { response(isGranted) }
    }

    /// The same as an asynchronous function.
    public func requestRecordPermission() async -> Bool { recordPermission == .granted }
}
