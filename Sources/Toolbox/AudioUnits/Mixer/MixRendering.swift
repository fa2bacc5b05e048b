// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion
import Synchronization

// Renders a mixer: every input in the order of the elements, and their sum.
extension Unit {
    func renderMixed(
        _ plan: RenderPlan, _ path: MixPath, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        path.begin(frames)
        defer { path.end(frames) }
        var isSilent = true
        // An iterator of an array allocates memory in code that is not optimized.
        for index in 0..<path.inputs.count {
            let input = path.inputs[index]
            input.level.begin(path.events, frames)
            let hasSound = render(plan.sources[input.index], input, time, frames)
            path.add(input, frames, isSilent: !hasSound)
            if hasSound { isSilent = false }
        }
        path.finish(frames, to: BufferList(list).memory())
        if isSilent { flags |= outputIsSilence }
        return 0
    }

    /// False when the input has no sound: it has no source or is off, or its source fails or is silent. A source that is off
    /// is not called.
    private func render(
        _ source: SliceSource, _ input: MixInput, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int
    ) -> Bool {
        if case .none = source { return false }
        guard !input.level.isOff, frames > 0 else { return false }
        let question = SourceQuestion(
            source: source, element: UInt32(truncatingIfNeeded: input.index), start: input.pull.position, time: time,
            // Without a change of the rate, the sample time of the source continues that of the caller.
            countsFromZero: !input.pull.keepsRate)
        var answers = SourceAnswers()
        do throws(RenderFailure) {
            try input.render(frames) { (count: Int) throws(RenderFailure) -> Int in
                try ask(question, input.pull, count, &answers)
            }
            // The conversion of the rate can contain sound of earlier slices.
            return !answers.areSilent || !input.pull.keepsRate
        } catch {
            failures.add(error.status)
            return false
        }
    }
}
