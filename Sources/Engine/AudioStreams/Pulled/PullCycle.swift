// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import CLinux
import LinuxSystem

/// The functions of the program: for each cycle, and for each change of a device.
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
    /// The devices that were opened, or could not be opened: they are not tried again until the target changes.
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
        let format = configure(isStart: true)
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

    /// Applies a new target. Returns the new format if the devices have changed.
    func apply(_ new: PullTarget) -> pull_format? {
        target = new
        guard length != nil else { return nil }
        output?.setGain(new.gain, ramp: true)
        let movesOutput = new.output != opened.output
        let movesInput = new.input != opened.input
        guard movesOutput || movesInput else { return nil }
        if movesInput { openInput() }
        if movesOutput { openOutput() }
        let format = configure(isStart: false)
        startDevices(output: movesOutput, input: movesInput)
        return format
    }

    private func openOutput() {
        let former = output
        output = nil
        opened.output = target.output
        guard let length else { return }
        if target.output?.choice == .silence {
            Log.debug("the route has no output device: the sound is discarded in real time until a device arrives")
        }
        let next = replace(
            former, by: target.output, orLog: "no output device opens: the stream is silent until the route changes"
        ) { wanted throws(SystemError) in try devices.openOutput(wanted, length) }
        output = next.map { PullOutput($0.device, $0.source, length, by: clock, counters, after: former) }
        // A ramp goes on at the next device.
        output?.setGain(target.gain, ramp: former != nil)
    }

    private func openInput() {
        let former = input
        input = nil
        opened.input = target.input
        guard let length else { return }
        if target.input?.choice == .silence {
            Log.debug("the route has no input device: silence is recorded until a device arrives")
        }
        let next = replace(
            former, by: target.input, orLog: "no input device opens: the stream records silence until the route changes"
        ) { wanted throws(SystemError) in try devices.openInput(wanted, length) }
        input = next.map { PullInput($0.device, $0.source, length, by: clock, counters, after: former) }
    }

    /// Opens the wanted device, and stops the former one. The next device opens first, so that the gap is short, unless the
    /// former one blocks it. A clock replaces a device that cannot be opened. Nil when no device is wanted.
    private func replace<Device>(
        _ former: (any PullSide)?, by wanted: DeviceTarget?, orLog message: StaticString,
        _ open: (DeviceTarget) throws(SystemError) -> Device
    ) -> (device: Device, source: ClockSource)? {
        func device(_ target: DeviceTarget) -> Device? { do throws(SystemError) { return try open(target) } catch { return nil } }
        guard let wanted else {
            former?.halt()
            return nil
        }
        var next = device(wanted)
        former?.halt()
        former?.release()
        if next == nil, former != nil { next = device(wanted) }
        if let next { return (next, wanted.source) }
        Log.debug("\(message)")
        return device(wanted.withoutDevice).map { ($0, .system) }
    }

    /// The input starts first, so that at the first cycle it has captured as many frames as the output has played.
    private func startDevices(output startsOutput: Bool, input startsInput: Bool) {
        if startsInput { input?.start() }
        if startsOutput { output?.start(withInput: input != nil) }
    }

    private func configure(isStart: Bool) -> pull_format {
        sharesClock = hasOneClock
        let format = self.format
        var reported = format
        reported.is_start = isStart
        functions.callbacks.configure?(functions.context, &reported)
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
        // After a start of the output the input starts again, so that both begin together.
        if output.consumeRestart() { input?.restart() }
        guard wait == 0 else { return output.layout.time(after: wait, from: clock.now) }
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
        return output.send(cycle)
    }

    private func run(_ input: PullInput) -> UInt64 {
        input.capture()
        let wait = input.framesToWait
        guard wait == 0 else { return input.layout.time(after: wait, from: clock.now) }
        var cycle = pull_cycle()
        cycle.drift = 1
        input.describe(&cycle)
        cycle.rate_scalar = input.loop.scalar
        render(&cycle)
        input.consume(cycle.consumed)
        return 0
    }

    private func render(_ cycle: inout pull_cycle) {
        let begin = linux_monotonic_nanoseconds()
        functions.callbacks.render?(functions.context, &cycle)
        counters.addCycle(from: begin, to: linux_monotonic_nanoseconds())
    }
}

/// The device of one direction.
protocol PullSide: AnyObject {
    /// Ends the sound at once.
    func halt()
    /// Gives the device back before the owner releases the object.
    func release()
}

extension DeviceTarget {
    /// A clock instead of a device that cannot be opened.
    fileprivate var withoutDevice: DeviceTarget {
        var target = self
        target.choice = .silence
        return target
    }
}

extension SampleLayout {
    /// Rounded up: at this time the frames have passed.
    func time(after frames: UInt64, from time: UInt64) -> UInt64 { time &+ nanoseconds(of: frames) &+ 1 }
}
