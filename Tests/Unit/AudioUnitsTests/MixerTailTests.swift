// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Testing

@testable import AudioUnits

/// A source whose sound ends, with the action flag of silence or with plain zeros.
private final class Source {
    var isSilent = false
    let states: Bool
    init(statesSilence: Bool) { states = statesSilence }

    static let render: AURenderCallback = { reference, flags, _, _, _, list in
        let source = Unmanaged<Source>.fromOpaque(reference!).takeUnretainedValue()
        for index in samples(list!, as: Float.self).indices { samples(list!, as: Float.self)[index] = source.isSilent ? 0 : 0.5 }
        if source.isSilent, source.states { flags!.pointee |= UInt32(kAudioUnitRenderAction_OutputIsSilence) }
        return 0
    }
}

@Suite("The tail of a mixer input of another rate")
struct MixerTailTests {
    /// What is heard while the source sounds for three slices, is silent for three, and the same again.
    private func heard(_ source: Source, rate: Double) throws -> [Float] {
        let program = try Program(.mixer)
        try program.setFormat(.output, 0, Program.float(44_100, channels: 1))
        try program.setFormat(.input, 0, Program.float(rate, channels: 1))
        let callback = AURenderCallbackStruct(
            inputProc: Source.render, inputProcRefCon: Unmanaged.passUnretained(source).toOpaque())
        try program.set(.setRenderCallback, .input, 0, callback)
        try program.unit.initialize()
        var heard: [Float] = []
        for slice in 0..<12 {
            source.isSilent = slice / 3 % 2 == 1
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
            #expect(program.render(0, 128, &list, time: Double(slice * 128)) == 0)
            heard += samples(&list, as: Float.self)
        }
        return heard
    }

    @Test(
        "is heard when the source states silence, as when it renders zeros, each time",
        arguments: [8_000.0, 22_050, 32_000, 44_100, 48_000, 96_000])
    func tail(rate: Double) throws {
        let stated = try heard(Source(statesSilence: true), rate: rate)
        #expect(try stated == heard(Source(statesSilence: false), rate: rate))
        let tails = [stated[384..<512], stated[1_152..<1_280]]
        for tail in tails { #expect(tail.contains { abs($0) > 0.1 } == (rate != 44_100)) }
    }
}
