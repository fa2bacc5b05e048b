// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import CLinux
import LinuxSystem
import MediaFormats
import Synchronization

// The cycle of an I/O unit, on the thread of its stream: input, slices, output.
extension Unit {
    func render(_ cycle: UnsafeMutablePointer<pull_cycle>, ofStream number: UInt64) {
        // Frames that the program does not read are lost: the next cycle has newer ones.
        cycle.pointee.consumed = cycle.pointee.input_frames
        // While a callback of the former stream runs, the cycles are silent.
        let isFree = renderer.compareExchange(expected: 0, desired: linux_thread_self(), ordering: .acquiring).exchanged
        guard isFree else { return }
        defer { renderer.store(0, ordering: .releasing) }
        let plan = plans.enter()
        defer { plans.leave() }
        guard let plan, plan.stream == number else { return }
        beginCycle(plan)
        defer { self.cycle.plan = nil }
        if wantsReset.exchange(false, ordering: .acquiring) {
            plan.output?.reset()
            plan.input?.reset()
        }
        if let input = plan.input { acceptInput(cycle.pointee, input, plan) }
        if let output = plan.output, let target = cycle.pointee.output {
            renderOutput(cycle, target, plan, output)
        } else {
            renderInput(plan)
        }
    }

    private func beginCycle(_ plan: RenderPlan) {
        if startsAgain.exchange(false, ordering: .acquiring) { cycle = CycleState() }
        if isReconfigured.exchange(false, ordering: .acquiring) { cycle.isConfigured() }
        cycle.plan = plan
    }

    private func renderOutput(
        _ cycle: UnsafeMutablePointer<pull_cycle>, _ target: UnsafeMutablePointer<Float>, _ plan: RenderPlan,
        _ output: OutputPath
    ) {
        let clientRate = output.shape.client.sampleRate
        let lost = self.cycle.lost(before: cycle.pointee.output_frame)
        self.cycle.outputTime += (Double(lost) * clientRate / output.shape.rate).rounded()
        if !plan.isPaired { renderInput(plan) }
        output.begin(target, integers: cycle.pointee.output_int16, Int(cycle.pointee.output_frames))
        while output.available < plan.enoughFrames, output.hasRoom {
            let rate = cycle.pointee.rate_scalar > 0 ? cycle.pointee.rate_scalar : 1
            let ahead = Double(output.framesAhead) / (clientRate * rate) * 1e9
            let hostTime = UInt64(exactly: (Double(cycle.pointee.output_time) + ahead).rounded()) ?? 0
            let start = AudioTimeStamp(sampleTime: self.cycle.outputTime, hostTime: hostTime, rateScalar: rate)
            self.cycle.outputTime += Double(renderSlice(plan, output, start))
        }
        let (produced, areIntegers) = output.produce(
            target, Int(cycle.pointee.output_frames), heardAt: cycle.pointee.output_time)
        cycle.pointee.produced = UInt32(truncatingIfNeeded: produced)
        cycle.pointee.produces_int16 = areIntegers
        let played = produced > 0 ? produced : Int(cycle.pointee.output_frames) &- extraFrames
        self.cycle.hasProduced(UInt64(max(played, 0)), from: cycle.pointee.output_frame)
    }

    // MARK: Input

    private func acceptInput(_ cycle: pull_cycle, _ input: InputPath, _ plan: RenderPlan) {
        guard let frames = cycle.input, cycle.input_frames > 0 else { return input.acceptNothing(until: cycle.input_time) }
        input.setGainControl(plan.controlsGain)
        input.accept(frames, Int(cycle.input_frames), time: cycle.input_time, drift: cycle.drift)
    }

    /// Renders the complete slices of an input that is not paired with the output.
    private func renderInput(_ plan: RenderPlan) {
        guard let input = plan.input else { return }
        while input.available >= plan.inputFrames { renderInputSlice(plan, input, plan.inputFrames) }
    }

    private func renderInputSlice(_ plan: RenderPlan, _ input: InputPath, _ frames: Int) {
        let slice = input.cut(frames, isMuted: plan.mutesInput)
        cycle.inputTime += Double(slice.lost)
        if let callback = plan.inputCallback {
            var time = AudioTimeStamp(sampleTime: cycle.inputTime, hostTime: slice.hostTime, rateScalar: 1)
            var flags: UInt32 = 0
            let status = callback.call(&flags, &time, 1, frames, nil)
            if status != 0 { failures.add(status) }
            input.rewind()
        }
        cycle.inputTime += Double(frames)
    }

    // MARK: Output

    /// Renders a slice, or the silence before the start time. Returns the number of frames.
    private func renderSlice(_ plan: RenderPlan, _ output: OutputPath, _ start: AudioTimeStamp) -> Int {
        let frames = plan.outputFrames
        guard let volume = gain else { return frames }
        if plan.isPaired, let input = plan.input { renderInputSlice(plan, input, frames) }
        let silent = plan.silentFrames(before: start, rate: output.shape.client.sampleRate)
        guard silent == 0 else {
            output.append(0, of: silent, enough: plan.enoughFrames, volume)
            return silent
        }
        var time = start
        var flags: UInt32 = 0
        let sources = sourceChanges.load(ordering: .sequentiallyConsistent)
        output.buffers.prepare(frames: frames)
        let status = notifying(plan, &flags, &time, 0, frames, output.buffers.list) { flags in
            pull(plan.sources[0], output.buffers.format, &flags, &time, 0, frames, output.buffers.list)
        }
        let isSilent = status != 0 || flags & outputIsSilence != 0
        let isTransition = cycle.isTransition(from: sources, to: sourceChanges.load(ordering: .sequentiallyConsistent))
        output.append(
            isSilent ? 0 : output.buffers.filled(of: frames), of: frames, enough: plan.enoughFrames, volume,
            isTransition: isTransition)
        return frames
    }
}
