// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

private enum UnitSample: CaseIterable { case int16, planarInt16, float, planarFloat }
private enum UnitDirection: CaseIterable { case plays, records, both }

/// One value of each variable.
private struct UnitCase: CustomStringConvertible {
    let direction: UnitDirection
    let sample: UnitSample
    let rate: Double
    let channels: UInt32
    let deviceRate: Double
    let deviceChannels: UInt32
    let slice: Double
    let acceptsInt16: Bool
    /// The unit is uninitialized and initialized again before it starts.
    let hasFormerLife: Bool

    static let all: [UnitCase] = {
        let (rates, devices, slices) = (
            [8_000.0, 22_050, 44_100, 48_000, 96_000], [16_000.0, 44_100, 48_000], [0, 0.005, 0.023]
        )
        return Pairs([3, 4, rates.count, 2, devices.count, 2, slices.count, 2, 2]).rows.map {
            UnitCase(
                direction: UnitDirection.allCases[$0[0]], sample: UnitSample.allCases[$0[1]], rate: rates[$0[2]],
                channels: UInt32($0[3] + 1), deviceRate: devices[$0[4]], deviceChannels: UInt32($0[5] + 1), slice: slices[$0[6]],
                acceptsInt16: $0[7] == 1, hasFormerLife: $0[8] == 1)
        }
    }()

    var description: String {
        "\(direction), \(sample), \(rate) Hz, \(channels) channels, on \(deviceRate) Hz, \(deviceChannels) channels, slices of \(slice) s, "
            + "\(acceptsInt16), \(hasFormerLife)"
    }

    var plays: Bool { direction != .records }
    var records: Bool { direction != .plays }
    var isFloat: Bool { sample == .float || sample == .planarFloat }
    var isInterleaved: Bool { sample == .int16 || sample == .float }
    var buffers: Int { isInterleaved ? 1 : Int(channels) }
    var bytesPerFrame: Int { (isFloat ? 4 : 2) * (isInterleaved ? Int(channels) : 1) }

    var format: AudioStreamBasicDescription {
        isFloat
            ? Program.float(rate, channels: channels, isInterleaved: isInterleaved)
            : Program.int16(rate, channels: channels, isInterleaved: isInterleaved)
    }

    /// The frames of each callback.
    var frames: UInt32 { slice > 0 ? UInt32((slice * rate).rounded()) : 1_024 }

    /// A quarter of full scale in the program's samples.
    func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: UInt32) {
        #expect(bufferCount(list) == buffers)
        for index in 0..<buffers {
            if isFloat {
                let room = samples(list, index, as: Float.self)
                #expect(room.count * 4 == Int(frames) * bytesPerFrame)
                room.update(repeating: 0.25)
            } else {
                let room = samples(list, index, as: Int16.self)
                #expect(room.count * 2 == Int(frames) * bytesPerFrame)
                room.update(repeating: 8_192)
            }
        }
    }

    func levels(_ list: UnsafeMutablePointer<AudioBufferList>) -> [Float] {
        (0..<buffers).flatMap { index in
            isFloat
                ? Array(samples(list, index, as: Float.self)) : samples(list, index, as: Int16.self).map { Float($0) / 32_768 }
        }
    }
}

@Suite("An I/O unit, for each pair of values of its variables")
struct UnitPairsTests {
    @Test("plays and records a level unchanged, in slices without a gap", arguments: UnitCase.all)
    fileprivate func levels(_ wanted: UnitCase) throws {
        let program = try Program {
            $0.hardware.output_rate = wanted.deviceRate
            $0.hardware.input_rate = wanted.deviceRate
            $0.hardware.output_channels = wanted.deviceChannels
            $0.hardware.input_channels = wanted.deviceChannels
            $0.preferredSlice = wanted.slice
            $0.acceptsInt16 = wanted.acceptsInt16
        }
        var recorded: [Float] = []
        program.onRender = { call, _, list in
            wanted.fill(list, call.frames)
            return 0
        }
        program.onInput = { [unowned program] call in
            recorded = record(wanted, program, call.frames)
            return 0
        }
        try prepare(program, wanted)
        if wanted.hasFormerLife {
            try program.unit.initialize()
            #expect(program.unit.start() == 0)
            program.engine.stream?.turn()
            program.unit.uninitialize()
        }
        try program.unit.initialize()
        let (renders, inputs) = (program.renders.count, program.inputs.count)
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        var played: [Float] = []
        // A second and a fifth of frames, in whole cycles.
        for _ in 0..<(Int(wanted.deviceRate / 5) / max(stream.slice, 1) + 3) {
            played = stream.turn(
                wanted.records ? [Float](repeating: 0.25, count: stream.slice * Int(wanted.deviceChannels)) : [])
        }
        if wanted.plays {
            // A slice of the program can have a frame of the device less.
            try expectLevel(played, count: (stream.slice - 1) * Int(wanted.deviceChannels), "played")
            expectSlices(program.renders[renders...], wanted, "renders")
        } else {
            #expect(program.renders.count == renders)
        }
        if wanted.records {
            try expectLevel(recorded, count: Int(wanted.channels), "recorded")
            expectTimes(program.inputs[inputs...], "inputs")
        } else {
            #expect(program.inputs.count == inputs)
        }
    }

    private func prepare(_ program: Program, _ wanted: UnitCase) throws {
        if wanted.records {
            try program.enableInput(output: wanted.plays)
            try program.setFormat(.output, 1, wanted.format)
            try program.setInputCallback()
        }
        if wanted.plays {
            try program.setFormat(.input, 0, wanted.format)
            try program.setRenderCallback()
        }
    }

    private func record(_ wanted: UnitCase, _ program: Program, _ frames: UInt32) -> [Float] {
        let size = Int(frames) * wanted.bytesPerFrame
        let list = UnsafeMutableRawPointer.allocate(byteCount: 8 + 2 * MemoryLayout<AudioBuffer>.stride, alignment: 8)
        let room = UnsafeMutableRawPointer.allocate(byteCount: 2 * size + 1, alignment: 8)
        defer {
            list.deallocate()
            room.deallocate()
        }
        list.storeBytes(of: UInt32(wanted.buffers), as: UInt32.self)
        for index in 0..<wanted.buffers {
            (list + 8).assumingMemoryBound(to: AudioBuffer.self)[index] = AudioBuffer(
                mNumberChannels: wanted.isInterleaved ? wanted.channels : 1, mDataByteSize: UInt32(size),
                mData: room + index * size)
        }
        let target = list.assumingMemoryBound(to: AudioBufferList.self)
        #expect(program.render(1, Int(frames), target) == 0)
        return wanted.levels(target)
    }

    private func expectLevel(_ found: [Float], count: Int, _ what: Comment) throws {
        try #require(found.count >= count, what)
        #expect(found.allSatisfy { abs($0 - 0.25) < 0.002 }, "\(what): \(found.prefix(4)), at most \(found.max() ?? 0)")
    }

    private func expectSlices(_ calls: ArraySlice<Program.Call>, _ wanted: UnitCase, _ what: Comment) {
        #expect(calls.allSatisfy { $0.frames == wanted.frames }, what)
        expectTimes(calls, what)
    }

    private func expectTimes(_ calls: ArraySlice<Program.Call>, _ what: Comment) {
        #expect(calls.first?.time.mSampleTime == 0, what)
        #expect(
            zip(calls, calls.dropFirst()).allSatisfy { $1.time.mSampleTime == $0.time.mSampleTime + Double($0.frames) }, what)
        #expect(calls.count > 2, what)
    }
}
