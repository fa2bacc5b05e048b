// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CLinux
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
    var isRendering: Bool { renderer.load(ordering: .relaxed) == linux_thread_self() }

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
        if status != 0 { lastError.store(status, ordering: .relaxed) }
        for notify in plan.notifies {
            var phase = flags | postRender | (status == 0 ? 0 : postRenderError)
            _ = notify.call(&phase, time, bus, frames, list)
        }
        return status
    }

    /// Asks the source for frames. The list is prepared.
    func pull(
        _ plan: RenderPlan, _ format: PCMFormat, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32,
        _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        switch plan.source {
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

    /// `format`: the one that a connected unit expects.
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
                try input.read(frames, into: list, lends: plan.lendsBuffers)
                return 0
            } catch {
                return error.rawValue
            }
        }
    }

    /// The error of a render that no callback of the unit makes.
    private func errorOutside(_ bus: UInt32, _ frames: Int) -> UnitError {
        read { state in
            if !state.isInitialized { return .uninitialized }
            if frames > state.maximumFrames { return .tooManyFrames }
            return bus == 1 && !state.isInputEnabled ? .noConnection : .cannotDoInCurrentContext
        }
    }

    /// Asks the source for frames now, and converts them.
    private func renderPulled(
        _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, as format: PCMFormat?
    ) throws(UnitError) -> OSStatus {
        guard bus < 1 else { throw .invalidElement }
        // A second render at the same time: of another thread, or of the unit's own source.
        let isFree = renderer.compareExchange(expected: 0, desired: linux_thread_self(), ordering: .acquiring).exchanged
        guard isFree else { throw .cannotDoInCurrentContext }
        defer { renderer.store(0, ordering: .releasing) }
        let plan = cell.enter()
        defer { cell.leave() }
        guard let plan, let path = plan.pull else { throw .uninitialized }
        if wantsReset.exchange(false, ordering: .acquiring) { path.reset() }
        guard frames <= plan.maximumFrames else { throw .tooManyFrames }
        if let format, format != path.shape.taken { throw .formatNotSupported }
        try PreparedOutput.prepare(list, for: path.shape.taken, frames, lending: plan.lendsBuffers ? path.lent : nil)
        return notifying(plan, &flags, time, bus, frames, list) { flags in
            renderPulled(plan, path, &flags, time, frames, list)
        }
    }

    private func renderPulled(
        _ plan: RenderPlan, _ path: PullPath, _ flags: inout UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        let start = path.position
        var sourceFlags: UInt32 = 0
        var isSilent = true
        do throws(RenderFailure) {
            try path.render(frames, to: BufferList(list).memory()) { (count: Int) throws(RenderFailure) -> Int in
                // Without a change of the rate the caller's clock is also the source's.
                var own = time.pointee
                own.mSampleTime = path.keepsRate ? time.pointee.mSampleTime + path.position - start : path.position
                own.mFlags |= 1
                sourceFlags = 0
                let status = pull(plan, path.shape.given, &sourceFlags, &own, 0, count, path.buffers.list)
                guard status == 0 else { throw RenderFailure(status: status) }
                if sourceFlags & outputIsSilence != 0 { return 0 }
                isSilent = false
                return path.buffers.filled(of: count)
            }
        } catch {
            silence(list, path, frames)
            return error.status
        }
        if isSilent, sourceFlags & outputIsSilence != 0 { flags |= outputIsSilence }
        return 0
    }

    private func silence(_ list: UnsafeMutablePointer<AudioBufferList>, _ path: PullPath, _ frames: Int) {
        let buffers = BufferList(list)
        for index in 0..<path.shape.taken.bufferCount {
            guard let data = buffers[index].pointee.mData else { continue }
            path.lent.fillWithSilence(data, frames &* path.shape.taken.bytesPerFrame)
        }
    }
}
