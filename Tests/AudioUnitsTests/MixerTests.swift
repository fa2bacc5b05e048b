// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

/// A mixer whose inputs have one channel and a constant each.
private final class Mixer {
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
}
