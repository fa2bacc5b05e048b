// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioUnits
import CAudioToolbox
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A unit whose source is a tone of mono floats.
private final class Tone {
    let program: Program
    /// The frames that the unit has asked for.
    private(set) var asked = 0
    private var time = 0.0

    init(_ kind: UnitKind, frequency: Double = 441, to rate: Double = 44_100) throws {
        program = try Program(kind)
        try program.setFormat(.input, 0, Program.float(44_100, channels: 1))
        try program.setFormat(.output, 0, Program.float(rate, channels: 1))
        try program.setRenderCallback()
        program.onRender = { [unowned self] _, _, list in
            let frames = samples(list, as: Float.self)
            for index in frames.indices {
                frames[index] = Float(0.5 * sin(2 * .pi * frequency * Double(asked) / 44_100))
                asked += 1
            }
            return 0
        }
        try program.unit.initialize()
    }

    func set(_ parameter: Int, _ value: Float) throws { try program.unit.setParameter(UInt32(parameter), 0, 0, value) }
    func value(_ parameter: Int) throws -> Float { try program.unit.parameter(UInt32(parameter), 0, 0) }

    func render(_ frames: Int) -> [Float] {
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(program.render(0, frames, &list, time: time) == 0)
        time += Double(frames)
        return Array(samples(&list, as: Float.self))
    }

    func render(total: Int, in slice: Int = 512) -> [Float] {
        var all: [Float] = []
        while all.count < total { all += render(min(slice, total - all.count)) }
        return all
    }
}

private func crossings(_ signal: [Float]) -> Double { Double(zip(signal, signal.dropFirst()).count { $0 < 0 && $1 >= 0 }) }
private func steepest(_ signal: [Float]) -> Float { zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) } }
/// The steepest slope of a tone.
private func slope(_ frequency: Double) -> Float { Float(0.5 * 2 * .pi * frequency / 44_100) }

@Suite("Varispeed")
struct VarispeedTests {
    @Test(
        "changes speed and pitch together, also with another rate",
        arguments: [0.25, 0.7, 1, 2, 4] as [Float], [44_100.0, 22_050])
    func speeds(speed: Float, rate: Double) throws {
        let tone = try Tone(.varispeed, to: rate)
        try tone.set(kVarispeedParam_PlaybackRate, speed)
        _ = tone.render(total: 2_000)
        let before = tone.asked
        let sound = tone.render(total: 22_050)
        let seconds = 22_050 / rate
        #expect(abs(crossings(sound) - 441 * Double(speed) * seconds) <= 1)
        #expect(abs(Double(tone.asked - before) - 44_100 * Double(speed) * seconds) <= 4)
    }

    @Test("reaches a new rate within a slice and without a click, and plays on from there")
    func steps() throws {
        let tone = try Tone(.varispeed)
        var sound = tone.render(total: 4_096)
        for speed in [2, 0.5, 4, 0.25, 1, 3.1] as [Float] {
            try tone.set(kVarispeedParam_PlaybackRate, speed)
            sound = Array(sound.suffix(1)) + tone.render(512)
            #expect(steepest(sound) < slope(441 * 4) * 1.05, "to \(speed)")
            sound = Array(sound.suffix(1)) + tone.render(total: 4_096)
            #expect(steepest(sound) < slope(441 * Double(speed)) * 1.05 + 0.001, "at \(speed)")
        }
    }

    @Test("applies scheduled changes at their frames")
    func events() throws {
        let tone = try Tone(.varispeed)
        _ = tone.render(total: 2_048)
        var event = AudioUnitParameterEvent()
        (event.scope, event.element, event.parameter) = (0, 0, UInt32(kVarispeedParam_PlaybackRate))
        event.eventType = UInt32(kParameterEvent_Immediate)
        (event.eventValues.immediate.bufferOffset, event.eventValues.immediate.value) = (256, 3)
        try withUnsafePointer(to: &event) { try tone.program.unit.schedule(.init(start: $0, count: 1)) }
        let before = tone.asked
        _ = tone.render(512)
        // The filter of a higher speed is longer.
        let filter = 96 * 2
        #expect((256 + 3 * 256)...(256 + 3 * 256 + filter) ~= tone.asked - before)
        #expect(try tone.value(kVarispeedParam_PlaybackRate) == 3)
    }

