// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import HardwareTestSupport
import LinuxSystem
import SessionArbiter
import SessionModel
import SimulatedHardware
import Testing

@testable import AudioStreams

extension Port {
    fileprivate static let monoSpeaker = Port(
        kind: .builtInSpeaker, device: 9, uid: "mono", name: "Speaker", alsaDevice: "hw:3", channels: 1)
}

/// Devices of pulled streams that fail, are exclusive, accept little, or have clocks of their own.
@Suite struct PullDeviceTests {
    @Test("After an underrun the input begins again beside the output: no input waits longer than before") func duplex() throws {
        let machine = PullMachine()
        _ = try machine.enter(.playAndRecord)
        let program = PullProgram(machine, [.output, .input])
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 100)
        machine.devices.output?.stall = machine.clock.now + 70_000_000
        machine.step(milliseconds: 300)
        #expect(program.stream.counts.underruns == 1)
        #expect(program.cycles.count > 25 && program.cycles.allSatisfy { $0.input.count <= 441 })
    }

    @Test("An overrun starts the input again, and the lost frames are counted") func overrun() throws {
        let machine = PullMachine()
        _ = try machine.enter(.recordAudio)
        let program = PullProgram(machine, .input)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 105)
        machine.devices.input?.isLate = true
        machine.step(milliseconds: 200)
        let counts = program.stream.counts
        #expect(counts.overruns == 1 && counts.lost_frames > 0 && program.cycles.count > 25)
        for cycle in program.cycles.filter({ $0.inputFrame < 4410 || $0.inputFrame > 4410 + 882 }) {
            let expected = begin + cycle.inputFrame * 1_000_000_000 / 44_100
            #expect(max(cycle.inputTime, expected) - min(cycle.inputTime, expected) < 100_000)
        }
    }

    @Test("A removed device is replaced by silence by the clock, at the same rate, until the route changes") func gone() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 100)
        let (before, heard) = (program.cycles.count, machine.devices.sound.count)
        machine.devices.output?.isGone = true
        machine.step(milliseconds: 1000)
        #expect(machine.devices.sound.count == heard && program.stream.counts.underruns == 0)
        #expect(abs(program.cycles.count - before - 100) <= 2 && program.stopReasons.isEmpty)
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(machine.devices.sound.count > heard)
    }

    @Test("A removed microphone is replaced by silence by the clock, at the same rate") func inputGone() throws {
        let machine = PullMachine()
        _ = try machine.enter(.recordAudio)
        let program = PullProgram(machine, .input)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 100)
        let before = program.cycles.count
        #expect(program.cycles.last?.input.first != 0)
        machine.devices.input?.isGone = true
        machine.step(milliseconds: 1000)
        #expect(abs(program.cycles.count - before - 100) <= 2 && program.stopReasons.isEmpty)
        let silent = program.cycles.suffix(90).allSatisfy { $0.input == [Float](repeating: 0, count: 441) }
        #expect(silent && program.stream.counts.overruns == 0)
    }

    @Test("A device that plays nothing for two seconds is logged once, and again when it has played and stalls again")
    func stalled() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        func reports(stalling milliseconds: Int, steps: [Int]) -> [Int] {
            machine.devices.output?.stall = machine.clock.now + UInt64(milliseconds) * 1_000_000
            return steps.map { step in
                Log.lines(of: program.streamThreads) { machine.step(milliseconds: step) }.count {
                    $0.contains("has played nothing for two seconds")
                }
            }
        }
        machine.step(milliseconds: 100)
        #expect(reports(stalling: 4_000, steps: [1_900, 200, 1_800, 300]) == [0, 1, 0, 0])
        #expect(program.stream.counts.underruns == 1, "it plays again")
        #expect(reports(stalling: 1_900, steps: [2_000]) == [0])
        #expect(reports(stalling: 4_000, steps: [1_900, 200]) == [0, 1])
    }

    @Test("On a route without a device the cycles go on in real time, and the log says it at each start and at the loss")
    func withoutDevice() throws {
        let machine = PullMachine()
        _ = try machine.enter(.playAndRecord)
        let program = PullProgram(machine, [.output, .input])
        defer { program.destroy() }
        let discards = "the route has no output device: the sound is discarded in real time until a device arrives"
        let silence = "the route has no input device: silence is recorded until a device arrives"
        for device in [.speaker, .receiver, .microphone] as [SimulatedDevice] { try machine.hardware.simulate(.unplug(device)) }
        for _ in 1...2 {
            let before = program.cycles.count
            let lines = try Log.lines(of: program.streamThreads) {
                try program.start(441)
                machine.step(milliseconds: 1_000)
            }
            #expect(lines.count { $0 == discards } == 1 && lines.count { $0 == silence } == 1)
            #expect(abs(program.cycles.count - before - 100) <= 3 && program.stopReasons.isEmpty)
            program.stream.stop()
        }
    }

    @Test("A running stream that ducks others tells the table, until it does not duck or stops") func ducking() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.stream.setDucksOthers(true)
        #expect(machine.playback.isEmpty)
        try program.start(441)
        #expect(machine.playback == [.runningVoice])
        program.stream.setDucksOthers(false)
        #expect(machine.playback == [.running])
        program.stream.setDucksOthers(true)
        #expect(machine.playback == [.runningVoice])
        program.stream.stop()
        #expect(machine.playback == [.stopped])
    }

    @Test("A device that opens only once the old one was given back is tried again then") func exclusive() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        machine.devices.isExclusive = true
        try program.start(441)
        machine.step(milliseconds: 100)
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(machine.devices.events == ["open simulated 44100", "busy", "stop", "close", "open simulated 48000"])
    }

    @Test(
        "Frames that the device does not accept follow later, in order",
        arguments: [(UInt64(100), UInt64.max), (UInt64.max, UInt64(500))])
    func shortWrites(portion: UInt64, room: UInt64) throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.render = { program, cycle in
            for frame in 0..<441 { cycle.output[frame * 2] = Float(cycle.output_frame + UInt64(frame)) / 65_536 }
            cycle.produced = 441
        }
        try program.start(441)
        machine.step(milliseconds: 50)
        machine.devices.output?.portion = portion
        machine.devices.output?.room = room
        machine.step(milliseconds: 500)
        let sound = machine.devices.sound
        #expect(sound.count > 22_050 && sound == (0..<sound.count).map { Float($0) / 65_536 })
        #expect(program.stream.counts.underruns == 0)
    }

    @Test("A ramp of the gain goes on at another device")
    func rampAtAnotherDevice() throws {
        let clock = SteppedClock()
        let hardware = TestHardware(by: clock)
        let machine = PullMachine(by: clock, on: hardware)
        let slot = try machine.enter(.ambientSound)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(480, 48_000)
        machine.step(milliseconds: 100)
        let before = machine.devices.sound.count
        let ducker = try machine.other.enter(
            name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: true, ducks: true))
        try machine.other.submit(.activate(ducker))
        machine.group.applyEvents()
        machine.step(milliseconds: 20)
        let middle = try #require(machine.devices.sound.last)
        hardware.change { $0.ports.append(.headphones) }
        machine.group.applyEvents()
        machine.step(milliseconds: 200)
        #expect(machine.devices.events.count { $0.hasPrefix("open") } == 2)
        let target = machine.program.view(of: slot).effect.gain
        let after = Array(machine.devices.sound[before...])
        #expect(middle > target + 0.1 && middle < 1 && after.last == target)
        // 40 ms.
        #expect(zip(after, after.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 1.1 * (1 - target) / 1_920 })
    }

    @Test("The program is notified of another device only when a rate or the channels change") func sameLayout() throws {
        let clock = SteppedClock()
        let hardware = TestHardware(by: clock)
        let machine = PullMachine(by: clock, on: hardware)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(480, 48_000)
        machine.step(milliseconds: 100)
        hardware.change { $0.ports.append(.headphones) }
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        hardware.change { $0.ports.removeAll { $0.kind != .builtInMicrophone } }
        hardware.change { $0.ports.append(.monoSpeaker) }
        machine.group.applyEvents()
        machine.step(milliseconds: 100)
        #expect(program.formatHasChanged.happens())
        #expect(
            machine.devices.events.filter { $0.hasPrefix("open") }.map { $0.prefix(11) } == [
                "open dmix:0", "open dmix:1", "open dmix:3",
            ])
        #expect(program.configurations.map(\.output_channels) == [2, 2, 1])
        #expect(program.formatHasChanged.wait(timeout: .now()) == .timedOut)
    }

    @Test("The count of captured frames continues on another device, in its rate") func inputRoute() throws {
        let machine = PullMachine()
        _ = try machine.enter(.recordAudio)
        let program = PullProgram(machine, .input)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 500)
        try machine.hardware.simulate(.plug(.usb))
        machine.group.applyEvents()
        machine.step(milliseconds: 500)
        #expect(program.configurations.map(\.input_rate) == [44_100, 48_000])
        #expect(program.configurations.map(\.input_channels) == [1, 2])
        let last = try #require(program.cycles.last)
        let expected = (last.inputTime - begin) * 48_000 / 1_000_000_000
        #expect(max(last.inputFrame, expected) - min(last.inputFrame, expected) <= 2)
    }

    // MARK: Clocks

    /// A clock that the test sets, and that another one outruns by parts of a million.
    private final class SetClock: DeviceClock, @unchecked Sendable {
        var now: UInt64 = 1_000_000_000
        func register(wake: @escaping @Sendable () -> Void) -> Int { 0 }
        func unregister(_ thread: Int) {}
        func sleep(_ thread: Int, until deadline: UInt64) -> UInt64 { deadline }
        func endSleep(_ thread: Int) {}
    }

    private final class FastClock: DeviceClock, @unchecked Sendable {
        let clock: SetClock
        init(_ clock: SetClock) { self.clock = clock }
        var now: UInt64 { clock.now + clock.now / 1000 }
        func register(wake: @escaping @Sendable () -> Void) -> Int { 0 }
        func unregister(_ thread: Int) {}
        func sleep(_ thread: Int, until deadline: UInt64) -> UInt64 { deadline }
        func endSleep(_ thread: Int) {}
    }

    /// The input's clock is fast by a thousandth.
    private final class TwoClocks: PullDevices {
        let clock: SetClock
        var isInterrupted = false
        init(_ clock: SetClock) { self.clock = clock }
        func openOutput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedOutput {
            let layout = try target.clockLayout
            return OpenedOutput(device: ClockPlayback(layout.shape(slice), into: nil, by: clock), layout: layout)
        }
        func openInput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedInput {
            let layout = try target.clockLayout
            return OpenedInput(device: ClockCapture(layout.shape(slice), by: FastClock(clock)), layout: layout)
        }
    }

    /// The slices that the render has seen.
    private final class Drifts {
        var all: [Double] = []
    }

    /// The drift of each cycle in a minute, with the devices on these cards.
    private func drifts(_ output: ClockSource, _ input: ClockSource) -> (sharesClock: Bool, drifts: [Double]) {
        let clock = SetClock()
        let seen = Drifts()
        let callbacks = pull_callbacks(
            render: { context, cycle in
                Unmanaged<Drifts>.fromOpaque(context!).takeUnretainedValue().all.append(cycle!.pointee.drift)
                cycle!.pointee.consumed = cycle!.pointee.input_frames
            }, configure: nil, stopped: nil, format_changed: nil, session_stopped: nil)
        let functions = PullFunctions(callbacks: callbacks, context: Unmanaged.passUnretained(seen).toOpaque())
        let cycle = PullCycle(functions, on: TwoClocks(clock), by: clock, PullCounters())
        var target = PullTarget()
        target.output = DeviceTarget(source: output)
        target.input = DeviceTarget(source: input)
        #expect(cycle.apply(target) == nil)
        let format = cycle.start(SliceLength(frames: 480, rate: 48_000)!)
        let end = clock.now + 60_000_000_000
        while clock.now < end { clock.now = max(clock.now, min(cycle.run(), end)) }
        cycle.stop(byInterruption: false)
        return (format.shares_clock, withExtendedLifetime(seen) { seen.all })
    }

    @Test("Without a common clock, the drift is the ratio of the input rate to the output rate") func drift() throws {
        let two = drifts(.card("1"), .card("2"))
        #expect(!two.sharesClock && two.drifts.count > 5900)
        let settled: Double = two.drifts.suffix(2000).reduce(0, +) / 2000
        let error: Double = settled - 1.001
        #expect(abs(error) < 0.000_05)
        let one = drifts(.card("1"), .card("1"))
        #expect(one.sharesClock && one.drifts.allSatisfy { $0 == 1 })
        #expect(!drifts(.unknown, .unknown).sharesClock)
    }
}
