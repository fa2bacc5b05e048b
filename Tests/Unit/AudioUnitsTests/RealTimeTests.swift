// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import AudioUnits
import CAudioToolbox
import Testing

/// Callbacks that allocate nothing themselves.
private let fill: AURenderCallback = { _, _, _, _, _, list in
    guard let list else { return -50 }
    for index in samples(list, as: Int16.self).indices { samples(list, as: Int16.self)[index] = 100 }
    return 0
}

/// The number of calls in which the input was read.
nonisolated(unsafe) private var reads = 0
nonisolated(unsafe) private var recorder: Unit?

private let readInput: AURenderCallback = { _, flags, time, bus, frames, _ in
    guard let unit = recorder, let time, let flags else { return -50 }
    var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
    let status = unit.render(flags: flags, time: time, bus: 1, frames: frames, list: &list)
    if status == 0 { reads += 1 }
    return status
}

@Suite("The audio thread", .serialized)
struct RealTimeTests {
    @Test(
        "allocates no memory: with a change of the rate, with input, with voice processing",
        arguments: [
            UnitKind.remoteIO, .voiceProcessingIO,
        ])
    func allocations(kind: UnitKind) throws {
        guard allocation_count_is_available() else { return }
        let program = try Program(kind) { $0.preferredSlice = 0.01 }
        try program.enableInput()
        try program.setFormat(.input, 0, Program.int16(44_100, channels: 2))
        try program.setFormat(.output, 1, Program.int16(44_100, channels: 1))
        try program.set(.setRenderCallback, .input, 0, AURenderCallbackStruct(inputProc: fill, inputProcRefCon: nil))
        try program.set(.setInputCallback, .global, 0, AURenderCallbackStruct(inputProc: readInput, inputProcRefCon: nil))
        recorder = program.unit
        defer { recorder = nil }
        reads = 0
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let input = [Float](repeating: 0.25, count: 480)
        // The first cycle may complete lazy constants of the runtime.
        for _ in 0..<3 { stream.turn(input) }
        let before = stream.allocations
        try program.unit.setParameter(14, 0, 0, 0.5)
        for _ in 0..<200 { stream.turn(input) }
        #expect(stream.allocations == before)
        #expect(reads == 203)
    }

    @Test("sees each change of a program thread between two slices, and none in the middle of one")
    func changesFromAnotherThread() async throws {
        let program = try Program { $0.preferredSlice = 256 / 48_000 }
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        nonisolated(unsafe) var mismatches = 0
        program.onRender = { call, _, list in
            // The buffers always fit one of the formats.
            let bytes = samples(list, as: UInt8.self).count
            let isFloat = bufferCount(list) == 1 && bytes == Int(call.frames) * 4
            let isInt16 = bufferCount(list) == 2 && bytes == Int(call.frames) * 2
            if !isFloat && !isInt16 { mismatches += 1 }
            return 0
        }
        try program.setFormat(.input, 0, Program.float(48_000, channels: 1))
        let changes = Task.detached {
            for turn in 0..<300 {
                let format =
                    turn % 2 == 0
                    ? Program.int16(22_050, channels: 2, isInterleaved: false) : Program.float(48_000, channels: 1)
                try program.setFormat(.input, 0, format)
                try program.setRenderCallback()
                await Task.yield()
            }
        }
        for _ in 0..<2_000 { stream.turn() }
        try await changes.value
        stream.turn()
        #expect(mismatches == 0)
        #expect(program.renders.count >= 2_001)
    }
}
