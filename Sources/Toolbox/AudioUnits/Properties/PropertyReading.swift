// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import EngineClient
import LinuxSystem
import MediaFormats
import Synchronization

extension Unit {
    /// The value of a property that can be read.
    func value(_ property: UnitProperty, _ scopeElement: ScopeElement) throws(UnitError) -> [UInt8] {
        switch property {
        case .streamFormat: try description(scopeElement).bytes
        case .sampleRate: bytes(try description(scopeElement.scope == .global ? elementOfGlobalRate : scopeElement).sampleRate)
        case .parameterList: parameters(scopeElement).reduce(into: []) { $0 += bytes($1) }
        case .parameterInfo: try parameterInfo(scopeElement)
        case .cpuLoad: bytes(read { $0.stream }?.counters.load ?? 0)
        case .elementCount: bytes(read { kind.elements(of: scopeElement.scope, inputs: $0.inputs.count) })
        case .meteringMode: bytes(UInt32(mixer?.element(scopeElement)?.isMetered == true ? 1 : 0))
        case .latency: bytes(latency)
        case .supportedNumChannels: bytes(AUChannelInfo(inChannels: kind.isPlayer ? 0 : -1, outChannels: -1))
        case .tailTime: bytes(0.0)
        case .lastRenderError: bytes(failures.lastStatus)
        case .isInterAppConnected: bytes(UInt32(0))
        case .isRunning: bytes(UInt32(isRunning ? 1 : 0))
        case .hasIO: bytes(UInt32(hasHardware(scopeElement) ? 1 : 0))
        case .channelMap: read { state in channelMap(state, scopeElement) }.reduce(into: []) { $0 += bytes($1) }
        case .setRenderCallback: bytes(read { $0.source(inputElement(scopeElement)).callback })
        case .setInputCallback: bytes(read { $0.inputCallback?.structure ?? .none })
        case .matrixLevels: read { $0.levels(of: scopeElement.element) }.reduce(into: []) { $0 += bytes($1) }
        case .audioChannelLayout: try layoutBytes(scopeElement)
        case .scheduleStartTimeStamp: bytes(player?.start ?? AudioTimeStamp())
        case .currentPlayTime: bytes(player?.playTime ?? AudioTimeStamp())
        case .scheduledFileIDs: (player?.scheduledFiles ?? []).reduce(into: []) { $0 += bytes($1) }
        default: bytes(read { $0.number(property, scopeElement) })
        }
    }

    /// The side whose rate is the rate of the global scope.
    private var elementOfGlobalRate: ScopeElement {
        if kind == .mixer || kind.isPlayer { return ScopeElement(.output, 0) }
        return kind.isIO && read { !$0.isOutputEnabled } ? ScopeElement(.output, 1) : ScopeElement(.input, 0)
    }

    /// The format of a side.
    func description(_ scopeElement: ScopeElement) throws(UnitError) -> StreamDescription {
        guard let side = kind.side(scopeElement) else { throw .invalidElement }
        switch side {
        case .programInput: return read { $0.programInput(scopeElement.element).description }
        case .programOutput: return read { $0.programOutput.description }
        case .hardwareOutput: return hardwareDescription(isInput: false)
        case .hardwareInput: return hardwareDescription(isInput: true)
        }
    }

    /// The format that the hardware grants now. Without hardware the rate is 0.
    private func hardwareDescription(isInput: Bool) -> StreamDescription {
        let format = hardwareFormat(isInput: isInput)
        let rate = (isInput ? format?.input_rate : format?.output_rate) ?? 0
        let device = Int((isInput ? format?.input_channels : format?.output_channels) ?? 0)
        // A voice has one channel, whatever the device has.
        let channels = kind == .voiceProcessingIO ? min(device, 1) : device
        if let known = ClientFormat.floats(rate: rate, channels: channels) { return known.description }
        var unknown = ClientFormat.standard?.description ?? StreamDescription(sampleRate: 0, formatID: FormatID.linearPCM)
        unknown.sampleRate = rate
        unknown.channelsPerFrame = UInt32(clamping: channels)
        return unknown
    }

