// SPDX-License-Identifier: Apache-2.0
import EngineClient
import Testing

@testable import AudioUnits

@Suite("The sound that echo cancellers hear")
struct EchoReferenceTests {
    @Test("is that of 16 streams, also after many have come and gone", arguments: [48_000.0, 16_000, 44_100])
    func streams(rate: Double) throws {
        let reference = EchoReference()
        reference.beginListening()
        defer { reference.endListening() }
        var frames = [Float](repeating: 0, count: 160)
        for _ in 1...3 {
            var writers: [any PlaybackWriter] = []
            for _ in 0..<16 { writers.append(try #require(reference.makeWriter(deviceRate: rate))) }
            #expect(reference.makeWriter(deviceRate: rate) == nil)
            // Each stream plays 0.01 for a quarter of a second, which begins a second after the start of the clock.
            for writer in writers {
                let count = Int(rate / 4)
                writer.write([Float](repeating: 0.01, count: count), channels: 1, frames: count, heardAt: 1_000_000_000)
            }
            frames.withUnsafeMutableBufferPointer { reference.read(into: $0, heardFrom: 1_100_000_000) }
            #expect(frames.allSatisfy { abs($0 - 0.16) < 0.001 })
            writers.removeAll()
            frames.withUnsafeMutableBufferPointer { reference.read(into: $0, heardFrom: 1_100_000_000) }
            #expect(frames.allSatisfy { $0 == 0 })
        }
    }
}
