// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CLinux
import LinuxSystem
import MediaFormats
import PCMConversion
import Synchronization

/// The values of `kAudioUnitRenderAction_…`.
let preRender: UInt32 = 1 << 2
let postRender: UInt32 = 1 << 3
let outputIsSilence: UInt32 = 1 << 4
let postRenderError: UInt32 = 1 << 8

extension Unit {
    /// This thread renders with the unit now.
    public var isRendering: Bool { renderer.load(ordering: .relaxed) == linux_thread_self() }

    // MARK: The parts of a render

    /// Calls the notifications of the program before and after `body`.
    func notifying(
        _ plan: RenderPlan, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, _ body: (inout UInt32) -> OSStatus
    ) -> OSStatus {
        for notify in plan.notifies {
            var phase = flags | preRender
            _ = notify.call(&phase, time, bus, frames, list)
        }
        let status = body(&flags)
        if status != 0 { failures.add(status) }
        for notify in plan.notifies {
            var phase = flags | postRender | (status == 0 ? 0 : postRenderError)
            _ = notify.call(&phase, time, bus, frames, list)
        }
        return status
    }

    /// Asks a source for frames. The caller has prepared the list.
    func pull(
        _ source: SliceSource, _ format: PCMFormat, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32,
        _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        switch source {
        case .none: UnitError.noConnection.rawValue
        case .callback(let callback): callback.call(&flags, time, bus, frames, list)
        case .connection(let unit, let element): unit.render(&flags, time, element, frames, list, as: format)
        }
    }

    // MARK: AudioUnitRender

    /// `AudioUnitRender` of a program.
    public func render(
        flags: UnsafeMutablePointer<UInt32>?, time: UnsafePointer<AudioTimeStamp>?, bus: UInt32, frames: UInt32,
        list: UnsafeMutablePointer<AudioBufferList>?
    ) -> OSStatus {
        guard let time, let list else { return UnitError.parameter.rawValue }
        var own: UInt32 = flags?.pointee ?? 0
        let status = render(&own, time, bus, Int(frames), list, as: nil)
        flags?.pointee = own
        return status
    }

    /// `format` is the format that a connected unit expects.
    func render(
        _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, as format: PCMFormat?
    ) -> OSStatus {
        do throws(UnitError) {
            if kind.isIO { return try renderInput(&flags, time, bus, frames, list, as: format) }
            return try renderPulled(&flags, time, bus, frames, list, as: format)
        } catch {
            return error.rawValue
        }
    }

    /// The slice that the unit has captured in this cycle.
    private func renderInput(
        _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, as format: PCMFormat?
    ) throws(UnitError) -> OSStatus {
        guard bus < 2 else { throw .invalidElement }
        guard isRendering, let plan = cycle.plan else { throw errorOutside(bus, frames) }
        guard frames <= plan.maximumFrames else { throw .tooManyFrames }
        guard bus == 1 else { throw .cannotDoInCurrentContext }
        guard let input = plan.input else { throw .noConnection }
        if let format, format != input.shape.client { throw .formatNotSupported }
        return notifying(plan, &flags, time, bus, frames, list) { _ in
            do throws(UnitError) {
                try input.read(frames, into: list, allocating: plan.allocatesBuffers)
                return 0
            } catch {
                return error.rawValue
            }
        }
    }

    /// The error of a render outside of the callbacks of the unit.
    private func errorOutside(_ bus: UInt32, _ frames: Int) -> UnitError {
        read { state in
            if !state.isInitialized { return .uninitialized }
            if frames > state.maximumFrames { return .tooManyFrames }
            return bus == 1 && !state.isInputEnabled ? .noConnection : .cannotDoInCurrentContext
        }
    }

    /// Asks the sources for frames, and converts or mixes them.
    private func renderPulled(
        _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, as format: PCMFormat?
    ) throws(UnitError) -> OSStatus {
        guard bus < 1 else { throw .invalidElement }
        // Another thread renders, or the unit's own source calls it.
        let isFree = renderer.compareExchange(expected: 0, desired: linux_thread_self(), ordering: .acquiring).exchanged
        guard isFree else { throw .cannotDoInCurrentContext }
        defer { renderer.store(0, ordering: .releasing) }
        let plan = plans.enter()
        defer { plans.leave() }
        guard let plan, let unitBuffers = plan.mix?.unitBuffers ?? plan.pull?.unitBuffers ?? plan.play?.unitBuffers else {
            throw .uninitialized
        }
        if wantsReset.exchange(false, ordering: .acquiring) {
            plan.pull?.reset()
            plan.mix?.reset()
        }
        guard frames <= plan.maximumFrames else { throw .tooManyFrames }
        if let format, format != unitBuffers.format { throw .formatNotSupported }
        try PreparedOutput.prepare(list, for: unitBuffers.format, frames, from: plan.allocatesBuffers ? unitBuffers : nil)
        return notifying(plan, &flags, time, bus, frames, list) { flags in
            if let mix = plan.mix { return renderMixed(plan, mix, &flags, time, frames, list) }
            if let play = plan.play, let player { return renderPlayed(player, play, &flags, time, frames, list) }
            guard let path = plan.pull else { return UnitError.uninitialized.rawValue }
            return renderConverted(plan, path, &flags, time, frames, list)
        }
    }

    private func renderConverted(
        _ plan: RenderPlan, _ path: RenderCallPath, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        let question = SourceQuestion(
            source: plan.sources[0], element: 0, start: path.position, time: time, countsFromZero: plan.startsAtZero)
        var answers = SourceAnswers()
        do throws(RenderFailure) {
            try path.render(frames, to: BufferList(list).memory()) { (count: Int) throws(RenderFailure) -> Int in
                try ask(question, path, count, &answers)
            }
        } catch {
            silence(list, path.unitBuffers, frames)
            return error.status
        }
        if answers.areSilent { flags |= outputIsSilence }
        return 0
    }

    /// The arguments with which a render asks a source.
    struct SourceQuestion {
        let source: SliceSource
        let element: UInt32
        /// The position of the path when the render began.
        let start: Double
        let time: UnsafePointer<AudioTimeStamp>
        /// The sample time of the source is the position of the path. Otherwise it is the time of the caller, in frames of the source.
        let countsFromZero: Bool
    }

    /// The results of a source during one render.
    struct SourceAnswers {
        var wasAsked = false
        var hasSound = false
        var areSilent: Bool { wasAsked && !hasSound }
    }

    /// Asks a source for frames in the buffers of a path. Returns the number of frames with sound.
    func ask(
        _ question: SourceQuestion, _ path: RenderCallPath, _ count: Int, _ answers: inout SourceAnswers
    ) throws(RenderFailure) -> Int {
        var own = question.time.pointee
        own.mSampleTime =
            question.countsFromZero
            ? path.position : own.mSampleTime * path.framesPerTargetFrame + path.position - question.start
        own.mFlags |= 1
        var flags: UInt32 = 0
        let status = pull(question.source, path.shape.source, &flags, &own, question.element, count, path.buffers.list)
        guard status == 0 else { throw RenderFailure(status: status) }
        answers.wasAsked = true
        if flags & outputIsSilence != 0 { return 0 }
        answers.hasSound = true
        return path.buffers.filled(of: count)
    }

    private func silence(_ list: UnsafeMutablePointer<AudioBufferList>, _ unitBuffers: SliceBuffers, _ frames: Int) {
        let buffers = BufferList(list)
        for index in 0..<unitBuffers.format.bufferCount {
            guard let data = buffers[index].pointee.mData else { continue }
            unitBuffers.fillWithSilence(data, frames &* unitBuffers.format.bytesPerFrame)
        }
    }
}
