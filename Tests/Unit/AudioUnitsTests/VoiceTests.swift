// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A room: what is heard at a time is captured again, later and weaker.
private struct Room {
    /// Reflections, in frames at 48,000 a second: 60 of them, which decay by 60 dB in 100 ms.
    static let reflections: [(delay: Int, gain: Double)] = {
        var generator = SeededGenerator(9)
        return (0..<60).map { number in
            let delay = 48 + number * 40 + Int(generator.next() % 40)
            let noise = Double(Int64(bitPattern: generator.next()) >> 11) / Double(1 << 52)
            return (delay, 0.3 * noise * exp(-Double(delay) * 6.9 / 4_800))
        }
    }()

    /// The sound that was played, at 48,000 frames a second.
    private(set) var heard: [Float] = []

    mutating func play(_ frames: [Float]) { heard += frames }

    /// The echo of frames that end so many frames before the end of what was played.
    func echo(count: Int, behind: Int) -> [Float] {
        var echo = [Float](repeating: 0, count: count)
        let first = heard.count - behind - count
        for (delay, gain) in Room.reflections {
            for index in 0..<count where first + index - delay >= 0 { echo[index] += Float(gain) * heard[first + index - delay] }
        }
        return echo
    }
}

/// Noise in syllables, as speech has them.
private func syllables(_ frames: Int, seed: UInt64, rate: Double) -> [Float] {
    var generator = SeededGenerator(seed)
    var (low, band) = (0.0, 0.0)
    return (0..<frames).map { frame in
        let noise = Double(Int64(bitPattern: generator.next()) >> 11) / Double(1 << 52)
        low += (noise - low) * 0.3
        band += (low - band) * 0.02
        let time = Double(frame) / rate
        return Float(1.2 * (low - band) * max(0, sin(2 * .pi * 3.1 * time)))
    }
}

private func level(_ samples: ArraySlice<Float>) -> Double {
    10 * log10(max(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1)), 1e-12))
}

@Suite("VoiceProcessingIO", .serialized)
struct VoiceTests {
    private static let slice = 480

    /// A telephone that plays the far voice and records. Returns what it has recorded at 16,000 frames a second, and what was
    /// captured at 48,000.
    private func call(
        seconds: Int, bypass: Bool = false, plays: Bool = true, others: [Float]? = nil, near: [Float]? = nil,
        set: (Program) throws -> Void = { _ in }
    ) throws
        -> (
            recorded: [Float], captured: [Float]
        )
    {
        let program = try Program(.voiceProcessingIO) { $0.preferredSlice = 0.01 }
        try program.enableInput()
        try program.setFormat(.input, 0, Program.float(16_000, channels: 1))
        try program.setFormat(.output, 1, Program.float(16_000, channels: 1))
        try program.setRenderCallback()
        try program.setInputCallback()
        // The level is measured.
        try program.set(.voiceProcessingEnableAGC, .global, 0, UInt32(0))
        try program.set(.bypassVoiceProcessing, .global, 0, UInt32(bypass ? 1 : 0))
        try set(program)
        let far = syllables(16_000 * seconds, seed: 1, rate: 16_000)
        var position = 0
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices where plays && position < far.count {
                samples(list, as: Float.self)[index] = far[position]
                position += 1
            }
            return 0
        }
        var recorded: [Float] = []
        program.onInput = { call in
            let result = program.renderInput(Int(call.frames), as: Float.self)
            recorded += result.samples
            return result.status
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let writer = others == nil ? nil : program.context.playbackReference.makeWriter(deviceRate: 48_000)
        var room = Room()
        var captured: [Float] = []
        for _ in 0..<(100 * seconds) {
            // The capture of a cycle ends now; the last 10 ms of the playback are heard later.
            var input = room.echo(count: VoiceTests.slice, behind: VoiceTests.slice)
            if let near {
                for index in input.indices where captured.count + index < near.count {
                    input[index] += near[captured.count + index]
                }
            }
            captured += input
            let heard = stream.time
            let output = stream.turn(input)
            var played = stride(from: 0, to: output.count, by: 2).map { output[$0] }
            if let others {
                let part = Array(others[room.heard.count..<(room.heard.count + played.count)])
                writer?.write(part, channels: 1, frames: part.count, heardAt: heard)
                for index in part.indices { played[index] += part[index] }
            }
            room.play(played)
        }
        return (recorded, captured)
    }