    @Test("states the rate in cents as well, and replaces values outside of the range by the limits")
    func parameters() throws {
        let tone = try Tone(.varispeed)
        #expect(try tone.program.unit.info(UnitProperty.parameterList.rawValue, 0, 0).size == 8)
        try tone.set(kVarispeedParam_PlaybackCents, 1_200)
        #expect(try tone.value(kVarispeedParam_PlaybackRate) == 2)
        try tone.set(kVarispeedParam_PlaybackRate, 0.5)
        #expect(try abs(tone.value(kVarispeedParam_PlaybackCents) + 1_200) < 0.01)
        try tone.set(kVarispeedParam_PlaybackRate, 100)
        #expect(try tone.value(kVarispeedParam_PlaybackRate) == 4)
        #expect(status { try tone.set(kVarispeedParam_PlaybackRate, .nan) } == -10878)
        #expect(status { try tone.set(7, 1) } == -10878)
        #expect(status { try tone.program.unit.setParameter(0, 1, 0, 1) } == -10866)
        #expect(status { try tone.program.unit.setParameter(0, 0, 1, 1) } == -10877)
    }
}

@Suite("NewTimePitch")
struct TimePitchTests {
    @Test(
        "changes the speed and keeps the pitch, and the other way around",
        arguments: [(1, 0), (0.5, 0), (2, 0), (1, 1_200), (1, -1_200), (0.75, 700), (8, -500)] as [(Float, Float)])
    func tones(rate: Float, cents: Float) throws {
        let tone = try Tone(.timePitch)
        try tone.set(kNewTimePitchParam_Rate, rate)
        try tone.set(kNewTimePitchParam_Pitch, cents)
        _ = tone.render(total: 4_096)
        let before = tone.asked
        let sound = tone.render(total: 88_200)
        let pitch = 441 * exp2(Double(cents) / 1_200)
        #expect(abs(crossings(sound) - 2 * pitch) <= 2 + 0.005 * pitch)
        #expect(abs(Double(tone.asked - before) - 88_200 * Double(rate)) < 2_000 * Double(max(rate, 1)))
        #expect(steepest(sound) < slope(pitch) * 1.15)
        #expect(try tone.value(kNewTimePitchParam_Pitch) == cents)
    }

    @Test("changes both while it renders, without a click")
    func steps() throws {
        let tone = try Tone(.timePitch)
        var sound = tone.render(total: 8_192)
        for (rate, cents) in [(2, 0), (0.5, 300), (1, -700), (4, 0), (1, 0)] as [(Float, Float)] {
            try tone.set(kNewTimePitchParam_Rate, rate)
            try tone.set(kNewTimePitchParam_Pitch, cents)
            sound += tone.render(total: 4_096)
        }
        #expect(steepest(sound) < slope(441 * exp2(0.25)) * 1.15)
    }

    @Test("allocates no memory while it renders and changes", arguments: [UnitKind.varispeed, .timePitch])
    func allocations(kind: UnitKind) throws {
        guard allocation_count_is_available() else { return }
        let program = try Program(kind)
        try program.setFormat(.input, 0, Program.float(44_100, channels: 2))
        try program.setFormat(.output, 0, Program.float(48_000, channels: 1))
        let fill: AURenderCallback = { _, _, _, _, _, list in
            guard let list else { return -50 }
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = Float(index % 100) / 100 }
            return 0
        }
        try program.set(.setRenderCallback, .input, 0, AURenderCallbackStruct(inputProc: fill, inputProcRefCon: nil))
        try program.unit.initialize()
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
        defer { memory.deallocate() }
        var (allocations, time) = (UInt64(0), 0.0)
        for slice in 0..<60 {
            try program.unit.setParameter(0, 0, 0, [0.5, 1, 3][slice % 3])
            if kind == .timePitch { try program.unit.setParameter(1, 0, 0, [0, 500, -500][slice / 3 % 3]) }
            var list = AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 2_048, mData: memory))
            let before = allocation_count()
            let status = program.render(0, 512, &list, time: time)
            // The first slices may complete lazy constants of the runtime.
            if slice >= 30 { allocations += allocation_count() - before }
            #expect(status == 0)
            time += 512
        }
        #expect(allocations == 0)
    }
}
