// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Foundation
import HardwareTestSupport
import SimulatedHardware
import TestSupport
import Testing

@testable import AudioStreams

/// The sound file that a simulated microphone records. The suite of recordings sets the same variables, so that
/// both run one after the other.
extension SimulatedSoundTests {
    @Suite struct MicrophoneTests {
        private let folder: TemporaryFolder
        private var path: String { folder.file("microphone.wav") }

        init() throws { folder = try TemporaryFolder() }

        private func layout(_ sample: stream_sample, channels: UInt32 = 1, rate: UInt32 = 1_000) throws -> SampleLayout {
            try #require(SampleLayout(sample: Int32(sample.rawValue), channels: channels, rate: rate))
        }

        private func write(tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 1_000, bits: UInt16 = 16, _ data: Data) throws {
            var file = Data("RIFF....WAVEjunk".utf8)
            func put<Number: FixedWidthInteger>(_ number: Number) {
                withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) }
            }
            put(UInt32(3))
            file += Data("abc\0fmt ".utf8)
            put(UInt32(16))
            put(tag)
            put(channels)
            put(rate)
            put(rate * UInt32(channels) * UInt32(bits) / 8)
            put(channels * bits / 8)
            put(bits)
            file += Data("data".utf8)
            put(UInt32.max)
            try (file + data).write(to: URL(fileURLWithPath: path))
            setenv("AUDIOSESSION_SIMULATION_MICROPHONE", path, 1)
        }

        private func write(_ samples: [Int16], channels: UInt16 = 1, rate: UInt32 = 1_000) throws {
            try write(channels: channels, rate: rate, samples.withUnsafeBytes { Data($0) })
        }

        /// Frames of a stream of 16 bits.
        private func record(_ count: Int, channels: UInt32 = 1, rate: UInt32 = 1_000, from first: UInt64 = 0) throws -> [Int16]? {
            guard let file = MicrophoneFile.open(try layout(STREAM_S16, channels: channels, rate: rate)) else { return nil }
            var samples = [Int16](repeating: -1, count: count * Int(channels))
            samples.withUnsafeMutableBytes { if let base = $0.baseAddress { file.read(into: base, UInt64(count), at: first) } }
            return samples
        }

        @Test("A stream of the file's format gets the file's samples, and the file is repeated")
        func identical() throws {
            try write([1, -2, .max, .min, 5])
            #expect(try record(12) == [1, -2, .max, .min, 5, 1, -2, .max, .min, 5, 1, -2])
            #expect(try record(3, from: 4) == [5, 1, -2])
            let long = (0..<5_000).map { Int16($0) }
            try write(long)
            #expect(try record(5_001) == long + [0])
        }

        @Test("A file with one channel gives all channels; of other files the missing channels are silent")
        func channels() throws {
            try write([1, 2])
            #expect(try record(2, channels: 2) == [1, 1, 2, 2])
            try write([1, 2, 3, 4], channels: 2)
            #expect(try record(2, channels: 1) == [1, 3])
            #expect(try record(2, channels: 3) == [1, 2, 0, 3, 4, 0])
        }

        @Test("A file of another rate is read by the nearest frame")
        func rates() throws {
            try write([1, 2, 3, 4], rate: 500)
            #expect(try record(8) == [1, 1, 2, 2, 3, 3, 4, 4])
            try write([1, 2, 3, 4], rate: 2_000)
            #expect(try record(4) == [1, 3, 1, 3])
        }

        @Test("Samples of each format have the same level in each format of a stream")
        func formats() throws {
            func bytes<Value>(_ values: [Value]) -> Data { values.withUnsafeBytes { Data($0) } }
            let files: [(tag: UInt16, bits: UInt16, data: Data)] = [
                (1, 8, Data([0, 192])), (1, 16, bytes([Int16.min, 16_384])), (1, 24, Data([0, 0, 0x80, 0, 0, 0x40])),
                (1, 32, bytes([Int32.min, 1 << 30])), (3, 32, bytes([Float(-1), 0.5])), (3, 64, bytes([-1.0, 0.5])),
            ]
            for (tag, bits, data) in files {
                try write(tag: tag, bits: bits, data)
                #expect(try record(2) == [.min, 16_384], "\(bits) bits")
                for (sample, expected) in [
                    (STREAM_S24, bytes([Int32(-8_388_608), 4_194_304])), (STREAM_S32, bytes([Int32.min, 1 << 30])),
                    (STREAM_FLOAT, bytes([Float(-1), 0.5])), (STREAM_S24_PACKED, Data([0, 0, 0x80, 0, 0, 0x40])),
                ] {
                    let file = try #require(MicrophoneFile.open(try layout(sample)))
                    var out = Data(count: expected.count)
                    out.withUnsafeMutableBytes { if let base = $0.baseAddress { file.read(into: base, 2, at: 0) } }
                    #expect(out == expected, "\(bits) bits to \(sample.rawValue)")
                }
            }
        }

        @Test("Floating-point samples beyond the range are limited, and not-a-number is silence")
        func limits() throws {
            let values: [Float] = [7, -7, .infinity, .nan]
            try write(tag: 3, bits: 32, values.withUnsafeBytes { Data($0) })
            #expect(try record(4) == [.max, .min, 0, 0])
        }

        @Test("A file that cannot be used leaves the microphone silent")
        func unusable() throws {
            setenv("AUDIOSESSION_SIMULATION_MICROPHONE", "/nonexistent/file.wav", 1)
            #expect(try record(1) == nil)
            for (tag, bits, channels, rate) in [(1, 12, 1, 1_000), (2, 16, 1, 1_000), (1, 16, 0, 1_000), (1, 16, 1, 0)]
                as [(UInt16, UInt16, UInt16, UInt32)]
            {
                try write(tag: tag, channels: channels, rate: rate, bits: bits, Data(count: 64))
                #expect(try record(1) == nil, "\(tag) \(bits) \(channels) \(rate)")
            }
            try write(Data([1]))
            #expect(try record(1) == nil, "less than a frame")
            for count in [0, 4, 12, 20, 40] {
                try Data("RIFF....WAVEfmt ".utf8).prefix(count).write(to: URL(fileURLWithPath: path))
                #expect(try record(1) == nil, "\(count) bytes")
            }
        }

        @Test("Any bytes are a file that can be read, or none", arguments: 0..<20 as Range<UInt64>)
        func anyBytes(seed: UInt64) throws {
            var generator = SeededGenerator(seed)
            func random(_ bound: Int) -> Int { generator.below(bound) }
            try write((0..<20).map { Int16($0) })
            let valid = try Data(contentsOf: URL(fileURLWithPath: path))
            for _ in 0..<100 {
                var bytes = valid
                for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
                try bytes.prefix(random(bytes.count + 1)).write(to: URL(fileURLWithPath: path))
                if let samples = try record(50, channels: 2, rate: 44_100) { #expect(samples.count == 100) }
            }
        }

        @Test("A file that becomes shorter while it is read is silence from there on")
        func truncated() throws {
            try write([1, 2, 3, 4])
            let file = try #require(MicrophoneFile.open(try layout(STREAM_S16)))
            #expect(truncate(path, off_t(try Data(contentsOf: URL(fileURLWithPath: path)).count - 4)) == 0)
            var samples = [Int16](repeating: -1, count: 4)
            samples.withUnsafeMutableBytes { if let base = $0.baseAddress { file.read(into: base, 4, at: 0) } }
            #expect(samples == [1, 2, 0, 0])
        }

        @Test("The sound of the microphone goes on while the stream is stopped")
        func stopped() throws {
            try write((1...100).map { Int16($0) })
            let clock = SteppedClock()
            let shape = StreamShape(layout: try layout(STREAM_S16), period: 10, buffer: 100)
            let device = ClockCapture(shape, from: MicrophoneFile.open(shape.layout), by: clock)
            func read() -> [Int16] {
                let count = device.available()
                var samples = [Int16](repeating: -1, count: Int(count))
                samples.withUnsafeMutableBytes { if let base = $0.baseAddress { #expect(device.read(base, count) == count) } }
                return samples
            }
            device.prepare()
            device.start()
            #expect(clock.step(nanoseconds: 3_000_000))
            #expect(read() == [1, 2, 3])
            device.stop()
            device.prepare()
            #expect(clock.step(nanoseconds: 10_000_000))
            device.start()
            #expect(clock.step(nanoseconds: 2_000_000))
            #expect(read() == [14, 15])
        }
    }
}