    @Test("takes away 20 dB of the echo of what it plays, in the third second")
    func cancellation() throws {
        let with = try call(seconds: 3)
        let without = try call(seconds: 3, bypass: true)
        let reduction = level(without.recorded[32_000..<48_000 - 480]) - level(with.recorded[32_000..<48_000 - 480])
        #expect(reduction >= 20, "the echo is \(reduction) dB weaker")
    }

    @Test("takes away 20 dB of the echo of what other streams of the process play")
    func echoOfOthers() throws {
        let others = syllables(48_000 * 3 + 1_024, seed: 7, rate: 48_000)
        let with = try call(seconds: 3, plays: false, others: others)
        let without = try call(seconds: 3, bypass: true, plays: false, others: others)
        let reduction = level(without.recorded[32_000..<48_000 - 480]) - level(with.recorded[32_000..<48_000 - 480])
        #expect(reduction >= 20, "the echo is \(reduction) dB weaker")
    }

    /// A telephone that records slices of 10 ms at 16,000 frames a second, and its stream.
    private func recorder(output: Bool, engine: (FakeEngine) -> Void = { _ in }) throws -> (Program, FakeStream) {
        let program = try Program(.voiceProcessingIO) {
            $0.preferredSlice = 0.01
            engine($0)
        }
        try program.enableInput(output: output)
        for (scope, element) in [(Scope.input, UInt32(0)), (.output, 1)] {
            try program.setFormat(scope, element, Program.float(16_000, channels: 1))
        }
        try program.setRenderCallback()
        try program.setInputCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        return (program, try #require(program.engine.stream))
    }

    @Test("follows a microphone whose clock is not the loudspeaker's, without a loss", arguments: [true, false])
    func drift(sharesClock: Bool) throws {
        let (program, stream) = try recorder(output: true) { $0.hardware.shares_clock = sharesClock }
        let factor = 1.008
        stream.drift = factor
        var owed = 0.0
        for _ in 0..<1000 {
            owed += Double(VoiceTests.slice) * factor
            stream.turn([Float](repeating: 0, count: Int(owed)))
            owed -= owed.rounded(.down)
        }
        #expect(program.inputs.count == 1000)
        let times = program.inputs.map { $0.time.mSampleTime }
        // Without an adjustment of the rate, the additional frames are dropped.
        #expect((times == (0..<1000).map { Double(160 * $0) }) == !sharesClock)
    }

    @Test("forgets captured frames at a reset")
    func reset() throws {
        let (program, stream) = try recorder(output: false)
        let almostASlice = [Float](repeating: 0, count: 470)
        for isReset in [true, false] {
            stream.turn(almostASlice)
            #expect(program.inputs.isEmpty)
            if isReset { program.unit.reset() }
        }
        stream.turn(almostASlice)
        #expect(program.inputs.count == 1)
    }

    @Test("is not heard by others whose device has no rate, and leaves them no less writers")
    func writers() {
        let context = UnitContext(engine: nil)
        for _ in 0..<20 { #expect(context.playbackReference.makeWriter(deviceRate: 0) == nil) }
        let writers = (0..<20).compactMap { _ in context.playbackReference.makeWriter(deviceRate: 48_000) }
        #expect(writers.count == 16)
    }

    @Test("ducks other sessions while it runs, unless the program says not to")
    func ducking() throws {
        let program = try Program(.voiceProcessingIO)
        try program.unit.initialize()
        #expect(program.engine.stream?.ducksOthers == true)
        try program.set(.duckNonVoiceAudio, .global, 0, UInt32(0))
        #expect(program.engine.stream?.ducksOthers == false)
        program.unit.uninitialize()
        try program.unit.initialize()
        #expect(program.engine.stream?.ducksOthers == false)
        try program.set(.duckNonVoiceAudio, .global, 0, UInt32(1))
        #expect(program.engine.stream?.ducksOthers == true)
        let plain = try Program()
        try plain.unit.initialize()
        #expect(plain.engine.stream?.ducksOthers == false)
    }

    @Test("keeps the near voice, alone and while the far one is played", arguments: [false, true])
    func nearVoice(plays: Bool) throws {
        let near = syllables(48_000 * 3, seed: 5, rate: 48_000)
        let with = try call(seconds: 3, plays: plays, near: near)
        #expect(with.recorded.count >= 47_000)
        let loss = level(near[96_000..<140_000]) - level(with.recorded[32_000..<46_600])
        #expect(abs(loss) < 6, "the voice is \(loss) dB weaker")
    }

    @Test("is RemoteIO, sample by sample, when it is bypassed")
    func bypass() throws {
        func record(_ kind: UnitKind) throws -> [Float] {
            let program = try Program(kind) { $0.preferredSlice = 256 / 48_000 }
            try program.enableInput()
            try program.setFormat(.output, 1, Program.float(16_000, channels: 1))
            try program.setFormat(.input, 0, Program.float(16_000, channels: 1))
            if kind == .voiceProcessingIO { try program.set(.bypassVoiceProcessing, .global, 0, UInt32(1)) }
            try program.setInputCallback()
            try program.setRenderCallback()
            var recorded: [Float] = []
            program.onInput = { call in
                recorded += program.renderInput(Int(call.frames), as: Float.self).samples
                return 0
            }
            try program.unit.initialize()
            #expect(program.unit.start() == 0)
            let input = syllables(48_000, seed: 3, rate: 48_000)
            for start in stride(from: 0, to: 48_000 - 256, by: 256) {
                program.engine.stream?.turn(Array(input[start..<(start + 256)]))
            }
            return recorded
        }
        let plain = try record(.remoteIO)
        #expect(plain.count > 15_000 && plain.contains { $0 != 0 })
        #expect(try record(.voiceProcessingIO) == plain)
    }

    @Test("mutes what the program records, not what it plays")
    func mute() throws {
        let muted = try call(seconds: 1, near: syllables(48_000, seed: 5, rate: 48_000)) {
            try $0.set(.muteOutput, .global, 0, UInt32(1))
        }
        #expect(muted.recorded.count > 15_000 && muted.recorded.allSatisfy { $0 == 0 })
    }

    @Test("has one channel on the hardware's side, and the properties of voices")
    func properties() throws {
        let program = try Program(.voiceProcessingIO)
        for (scope, element) in [(Scope.output, UInt32(0)), (.input, 1)] {
            let format = try program.get(.streamFormat, scope, element, as: AudioStreamBasicDescription.self)
            #expect(format.mChannelsPerFrame == 1 && format.mSampleRate == 48_000)
        }
        let defaults: [(UnitProperty, UInt32)] = [
            (.bypassVoiceProcessing, 0), (.voiceProcessingEnableAGC, 1), (.duckNonVoiceAudio, 1),
            (.voiceProcessingQuality, 127), (.muteOutput, 0),
        ]
        for (property, value) in defaults {
            #expect(try program.get(property, .global, 0, as: UInt32.self) == value)
            try program.set(property, .global, 0, UInt32(1 - min(value, 1)))
            #expect(try program.get(property, .global, 0, as: UInt32.self) == 1 - min(value, 1))
        }
        #expect(status { try program.set(.voiceProcessingQuality, .global, 0, UInt32(128)) } == -10851)
        let plain = try Program()
        #expect(status { try plain.set(.muteOutput, .global, 0, UInt32(1)) } == -10879)
    }
}
