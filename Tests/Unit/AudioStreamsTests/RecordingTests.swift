// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import FaultPlan
import Foundation
import HardwareTestSupport
import LinuxSystem
import SimulatedHardware
import TestSupport
import Testing

@testable import AudioStreams

/// A RIFF file, read by the test itself.
struct Riff {
    let channels, bits: UInt16
    let format: UInt16
    let rate, dataSize: UInt32
    let riffSize: UInt32
    let data: Data

    init(_ path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try #require(bytes.count >= 44 && bytes[0..<4] == Data("RIFF".utf8) && bytes[8..<16] == Data("WAVEfmt ".utf8))
        func number(at offset: Int, _ size: Int) -> UInt32 {
            (0..<size).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
        }
        riffSize = number(at: 4, 4)
        format = UInt16(number(at: 20, 2))
        channels = UInt16(number(at: 22, 2))
        rate = number(at: 24, 4)
        bits = UInt16(number(at: 34, 2))
        dataSize = number(at: 40, 4)
        data = bytes.dropFirst(44).prefix(Int(dataSize))
    }

    var samples: [Int16] {
        data.withUnsafeBytes { bytes in (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
        }
    }
}

/// Tests that set variables of the environment run one after the other.
@Suite(.serialized) struct SimulatedSoundTests {}

extension SimulatedSoundTests {
    /// The recording of what a simulated machine plays.
    @Suite struct RecordingTests {
        private let folder: TemporaryFolder
        private let shape: StreamShape

        init() throws {
            folder = try TemporaryFolder()
            let layout = try #require(SampleLayout(sample: Int32(STREAM_S16.rawValue), channels: 1, rate: 1_000))
            shape = StreamShape(layout: layout, period: 10, buffer: 100)
        }

        private func frames(_ range: Range<Int16>) -> [Int16] { Array(range) }

        /// A device that has started, and its new file.
        private func started(
            into name: String, _ shape: StreamShape, by clock: SteppedClock
        ) throws -> (device: ClockPlayback, file: WaveFile) {
            setenv("AUDIOSESSION_SIMULATION_WAV", folder.file(name), 1)
            let file = try #require(WaveFile.make(shape.layout))
            let device = ClockPlayback(shape, into: file, by: clock)
            device.prepare()
            device.start()
            return (device, file)
        }

        private func write(_ frames: [Int16], to device: ClockPlayback) {
            frames.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { #expect(device.write(base, UInt64(frames.count)) == UInt64(frames.count)) }
            }
        }

        @Test("The second recording of a process has its number before the extension")
        func names() {
            #expect(RecordingPath.path(of: 1, in: "a.b/played.wav") == "a.b/played.wav")
            #expect(RecordingPath.path(of: 2, in: "a.b/played.wav") == "a.b/played.2.wav")
            #expect(RecordingPath.path(of: 3, in: "a.b/played") == "a.b/played.3")
            #expect(RecordingPath.path(of: 2, in: "a.b/.played") == "a.b/.played.2")
            #expect(RecordingPath.path(of: 2, in: "two.dots.wav") == "two.dots.2.wav")
            #expect(RecordingPath.expanded("%p-%%.wav%x") == "\(getpid())-%%.wav%x")
        }

        @Test("The header counts the frames that have been played, while the file is still open")
        func validWhileOpen() throws {
            let path = folder.file("open.wav")
            setenv("AUDIOSESSION_SIMULATION_WAV", path, 1)
            let clock = SteppedClock()
            let file = try #require(WaveFile.make(shape.layout))
            let device = ClockPlayback(shape, into: file, by: clock)
            device.prepare()
            device.start()
            write(frames(1..<41), to: device)
            let written = try #require(file.path)
            #expect(try Riff(written).samples.isEmpty)
            _ = clock.step(nanoseconds: 15_000_000)
            #expect(try device.pending() == 25)
            var riff = try Riff(written)
            #expect(riff.samples == frames(1..<16))
            #expect(riff.riffSize == riff.dataSize + 36 && riff.format == 1 && riff.channels == 1 && riff.rate == 1_000)
            _ = clock.step(nanoseconds: 5_000_000)
            #expect(device.stop(waits: true) == 20)
            riff = try Riff(written)
            #expect(riff.samples == frames(1..<21))
        }

