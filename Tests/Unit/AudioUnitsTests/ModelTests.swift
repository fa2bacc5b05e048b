// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

/// The simplest description of a unit that predicts its results.
private struct Model {
    var isInitialized = false
    var isRunning = false
    var plays = true
    var records = false
    var rate = 44_100.0
    var maximum = 4096
    var hasCallback = false
    /// Frames of a slice since the last start, by its duration.
    var seconds = 0.0
    var preferred = 0.0

    var frames: Int { min(max(Int((seconds * rate).rounded()), 1), maximum) }

    mutating func initialize() -> Int32 {
        guard !isInitialized else { return 0 }
        guard plays || records else { return -10875 }
        isInitialized = true
        seconds = duration
        return 0
    }

    mutating func start(_ refusal: Int32) -> Int32 {
        guard isInitialized else { return -10867 }
        guard !isRunning else { return refusal }
        if refusal == 0 { seconds = duration }
        isRunning = refusal == 0
        return refusal
    }

    /// Slices are counted in the rate that is played, else in the one that is recorded.
    private var duration: Double {
        let counted = plays ? rate : 44_100
        let wanted = preferred > 0 ? (preferred * counted).rounded() : 1024
        return min(max(wanted, 16), Double(maximum)) / counted
    }

    mutating func uninitialize() {
        isInitialized = false
        isRunning = false
    }

    func before(_ body: Int32 = 0) -> Int32 { isInitialized ? -10849 : body }
}

@Suite("A unit and its model")
struct ModelTests {
    @Test("agree after each of many random calls", arguments: 0..<24 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        let program = try Program { $0.hardware.input_channels = 1 }
        var model = Model()
        for step in 0..<400 {
            let call = Int.random(in: 0..<14, using: &generator)
            try perform(call, program, &model, &generator)
            let isRunning = try program.get(.isRunning, .global, 0, as: UInt32.self)
            guard isRunning == (model.isRunning ? 1 : 0) else {
                Issue.record("seed \(seed), step \(step), call \(call): running is \(isRunning)")
                return
            }
        }
    }

    private func perform(_ call: Int, _ program: Program, _ model: inout Model, _ generator: inout SeededGenerator) throws {
        let unit = program.unit
        let flag = Bool.random(using: &generator)
        switch call {
        case 0, 1: #expect(status { try unit.initialize() } == model.initialize())
        case 2:
            unit.uninitialize()
            model.uninitialize()
        case 3, 4:
            program.engine.startResult = flag ? 0 : 561_017_449
            #expect(unit.start() == model.start(program.engine.startResult))
            program.engine.startResult = 0
        case 5:
            #expect(status { try unit.stop() } == 0)
            model.isRunning = false
        case 6:
            #expect(status { try program.set(.enableIO, .input, 1, UInt32(flag ? 1 : 0)) } == model.before())
            if !model.isInitialized { model.records = flag }
        case 7:
            #expect(status { try program.set(.enableIO, .output, 0, UInt32(flag ? 1 : 0)) } == model.before())
            if !model.isInitialized { model.plays = flag }
        case 8:
            let maximum = flag ? 512 : 2048
            #expect(status { try program.set(.maximumFramesPerSlice, .global, 0, UInt32(maximum)) } == model.before())
            if !model.isInitialized { model.maximum = maximum }
        case 9:
            let rate = flag ? 22_050.0 : 96_000
            #expect(status { try program.setFormat(.input, 0, Program.int16(rate, channels: 2)) } == 0)
            model.rate = rate
        case 10:
            #expect(status { try program.setFormat(.input, 0, Program.int16(1, channels: 2)) } == -10868)
        case 11:
            let callback = AURenderCallbackStruct(inputProc: flag ? Program.render : nil, inputProcRefCon: program.reference)
            #expect(status { try program.set(.setRenderCallback, .input, 0, callback) } == 0)
            model.hasCallback = flag
        case 12:
            program.engine.stream?.interrupt()
            model.isRunning = false
        default:
            if Bool.random(using: &generator) {
                program.engine.preferredSlice = flag ? 0.01 : 0
                model.preferred = program.engine.preferredSlice
            }
            try turn(program, model)
        }
    }

    /// Callbacks come while the unit runs, plays and has one: each with the frames of a slice.
    private func turn(_ program: Program, _ model: Model) throws {
        let before = program.renders.count
        for _ in 0..<3 { program.engine.stream?.turn(model.records ? [Float](repeating: 0, count: 300) : []) }
        let calls = program.renders[before...]
        #expect(calls.isEmpty != (model.isRunning && model.plays && model.hasCallback))
        #expect(calls.allSatisfy { $0.frames == UInt32(model.frames) })
    }
}
