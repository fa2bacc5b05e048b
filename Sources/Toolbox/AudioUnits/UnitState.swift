// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import EngineClient
import MediaFormats
import PCMConversion
import Resampling

/// The number of frames by which the room of a cycle exceeds the slice.
let extraFrames = Int(PULL_EXTRA_FRAMES)

/// The settings of a program for one input of a unit.
struct UnitInput {
    var format: ClientFormat
    var source = SliceSource.none
    /// The gains from each channel of the input to each channel of the output, if a program has set them.
    var levels: [Float]?
}

/// The state of a unit, guarded by the lock of the unit.
struct UnitState {
    var isInitialized = false
    var isDisposed = false
    /// A generic output has been started.
    var isStarted = false
    /// The inputs of a mixer; one input for every other unit.
    private(set) var inputs: [UnitInput]
    private(set) var programOutput: ClientFormat
    var maximumFrames: Int
    var isOutputEnabled = true
    var isInputEnabled = false
    var allocatesBuffers = true
    var inputCallback: RenderCallback?
    var notifies: [RenderCallback] = []
    var programInputMap: [Int32]?
    var programOutputMap: [Int32]?
    var startTime: UInt64 = 0
    var startsAtZero = true
    /// Properties that are numbers and affect nothing else.
    var numbers: [UnitProperty: UInt32] = [:]
    var layouts: [ScopeElement: [UInt8]] = [:]
    /// The last format of the hardware that the stream has reported.
    var hardware: pull_format?
    var stream: (any EngineStream)?
    /// The number of the stream, and the greatest number that a stream has received.
    var streamNumber: UInt64 = 0
    var lastStream: UInt64 = 0
    /// Former streams of the unit whose callbacks may still run.
    var endingStreams: [any EngineStream] = []
    /// The duration of the slices since the last start.
    var sliceSeconds = 0.0
    /// The slot of the unit on the status page, while it is initialized.
    var statusSlot: StatusSlot?
    var starts: UInt32 = 0

    init?(_ kind: UnitKind) {
        guard let standard = ClientFormat.standard else { return nil }
        inputs = Array(repeating: UnitInput(format: standard), count: kind == .mixer ? UnitState.standardInputs : 1)
        programOutput = standard
        maximumFrames = kind.isIO ? 4096 : 1024
        if kind == .genericOutput { numbers[.offlineRender] = 1 }
    }

    static let standardInputs = 8
    static let mostInputs = MixerControls.capacity

    /// The program's format of element 0.
    var programInput: ClientFormat { inputs[0].format }

    /// The format of an input. The caller has checked the element.
    func programInput(_ element: UInt32) -> ClientFormat { inputs[min(Int(element), inputs.count - 1)].format }

    mutating func setProgramInput(_ format: ClientFormat, _ element: UInt32) throws(UnitError) {
        guard inputs.indices.contains(Int(element)) else { throw .invalidElement }
        if inputs[Int(element)].format.pcm.channels != format.pcm.channels { inputs[Int(element)].levels = nil }
        inputs[Int(element)].format = format
    }

    mutating func setProgramOutput(_ format: ClientFormat) {
        if programOutput.pcm.channels != format.pcm.channels {
            for index in inputs.indices { inputs[index].levels = nil }
        }
        programOutput = format
    }

    // MARK: Levels

    mutating func setLevels(_ levels: [Float], of element: UInt32) throws(UnitError) {
        guard inputs.indices.contains(Int(element)) else { throw .invalidElement }
        let channels = inputs[Int(element)].format.pcm.channels
        guard levels.count == channels * programOutput.pcm.channels else { throw .invalidPropertyValue }
        inputs[Int(element)].levels = levels
    }

    /// The levels that were set, or those of the standard mix.
    func levels(of element: UInt32) -> [Float] {
        let input = inputs[min(Int(element), inputs.count - 1)]
        if let levels = input.levels { return levels }
        let (sources, targets) = (input.format.pcm.channels, programOutput.pcm.channels)
        let mix = ChannelMix.standard(from: sources, to: targets)
        return (0..<(sources * targets)).map { Float(mix.weight(from: $0 / targets, to: $0 % targets)) }
    }

    // MARK: Sources

    /// The source of an input. The caller has checked the element.
    func source(_ element: UInt32) -> SliceSource { inputs[min(Int(element), inputs.count - 1)].source }

    mutating func setSource(_ source: SliceSource, _ element: UInt32) throws(UnitError) {
        guard inputs.indices.contains(Int(element)) else { throw .invalidElement }
        inputs[Int(element)].source = source
    }

    /// New inputs receive the format of the last input.
    mutating func setInputCount(_ count: Int) throws(UnitError) {
        guard 1...UnitState.mostInputs ~= count else { throw .invalidPropertyValue }
        let format = inputs[inputs.count - 1].format
        while inputs.count < count { inputs.append(UnitInput(format: format)) }
        inputs.removeLast(inputs.count - count)
    }

    mutating func removeSources() { for index in inputs.indices { inputs[index].source = .none } }