        @Test("A playback that runs dry ends with its last frame; the time until the next one is silence")
        func dry() throws {
            let clock = SteppedClock()
            let (device, file) = try started(into: "dry.wav", shape, by: clock)
            write(frames(1..<11), to: device)
            _ = clock.step(nanoseconds: 15_000_000)
            #expect(throws: SystemError.late) { try device.pending() }
            let path = try #require(file.path)
            #expect(try Riff(path).samples == frames(1..<11))
            device.prepare()
            _ = clock.step(nanoseconds: 5_000_000)
            device.start()
            write(frames(11..<21), to: device)
            _ = clock.step(nanoseconds: 10_000_000)
            _ = device.stop(waits: true)
            let silence = [Int16](repeating: 0, count: 10)
            #expect(try Riff(path).samples == frames(1..<11) + silence + frames(11..<21))
        }

        @Test("Frames that a stop has left unheard are not in the silence before the next playback, in each life")
        func unheard() throws {
            let clock = SteppedClock()
            let (device, file) = try started(into: "unheard.wav", shape, by: clock)
            var expected: [Int16] = []
            for life in 0..<3 {
                let first = Int16(life * 100 + 1)
                if life > 0 { device.start() }
                write(frames(first..<first + 40), to: device)
                _ = clock.step(nanoseconds: 20_000_000)
                #expect(device.stop(waits: true) == 20)
                expected += frames(first..<first + 20)
                let path = try #require(file.path)
                #expect(try Riff(path).samples == expected, "life \(life)")
                _ = clock.step(nanoseconds: 30_000_000)
                expected += [Int16](repeating: 0, count: 30)
            }
        }

        @Test("24-bit samples of a stream are in the upper bits of those of the file")
        func upperBits() throws {
            let clock = SteppedClock()
            let layout = try #require(SampleLayout(sample: Int32(STREAM_S24.rawValue), channels: 2, rate: 1_000))
            let shape = StreamShape(layout: layout, period: 10, buffer: 100)
            let (device, file) = try started(into: "24.wav", shape, by: clock)
            let samples: [UInt32] = [0x12_3456, 0xFF_FFFF, 0x80_0000, 1]
            samples.withUnsafeBytes { bytes in if let base = bytes.baseAddress { #expect(device.write(base, 2) == 2) } }
            _ = clock.step(nanoseconds: 2_000_000)
            _ = device.stop(waits: true)
            let riff = try Riff(try #require(file.path))
            #expect(riff.bits == 32 && riff.channels == 2)
            let stored = riff.data.withUnsafeBytes { data in
                (0..<4).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
            }
            #expect(riff.data.count == 16 && stored == samples.map { $0 << 8 })
        }

        @Test("A file that takes no more sound ends with what it has, and the log says so")
        func fullDisk() throws {
            let clock = SteppedClock()
            let (device, file) = try started(into: "full.wav", shape, by: clock)
            write(frames(1..<11), to: device)
            let lines = Log.lines {
                fault_plan_enter_short(1)
                write(frames(11..<21), to: device)
                #expect(fault_plan_leave())
            }
            let text = "\(try #require(file.path)): \(SystemError.noSpace.text)"
            #expect(lines.contains("AUDIOSESSION_SIMULATION_WAV: \(text): the file does not contain the following sound"))
            write(frames(21..<31), to: device)
            _ = clock.step(nanoseconds: 30_000_000)
            _ = device.stop(waits: true)
            #expect(try Riff(try #require(file.path)).samples == frames(1..<11))
        }

        @Test("A stream that is opened after an interruption continues the file; the time in between is silence")
        func continued() throws {
            setenv("AUDIOSESSION_SIMULATION_WAV", folder.file("continued.wav"), 1)
            let clock = SteppedClock()
            var paths: [String?] = []
            for (isInterrupted, first) in [(true, Int16(1)), (false, 11), (false, 21)] {
                let file = try #require(WaveFile.make(shape.layout))
                let device = ClockPlayback(shape, into: file, by: clock)
                device.prepare()
                device.start()
                write(frames(first..<first + 10), to: device)
                _ = clock.step(nanoseconds: 10_000_000)
                _ = device.stop(waits: true)
                file.isInterrupted = isInterrupted
                paths.append(file.path)
                _ = clock.step(nanoseconds: 5_000_000)
            }
            #expect(paths[0] == paths[1] && paths[1] != paths[2])
            let riff = try Riff(try #require(paths[0]))
            #expect(riff.samples == frames(1..<11) + [0, 0, 0, 0, 0] + frames(11..<21))
            #expect(try Riff(try #require(paths[2])).samples == frames(21..<31))
        }
    }
}
