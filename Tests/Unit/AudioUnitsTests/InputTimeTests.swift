// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

/// A unit that records mono floats, also while it plays.
private func recorder(_ kind: UnitKind, output: Bool, device: Double, client: Double) throws -> Program {
    let program = try Program(kind) { $0.preferredSlice = 0.02 }
    program.engine.hardware.input_rate = device
    program.engine.hardware.output_rate = device
    try program.enableInput(output: output)
    try program.setFormat(.output, 1, Program.float(client, channels: 1))
    if output { try program.setFormat(.input, 0, Program.float(client, channels: 1)) }
    try program.setInputCallback()
    try program.setRenderCallback()
    try program.unit.initialize()
    return program
}

@Suite("The host time of input")
struct InputTimeTests {
    @Test(
        "is the time at which the frames were captured, whatever the rates are",
        arguments: [8_000.0, 16_000, 44_100, 48_000, 96_000])
    func impulse(client: Double) throws {
        for device in [8_000.0, 44_100, 48_000] {
            let program = try recorder(.remoteIO, output: false, device: device, client: client)
            for _ in 0..<2 {
                #expect(program.unit.start() == 0)
                let stream = try #require(program.engine.stream)
                var heard: [(time: Double, level: Float)] = []
                program.onInput = { call in
                    for (index, level) in program.renderInput(Int(call.frames), as: Float.self).samples.enumerated() {
                        heard.append((Double(call.time.mHostTime) + Double(index) / client * 1e9, level))
                    }
                    return 0
                }
                let frames = Int(device / 50)
                var impulse = 0.0
                for turn in 0..<20 {
                    var input = [Float](repeating: 0, count: frames)
                    if turn == 10 {
                        input[frames / 2] = 1
                        impulse = Double(stream.now) + Double(frames / 2) / device * 1e9
                    }
                    stream.turn(input)
                }
                let loudest = try #require(heard.max { $0.level < $1.level })
                // Half a frame of the lower rate.
                #expect(abs(loudest.time - impulse) < 0.51e9 / min(client, device), "\(device) to \(client)")
                try program.unit.stop()
            }
        }
    }

    @Test(
        "of the first slice of a unit that also plays is one slice before the second",
        arguments: [UnitKind.remoteIO, .voiceProcessingIO])
    func firstSlice(kind: UnitKind) throws {
        for (device, client) in [(48_000.0, 48_000.0), (48_000, 8_000), (44_100, 16_000)] {
            let program = try recorder(kind, output: true, device: device, client: client)
            for _ in 0..<2 {
                let former = program.inputs.count
                #expect(program.unit.start() == 0)
                let stream = try #require(program.engine.stream)
                // Nothing has been captured before the first cycle.
                stream.turn([])
                for _ in 0..<20 { stream.turn([Float](repeating: 0.25, count: Int(device / 50))) }
                let times = program.inputs[former...].map { Double($0.time.mHostTime) }
                #expect(times.count == 21)
                #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
                // The voice works in blocks, whose frames wait.
                if kind == .remoteIO {
                    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 20e6) < 0.3e9 / device }, "\(times)")
                }
                try program.unit.stop()
            }
        }
    }

    @Test("never goes back, also where frames are missing", arguments: [48_000.0, 16_000])
    func missingFrames(client: Double) throws {
        let program = try recorder(.remoteIO, output: true, device: 48_000, client: client)
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        for count in [0, 960, 0, 960, 1_920, 100, 0, 0, 860, 2_880, 960, 0, 960] {
            stream.turn([Float](repeating: 0, count: count))
        }
        let times = program.inputs.map { $0.time.mHostTime }
        #expect(times.count == 13 && times[0] > 0)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
