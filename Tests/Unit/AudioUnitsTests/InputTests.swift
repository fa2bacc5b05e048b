// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A program that records mono samples at the hardware's rate: captured frame n has the value n.
private func recorder(
    output: Bool = false, rate: Double = 48_000, client: AudioStreamBasicDescription? = nil
) throws -> (program: Program, stream: FakeStream) {
    let program = try Program { $0.preferredSlice = 256 / 48_000 }
    program.engine.hardware.input_rate = rate
    program.engine.hardware.output_rate = 48_000
    try program.enableInput(output: output)
    let format = client ?? Program.float(48_000, channels: 1)
    try program.setFormat(.output, 1, format)
    if output { try program.setFormat(.input, 0, format) }
    try program.setInputCallback()
    try program.setRenderCallback()
    try program.unit.initialize()
    #expect(program.unit.start() == 0)
    return (program, try #require(program.engine.stream))
}

private func ramp(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map { Float($0) / 65536 } }

@Suite("RemoteIO records")
struct InputTests {
    @Test("the samples that the hardware has captured, unchanged and in constant slices")
    func bitExact() throws {
        let (program, stream) = try recorder()
        var recorded: [Float] = []
        program.onInput = { call in
            #expect(call.bus == 1 && call.frames == 256 && !call.hasData)
            let result = program.renderInput(Int(call.frames), as: Float.self)
            #expect(result.status == 0)
            recorded += result.samples
            return 0
        }
        // The device has its own periods.
        var captured = 0
        for count in [256, 100, 412, 0, 512, 256, 1000, 24] {
            stream.turn(ramp(captured, count))
            captured += count
        }
        #expect(recorded == ramp(0, 2560))
        let times = program.inputs.map { $0.time.mSampleTime }
        #expect(times == Array(stride(from: 0, to: 2_560, by: 256)))
        #expect(program.renders.isEmpty)
    }

    @Test("lends its buffer where mData is NULL, whatever the size says", arguments: [0, 1, 512, 0xFFFF_FFFF] as [UInt32])
    func lending(size: UInt32) throws {
        let (program, stream) = try recorder(client: Program.int16(48_000, channels: 1))
        var seen: [Int16] = []
        program.onInput = { call in
            var list = AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 77, mDataByteSize: size, mData: nil))
            let status = program.render(1, Int(call.frames), &list)
            #expect(status == 0 && list.mBuffers.mNumberChannels == 1 && list.mBuffers.mDataByteSize == 512)
            seen += Array(samples(&list, as: Int16.self))
            return 0
        }
        stream.turn(ramp(0, 256))
        let halves: [Int16] = (0..<256).map { Int16((Float($0) / 2).rounded(.toNearestOrEven)) }
        #expect(seen == halves)
    }

    @Test("lends each part of a slice memory of its own, which a render into other memory leaves alone")
    func lentParts() throws {
        let (program, stream) = try recorder(client: Program.float(48_000, channels: 1))
        var calls = 0
        program.onInput = { call in
            var lent: [UnsafeMutableBufferPointer<Float>] = []
            for frames in [64, 1, 127, 64] {
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
                #expect(program.render(1, frames, &list) == 0)
                lent.append(samples(&list, as: Float.self))
            }
            let parts = lent.map(Array.init)
            #expect(program.renderInput(256, as: Float.self).status == 0)
            #expect(lent.map(Array.init) == parts && Set(parts.joined()).count == 256)
            calls += 1
            return 0
        }
        for turn in 0..<40 { stream.turn(ramp(turn * 256, 256)) }
        #expect(calls == 40)
    }

    @Test("an error and the size that is needed where the room is too small")
    func smallRoom() throws {
        let (program, stream) = try recorder(client: Program.int16(48_000, channels: 1))
        program.onInput = { call in
            var guarded = [Int16](repeating: 4_321, count: 256)
            let status = guarded.withUnsafeMutableBytes { bytes in
                var list = AudioBufferList(
                    mNumberBuffers: 1,
                    mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 510, mData: bytes.baseAddress))
                let status = program.render(1, 256, &list)
                #expect(list.mBuffers.mDataByteSize == 512)
                return status
            }
            #expect(status == -50 && guarded == [Int16](repeating: 4_321, count: 256))
            return 0
        }
        stream.turn(ramp(0, 256))
        #expect(program.inputs.count == 1)
    }

    @Test("in the output callback: the input of the same cycle, in the output's own buffers")
    func sameCycle() throws {
        let (program, stream) = try recorder(output: true)
        program.onRender = { call, _, list in program.render(1, Int(call.frames), list) }
        var position = 0
        for _ in 0..<20 {
            let input = ramp(position, 256)
            let played = stream.turn(input)
            #expect(stride(from: 0, to: played.count, by: 2).map { played[$0] } == input)
            position += 256
        }
        #expect(program.renders.count == 20 && program.inputs.count == 20)
    }

    @Test("in parts, one after another, and again from the beginning")
    func parts() throws {
        let (program, stream) = try recorder(output: true)
        var whole: [Float] = []
        program.onRender = { call, _, _ in
            whole = []
            for _ in 0..<4 { whole += program.renderInput(64, as: Float.self).samples }
            #expect(program.renderInput(256, as: Float.self).samples == whole)
            #expect(program.renderInput(257, as: Float.self).status == -10874)
            #expect(program.renderInput(4097, as: Float.self).status == -10874)
            return 0
        }
        // The input callback has read it before.
        program.onInput = { call in
            #expect(program.renderInput(256, as: Float.self).status == 0)
            return 0
        }
        stream.turn(ramp(0, 256))
        #expect(whole == ramp(0, 256))
    }

    @Test("a tone at its pitch from hardware of another rate", arguments: [16_000.0, 44_100, 96_000])
    func pitch(rate: Double) throws {
        let (program, stream) = try recorder(rate: rate)
        var recorded: [Double] = []
        program.onInput = { call in
            let result = program.renderInput(Int(call.frames), as: Float.self)
            recorded += result.samples.map(Double.init)
            return result.status
        }
        var phase = 0.0
        while recorded.count < 60_000 {
            let count = Int((256 * rate / 48_000).rounded())
            stream.turn(
                (0..<count).map { _ in
                    defer { phase += 2 * .pi * 1_000 / rate }
                    return Float(0.5 * sin(phase))
                })
        }
        let (residue, amplitude) = residue(of: Array(recorded[4_800..<52_800]), frequency: 1_000, rate: 48_000)
        #expect(abs(amplitude - 0.5) < 0.001 && residue < 0.5e-4)
        #expect(program.inputs.allSatisfy { $0.frames == 256 })
        let latency = try program.get(.latency, .global, 0, as: Double.self)
        #expect(latency > 0 && latency < 0.01)
    }

    @Test(
        "follows an input whose clock is not the output's, without a gap, though its rate is measured with an error",
        arguments: [0, 80e-6])
    func drift(error: Double) throws {
        let program = try Program {
            $0.preferredSlice = 256 / 48_000
            $0.hardware.shares_clock = false
        }
        try program.enableInput()
        for (scope, element) in [(Scope.input, UInt32(0)), (.output, 1)] {
            try program.setFormat(scope, element, Program.float(48_000, channels: 1))
        }
        try program.setRenderCallback()
        var recorded: [Double] = []
        program.onRender = { call, _, _ in
            recorded += program.renderInput(Int(call.frames), as: Float.self).samples.map(Double.init)
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        // The microphone's clock runs 300 parts per million faster.
        let factor = 1.0003
        stream.drift = factor * (1 + error)
        var (phase, owed) = (0.0, 0.0)
        let cycles = error == 0 ? 2_000 : 4_000
        for _ in 0..<cycles {
            owed += 256 * factor
            let count = Int(owed)
            owed -= Double(count)
            stream.turn(
                (0..<count).map { _ in
                    defer { phase += 2 * .pi * 1_000 / (48_000 * factor) }
                    return Float(0.5 * sin(phase))
                })
        }
        #expect(recorded.count == cycles * 256)
        // Where nothing is inserted or dropped, no step is larger than that of the tone.
        #expect(largestStep(Array(recorded[20_000...])) < 0.5 * 2 * .pi * 1_000 / 48_000 * 1.05)
    }

    @Test("the newest input where more comes than the output takes, at the sample time that it has")
    func lateInput() throws {
        let (program, stream) = try recorder(output: true)
        program.onInput = { call in
            let result = program.renderInput(256, as: Float.self)
            #expect(result.samples == ramp(Int(call.time.mSampleTime), 256))
            return result.status
        }
        for turn in 0..<20 {
            stream.turn(ramp(turn * 1_000, 1_000))
            let read = Int(try #require(program.inputs.last).time.mSampleTime) + 256
            #expect((turn + 1) * 1_000 - read <= 2 * (256 + 1_000))
        }
    }

    @Test("silence where frames are missing, which delays the captured frames")
    func missing() throws {
        let (program, stream) = try recorder(output: true)
        var recorded: [Float] = []
        program.onInput = { _ in
            recorded += program.renderInput(256, as: Float.self).samples
            return 0
        }
        // A reset also discards the experience that frames are late.
        for _ in 0..<2 {
            for (first, count) in [(0, 300), (300, 0), (300, 512)] { stream.turn(ramp(first, count)) }
            #expect(recorded == ramp(0, 256) + [Float](repeating: 0, count: 212) + ramp(256, 300))
            try program.unit.reset(Scope.global.rawValue, 0)
            recorded = []
        }
    }

    @Test("the newest input behind a reset, whatever came at once before")
    func resetOfABurst() throws {
        let (program, stream) = try recorder(output: true)
        var newest: Float = 0
        program.onInput = { _ in
            newest = program.renderInput(256, as: Float.self).samples.last ?? 0
            return 0
        }
        stream.turn(ramp(0, 9_000))
        try program.unit.reset(Scope.global.rawValue, 0)
        for turn in 0..<20 {
            stream.turn(ramp(turn * 1_000, 1_000))
            #expect((turn + 1) * 1_000 - Int(newest * 65_536) - 1 <= 2 * (256 + 1_000))
        }
    }

    @Test("nothing of a cycle with more frames than the unit can keep, and counts them")
    func tooMany() throws {
        let (program, stream) = try recorder()
        var recorded: [Float] = []
        program.onInput = { _ in
            recorded += program.renderInput(256, as: Float.self).samples
            return 0
        }
        for count in [256, 30_000, 256] { stream.turn([Float](repeating: Float(count), count: count)) }
        #expect(recorded == [Float](repeating: 256, count: 512))
        #expect(program.inputs.map { $0.time.mSampleTime } == [0, 30_256])
    }

    @Test("the first eight channels of a device that has more")
    func wideDevice() throws {
        let program = try Program {
            $0.preferredSlice = 256 / 48_000
            $0.hardware.input_channels = 10
        }
        try program.enableInput(output: false)
        try program.setFormat(.output, 1, Program.float(48_000, channels: 8))
        try program.setInputCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let known = try program.get(.streamFormat, .input, 1, as: AudioStreamBasicDescription.self)
        #expect(known.mChannelsPerFrame == 10 && known.mSampleRate == 48_000)
        var recorded: [Float] = []
        program.onInput = { call in
            let result = program.renderInput(Int(call.frames), samples: 8 * Int(call.frames), as: Float.self)
            recorded += result.samples
            return result.status
        }
        let frames = 20 * 256
        let captured: [Float] = (0..<frames * 10).map { Float($0 / 10) + Float($0 % 10) / 16 }
        try #require(program.engine.stream).turn(captured)
        #expect(recorded.count == frames * 8)
        let isEqual = recorded.indices.allSatisfy { recorded[$0] == Float($0 / 8) + Float($0 % 8) / 16 }
        #expect(isEqual)
    }

    @Test("no frames from before a reset", arguments: [48_000.0, 44_100])
    func reset(rate: Double) throws {
        let (program, stream) = try recorder(rate: rate)
        var recorded: [Float] = []
        program.onInput = { call in
            recorded += program.renderInput(256, as: Float.self).samples
            return 0
        }
        stream.turn([Float](repeating: 1, count: 400))
        #expect(recorded.count == 256 && recorded.contains(1) || rate != 48_000)
        recorded = []
        try program.unit.reset(Scope.global.rawValue, 0)
        for _ in 0..<4 { stream.turn([Float](repeating: 0, count: 256)) }
        #expect(recorded.count >= 768 && recorded.allSatisfy { $0 == 0 })
    }

    @Test("with an error of the callback, which the unit keeps until it is asked")
    func callbackError() throws {
        let (program, stream) = try recorder()
        program.onInput = { _ in 54_321 }
        stream.turn(ramp(0, 256))
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 54_321)
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 0)
    }

    @Test("fails outside of its callbacks, with the reason")
    func outside() throws {
        let (program, stream) = try recorder()
        #expect(program.renderInput(256, as: Float.self).status == -10863)
        #expect(program.renderInput(5_000, as: Float.self).status == -10874)
        program.onInput = { _ in
            var list = AudioBufferList()
            #expect(program.render(0, 256, &list) == -10863)
            #expect(program.render(2, 256, &list) == -10877)
            #expect(program.render(1, 256, &list) == -50)
            #expect(program.unit.render(flags: nil, time: nil, bus: 1, frames: 256, list: &list) == -50)
            var time = AudioTimeStamp()
            #expect(program.unit.render(flags: nil, time: &time, bus: 1, frames: 256, list: nil) == -50)
            return 0
        }
        stream.turn(ramp(0, 256))
        #expect(program.inputs.count == 1)
        program.unit.uninitialize()
        #expect(program.renderInput(256, as: Float.self).status == -10867)
        let player = try Program()
        try player.setRenderCallback()
        player.onRender = { call, _, _ in
            #expect(player.renderInput(256, as: Float.self).status == -10876)
            return 0
        }
        try player.unit.initialize()
        #expect(player.renderInput(256, as: Float.self).status == -10876)
        #expect(player.unit.start() == 0)
        player.engine.stream?.turn()
        #expect(player.renders.count == 1)
    }

    @Test("connected to its own output: captured samples are played")
    func playThrough() throws {
        let program = try Program { $0.preferredSlice = 256 / 48_000 }
        try program.enableInput()
        try program.setFormat(.output, 1, Program.int16(48_000, channels: 1))
        try program.set(
            .makeConnection, .input, 0,
            AudioUnitConnection(sourceAudioUnit: program.unit.handle, sourceOutputNumber: 1, destInputNumber: 0))
        let format = try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self)
        #expect(format.mBitsPerChannel == 16 && format.mChannelsPerFrame == 1)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let input = (0..<256).map { Float($0 * 100) / 32768 }
        let played = try #require(program.engine.stream).turn(input)
        #expect(stride(from: 0, to: played.count, by: 2).map { played[$0] } == input)
    }
}

private func largestStep(_ samples: [Double]) -> Double {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
