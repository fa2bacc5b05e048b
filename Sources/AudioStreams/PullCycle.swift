// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import CLinux
import LinuxSystem

/// The function that a program gives for each cycle, and the one for each change of a device.
struct PullFunctions {
    let callbacks: pull_callbacks
    let context: UnsafeMutableRawPointer?
}

/// The cycles of one pulled stream: waits until the output has room for a slice, or the input has one, and calls the
/// program. Only the stream's thread uses it. A cycle takes no lock and allocates nothing.
final class PullCycle {
    private let counters: PullCounters
    private let functions: PullFunctions
    private let devices: any PullDevices
    private let clock: any DeviceClock
    private var target = PullTarget()
    private var length: SliceLength?
    private var output: PullOutput?
    private var input: PullInput?
    private var sharesClock = true
    /// The devices that were opened, or tried: they are not tried again until the target changes.
    private var opened = PullTarget()

    init(_ functions: PullFunctions, on devices: any PullDevices, by clock: any DeviceClock, _ counters: PullCounters) {
        self.counters = counters
        self.functions = functions
        self.devices = devices
        self.clock = clock
    }

    // MARK: Start, stop and changes

    func start(_ length: SliceLength) -> pull_format {
        self.length = length
        counters.start(slice: UInt64(length.seconds * 1_000_000_000))
        devices.isInterrupted = false
        openInput()
        openOutput()
        let format = configure()
        startDevices(output: true, input: true)
        return format
    }

    /// Ends the sound at once, and gives the devices back.
    func stop(byInterruption: Bool) {
        devices.isInterrupted = byInterruption
        output?.halt()
        input?.halt()
        (output, input, length) = (nil, nil, nil)
    }

    /// Follows a new target. The new format if the devices have changed.
    func apply(_ new: PullTarget) -> pull_format? {
        target = new
        guard length != nil else { return nil }
        output?.aim(new.gain, ramp: true)
        let movesOutput = new.output != opened.output
        let movesInput = new.input != opened.input
        guard movesOutput || movesInput else { return nil }
        if movesInput { openInput() }
        if movesOutput { openOutput() }
        let format = configure()
        startDevices(output: movesOutput, input: movesInput)
        return format
    }

    /// The next device opens before the old one stops, so that the gap is short. An old device can block the next one.
    private func openOutput() {
        let former = output
        output = nil
        opened.output = target.output
        guard let wanted = target.output, let length else {
            former?.halt()
            return
        }
        var source = wanted.source
        var device = tryOutput(wanted, length)
        former?.halt()
        former?.release()
        if device == nil, former != nil { device = tryOutput(wanted, length) }
        if device == nil {
            Log.debug("no output device opens: the stream is silent until the route changes")
            source = .system
            device = tryOutput(wanted.withoutDevice, length)
        }
        output = device.map { PullOutput($0, source, length, by: clock, counters, after: former) }
        output?.aim(target.gain, ramp: false)
    }

    private func tryOutput(_ wanted: DeviceTarget, _ length: SliceLength) -> OpenedOutput? {
        do throws(StreamError) { return try devices.openOutput(wanted, length) } catch { return nil }
    }

    private func openInput() {
        let former = input
        input = nil
        opened.input = target.input
        guard let wanted = target.input, let length else {
            former?.halt()
            return
        }
        var source = wanted.source
        var device = tryInput(wanted, length)
        former?.halt()
        former?.release()
        if device == nil, former != nil { device = tryInput(wanted, length) }
        if device == nil {
            Log.debug("no input device opens: the stream records silence until the route changes")
            source = .system
            device = tryInput(wanted.withoutDevice, length)
        }
        input = device.map { PullInput($0, source, length, by: clock, counters, after: former) }
    }

    private func tryInput(_ wanted: DeviceTarget, _ length: SliceLength) -> OpenedInput? {
        do throws(StreamError) { return try devices.openInput(wanted, length) } catch { return nil }
    }

    /// The input first: at the first cycle it has captured as much as the output has played.
    private func startDevices(output startsOutput: Bool, input startsInput: Bool) {
        if startsInput { input?.start() }
        if startsOutput { output?.start(withInput: input != nil) }
    }

    private func configure() -> pull_format {
        sharesClock = hasOneClock
        var format = self.format
        functions.callbacks.configure?(functions.context, &format)
        return format
    }

    private var format: pull_format {
        var format = pull_format()
        if let output {
            format.output_rate = Double(output.layout.rate)
            format.output_channels = output.layout.channels
        }
        if let input {
            format.input_rate = Double(input.layout.rate)
            format.input_channels = input.layout.channels
        }
        format.slice = UInt32(clamping: output?.slice ?? input?.slice ?? 0)
        format.shares_clock = sharesClock
        return format
    }

    private var hasOneClock: Bool {
        guard let output, let input else { return true }
        return output.source.isSame(as: input.source)
    }

    // MARK: Cycles

    /// Runs the cycle that is due. Returns the time of the next one, by the clock of the devices; 0: now.
    func run() -> UInt64 {
        if let output { return run(output) }
        if let input { return run(input) }
        return UInt64.max
    }

    private func run(_ output: PullOutput) -> UInt64 {
        let wait = output.framesToWait()
        // After a start the input begins again beside the output.
        if output.takeRestart() { input?.restart() }
        guard wait == 0 else { return time(after: wait, of: output.layout) }
        var cycle = pull_cycle()
        cycle.drift = 1
        output.describe(&cycle)
        if let input {
            input.capture()
            input.describe(&cycle)
            if !sharesClock { cycle.drift = input.loop.scalar / output.loop.scalar }
        }
        render(&cycle)
        input?.consume(cycle.consumed)
        output.send(cycle.produced)
        return 0
    }

    private func run(_ input: PullInput) -> UInt64 {
        input.capture()
        let wait = input.framesToWait
        guard wait == 0 else { return time(after: wait, of: input.layout) }
        var cycle = pull_cycle()
        cycle.drift = 1
        input.describe(&cycle)
        cycle.rate_scalar = input.loop.scalar
        render(&cycle)
        input.consume(cycle.consumed)
        return 0
    }

    /// Rounded up: the frames have passed then.
    private func time(after frames: UInt64, of layout: SampleLayout) -> UInt64 {
        clock.now &+ layout.nanoseconds(of: frames) &+ 1
    }

    private func render(_ cycle: inout pull_cycle) {
        let begin = linux_monotonic_nanoseconds()
        functions.callbacks.render?(functions.context, &cycle)
        counters.addCycle(from: begin, to: linux_monotonic_nanoseconds())
    }
}

extension DeviceTarget {
    /// A clock in place of a device that does not open.
    fileprivate var withoutDevice: DeviceTarget {
        var target = self
        target.choice = .silence
        return target
    }
}
