// SPDX-License-Identifier: Apache-2.0
import AllocationCount
import EngineTestSupport
import LinuxSystem
import MediaFormats
import Testing

@testable import AudioQueues

#if canImport(Glibc)
    import Glibc
#endif

private func tone(_ frames: Int, from first: Int = 0) -> [Int16] {
    (first..<(first + frames)).map { Int16(16_000 * sin(2 * .pi * 480 * Double($0) / 48_000)) }
}

extension Bench {
    fileprivate func setTimePitch(_ on: UInt32) throws {
        var value = on
        try withUnsafeBytes(of: &value) { try queue.setProperty(FourCC.code("q_tp"), $0) }
    }

    /// The position that is heard at the end of the last cycle.
    fileprivate var heard: Double { get throws { try queue.currentTime(at: engine.output?.time ?? 0).frame } }
}

@Suite("The play rate of a queue")
struct PlaySpeedTests {
    private let rate = QueueParameter.playRate.rawValue

    @Test(
        "changes the speed and keeps the pitch, and the position counts the frames of the buffers",
        arguments: [0.5, 1, 1.5, 2] as [Float])
    func speeds(speed: Float) throws {
        let bench = try Bench(int16(channels: 1))
        try bench.setTimePitch(1)
        try bench.queue.setParameter(rate, speed)
        #expect(try bench.queue.parameter(rate) == speed)
        for buffer in 0..<20 { try bench.enqueue(tone(2_400, from: buffer * 2_400)) }
        try bench.queue.start()
        let before = leftSide(bench.run(40))
        #expect(try abs(bench.heard - 40 * 256 * Double(speed)) < 2)
        try bench.queue.stop(immediately: false)
        var sound = before
        while bench.isRunning, sound.count < 200_000 { sound += leftSide(bench.run()) }
        #expect(bench.returned.count == 20 && !bench.isRunning)
        let end = (sound.lastIndex { $0 != 0 } ?? 0) + 1
        // The last hop and the reach of the search.
        #expect(abs(Double(end) * Double(speed) - 48_000) < 2_000, "\(end) frames")
        let crossings = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) - 480 * Double(end) / 48_000) <= 2)
        if speed == 1 { #expect(Array(sound.prefix(48_000)) == floats(tone(48_000))) }
    }

    @Test("changes while the queue plays, without a click, a gap or an allocation")
    func changes() throws {
        let bench = try Bench(int16(channels: 1))
        try bench.setTimePitch(1)
        for buffer in 0..<40 { try bench.enqueue(tone(2_400, from: buffer * 2_400)) }
        try bench.queue.start()
        var sound: [Float] = []
        for speed in [1, 2, 0.7, 1.3, 0.1, 9] as [Float] {
            try bench.queue.setParameter(rate, speed)
            let position = try bench.heard
            sound += leftSide(bench.run(20))
            let limited = Double(min(max(speed, 0.5), 2))
            // The old speed lasts to the end of its hop.
            #expect(try abs(bench.heard - position - 20 * 256 * limited) < 1_000 * 1.5, "\(speed)")
        }
        let steepest = zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
        // A tone of 480 Hz has 100 frames.
        let slope = Float(16_000.0 / 32_768 * Double.pi / 50)
        #expect(steepest < slope * 1.15)
        #expect(try bench.queue.parameter(rate) == 2)
        guard allocation_count_is_available() else { return }
        let stream = try #require(bench.engine.output)
        let before = stream.allocations
        for _ in 0..<10 { _ = stream.cycle() }
        #expect(stream.allocations == before)
    }

    @Test("has no effect and is refused without time pitch, which only a stopped queue enables")
    func refusals() throws {
        let bench = try Bench(int16(channels: 1))
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(rate, 2) } == .invalidParameter)
        try bench.queue.setParameter(rate, 1)
        for _ in 0..<8 { try bench.enqueue(tone(2_400)) }
        try bench.queue.start()
        bench.run(4)
        #expect(throws: QueueStatus.invalidRunState) { try bench.setTimePitch(1) }
        try bench.queue.stop(immediately: true)
        try bench.setTimePitch(1)
        try bench.queue.setParameter(rate, 2)
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(rate, .nan) } == .invalidParameter)
        let pitch = QueueParameter.pitch.rawValue
        #expect(status { () throws(QueueStatus) in try bench.queue.setParameter(pitch, 100) } == .invalidParameter)
        try bench.setTimePitch(0)
        #expect(try bench.queue.parameter(rate) == 1)
    }
}