    /// The format of the unit's stream. Before its initialization a unit has no stream, and its stream may not have this
    /// direction: then it is the format of a new stream.
    private func hardwareFormat(isInput: Bool) -> pull_format? {
        let stream = read { (isInput ? $0.isInputEnabled : $0.isOutputEnabled) ? $0.stream : nil }
        return stream.map { $0.format } ?? context.engine?.hardwareFormat(isInput ? .input : .output)
    }

    private func hasHardware(_ scopeElement: ScopeElement) -> Bool {
        (context.engine?.hardwareRate(isInput: kind.side(scopeElement) == .hardwareInput) ?? 0) > 0
    }

    /// The delay of the unit in seconds. The delay of the device is a property of the session.
    private var latency: Double {
        read { _ in
            guard let plan = plans.value else { return 0 }
            return plan.output?.latency ?? plan.input?.latency ?? plan.pull?.latency ?? plan.mix?.latency ?? 0
        }
    }

    // MARK: Channels

    /// The map that was set, or the default map: each channel to the same channel, and mono to both.
    private func channelMap(_ state: UnitState, _ scopeElement: ScopeElement) -> [Int32] {
        let isInput = scopeElement.element == 1
        if let map = isInput ? state.programOutputMap : state.programInputMap { return map }
        guard kind.isIO else { return defaultMap(from: state.programInput.pcm.channels, to: state.programOutput.pcm.channels) }
        let client = (isInput ? state.programOutput : state.programInput).pcm.channels
        let device = Int((isInput ? state.hardware?.input_channels : state.hardware?.output_channels) ?? 2)
        return isInput ? defaultMap(from: device, to: client) : defaultMap(from: client, to: device)
    }

    private func defaultMap(from source: Int, to target: Int) -> [Int32] {
        (0..<max(target, 0)).map { channel in
            if source == 1, channel < 2 { return 0 }
            return channel < source ? Int32(clamping: channel) : -1
        }
    }

    private func layoutBytes(_ scopeElement: ScopeElement) throws(UnitError) -> [UInt8] {
        if let set = read({ $0.layouts[scopeElement] }) { return set }
        return bytes(try layout(scopeElement))
    }

    /// The layout for the number of channels of a side.
    private func layout(_ scopeElement: ScopeElement) throws(UnitError) -> AudioChannelLayout {
        var layout = AudioChannelLayout()
        let channels = try description(scopeElement).channelsPerFrame
        switch channels {
        case 1: layout.mChannelLayoutTag = 100 << 16 | 1
        case 2: layout.mChannelLayoutTag = 101 << 16 | 2
        default: layout.mChannelLayoutTag = 147 << 16 | channels
        }
        return layout
    }
}

extension UnitState {
    /// The value of a property that is a number.
    func number(_ property: UnitProperty, _ scopeElement: ScopeElement = ScopeElement(.global)) -> UInt32 {
        switch property {
        case .maximumFramesPerSlice: UInt32(clamping: maximumFrames)
        case .enableIO: (scopeElement.scope == .input ? isInputEnabled : isOutputEnabled) ? 1 : 0
        case .shouldAllocateBuffer: allocatesBuffers ? 1 : 0
        case .startTimestampsAtZero: startsAtZero ? 1 : 0
        default: numbers[property] ?? UnitState.defaults(property)
        }
    }

    static func defaults(_ property: UnitProperty) -> UInt32 {
        switch property {
        case .inPlaceProcessing: 1
        case .renderQuality: 64
        case .voiceProcessingQuality: 127
        case .voiceProcessingEnableAGC, .duckNonVoiceAudio: 1
        case .sampleRateConverterComplexity: RateComplexity.normal.rawValue
        default: 0
        }
    }
}

extension SliceSource {
    /// The callback of a program, or NULL.
    fileprivate var callback: AURenderCallbackStruct {
        if case .callback(let callback) = self { return callback.structure }
        return .none
    }
}

extension AURenderCallbackStruct {
    /// The structure that removes a callback.
    static var none: AURenderCallbackStruct { AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil) }
}
