// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

/// A mixer whose inputs have one channel and a constant each.
final class Mixer {
    let program: Program
    private let voices: [Voice]

    final class Voice {
        var level: Float
        /// One sample with another level.
        var single: (index: Int, level: Float)?
        var status: OSStatus = 0
        var calls = 0
        init(_ level: Float) { self.level = level }
    }

    init(_ levels: [Float]) throws {
        program = try Program(.mixer)
        voices = levels.map(Voice.init)
        try program.set(.elementCount, .input, 0, UInt32(levels.count))
        try program.setFormat(.output, 0, Program.float(44_100, channels: 1))
        for (index, voice) in voices.enumerated() {
            try program.setFormat(.input, UInt32(index), Program.float(44_100, channels: 1))
            let callback = AURenderCallbackStruct(
                inputProc: { reference, _, _, _, _, list in
                    let voice = Unmanaged<Voice>.fromOpaque(reference!).takeUnretainedValue()
                    voice.calls += 1
                    for index in samples(list!, as: Float.self).indices { samples(list!, as: Float.self)[index] = voice.level }
                    if let single = voice.single { samples(list!, as: Float.self)[single.index] = single.level }
                    return voice.status
                }, inputProcRefCon: Unmanaged.passUnretained(voice).toOpaque())
            try program.set(.setRenderCallback, .input, UInt32(index), callback)
        }
        try program.unit.initialize()
    }

    subscript(index: Int) -> Voice { voices[index] }

    func render(_ frames: Int) -> [Float] {
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(program.render(0, frames, &list) == 0)
        return Array(samples(&list, as: Float.self))
    }
}

@Suite("A mixer")
struct MixerTests {
    @Test("returns the sum of its inputs, without inputs that fail or are off")
    func sum() throws {
        let mixer = try Mixer([0.5, 0.125, 0.25])
        #expect(mixer.render(32) == [Float](repeating: 0.875, count: 32))
        mixer[1].status = 77
        #expect(mixer.render(32) == [Float](repeating: 0.75, count: 32))
        #expect(try mixer.program.get(.lastRenderError, .global, 0, as: Int32.self) == 77)
        try mixer.program.unit.setParameter(1, 1, 2, 0)
        let calls = mixer[2].calls
        let fading = mixer.render(32)
        #expect(fading[0] == 0.75 && zip(fading, fading.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < 0.01 })
        #expect(mixer.render(32) == [Float](repeating: 0.5, count: 32))
        #expect(mixer[2].calls == calls + 1 && mixer[0].calls == 4)
    }

