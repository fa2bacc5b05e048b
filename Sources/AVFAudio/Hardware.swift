internal import AudioSession
public import Foundation
internal import SessionModel

// Rates, durations, channels, levels: what a program would like, and what it got.
extension AVAudioSession {
    // MARK: Sample rate

    /// As it was set; 0 without a preference.
    public var preferredSampleRate: Double { state.settings.preferredSampleRate }

    /// What the route's device runs at, or would run at; 0 without any device.
    public var sampleRate: Double {
        if case .float64(let rate)? = value(of: .currentHardwareSampleRate) { rate } else { 0 }
    }

    /// 0 takes the preference back; what is no rate is `badParam`.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ throws(ResultCode) in
                try settings.setPreferredSampleRate(sampleRate)
            }
        }
    }

    // MARK: Buffer duration

    /// In seconds, as it was set; 0 without a preference.
    public var preferredIOBufferDuration: TimeInterval { state.settings.preferredBufferDuration }

    /// What the device grants: one period, in seconds; 0 without any device.
    public var ioBufferDuration: TimeInterval {
        if case .float32(let seconds)? = value(of: .currentHardwareIOBufferDuration) { TimeInterval(seconds) } else { 0 }
    }

    /// 0 takes the preference back; what is no duration is `badParam`.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, _ throws(ResultCode) in
                try settings.setPreferredBufferDuration(duration)
            }
        }
    }

    // MARK: Channels

    /// As it was set; 0 without a preference.
    public var preferredInputNumberOfChannels: Int { Int(state.settings.preferredInputChannels) }
    public var preferredOutputNumberOfChannels: Int { Int(state.settings.preferredOutputChannels) }

    /// Those of the route; 0 without that direction.
    public var inputNumberOfChannels: Int { Int(state.inputChannels) }
    public var outputNumberOfChannels: Int { Int(state.outputChannels) }
    public var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    public var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    /// 0 takes the preference back; more than the maximum is `badParam`.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try perform { session throws(ResultCode) in
            try session.change(because: .unknown) { settings, state throws(ResultCode) in
                try settings.setPreferredInputChannels(count, upTo: state.inputChannels)
            }
        }
    }

    /// 0 takes the preference back; more than the maximum is `badParam`.
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

    /// From 0 to 1; 1 where the output has no volume control.
    public var outputVolume: Float { state.outputVolume }

    /// Whether the route's input has a gain that can be set.
    public var isInputGainSettable: Bool { state.inputGain != nil }

    /// From 0 to 1; 1 where the input has no gain to set.
    public var inputGain: Float { state.inputGain ?? 1 }

    /// A gain beyond 0 to 1 counts as the nearest.
    public func setInputGain(_ gain: Float) throws {
        try perform { session throws(ResultCode) in try session.set(.inputGainScalar, to: .float32(gain)) }
    }

    // MARK: Recording

    /// Whether any input is there, whatever the category.
    public var isInputAvailable: Bool { state.hasInput }

    /// Denied where there are devices that record and this process may open none of them.
    public var recordPermission: RecordPermission {
        guard let session = try? session() else { return .undetermined }
        return session.mayRecord ? .granted : .denied
    }

    /// Nobody is asked on Linux: the answer is the permission as it stands. `response` is called on a
    /// thread of its own.
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        let isGranted = recordPermission == .granted
        DispatchQueue.global().async { response(isGranted) }
    }

    /// The same, to wait for.
    public func requestRecordPermission() async -> Bool { recordPermission == .granted }
}