    /// The rate by which the frames of slices are counted.
    var sliceRate: Double { isOutputEnabled ? programInput.pcm.sampleRate : programOutput.pcm.sampleRate }

    /// The duration of slices for a preference in seconds; 0: none.
    func sliceSeconds(preferred: Double) -> Double {
        let rate = sliceRate
        let frames = preferred.isFinite && preferred > 0 ? (preferred * rate).rounded() : 1024
        return min(max(frames, 16), Double(maximumFrames)) / rate
    }

    /// The frames of a slice at a rate.
    func frames(rate: Double) -> Int {
        let frames = (sliceSeconds * rate).rounded()
        return min(max(Int(exactly: frames) ?? 1024, 1), maximumFrames)
    }
}

extension UnitState {
    /// A plan for this state. It uses the paths of the former plan if their shapes are equal. Throws when memory is exhausted.
    func plan(
        _ kind: UnitKind, _ echo: EchoReference, _ mixer: MixerControls?, _ speed: SpeedControls?, after previous: RenderPlan?
    ) throws(UnitError) -> RenderPlan {
        var paths = RenderPaths()
        if kind.isIO {
            if isOutputEnabled, let shape = outputShape {
                paths.output = try path(previous?.output, shape) { OutputPath.make($0, echo) }
            }
            if isInputEnabled, let shape = inputShape(kind) {
                paths.input = try path(previous?.input, shape) { InputPath.make($0, echo) }
            }
        } else if let mixer {
            let shape = MixPath.Shape(
                inputs: inputs.map { .init(format: $0.format.pcm, levels: $0.levels) }, target: programOutput.pcm,
                maximumFrames: maximumFrames, quality: filterQuality)
            paths.mix = try path(previous?.mix, shape) { MixPath.make($0, mixer, after: previous?.mix) }
        } else if kind.isPlayer {
            let shape = PlayerPath.Shape(target: programOutput.pcm, maximumFrames: maximumFrames)
            paths.play = try path(previous?.play, shape) { PlayerPath.make($0) }
        } else {
            let shape = RenderCallPath.Shape(
                source: programInput.pcm, target: programOutput.pcm, map: programInputMap, maximumFrames: maximumFrames,
                quality: filterQuality, changesSpeed: kind.changesSpeed)
            paths.pull = try path(previous?.pull, shape) { RenderCallPath.make($0, speed) }
        }
        return RenderPlan(
            self, paths, frames: (frames(rate: programInput.pcm.sampleRate), frames(rate: programOutput.pcm.sampleRate)))
    }

    /// The former path if it has this shape, else a new path.
    private func path<Path: RenderPath>(
        _ former: Path?, _ shape: Path.Shape, _ make: (Path.Shape) -> Path?
    ) throws(UnitError) -> Path {
        if let former, former.shape == shape { return former }
        guard let path = make(shape) else { throw .failedInitialization }
        return path
    }

    func flag(_ property: UnitProperty) -> Bool { (numbers[property] ?? UnitState.defaults(property)) != 0 }

    /// The quality of the filter that changes the rate. The program selects it with two properties.
    private var filterQuality: FilterQuality {
        switch RateComplexity(rawValue: number(.sampleRateConverterComplexity)) {
        case .linear: .linear
        case .mastering: .max
        case .normal, nil: FilterQuality(platform: number(.renderQuality))
        }
    }

    /// A voice unit ducks other sessions while it runs.
    func ducksOthers(_ kind: UnitKind) -> Bool { kind == .voiceProcessingIO && flag(.duckNonVoiceAudio) }

    private var outputShape: OutputPath.Shape? {
        guard let hardware, hardware.output_rate > 0, hardware.output_channels > 0 else { return nil }
        return OutputPath.Shape(
            client: programInput.pcm, rate: hardware.output_rate, deviceChannels: Int(hardware.output_channels),
            map: programInputMap,
            maximumFrames: maximumFrames, quality: filterQuality)
    }

    private func inputShape(_ kind: UnitKind) -> InputPath.Shape? {
        guard let hardware, hardware.input_rate > 0, hardware.input_channels > 0 else { return nil }
        return InputPath.Shape(
            client: programOutput.pcm, rate: hardware.input_rate, deviceChannels: Int(hardware.input_channels),
            map: programOutputMap,
            maximumFrames: maximumFrames, followsClock: isOutputEnabled && !hardware.shares_clock,
            isVoice: processesVoice(kind), quality: filterQuality)
    }

    /// A voice unit whose module is not installed records as one that is bypassed.
    private func processesVoice(_ kind: UnitKind) -> Bool {
        kind == .voiceProcessingIO && !flag(.bypassVoiceProcessing) && VoiceModule.installed != nil
    }
}

extension ChannelMix {
    /// The gain from a channel of the source to a channel of the target.
    fileprivate func weight(from source: Int, to target: Int) -> Double {
        switch self {
        case .map(let channels): channels[target] == source ? 1 : 0
        case .matrix(let rows): rows[target][source]
        }
    }
}
