// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

/// Rates of a program, and the rate of the other side.
private let rates: [(own: Double, other: Double)] = [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000)]

extension Program {
    /// Plays a constant on every channel.
    fileprivate func play(_ level: Float) {
        onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = level }
            return 0
        }
    }
}

@Suite("A reset leaves no sound in any channel")
struct ResetTests {
    @Test("of a unit that AudioUnitRender pulls", arguments: [UnitKind.genericOutput, .converter, .mixer], 1...8)
    func pulled(kind: UnitKind, channels: Int) throws {
        for (own, other) in rates {
            let program = try Program(kind)
            try program.setFormat(.input, 0, Program.float(own, channels: UInt32(channels)))
            try program.setFormat(.output, 0, Program.float(other, channels: UInt32(channels)))
            try program.setRenderCallback()
            try program.unit.initialize()
            func render() -> [Float] {
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
                #expect(program.render(0, 512, &list) == 0)
                return Array(samples(&list, as: Float.self))
            }
            for _ in 0..<2 {
                program.play(1)
                for _ in 0..<2 { _ = render() }
                #expect(render().allSatisfy { abs($0 - 1) < 0.01 })
                program.play(0)
                try program.unit.reset(0, 0)
                #expect(render().allSatisfy { $0 == 0 }, "\(own) to \(other)")
            }
        }
    }

    @Test("of a unit that changes the speed", arguments: [UnitKind.varispeed, .timePitch], [0.5, 1, 2] as [Float])
    func speed(kind: UnitKind, speed: Float) throws {
        for (channels, rate) in [(1, 44_100), (2, 44_100), (1, 48_000)] as [(UInt32, Double)] {
            let program = try Program(kind)
            try program.setFormat(.input, 0, Program.float(44_100, channels: channels))
            try program.setFormat(.output, 0, Program.float(rate, channels: channels))
            try program.setRenderCallback()
            try program.unit.initialize()
            // The rate is parameter 0 of both.
            try program.unit.setParameter(0, 0, 0, speed)
            func render() -> [Float] {
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
                #expect(program.render(0, 512, &list) == 0)
                return Array(samples(&list, as: Float.self))
            }
            for life in 1...2 {
                program.play(1)
                for _ in 0..<16 { _ = render() }
                #expect(render().allSatisfy { $0 > 0.9 })
                program.play(0)
                try program.unit.reset(0, 0)
                for _ in 0..<4 { #expect(render().allSatisfy { $0 == 0 }, "\(channels) channels to \(rate), life \(life)") }
            }
        }
    }

    @Test("of an I/O unit that plays", arguments: 1...8)
    func output(channels: Int) throws {
        for (own, other) in rates {
            let program = try Program {
                $0.hardware.output_rate = other
                $0.hardware.output_channels = UInt32(channels)
                $0.preferredSlice = 512 / own
            }
            try program.setFormat(.input, 0, Program.float(own, channels: UInt32(channels)))
            try program.setRenderCallback()
            try program.unit.initialize()
            for _ in 0..<2 {
                #expect(program.unit.start() == 0)
                let stream = try #require(program.engine.stream)
                program.play(1)
                for _ in 0..<3 { stream.turn() }
                #expect(stream.turn().allSatisfy { abs($0 - 1) < 0.01 })
                // Another source does not continue the sound that the reset has discarded.
                program.unit.beginSourceChange()
                program.play(0)
                program.unit.endSourceChange()
                try program.unit.reset(0, 0)
                #expect(stream.turn().allSatisfy { $0 == 0 }, "\(own) to \(other)")
                try program.unit.stop()
            }
        }
    }

    @Test("of an I/O unit that records", arguments: 1...8)
    func input(channels: Int) throws {
        for (own, other) in rates {
            let program = try Program {
                $0.hardware.input_rate = other
                $0.hardware.input_channels = UInt32(channels)
                $0.preferredSlice = 512 / own
            }
            try program.enableInput(output: false)
            try program.setFormat(.output, 1, Program.float(own, channels: UInt32(channels)))
            try program.setInputCallback()
            var recorded: [Float] = []
            program.onInput = { call in
                let result = program.renderInput(Int(call.frames), samples: Int(call.frames) * channels, as: Float.self)
                recorded += result.samples
                return result.status
            }
            try program.unit.initialize()
            let frames = Int((512 / own * other).rounded())
            for _ in 0..<2 {
                #expect(program.unit.start() == 0)
                let stream = try #require(program.engine.stream)
                for _ in 0..<4 { stream.turn([Float](repeating: 1, count: frames * channels)) }
                #expect(recorded.suffix(channels).allSatisfy { abs($0 - 1) < 0.01 })
                recorded = []
                try program.unit.reset(0, 0)
                for _ in 0..<4 { stream.turn([Float](repeating: 0, count: frames * channels)) }
                #expect(recorded.count >= 512 * channels && recorded.allSatisfy { $0 == 0 }, "\(own) to \(other)")
                try program.unit.stop()
            }
        }
    }
}
