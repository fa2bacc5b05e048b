// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CALSA
import CAudioStreams
import CLinux
import LinuxSystem

// The two threads of a pulled stream. Each holds a reference to the stream until it ends.
extension PulledStream {
    /// Lower than the priority of the real-time threads of sound servers.
    private static let priority: Int32 = 10

    func startThread(delivering isDelivery: Bool) -> UnsafeMutableRawPointer? {
        let reference = Unmanaged.passRetained(self)
        let thread =
            isDelivery
            ? linux_thread_start_for_program(
                { PulledStream.retained($0)?.runDeliveries() }, reference.toOpaque(), "audiosession-cb")
            : linux_thread_start_for_program({ PulledStream.retained($0)?.runCycles() }, reference.toOpaque(), "audiosession-io")
        if thread == nil { reference.release() }
        return thread
    }

    private static func retained(_ reference: UnsafeMutableRawPointer?) -> PulledStream? {
        reference.map { Unmanaged<PulledStream>.fromOpaque($0).takeRetainedValue() }
    }

    // MARK: Cycles

    private func runCycles() {
        guard let cycle else { return }
        control.enterCycles()
        alsa_silence_this_thread()
        becomeRealtime()
        var isExecuting: UInt64 = 0
        var deadline: UInt64 = 0
        while true {
            if deadline > 0 {
                control.sleep(until: clock.sleep(ticket, until: deadline))
                clock.endSleep(ticket)
            }
            if control.hasMessages, !processMessages(cycle, &isExecuting) { break }
            deadline = isExecuting != 0 ? cycle.run() : UInt64.max
        }
        clock.unregister(ticket)
    }

    private func becomeRealtime() {
        let isRealtime = linux_thread_set_realtime(PulledStream.priority)
        counters.setRealtime(isRealtime)
        if !isRealtime {
            Log.debug("a stream's thread is not real-time: the limits of this process do not allow it (see ulimit -r)")
        }
    }

    /// Applies commands and targets. False at the end of the thread.
    private func processMessages(_ cycle: PullCycle, _ executing: inout UInt64) -> Bool {
        let messages = control.fetchMessages()
        if executing != 0, messages.start?.number != executing {
            cycle.stop(byInterruption: messages.isInterrupted)
            executing = 0
            control.hasStopped()
        }
        if messages.isEnding { return false }
        if let target = messages.target, let format = cycle.apply(target) { control.publish(format) }
        if executing == 0, let start = messages.start, control.execute(start) {
            executing = start.number
            control.publish(cycle.start(start.length))
        }
        return true
    }

    // MARK: Deliveries

    private func runDeliveries() {
        control.enterDelivery()
        while let delivery = control.nextDelivery() {
            switch delivery {
            case .stopped(let reason): functions.callbacks.stopped?(functions.context, reason)
            case .formatChanged: functions.callbacks.format_changed?(functions.context)
            }
        }
    }
}
