// SPDX-License-Identifier: Apache-2.0
import EngineTestSupport
import LinuxSystem
import Testing

@testable import AudioQueues

@Suite("A value of a queue")
struct QueueValueTests {
    private func code(_ name: String) -> UInt32 { FourCC.code(of: name) ?? 0 }

    private func set(_ name: String, _ bytes: [UInt8], of bench: Bench) throws {
        try bytes.withUnsafeBytes { try bench.queue.setProperty(code(name), $0) }
    }

    @Test("of a play rate stays within its limits, and when time pitch is enabled a second time")
    func playRate() throws {
        let bench = try Bench(int16())
        let id = QueueParameter.playRate.rawValue
        for _ in 1...2 {
            try set("q_tp", [1, 0, 0, 0], of: bench)
            for (value, wanted) in [(0.1, 0.5), (0.5, 0.5), (1.5, 1.5), (2, 2), (9, 2), (0.75, 0.75)] as [(Float, Float)] {
                try bench.queue.setParameter(id, value)
                #expect(try bench.queue.parameter(id) == wanted)
                try set("q_tp", [1, 0, 0, 0], of: bench)
                #expect(try bench.queue.parameter(id) == wanted)
            }
            try set("q_tp", [0, 0, 0, 0], of: bench)
            #expect(try bench.queue.parameter(id) == 1)
        }
    }

    @Test("of a constant size is set with this size only", arguments: ["aqme", "dcbf", "q_tp", "aqcp"])
    func sizes(name: String) throws {
        let bench = try Bench(int16())
        for count in [0, 1, 3, 5, 8] {
            #expect(throws: QueueStatus.invalidPropertySize) {
                try set(name, [UInt8](repeating: 1, count: count), of: bench)
            }
        }
        #expect(try bench.queue.property(code(name)) == [0, 0, 0, 0])
        try set(name, [1, 0, 0, 0], of: bench)
        #expect(try bench.queue.property(code(name)) == [1, 0, 0, 0])
    }

    @Test(
        "that belongs to queues that play is refused by a queue that records, in each life",
        arguments: ["dcbf", "q_tp", "qtpa", "qtpb", "aqca"])
    func valueOfPlaying(name: String) throws {
        let bench = try Bench(int16(channels: 1), isInput: true)
        for _ in 1...2 {
            for count in [0, 4, 8] {
                #expect(throws: QueueStatus.invalidQueueType) { try set(name, [UInt8](repeating: 1, count: count), of: bench) }
            }
            #expect(throws: QueueStatus.invalidQueueType) { try bench.queue.property(code(name)) }
            #expect(throws: QueueStatus.invalidQueueType) { try bench.queue.propertySize(code(name)) }
            #expect(throws: QueueStatus.invalidQueueType) {
                try bench.queue.addListener(code(name), procedure: 3, data: 4) { _, _ in }
            }
            try bench.queue.enqueue(UInt(bitPattern: try bench.queue.allocateBuffer(bytes: 512).header), bytes: 0)
            try bench.queue.start()
            bench.capture([Float](repeating: 0.1, count: 256))
            try bench.queue.stop(immediately: true)
        }
    }

    @Test(
        "of the channel layout is the tag of mono, of stereo, or of channels in their order",
        arguments: 1...8 as ClosedRange<UInt32>)
    func layout(channels: UInt32) throws {
        let bench = try Bench(int16(channels: channels))
        let tags: [UInt32: UInt32] = [1: 100 << 16 | 1, 2: 101 << 16 | 2]
        let bytes = try bench.queue.property(code("aqcl"))
        #expect(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == tags[channels] ?? 147 << 16 | channels)
    }

    @Test(
        "of 16 bits is heard equally on a device with 16-bit samples, of other channels and another rate",
        arguments: [(48_000.0, UInt32(1)), (24_000, 2), (44_100, 1), (96_000, 2), (48_000, 4)])
    func int16Device(rate: Double, channels: UInt32) throws {
        var sounds: [[Float]] = []
        for acceptsInt16 in [false, true] {
            let bench = try Bench(int16(rate: rate, channels: channels))
            bench.engine.acceptsInt16 = acceptsInt16
            for part in 1...4 { try bench.enqueue(noise(2_000 * Int(channels), seed: UInt64(part))) }
            try bench.queue.start()
            sounds.append(bench.run(12))
        }
        let isEqual = sounds[0] == sounds[1]
        #expect(isEqual && sounds[0].contains { $0 != 0 })
    }
}