    @Test("has meters up to 0 dB, which recover from one bad sample", arguments: [Float.nan, .infinity, -.infinity, 1e38, 2])
    func metersRecover(_ bad: Float) throws {
        let mixer = try Mixer([0.25])
        let places: [(scope: Scope, average: UInt32, peak: UInt32)] = [
            (.input, 1000, 2000), (.input, 3000, 4000), (.output, 1000, 2000), (.output, 3000, 4000),
        ]
        for scope in [Scope.input, .output] { try mixer.program.set(.meteringMode, scope, 0, UInt32(1)) }
        func levels() throws -> [Float] {
            try places.flatMap {
                [
                    try mixer.program.unit.parameter($0.average, $0.scope.rawValue, 0),
                    try mixer.program.unit.parameter($0.peak, $0.scope.rawValue, 0),
                ]
            }
        }
        for frames in [1000, 1003] {
            mixer[0].level = 0.25
            for _ in 0..<20 { _ = mixer.render(frames) }
            mixer[0].single = (frames - 1, bad)
            _ = mixer.render(frames)
            mixer[0].single = nil
            let after = try levels()
            for level in stride(from: 0, to: 8, by: 2).map({ after[$0] }) { #expect(level > -12.5 && level < -9) }
            for level in stride(from: 1, to: 8, by: 2).map({ after[$0] }) { #expect(level == 0) }
            for _ in 0..<200 { _ = mixer.render(frames) }
            for level in try levels() { #expect(abs(level + 12.04) < 0.01) }
            mixer[0].level = 4
            for _ in 0..<200 { _ = mixer.render(frames) }
            for level in try levels() { #expect(level <= 0 && level > -0.01) }
        }
    }

    @Test("ramps from frame to frame")
    func ramp() throws {
        let mixer = try Mixer([1])
        #expect(mixer.render(8) == [Float](repeating: 1, count: 8))
        var event = AudioUnitParameterEvent()
        event.scope = 1
        event.eventType = UInt32(kParameterEvent_Ramped)
        event.eventValues.ramp = .init(startBufferOffset: 4, durationInFrames: 8, startValue: 1, endValue: 0)
        try withUnsafePointer(to: event) { try mixer.program.unit.schedule(UnsafeBufferPointer(start: $0, count: 1)) }
        let rendered = mixer.render(8) + mixer.render(8)
        #expect(rendered == [1, 1, 1, 1, 1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125, 0, 0, 0, 0])
        #expect(try mixer.program.unit.parameter(0, 1, 0) == 0)
    }

    @Test("ramps an input that has no sound, so that it goes on where the ramp is when the sound is back")
    func silentRamp() throws {
        let mixer = try Mixer([1])
        _ = mixer.render(8)
        func fade(from start: Float, to end: Float) throws {
            var event = AudioUnitParameterEvent()
            event.scope = 1
            event.eventType = UInt32(kParameterEvent_Ramped)
            event.eventValues.ramp = .init(startBufferOffset: 0, durationInFrames: 16, startValue: start, endValue: end)
            try withUnsafePointer(to: event) { try mixer.program.unit.schedule(UnsafeBufferPointer(start: $0, count: 1)) }
        }
        try fade(from: 1, to: 0)
        mixer[0].status = 77
        #expect(mixer.render(8) == [Float](repeating: 0, count: 8))
        mixer[0].status = 0
        let rest: [Float] = (8..<16).map { 1 - Float($0) / 16 }
        #expect(mixer.render(8) == rest)
        try fade(from: 0, to: 0.5)
        mixer[0].status = 77
        for _ in 0..<2 { _ = mixer.render(8) }
        mixer[0].status = 0
        #expect(mixer.render(8) == [Float](repeating: 0.5, count: 8))
    }

    @Test("applies the volume of its output to the sum, without a step")
    func outputVolume() throws {
        let mixer = try Mixer([0.5, 0.25])
        #expect(mixer.render(32) == [Float](repeating: 0.75, count: 32))
        try mixer.program.unit.setParameter(0, Scope.output.rawValue, 0, 0.5)
        let fading = mixer.render(32)
        let line: [Float] = (0..<32).map { 0.75 * (1 - Float($0) / 64) }
        #expect(fading == line)
        #expect(mixer.render(32) == [Float](repeating: 0.375, count: 32))
    }

    @Test("measures silence where an input has none, and starts from silence when a meter is on again")
    func metersFall() throws {
        let mixer = try Mixer([1])
        try mixer.program.set(.meteringMode, .input, 0, UInt32(1))
        func levels() throws -> [Float] {
            try [1000, 2000, 3000, 4000].map { try mixer.program.unit.parameter($0, Scope.input.rawValue, 0) }
        }
        let silence: [Float] = [-120, -120, -120, -120]
        for _ in 0..<50 { _ = mixer.render(1000) }
        #expect(try levels().allSatisfy { abs($0) < 0.01 })
        mixer[0].status = 77
        _ = mixer.render(1000)
        #expect(try levels().allSatisfy { $0 < -0.2 && $0 > -3 })
        for _ in 0..<300 { _ = mixer.render(1000) }
        #expect(try levels() == silence)
        mixer[0].status = 0
        for _ in 0..<50 { _ = mixer.render(1000) }
        try mixer.program.set(.meteringMode, .input, 0, UInt32(0))
        #expect(try mixer.program.get(.meteringMode, .input, 0, as: UInt32.self) == 0)
        #expect(try levels() == silence)
        mixer[0].level = 0.25
        _ = mixer.render(1000)
        #expect(try levels() == silence)
        try mixer.program.set(.meteringMode, .input, 0, UInt32(1))
        _ = mixer.render(1000)
        // A part of the time constant has passed for the averages.
        let quiet = Float(20 * -0.602_06)
        let (first, average) = (try levels(), quiet + Float(-6.444))
        #expect(abs(first[1] - quiet) < 0.01 && abs(first[3] - quiet) < 0.01)
        #expect(abs(first[0] - average) < 0.01 && abs(first[2] - average) < 0.01)
    }

    @Test("describes its parameters, and its meters as values in decibels that cannot be set")
    func descriptions() throws {
        let mixer = try Mixer([1])
        func info(_ id: UInt32) throws -> AudioUnitParameterInfo {
            try mixer.program.get(.parameterInfo, .input, id, as: AudioUnitParameterInfo.self)
        }
        let names: [UInt32: String] = [
            0: "Volume", 1: "Enable", 2: "Pan", 1000: "Pre Average Power", 2000: "Pre Peak Hold Level",
            3000: "Post Average Power", 4000: "Post Peak Hold Level",
        ]
        for (id, name) in names {
            let info = try info(id)
            let text = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            let isMeter = id >= 1000
            #expect(text == name)
            #expect((info.flags & 1 << 31 != 0) == !isMeter && (info.flags & 1 << 15 != 0) == isMeter)
            guard isMeter else { continue }
            #expect(info.unit == UInt32(kAudioUnitParameterUnit_Decibels))
            #expect(info.minValue == -120 && info.maxValue == 0 && info.defaultValue == -120)
            #expect(status { try mixer.program.unit.setParameter(id, Scope.input.rawValue, 0, -10) } == -10878)
        }
    }

    @Test("keeps the other inputs where the format of one changes")
    func formats() throws {
        let mixer = try Mixer([0.5, 0.25])
        #expect(mixer.render(4) == [0.75, 0.75, 0.75, 0.75])
        try mixer.program.unit.setParameter(0, 1, 0, 0.5)
        _ = mixer.render(4)
        try mixer.program.setFormat(.input, 1, Program.float(44_100, channels: 2))
        #expect(mixer.render(4) == [0.5, 0.5, 0.5, 0.5])
        #expect(status { try mixer.program.set(.elementCount, .input, 0, UInt32(3)) } == -10849)
    }
    @Test("gives inputs that are added the format of the last one, and forgets the formats of those that are removed")
    func addedInputs() throws {
        let program = try Program(.mixer)
        func rates(_ count: UInt32) throws -> [Double] {
            try program.set(.elementCount, .input, 0, count)
            return try (0..<count).map { try program.get(.sampleRate, .input, $0, as: Double.self) }
        }
        for rate in [32_000.0, 48_000] {
            #expect(try rates(2).count == 2)
            try program.setFormat(.input, 0, Program.float(22_050, channels: 1))
            try program.setFormat(.input, 1, Program.float(rate, channels: 1))
            #expect(try rates(4) == [22_050, rate, rate, rate])
            try program.setFormat(.input, 3, Program.float(8_000, channels: 1))
            #expect(try rates(3) == [22_050, rate, rate])
            #expect(try rates(4) == [22_050, rate, rate, rate])
        }
    }
}
