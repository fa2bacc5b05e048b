// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import HardwareTestSupport
import LinuxSystem
import Testing

@testable import AudioStreams

/// A device whose position the test sets, and which counts what is written to it.
private final class PositionedPlayback: PlaybackDevice {
    let queue: UInt64 = 48_000
    let period: UInt64
    var place = PlaybackPosition(queued: 0, delay: 0)
    var fails = false
    private(set) var written: UInt64 = 0

    init(period: UInt64) { self.period = period }

    func prepare() throws(SystemError) {
        guard !fails else { throw .noDevice }
        written = 0
    }
    func start() {}
    func stop(waits: Bool) -> UInt64? { 0 }
    func pending() -> UInt64 { place.queued }
    func position() -> PlaybackPosition { place }
    func write(_ frames: UnsafeRawPointer, _ count: UInt64) -> UInt64 {
        written += count
        return count
    }
}

/// A device that has captured as many frames as the test says.
private final class FilledCapture: CaptureDevice {
    let period: UInt64 = 480
    var left: UInt64 = 0
    var fails = false

    func prepare() throws(SystemError) { if fails { throw .noDevice } }
    func start() {}
    func stop() {}
    func available() -> UInt64 { left }
    func read(_ frames: UnsafeMutableRawPointer, _ count: UInt64) -> UInt64 {
        left -= count
        return count
    }
}

/// The sides of a pulled stream, each with a device of the test and without a thread.
@Suite("A side of a pulled stream")
struct PullSideTests {
    private let clock = SteppedClock()
    private let counters = PullCounters()

    private func layout() throws -> SampleLayout {
        try #require(SampleLayout(sample: Int32(STREAM_FLOAT.rawValue), channels: 2, rate: 48_000))
    }

    private func output(_ device: PositionedPlayback, _ source: ClockSource = .card("0"), slice: Double = 480) throws
        -> PullOutput
    {
        let length = try #require(SliceLength(frames: slice, rate: 48_000))
        return PullOutput(OpenedOutput(device: device, layout: try layout()), source, length, by: clock, counters, after: nil)
    }

    private func input(_ device: FilledCapture, slice: Double = 480) throws -> PullInput {
        let length = try #require(SliceLength(frames: slice, rate: 48_000))
        return PullInput(OpenedInput(device: device, layout: try layout()), .card("0"), length, by: clock, counters, after: nil)
    }

    @Test(
        "that plays beside an input begins with silence: a slice, the longer of a slice and a period, and 2 ms on a card",
        arguments: [(ClockSource.system, UInt64(240), UInt64(960)), (.system, 2_000, 2_480), (.card("0"), 240, 1_056)])
    func silenceFirst(source: ClockSource, period: UInt64, silence: UInt64) throws {
        let device = PositionedPlayback(period: period)
        let output = try output(device, source)
        for _ in 1...2 {
            output.start(withInput: true)
            #expect(device.written == silence)
        }
    }

    @Test("that plays tells of each further start once")
    func restarts() throws {
        let output = try output(PositionedPlayback(period: 240))
        output.start(withInput: false)
        #expect(!output.consumeRestart())
        for _ in 1...2 {
            output.start(withInput: false)
            #expect(output.consumeRestart())
            #expect(!output.consumeRestart())
        }
    }

    @Test("that plays counts the delay of its device, which is longer than its queue, in the time and the delay of a cycle")
    func delay() throws {
        let device = PositionedPlayback(period: 240)
        let output = try output(device)
        output.start(withInput: false)
        device.place = PlaybackPosition(queued: 480, delay: 1_440)
        var cycle = pull_cycle()
        for _ in 1...400 {
            #expect(output.framesToWait() == 0)
            output.describe(&cycle)
            cycle.produced = 480
            _ = output.send(cycle)
            #expect(clock.step(nanoseconds: 10_000_000))
        }
        #expect(output.framesToWait() == 0)
        output.describe(&cycle)
        #expect(cycle.output_delay == 1_440)
        #expect(abs(Double(cycle.output_time) - Double(clock.now) - 30_000_000) < 1_000_000)
    }

    @Test("that records short slices keeps 100 ms of its device")
    func shortSlices() throws {
        let device = FilledCapture()
        let input = try input(device, slice: 16)
        input.start()
        for _ in 1...2 {
            device.left = 4_800
            input.capture()
            var cycle = pull_cycle()
            input.describe(&cycle)
            #expect(cycle.input_frames == 4_800 && counters.copy.overruns == 0)
            input.consume(4_800)
        }
    }

    @Test("whose device fails goes on by the system's clock")
    func failure() throws {
        let (playback, capture) = (PositionedPlayback(period: 240), FilledCapture())
        let (output, input) = (try output(playback), try input(capture))
        #expect(output.source == .card("0") && input.source == .card("0"))
        (playback.fails, capture.fails) = (true, true)
        output.start(withInput: true)
        input.start()
        #expect(output.source == .system && input.source == .system)
    }
}
