// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import EngineClient
import LinuxSystem
import MediaFormats
import Resampling
import Synchronization

extension Unit {
    /// Sets a property. The caller has checked scope, element, access and size.
    func set(_ property: UnitProperty, _ scopeElement: ScopeElement, _ data: UnsafeRawBufferPointer) throws(UnitError) {
        switch property {
        case .streamFormat:
            guard let start = data.baseAddress else { throw .invalidPropertyValue }
            try setFormat(StreamDescription(at: start), scopeElement)
        case .sampleRate: try setRate(try PropertyBytes.read(Double.self, data), scopeElement)
        case .setRenderCallback:
            try setSource(
                RenderCallback(try PropertyBytes.read(AURenderCallbackStruct.self, data)), of: inputElement(scopeElement))
        case .setInputCallback:
            let callback = RenderCallback(try PropertyBytes.read(AURenderCallbackStruct.self, data))
            try change { (state: inout UnitState) throws(UnitError) in state.inputCallback = callback }
        case .makeConnection: try connect(try PropertyBytes.read(AudioUnitConnection.self, data))
        case .elementCount: try setElementCount(try PropertyBytes.read(UInt32.self, data), scopeElement)
        case .meteringMode: mixer?.element(scopeElement)?.setMetered(try PropertyBytes.read(UInt32.self, data) != 0)
        case .channelMap: try setChannelMap(data, scopeElement)
        case .matrixLevels: try setLevels(data, of: scopeElement.element)
        case .audioChannelLayout: try setLayout(data, scopeElement)
        case .startTime: try setStartTime(try PropertyBytes.read(AudioOutputUnitStartAtTimeParams.self, data))
        case .scheduleAudioSlice, .scheduleStartTimeStamp, .scheduledFileIDs, .scheduledFileRegion, .scheduledFilePrime:
            try schedule(property, data)
        // The value has no effect: units never call the host, and their latency does not depend on it.
        case .hostCallbacks, .presentationLatency: break
        default:
            try setNumber(property, scopeElement, try PropertyBytes.read(UInt32.self, data))
            if property == .duckNonVoiceAudio {
                let (stream, ducks) = read { ($0.stream, $0.ducksOthers(kind)) }
                stream?.setDucksOthers(ducks)
            }
        }
    }

    // MARK: Formats

    private func setFormat(_ description: StreamDescription, _ scopeElement: ScopeElement) throws(UnitError) {
        guard let side = kind.side(scopeElement), !side.isHardware else { throw .propertyNotWritable }
        let current = read { side == .programInput ? $0.programInput(scopeElement.element) : $0.programOutput }
        let rate = description.sampleRate == 0 ? standardRate(of: side, current) : current.pcm.sampleRate
        try set(try ClientFormat(description, defaultRate: rate), side, scopeElement.element, replacing: current)
    }

    /// The rate that 0 stands for: the rate of the hardware, or the present rate if the hardware has none.
    private func standardRate(of side: Side, _ current: ClientFormat) -> Double {
        let granted = kind.isIO ? context.engine?.hardwareRate(isInput: side == .programOutput) ?? 0 : 0
        return granted > 0 ? granted : current.pcm.sampleRate
    }

    private func setRate(_ rate: Double, _ scopeElement: ScopeElement) throws(UnitError) {
        guard rate == 0 || BlockResampler.rates.contains(rate) else { throw .invalidPropertyValue }
        let scopeElement = formatSide(scopeElement)
        guard let side = kind.side(scopeElement), !side.isHardware else { throw .propertyNotWritable }
        let current = read { side == .programInput ? $0.programInput(scopeElement.element) : $0.programOutput }
        let format = try current.with(rate: rate == 0 ? standardRate(of: side, current) : rate)
        try set(format, side, scopeElement.element, replacing: current)
    }

    /// A connection carries the format to its other end. While a unit at an end is initialized, that end would not accept another
    /// format.
    private func set(_ format: ClientFormat, _ side: Side, _ element: UInt32, replacing current: ClientFormat) throws(UnitError) {
        guard let connection = connection(of: side, element) else { return try apply(format, side, element) }
        guard !connection.isInitialized else {
            guard format.pcm == current.pcm else { throw .propertyNotWritable }
            return
        }
        for end in connection.ends {
            try end.unit.apply(format, end.side, end.element)
            if end.unit !== self || end.side != side || end.element != element {
                end.unit.post(.streamFormat, ScopeElement(end.side == .programInput ? .input : .output, end.element))
            }
        }
    }

    private func apply(_ format: ClientFormat, _ side: Side, _ element: UInt32) throws(UnitError) {
        try change { (state: inout UnitState) throws(UnitError) in
            if side == .programInput { try state.setProgramInput(format, element) } else { state.setProgramOutput(format) }
        }
        preparePlayer()
    }

    /// The side whose rate is the rate of the global scope of an unconnected unit.
    func formatSide(_ scopeElement: ScopeElement) -> ScopeElement {
        scopeElement.scope == .global ? ScopeElement(kind == .mixer || kind.isPlayer ? .output : .input, 0) : scopeElement
    }

