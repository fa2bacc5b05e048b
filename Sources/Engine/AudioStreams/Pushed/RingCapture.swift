// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CLinux
import LinuxSystem

/// Moves frames from the route's input to the program.
final class RingCapture: RingPump {
    private var device: (any CaptureDevice)?
    private var recorded: UInt64 = 0

    override var words: (direction: String, withoutDevice: String) { ("capture", "The stream records silence") }
    override var hasDevice: Bool { device != nil }
    override var movedFrames: UInt64 { recorded }
    override func rewind() { recorded = 0 }

    /// Stops at once: the program can still read the frames that have been recorded.
    override func drain() { stop() }

    // MARK: The device

    override func openDevice(_ choice: DeviceChoice) throws(SystemError) {
        let opened = try devices.openCapture(choice, shape)
        try opened.prepare()
        device = opened
    }

    override func prepareDevice() throws(SystemError) { try device?.prepare() }

    override func useClock() { device = ClockCapture(shape) }

    override func dropDevice() { device = nil }

    override func halt() {
        guard isStarted else { return }
        isStarted = false
        device?.stop()
        do throws(SystemError) { try device?.prepare() } catch { device = nil }
    }

    // MARK: Moving frames

    override func move() -> UInt64 {
        guard phase.flows, let device else { return UInt64.max }
        var waiting: UInt64 = 0
        do throws(SystemError) {
            if !isStarted {
                try device.start()
                isStarted = true
            }
            waiting = try read(from: device)
        } catch { replaceDevice(after: error) }
        stream_ring_advance(ring, recorded, recorded)
        guard !isOverrun else {
            fail(.late)
            return UInt64.max
        }
        let step = max(min(device.period, shape.period), 1)
        let missing = step > waiting ? step &- waiting : 0
        return linux_monotonic_nanoseconds() &+ shape.layout.nanoseconds(of: max(missing, max(step / 4, 1)))
    }

    /// Reads frames. Returns the number of frames that the device still has.
    private func read(from device: any CaptureDevice) throws(SystemError) -> UInt64 {
        while true {
            let available = try device.available()
            let unread = recorded &- min(ring.program, recorded)
            let room = ring.pointee.buffer > unread ? ring.pointee.buffer &- unread : 0
            let (frames, unbroken) = ring.span(of: recorded)
            let count = min(available, room, unbroken)
            guard count > 0 else { return available }
            let got = try device.read(frames, count)
            guard got > 0 else { return available }
            recorded &+= got
        }
    }

    private var isOverrun: Bool {
        recorded &- min(ring.program, recorded) >= max(ring.pointee.stop_threshold, 1)
    }
}
