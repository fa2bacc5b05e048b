// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// Supplies the input of manual rendering: returns a list with this number of frames, or nil when there are none.
public typealias AVAudioIONodeInputBlock = (_ inNumberOfFrames: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The input or the output of an engine: the hardware, or in manual rendering the program.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
    final let io: EngineIO

    init(_ io: EngineIO, _ outputs: [NodeOutput]) {
        self.io = io
        super.init(nil, outputs)
    }

    /// The I/O unit; nil in manual rendering, and when it could not be made.
    public final var audioUnit: AudioToolbox.AudioUnit? { io.manual == nil ? io.hardware?.unit : nil }

    /// The delay of the hardware in seconds.
    public final var presentationLatency: TimeInterval { owner?.presentationLatency ?? 0 }

    override public final var latency: TimeInterval { 0 }

    /// The input and output nodes use VoiceProcessingIO.
    public final var isVoiceProcessingEnabled: Bool { io.isVoice }

    /// Input and output nodes process voice, or stop to do so. The engine does not run.
    public final func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        guard let owner else { return }
        try owner.setVoiceProcessing(enabled)
    }

    override public final func reset() { io.hardware?.reset() }
}

/// The input of an engine. The program receives it by a tap, by a sink node, or in the nodes that it connects to it.
public final class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
    init(_ io: EngineIO) { super.init(io, [io.input]) }

    override public var numberOfInputs: Int { 1 }

    /// The format of the hardware; in manual rendering that of the program.
    override public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        if io.manual != nil { return io.input.manual?.format ?? .silent }
        return io.hardwareFormat(isInput: true) ?? .silent
    }

    override public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        outputFormats[bus] ?? inputFormat(forBus: bus)
    }

    override func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        guard format.sampleRate > 0, format.channelCount > 0 else {
            throw AudioCallError.argument("There is no input: the category or the machine has none.")
        }
        try io.input.manual?.unit.setFormat(format, kAudioUnitScope_Output, 0)
        outputFormats[bus] = format
    }

    // MARK: Manual rendering

    /// Sets the format in which `block` supplies the input of manual rendering. False while the engine runs or does not render
    /// manually, and for a format that is not linear PCM.
    public func setManualRenderingInputPCMFormat(
        _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        guard let owner else { return false }
        return owner.setManualInput(format, block)
    }

    // MARK: Voice processing

    /// The program receives the captured frames unchanged.
    public var isVoiceProcessingBypassed: Bool {
        get { voice(kAUVoiceIOProperty_BypassVoiceProcessing) }
        set { setVoice(kAUVoiceIOProperty_BypassVoiceProcessing, newValue) }
    }
    public var isVoiceProcessingAGCEnabled: Bool {
        get { voice(kAUVoiceIOProperty_VoiceProcessingEnableAGC) }
        set { setVoice(kAUVoiceIOProperty_VoiceProcessingEnableAGC, newValue) }
    }
    /// The program receives silence instead of the captured frames.
    public var isVoiceProcessingInputMuted: Bool {
        get { voice(kAUVoiceIOProperty_MuteOutput) }
        set { setVoice(kAUVoiceIOProperty_MuteOutput, newValue) }
    }

    private func voice(_ property: UInt32) -> Bool {
        guard io.isVoice, let unit = io.hardware else { return false }
        return ((try? unit.get(property, kAudioUnitScope_Global, 1, UInt32(0))) ?? 0) != 0
    }

    private func setVoice(_ property: UInt32, _ on: Bool) {
        guard io.isVoice, let unit = io.hardware else {
            return AudioCallError.refuse("AVAudioInputNode: voice processing is off: call setVoiceProcessingEnabled(true) before")
        }
        try? unit.set(property, kAudioUnitScope_Global, 1, UInt32(on ? 1 : 0))
    }
}

/// The output of an engine.
public final class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
    init(_ io: EngineIO) { super.init(io, []) }

    override public var numberOfInputs: Int { 1 }
    override public var numberOfOutputs: Int { 1 }

    override public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        io.playedFormat ?? outputFormat(forBus: bus)
    }

    /// The format of the hardware; in manual rendering that of the program.
    override public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        io.manual?.format ?? io.hardwareFormat(isInput: false) ?? .silent
    }

    override public var lastRenderTime: AVAudioTime? {
        guard let owner, owner.isRunning, let last = io.source?.clock.last else { return nil }
        var time = last.time
        return AVAudioTime(audioTimeStamp: &time, sampleRate: inputFormat(forBus: 0).sampleRate)
    }

    override func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws { try io.setOutputFormat(format) }
    override func setSource(_ source: NodeOutput?, _ bus: Int) throws { try io.setSource(source) }
}

extension AVAudioFormat {
    /// The format of hardware that does not exist: its rate and its number of channels are 0.
    static var silent: AVAudioFormat { .standard(0, 0) }
}
