// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import EngineClient
import LinuxSystem
import MediaFormats

extension Queue {
    /// From now on other processes can see the queue on the status page.
    func claimStatusSlot() {
        guard let slot = service.client.makeStatusSlot() else { return }
        lock.withLock {
            statusSlot = slot
            voice.counters = slot.counters
            show()
        }
    }

    /// Describes the queue on the status page of the process. Called after each change of a described value. Under the lock.
    func show() {
        guard let statusSlot else { return }
        var description = status_description()
        description.kind = UInt32(isInput ? STATUS_INPUT_QUEUE : STATUS_OUTPUT_QUEUE)
        description.state = UInt32(isInput ? STATUS_HAS_INPUT : STATUS_HAS_OUTPUT)
        if state.run == .running { description.state |= UInt32(STATUS_IS_RUNNING) }
        if state.run == .paused { description.state |= UInt32(STATUS_IS_PAUSED) }
        if state.isStopping { description.state |= UInt32(STATUS_IS_STOPPING) }
        let format = status_format(
            rate: described.sampleRate, id: described.formatID, flags: described.formatFlags.rawValue,
            channels: described.channelsPerFrame, bits: described.bitsPerChannel)
        if isInput { description.input = format } else { description.output = format }
        description.starts = starts
        description.buffers = UInt32(clamping: state.buffersInQueue)
        description.late = lateCalls
        if recording == nil {
            description.queued = Double(chain.pendingFrames &+ (packets?.waitingFrames ?? 0)) / self.format.rate
        }
        statusSlot.describe(description)
    }

    /// The number of underruns since the start.
    var underruns: UInt64 { voice.counters.map { status_underruns($0) } ?? 0 }
}

extension QueueStream {
    /// Gives the stream of all queues a slot on the status page, for its counters.
    func makeSlot(_ client: any AudioEngineClient, for stream: any EngineStream) -> StatusSlot? {
        guard let slot = client.makeStatusSlot() else { return nil }
        stream.count(in: slot)
        return slot
    }

    /// Under the lock.
    func describe(_ slot: StatusSlot?, isRunning: Bool) {
        guard let slot else { return }
        var description = status_description()
        description.kind = UInt32(isInput ? STATUS_INPUT_MIX : STATUS_OUTPUT_MIX)
        description.state = UInt32(isInput ? STATUS_HAS_INPUT : STATUS_HAS_OUTPUT)
        if isRunning { description.state |= UInt32(STATUS_IS_RUNNING) }
        slot.describe(description)
    }
}
