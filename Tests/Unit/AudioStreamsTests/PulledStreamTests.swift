// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import Dispatch
import SessionArbiter
import SessionModel
import SessionRegistry
import TestSupport
import Testing

@testable import AudioStreams

/// Cycles: their length, their times, and the frames that they move. The clock of the machine is stepped.
@Suite struct PullCycleTests {
    @Test("A slice is as long on the device as in the program, and the queue holds at most two") func slices() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        // The speaker runs at 44,100: 512 frames at 48,000 are 470.4.
        try program.start(512, 48_000)
        machine.step(milliseconds: 1000)
        #expect(program.configurations.map(\.slice) == [470] && program.configurations[0].output_rate == 44_100)
        #expect(program.configurations[0].output_channels == 2)
        let cycles = program.cycles
        #expect(cycles.allSatisfy { $0.room == 470 + UInt32(PULL_EXTRA_FRAMES) })
        let frames: [UInt64] = cycles.indices.map { UInt64($0 * 470) }
        #expect(cycles.map(\.frame) == frames)
        // 44,100 frames were played, one slice plays and one waits.
        #expect(cycles.count == 44_100 / 470 + 2)
        let questions = try #require(machine.devices.output).questions
        #expect(questions <= cycles.count + 2)
        #expect(cycles.allSatisfy { $0.delay <= 470 })
        #expect(machine.devices.sound == [Float](repeating: 1, count: cycles.count * 470))
    }

    @Test("A position that moves in steps of less than half a slice is asked once for each slice") func steps() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        machine.devices.step = 200
        try program.start(512, 48_000)
        machine.step(milliseconds: 1000)
        #expect(try #require(machine.devices.output).questions <= program.cycles.count + 2)
        #expect(program.cycles.count == 44_100 / 470 + 2 && program.stream.counts.underruns == 0)
    }

    @Test("A source may produce more or less than a slice, and each frame is played once") func produced() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let next = LockedValue(Float(0))
        program.render = { _, cycle in
            let count = Int(cycle.output_frames) - Int(PULL_EXTRA_FRAMES) - 1 + Int(cycle.output_frame % 2)
            next.withLock { next in
                for frame in 0..<count {
                    cycle.output[frame * 2] = next / 65_536
                    next += 1
                }
            }
            cycle.produced = UInt32(count)
        }
        try program.start(441)
        machine.step(milliseconds: 500)
        let sound = machine.devices.sound
        #expect(sound.count > 22_050 && sound == (0..<sound.count).map { Float($0) / 65_536 })
        #expect(program.cycles.last!.frame < UInt64(sound.count))
    }

    @Test("A source that produces nothing plays a slice of silence, whatever it has written") func nothing() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.render = { program, cycle in
            program.play(&cycle)
            cycle.produced = 0
        }
        try program.start(441)
        machine.step(milliseconds: 105)
        #expect(program.cycles.count == 12 && machine.devices.sound == [Float](repeating: 0, count: 12 * 441))
    }

    @Test("A source that claims more frames than its room has played the room") func tooMuch() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        program.render = { program, cycle in
            program.play(&cycle)
            cycle.produced = UInt32.max
            cycle.consumed = UInt32.max
        }
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(machine.devices.sound.count == program.cycles.count * (441 + Int(PULL_EXTRA_FRAMES)))
    }

    @Test("The time of a frame is the time at which it is heard, and grows with the frames") func times() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 1000)
        for cycle in program.cycles {
            let expected = begin + cycle.frame * 1_000_000_000 / 44_100
            #expect(max(cycle.time, expected) - min(cycle.time, expected) < 50_000)
            #expect(abs(cycle.scalar - 1) < 0.001 && cycle.drift == 1)
        }
    }

    @Test("A cycle has the input that was captured while the slice before it played") func duplex() throws {
        let machine = PullMachine()
        _ = try machine.enter(.playAndRecord)
        let program = PullProgram(machine, [.output, .input])
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 1000)
        let cycles = program.cycles
        #expect(cycles.count > 90 && program.configurations.map(\.shares_clock) == [true])
        #expect(program.configurations[0].input_rate == 44_100 && program.configurations[0].input_channels == 1)
        #expect(cycles.allSatisfy { $0.input.count == 441 })
        let inputFrames: [UInt64] = cycles.indices.map { UInt64($0 * 441) }
        #expect(cycles.map(\.inputFrame) == inputFrames)
        let input: [Float] = cycles.flatMap(\.input)
        let captured: [Float] = input.indices.map { Float($0 + 1) / 65_536 }
        #expect(input == captured)
        // The first slice was captured while two slices of silence began to play.
        let sound = machine.devices.sound
        #expect(sound.firstIndex { $0 != 0 } == 882 && sound[882...].allSatisfy { $0 == 1 })
        for cycle in cycles { #expect(cycle.inputTime < cycle.time) }
        expectInputTimes(cycles.dropFirst(), from: begin)
    }

    @Test(
        "A cycle after a late one, and after a message that wakes the thread, has its input",
        arguments: [0, 3, 6, 9] as [UInt64], [2, 6, 8]) func lateWithInput(late: UInt64, message: Int) throws
    {
        let machine = PullMachine()
        _ = try machine.enter(.playAndRecord)
        let program = PullProgram(machine, [.output, .input])
        defer { program.destroy() }
        // The queue lasts 10 ms when the program is called.
        program.render = { program, cycle in
            if [10, 20].contains(program.cycles.count) { machine.clock.spend(nanoseconds: late * 1_000_000) }
            program.play(&cycle)
        }
        try program.start(441)
        // Each step wakes the thread first, as a message does.
        for _ in 0..<40 {
            machine.step(milliseconds: message)
            machine.step(milliseconds: 10 - message)
        }
        #expect(program.stream.counts.underruns == 0 && program.stream.counts.lost_frames == 0)
        var captured = 0
        let cycles = program.cycles
        #expect(cycles.count > 35)
        for (index, cycle) in cycles.enumerated() {
            captured += cycle.input.count
            #expect(captured >= (index + 1) * 441, "cycle \(index)")
        }
    }

    @Test("A stream that only records has a cycle for each slice") func input() throws {
        let machine = PullMachine()
        _ = try machine.enter(.recordAudio)
        let program = PullProgram(machine, .input)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 1005)
        let cycles = program.cycles
        expectInputTimes(cycles, from: begin)
        #expect(cycles.count == 100 && cycles.allSatisfy { $0.input.count == 441 && $0.room == 0 })
        #expect(program.configurations[0].output_rate == 0 && program.configurations[0].slice == 441)
    }

    /// The time of the input is when its first frame was captured.
    private func expectInputTimes(_ cycles: some Sequence<SeenCycle>, from begin: UInt64) {
        for cycle in cycles {
            let expected = begin + cycle.inputFrame * 1_000_000_000 / 44_100
            #expect(max(cycle.inputTime, expected) - min(cycle.inputTime, expected) < 50_000)
        }
    }

    @Test("Input that is not consumed waits, and the oldest is lost when there is no room") func unread() throws {
        let machine = PullMachine()
        _ = try machine.enter(.recordAudio)
        let program = PullProgram(machine, .input)
        defer { program.destroy() }
        program.render = { _, cycle in cycle.consumed = 0 }
        try program.start(441)
        machine.step(milliseconds: 1005)
        let cycles = program.cycles
        #expect(cycles[1].input.count == 882 && cycles[1].inputFrame == 0)
        let last = try #require(cycles.last)
        #expect(last.inputFrame + UInt64(last.input.count) == 44_100)
        #expect(last.input.last == Float(44_100) / 65_536)
        #expect(program.stream.counts.lost_frames == last.inputFrame && program.stream.counts.overruns > 0)
    }

    @Test("A late device starts again, and the frames lost meanwhile are counted") func underrun() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        let begin = machine.clock.now
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(program.stream.counts.underruns == 0 && program.stream.counts.lost_frames == 0)
        let before = program.cycles.count
        // The device stands for 70 ms, and reports an underrun then.
        machine.devices.output?.stall = machine.clock.now + 70_000_000
        machine.step(milliseconds: 200)
        let counts = program.stream.counts
        #expect(counts.underruns == 1 && counts.lost_frames > 0)
        let cycles = program.cycles
        #expect(cycles[before].frame == cycles[before - 1].frame + 441 + counts.lost_frames)
        // The count of frames agrees with the time before and after.
        for cycle in cycles {
            let expected = begin + cycle.frame * 1_000_000_000 / 44_100
            #expect(max(cycle.time, expected) - min(cycle.time, expected) < 100_000)
        }
    }

    @Test(
        "Frames that are produced after the end of the queue follow a new start, although the device would accept them",
        arguments: [(8, 0), (15, 1), (40, 1)]) func lateProgram(milliseconds: UInt64, underruns: UInt64) throws
    {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        // The queue lasts 10 ms when the program is called.
        program.render = { program, cycle in
            if program.cycles.count == 10 { machine.clock.spend(nanoseconds: milliseconds * 1_000_000) }
            program.play(&cycle)
        }
        try program.start(441)
        machine.step(milliseconds: 300)
        let counts = program.stream.counts
        #expect(counts.underruns == underruns && (counts.lost_frames > 0) == (underruns > 0))
        let cycles = program.cycles
        #expect(counts.lost_frames == cycles[10].frame - cycles[9].frame - 441)
        #expect(machine.devices.output?.starts == 1 + Int(underruns))
    }

    @Test("The gain of the session ramps while the stream runs, and is in force at its first frame") func gain() throws {
        let machine = PullMachine()
        let slot = try machine.enter(.ambientSound)
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 100)
        let before = machine.devices.sound.count
        #expect(machine.devices.sound == [Float](repeating: 1, count: before))
        let ducker = try machine.other.enter(
            name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: true, ducks: true))
        try machine.other.submit(.activate(ducker))
        machine.group.applyEvents()
        machine.step(milliseconds: 200)
        let target = machine.program.view(of: slot).effect.gain
        #expect(target > 0 && target < 1)
        let after = Array(machine.devices.sound[before...])
        let ramp = Array(after.prefix(1764))
        #expect(ramp.first ?? 0 > 0.99 && zip(ramp, ramp.dropFirst()).allSatisfy { $0 > $1 })
        #expect(program.stopReasons.isEmpty && after.count > 1764)
        #expect(after.dropFirst(1764).allSatisfy { $0 == target })
        program.stream.stop()
        let stopped = machine.devices.sound.count
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(machine.devices.sound[stopped...].allSatisfy { $0 == target })
        try machine.program.submit(.silent(true))
        machine.group.applyEvents()
        let heard = machine.devices.sound.count
        machine.step(milliseconds: 200)
        #expect(machine.devices.sound.count > heard + 1764)
        #expect(machine.devices.sound[(heard + 1764)...].allSatisfy { $0 == 0 })
    }

    @Test("A program with the 16-bit samples of the device writes them without a conversion, unless the gain changes them")
    func int16() throws {
        let machine = PullMachine()
        machine.devices.sample = STREAM_S16
        _ = try machine.enter(.ambientSound)
        let program = PullProgram(machine)
        defer { program.destroy() }
        let copies = LockedValue(0)
        program.render = { program, cycle in
            program.play(&cycle, level: 0.25)
            guard let integers = cycle.output_int16 else { return }
            // The floats do not count.
            program.play(&cycle, level: 0.75)
            for index in 0..<Int(cycle.produced) * 2 { integers[index] = 8_192 }
            cycle.produces_int16 = true
            copies.withLock { $0 += 1 }
        }
        try program.start(441)
        machine.step(milliseconds: 100)
        let before = machine.devices.sound.count
        #expect(before > 3_000 && machine.devices.sound.allSatisfy { $0 == 0.25 })
        #expect(copies.withLock { $0 } == program.cycles.count)
        let ducker = try machine.other.enter(
            name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: true, ducks: true))
        try machine.other.submit(.activate(ducker))
        machine.group.applyEvents()
        let undisturbed = copies.withLock { $0 }
        machine.step(milliseconds: 200)
        let after = Array(machine.devices.sound[before...])
        #expect(after.count > 4_000 && after.allSatisfy { $0 <= 0.25 } && (after.last ?? 1) < 0.2)
        #expect(zip(after, after.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.001 })
        #expect(copies.withLock { $0 } == undisturbed)
    }

    @Test("A device with other samples offers no memory for 16-bit ones", arguments: [STREAM_FLOAT, STREAM_S32, STREAM_S24])
    func otherSamples(sample: stream_sample) throws {
        let machine = PullMachine()
        machine.devices.sample = sample
        let program = PullProgram(machine)
        defer { program.destroy() }
        let offers = LockedValue(0)
        program.render = { program, cycle in
            program.play(&cycle, level: 0.25)
            // A result that has no meaning without that memory.
            cycle.produces_int16 = true
            if cycle.output_int16 != nil { offers.withLock { $0 += 1 } }
        }
        try program.start(441)
        machine.step(milliseconds: 100)
        #expect(machine.devices.sound.count > 3_000 && machine.devices.sound.allSatisfy { abs($0 - 0.25) < 1e-6 })
        #expect(offers.withLock { $0 } == 0)
    }

    @Test("The counters count cycles, and measure the time of a render") func counters() throws {
        let machine = PullMachine()
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        machine.step(milliseconds: 100)
        let counts = program.stream.counts
        #expect(counts.cycles == UInt64(program.cycles.count) && counts.slice_ns == 10_000_000)
        #expect(counts.longest_render_ns > 0 && counts.load > 0 && counts.load <= 1)
    }

    @Test("An invalid length starts no stream") func lengths() {
        for (frames, rate) in [(0.0, 44_100.0), (-1, 44_100), (512, 0), (.nan, 44_100), (512, .infinity), (.infinity, 1)] {
            #expect(SliceLength(frames: frames, rate: rate) == nil)
        }
        #expect(SliceLength(frames: 1e300, rate: 1)?.frames(at: 48_000) == 48_000)
        #expect(SliceLength(frames: 1e-300, rate: 48_000)?.frames(at: 48_000) == 16)
    }
}
