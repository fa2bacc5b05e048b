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