    /// The place is an end of a connection, and a unit at one of its ends is initialized.
    func formatIsFixed(_ scopeElement: ScopeElement) -> Bool {
        let place = formatSide(scopeElement)
        guard let side = kind.side(place) else { return false }
        return connection(of: side, place.element)?.isInitialized == true
    }

    // MARK: Inputs

    /// Programs set the callback in any scope and element of a unit that has one input.
    func inputElement(_ scopeElement: ScopeElement) -> UInt32 {
        kind == .mixer && scopeElement.scope == .input ? scopeElement.element : 0
    }

    private func setElementCount(_ count: UInt32, _ scopeElement: ScopeElement) throws(UnitError) {
        guard scopeElement.scope == .input else {
            guard count == 1 else { throw .invalidPropertyValue }
            return
        }
        try change { (state: inout UnitState) throws(UnitError) in
            try state.setInputCount(Int(count))
            mixer?.setInputCount(Int(count))
        }
    }

    // MARK: Sources

    /// Nil removes the source.
    func setSource(_ callback: RenderCallback?, of input: UInt32) throws(UnitError) {
        try change { (state: inout UnitState) throws(UnitError) in
            try state.setSource(callback.map { .callback($0) } ?? .none, input)
        }
    }

    private func connect(_ connection: AudioUnitConnection) throws(UnitError) {
        let input = connection.destInputNumber
        guard read({ Int(input) < $0.inputs.count }) else { throw .invalidPropertyValue }
        guard connection.sourceAudioUnit != nil else {
            return try change { (state: inout UnitState) throws(UnitError) in try state.setSource(.none, input) }
        }
        guard let source = context.table.object(connection.sourceAudioUnit) else { throw .invalidPropertyValue }
        try connect(source, connection.sourceOutputNumber, to: input)
    }

    /// The input receives the format of the unit that feeds it.
    func connect(_ source: Unit, _ element: UInt32, to input: UInt32) throws(UnitError) {
        guard source.kind.side(ScopeElement(.output, element)) == .programOutput else { throw .invalidElement }
        let format = source.read { $0.programOutput }
        try change { (state: inout UnitState) throws(UnitError) in
            try state.setSource(.connection(source, element: element), input)
            try state.setProgramInput(format, input)
        }
    }

    // MARK: Channels and times

    private func setChannelMap(_ data: UnsafeRawBufferPointer, _ scopeElement: ScopeElement) throws(UnitError) {
        guard data.count > 0 else { throw .invalidPropertyValue }
        let map = (0..<(data.count / 4)).map { data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        try change { (state: inout UnitState) throws(UnitError) in
            if scopeElement.element == 1 { state.programOutputMap = map } else { state.programInputMap = map }
        }
    }

    /// One level for each channel of the output, for one channel of the input after another.
    private func setLevels(_ data: UnsafeRawBufferPointer, of input: UInt32) throws(UnitError) {
        let levels = (0..<(data.count / 4)).map { data.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        guard levels.allSatisfy({ $0.isFinite }) else { throw .invalidPropertyValue }
        try change { (state: inout UnitState) throws(UnitError) in try state.setLevels(levels, of: input) }
    }

    /// Throws if the layout has fewer descriptions than it states.
    private func setLayout(_ data: UnsafeRawBufferPointer, _ scopeElement: ScopeElement) throws(UnitError) {
        let announced = Int(data.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard announced <= 64, data.count >= 12 + announced * MemoryLayout<AudioChannelDescription>.stride else {
            throw .invalidPropertyValue
        }
        try change { (state: inout UnitState) throws(UnitError) in state.layouts[scopeElement] = Array(data) }
    }

    private func setStartTime(_ start: AudioOutputUnitStartAtTimeParams) throws(UnitError) {
        let time = start.mTimestamp.mFlags & 2 != 0 ? start.mTimestamp.mHostTime : 0
        try change { (state: inout UnitState) throws(UnitError) in state.startTime = time }
    }

    // MARK: Numbers

    private static let mostFrames: UInt32 = 1 << 16

    private func setNumber(_ property: UnitProperty, _ scopeElement: ScopeElement, _ value: UInt32) throws(UnitError) {
        try change { (state: inout UnitState) throws(UnitError) in
            switch property {
            case .maximumFramesPerSlice:
                guard 1...Unit.mostFrames ~= value else { throw .invalidPropertyValue }
                state.maximumFrames = Int(value)
            case .enableIO:
                if scopeElement.scope == .input { state.isInputEnabled = value != 0 } else { state.isOutputEnabled = value != 0 }
            case .voiceProcessingQuality where value > 127, .renderQuality where value > 127: throw .invalidPropertyValue
            case .sampleRateConverterComplexity where RateComplexity(rawValue: value) == nil: throw .invalidPropertyValue
            case .shouldAllocateBuffer: state.allocatesBuffers = value != 0
            case .startTimestampsAtZero: state.startsAtZero = value != 0
            default: state.numbers[property] = value
            }
        }
        if property == .offlineRender { rendersOffline.store(value != 0, ordering: .relaxed) }
    }
}
