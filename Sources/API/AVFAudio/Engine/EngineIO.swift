// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import LinuxSystem
internal import Synchronization

/// The unit through which an engine plays and records: an I/O unit, or in manual rendering a generic output, which the program
/// pulls. The engine's lock guards it.
final class EngineIO: @unchecked Sendable {
    /// RemoteIO or VoiceProcessingIO, from the first use of the input or output node.
    private(set) var hardware: EngineUnit?
    private(set) var isVoice = false
    /// The generic output of manual rendering.
    var manual: ManualOutput? {
        didSet {
            isManual.store(manual != nil, ordering: .relaxed)
            isOffline.store(manual?.mode == .offline, ordering: .relaxed)
        }
    }
    /// For threads that must not wait for the engine's lock.
    let isManual = Atomic<Bool>(false)
    let isOffline = Atomic<Bool>(false)
    /// The bus that the output plays, and its format.
    private(set) var source: NodeOutput?
    private(set) var playedFormat: AVAudioFormat?
    let input = InputOutput()
    private var pump: InputPump?
    /// Called on a thread of the library, under no lock.
    private let listener: UnitListener

    init(_ changed: @escaping @Sendable () -> Void) { listener = UnitListener(changed) }

    // MARK: The unit of the hardware

    /// The I/O unit. The first call makes it.
    func unit() throws -> EngineUnit {
        if let hardware { return hardware }
        let subtype = isVoice ? kAudioUnitSubType_VoiceProcessingIO : kAudioUnitSubType_RemoteIO
        let made = try EngineUnit(UInt32(kAudioUnitType_Output), UInt32(subtype))
        listener.listen(to: made)
        hardware = made
        return made
    }

    /// Another unit takes the place of the present one, which does not run.
    func setVoice(_ on: Bool) throws {
        guard on != isVoice else { return }
        if let hardware { listener.forget(hardware) }
        (hardware, isVoice) = (nil, on)
        _ = try unit()
    }

    /// The format that the hardware grants now; nil without hardware of this direction.
    func hardwareFormat(isInput: Bool) -> AVAudioFormat? {
        let scope = isInput ? kAudioUnitScope_Input : kAudioUnitScope_Output
        guard let description = try? unit().format(scope, isInput ? 1 : 0), description.mSampleRate > 0,
            description.mChannelsPerFrame > 0
        else { return nil }
        return .standard(description.mSampleRate, description.mChannelsPerFrame)
    }

    var isHardwareRunning: Bool {
        guard let hardware else { return false }
        return (try? hardware.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(0))) == 1
    }

    // MARK: Output

    func setOutputFormat(_ format: AVAudioFormat) throws {
        if let manual {
            try manual.unit.setFormat(format, kAudioUnitScope_Input, 0)
        } else {
            try unit().setFormat(format, kAudioUnitScope_Input, 0)
        }
        playedFormat = format
    }

    func setSource(_ source: NodeOutput?) throws {
        self.source = source
        if let manual { return try manual.unit.setSource(source, input: 0) }
        if source == nil, hardware == nil { return }
        try unit().setSource(source, input: 0)
    }

    // MARK: Running

    struct Directions: Equatable {
        var plays: Bool
        var records: Bool
    }

    /// Configures the I/O unit for these directions, and starts it.
    func start(_ directions: Directions, recording format: AVAudioFormat, _ sinks: [Sink]) throws {
        let unit = try unit()
        unit.uninitialize()
        try unit.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(directions.plays ? 1 : 0))
        try unit.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(directions.records ? 1 : 0))
        if directions.plays, let playedFormat {
            try unit.setFormat(playedFormat, kAudioUnitScope_Input, 0)
            try unit.setSource(source, input: 0)
        }
        var callback = AURenderCallbackStruct()
        pump = nil
        if directions.records {
            try unit.setFormat(format, kAudioUnitScope_Output, 1)
            guard let made = InputPump(unit, format, input) else {
                throw AudioCallError.unit(OSStatus(kAudioUnitErr_FormatNotSupported), "AVAudioEngine.start: the input")
            }
            made.setSinks(sinks)
            pump = made
            callback.inputProc = InputPump.procedure
            callback.inputProcRefCon = Unmanaged.passUnretained(made).toOpaque()
        }
        try unit.set(kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, callback)
        try unit.initialize()
        try AudioCallError.checkUnit(AudioOutputUnitStart(unit.unit), "AVAudioEngine.start")
    }

    func resume() throws { try AudioCallError.checkUnit(AudioOutputUnitStart(unit().unit), "AVAudioEngine.start") }

    func setSinks(_ sinks: [Sink]) { pump?.setSinks(sinks) }

    /// No callback of the unit runs after the return.
    func pause() { if let hardware { _ = AudioOutputUnitStop(hardware.unit) } }

    func stop() {
        guard let hardware else { return }
        _ = AudioOutputUnitStop(hardware.unit)
        hardware.uninitialize()
        (pump, input.queue) = (nil, nil)
        input.clock.clear()
    }

    func end() {
        stop()
        manual?.isRunning.store(false, ordering: .relaxed)
        if let hardware { listener.forget(hardware) }
    }
}

/// Listens to the formats of the hardware of an I/O unit.
private final class UnitListener: @unchecked Sendable {
    private let changed: @Sendable () -> Void

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    private static let procedure: AudioUnitPropertyListenerProc = { reference, _, _, scope, element in
        // The sides of the hardware: the formats of the program change by its own calls.
        guard scope == kAudioUnitScope_Output && element == 0 || scope == kAudioUnitScope_Input && element == 1 else { return }
        Unmanaged<UnitListener>.fromOpaque(reference).takeUnretainedValue().changed()
    }

    func listen(to unit: EngineUnit) {
        _ = AudioUnitAddPropertyListener(
            unit.unit, kAudioUnitProperty_StreamFormat, UnitListener.procedure, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The listener is not called after the return.
    func forget(_ unit: EngineUnit) {
        _ = AudioUnitRemovePropertyListenerWithUserData(
            unit.unit, kAudioUnitProperty_StreamFormat, UnitListener.procedure, Unmanaged.passUnretained(self).toOpaque())
    }
}
