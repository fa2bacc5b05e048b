// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import EngineTestSupport
import MediaFormats
import TestSupport
import Testing

@testable import AudioQueues

/// The samples of a queue: a level of a quarter in each.
private enum QueueSample: CaseIterable {
    case int16, int16Big, int32, float32, uLaw

    var bits: UInt32 {
        switch self {
        case .uLaw: 8
        case .int16, .int16Big: 16
        case .int32, .float32: 32
        }
    }

    func description(rate: Double, channels: UInt32) -> StreamDescription {
        let flags: FormatFlags =
            switch self {
            case .int16, .int32: [.signedInteger, .packed]
            case .int16Big: [.signedInteger, .packed, .bigEndian]
            case .float32: [.float, .packed]
            case .uLaw: []
            }
        let size = bits / 8 * channels
        return StreamDescription(
            sampleRate: rate, formatID: self == .uLaw ? FormatID.uLaw : FormatID.linearPCM, formatFlags: flags,
            bytesPerPacket: size,
            framesPerPacket: 1, bytesPerFrame: size, channelsPerFrame: channels, bitsPerChannel: bits)
    }

    var quarter: [UInt8] {
        switch self {
        case .int16: [0x00, 0x20]
        case .int16Big: [0x20, 0x00]
        case .int32: [0, 0, 0, 0x20]
        case .float32: [0, 0, 0x80, 0x3E]
        // The value 0x9F is 8,316 of 32,768.
        case .uLaw: [0x9F]
        }
    }

    var level: Float { self == .uLaw ? 8_316 / 32_768 : 0.25 }
}

/// An event of the device while the queue plays.
private enum Route: CaseIterable { case stays, becomesMono, becomesStereo, becomesSlow, isInterrupted }

/// One value of each variable.
private struct QueueCase: CustomStringConvertible {
    let sample: QueueSample
    let channels: UInt32
    let rate: Double
    let bytes: Int
    let volume: Float
    let pan: Float
    let route: Route
    let acceptsInt16: Bool

    static let all: [QueueCase] = {
        let (rates, sizes, volumes, pans) = (
            [8_000.0, 44_100, 48_000], [64, 1_000, 9_600], [Float(1), 0.5, 0], [Float(0), -1, 0.5]
        )
        return Pairs([
            QueueSample.allCases.count, 2, rates.count, sizes.count, volumes.count, pans.count, Route.allCases.count, 2,
        ]).rows
            .map {
                QueueCase(
                    sample: QueueSample.allCases[$0[0]], channels: UInt32($0[1] + 1), rate: rates[$0[2]], bytes: sizes[$0[3]],
                    volume: volumes[$0[4]], pan: pans[$0[5]], route: Route.allCases[$0[6]], acceptsInt16: $0[7] == 1)
            }
    }()

    var description: String {
        "\(sample), \(channels) channels, \(rate) Hz, \(bytes) bytes, volume \(volume), pan \(pan), the device \(route), \(acceptsInt16)"
    }

    /// The level of each channel of the device.
    func levels(deviceChannels: UInt32) -> [Float] {
        let sides = [min(1, 1 - pan), min(1, 1 + pan)].map { sample.level * volume * $0 }
        guard deviceChannels == 1 else { return sides }
        return channels == 1 ? [sample.level * volume] : [(sides[0] + sides[1]) / 2]
    }
}

@Suite("A queue, for each pair of values of its variables")
struct QueuePairsTests {
    @Test("plays the level of its buffers at its volume and pan, and returns each buffer", arguments: QueueCase.all)
    fileprivate func plays(_ wanted: QueueCase) throws {
        let engine = FakeEngine(slice: 256)
        (engine.slice, engine.delay, engine.acceptsInt16) = (512, 512, wanted.acceptsInt16)
        engine.outputChannels = wanted.route == .becomesStereo ? 1 : 2
        let bench = try Bench(wanted.sample.description(rate: wanted.rate, channels: wanted.channels), engine: engine)
        try bench.queue.setParameter(1, wanted.volume)
        try bench.queue.setParameter(13, wanted.pan)
        let frame = Int(wanted.sample.bits / 8 * wanted.channels)
        let bytes = (0..<wanted.bytes / frame * Int(wanted.channels)).flatMap { _ in wanted.sample.quarter }
        bench.onBuffer = { buffer in
            #expect(
                status { () throws(QueueStatus) in try bench.queue.enqueue(buffer.address, bytes: UInt32(bytes.count)) } == nil)
        }
        // Half a second: enough for the cycles before the callbacks.
        let count = Int(wanted.rate) / 2 * frame / bytes.count + 2
        for _ in 0..<count {
            try bench.queue.enqueue(UInt(bitPattern: try bench.buffer(bytes).header), bytes: UInt32(bytes.count))
        }
        try bench.queue.start()
        try expect(wanted, bench, "before the change")
        change(wanted.route, bench)
        if wanted.route == .isInterrupted {
            #expect(bench.run().allSatisfy { $0 == 0 })
            try bench.queue.start()
        }
        try expect(wanted, bench, "after the change")
        #expect(bench.returned.count >= Int(wanted.rate * 20 * 512 / 48_000) * frame / bytes.count - 1)
        bench.onBuffer = { _ in }
        let returned = bench.returned.count
        try bench.queue.stop(immediately: true)
        #expect(bench.returned.count - returned == count)
    }

    private func change(_ route: Route, _ bench: Bench) {
        switch route {
        case .stays: return
        case .becomesMono: bench.engine.outputChannels = 1
        case .becomesStereo: bench.engine.outputChannels = 2
        case .becomesSlow: bench.engine.outputRate = 16_000
        case .isInterrupted: return bench.engine.output?.interrupt() ?? ()
        }
        bench.engine.output?.reconfigure()
    }

    /// After ten cycles nothing of a ramp or of a filter's start is left.
    private func expect(_ wanted: QueueCase, _ bench: Bench, _ when: Comment) throws {
        bench.run(10)
        let played = bench.run(2)
        let levels = wanted.levels(deviceChannels: bench.engine.outputChannels)
        try #require(!played.isEmpty && played.count % levels.count == 0)
        for (index, sample) in played.enumerated() where abs(sample - levels[index % levels.count]) > 0.002 {
            Issue.record("\(when): sample \(index) is \(sample), and not \(levels[index % levels.count])")
            return
        }
    }
}
