// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import EngineTestSupport
import Testing

@testable import AudioUnits

/// A program that records and plays slices of 256 frames, with an input that has a clock of its own.
private func recorder() throws -> (program: Program, stream: FakeStream) {
    let program = try Program {
        $0.preferredSlice = 256 / 48_000
        $0.hardware.shares_clock = false
    }
    try program.enableInput()
    for (scope, element) in [(Scope.input, UInt32(0)), (.output, 1)] {
        try program.setFormat(scope, element, Program.float(48_000, channels: 1))
    }
    try program.setRenderCallback()
    try program.unit.initialize()
    #expect(program.unit.start() == 0)
    return (program, try #require(program.engine.stream))
}

@Suite("The reserve of an input with another clock")
struct InputReserveTests {
    private let slice = [Float](repeating: 0, count: 256)

    /// The frames that are kept after each of so many cycles.
    private func reserves(_ program: Program, _ stream: FakeStream, cycles: Int) throws -> [Int] {
        try (0..<cycles).map { _ in
            stream.turn(slice)
            return try #require(program.unit.plans.value?.input).available
        }
    }

    @Test("returns to its size after a loss or a surplus of frames, and stays there", arguments: [-36, 120])
    func returns(change: Int) throws {
        let (program, stream) = try recorder()
        _ = try reserves(program, stream, cycles: 20)
        stream.turn([Float](repeating: 0, count: 256 + change))
        // A second has 187.5 cycles, and corrects up to 5 frames.
        let kept = try reserves(program, stream, cycles: 8_000)[6_000...]
        // 8 frames and an eighth of a slice.
        #expect(kept.allSatisfy { abs($0 - 40) <= 12 }, "\(kept.min() ?? 0) to \(kept.max() ?? 0)")
    }

    @Test("behind a reset is that of an input that starts, whatever was corrected before", arguments: [-36, 120])
    func reset(change: Int) throws {
        let (program, stream) = try recorder()
        let first = try reserves(program, stream, cycles: 400)
        stream.turn([Float](repeating: 0, count: 256 + change))
        // The correction of two seconds, and a part of the next.
        _ = try reserves(program, stream, cycles: 450)
        try program.unit.reset(Scope.global.rawValue, 0)
        #expect(try reserves(program, stream, cycles: 400) == first)
    }
}
