// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import MediaFormats

/// The source of the frames of an input.
enum SliceSource: @unchecked Sendable {
    case none
    case callback(RenderCallback)
    /// An output element of a unit, which may be the unit itself.
    case connection(Unit, element: UInt32)
}

/// The values that a render needs. They do not change during a render.
final class RenderPlan: @unchecked Sendable {
    /// The number of the stream that renders this plan.
    let stream: UInt64
    /// The source of each input. Only a mixer has several inputs.
    let sources: [SliceSource]
    let inputCallback: RenderCallback?
    let notifies: [RenderCallback]
    let output: OutputPath?
    let input: InputPath?
    let pull: RenderCallPath?
    let mix: MixPath?
    let play: PlayerPath?
    /// The frames of a slice in each direction.
    let outputFrames: Int
    let inputFrames: Int
    /// Each slice of the output has a slice of the input, with the same number of frames.
    let isPaired: Bool
    let maximumFrames: Int
    let allocatesBuffers: Bool
    /// The sample times that a converting unit passes to its source count from 0.
    let startsAtZero: Bool
    /// The program receives silence instead of captured frames.
    let mutesInput: Bool
    let controlsGain: Bool
    /// The number of frames of the device for which a cycle needs no further slice.
    let enoughFrames: Int
    /// The host time in nanoseconds at which playing starts; 0: immediately.
    let startTime: UInt64

    init(_ state: UnitState, _ paths: RenderPaths, frames: (output: Int, input: Int)) {
        stream = state.streamNumber
        sources = state.inputs.map { $0.source }
        inputCallback = state.inputCallback
        notifies = state.notifies
        output = paths.output
        input = paths.input
        pull = paths.pull
        mix = paths.mix
        play = paths.play
        outputFrames = frames.output
        inputFrames = frames.input
        isPaired =
            paths.output != nil && paths.input != nil && state.programInput.pcm.sampleRate == state.programOutput.pcm.sampleRate
        maximumFrames = state.maximumFrames
        allocatesBuffers = state.allocatesBuffers
        startsAtZero = state.startsAtZero
        mutesInput = state.flag(.muteOutput)
        controlsGain = state.flag(.voiceProcessingEnableAGC)
        enoughFrames = max(Int(state.hardware?.slice ?? 0) - extraFrames, 1)
        startTime = state.startTime
    }
}

extension RenderPlan {
    /// The number of frames of silence before the start time, at most one slice. If the output is paired with the input, the
    /// slices keep their length, because each output slice belongs to an input slice.
    func silentFrames(before slice: AudioTimeStamp, rate: Double) -> Int {
        guard startTime > slice.mHostTime else { return 0 }
        guard !isPaired else { return outputFrames }
        let frames = Double(startTime &- slice.mHostTime) / 1e9 * rate * slice.mRateScalar
        return Int(min(frames.rounded(), Double(outputFrames)))
    }
}

/// The stages between two sides of a unit, for a given shape of the sides.
protocol RenderPath: AnyObject {
    associatedtype Shape: Equatable
    var shape: Shape { get }
}

/// The stages of a plan. A later plan uses the same stages if their formats have not changed.
struct RenderPaths {
    var output: OutputPath?
    var input: InputPath?
    var pull: RenderCallPath?
    var mix: MixPath?
    var play: PlayerPath?
}
