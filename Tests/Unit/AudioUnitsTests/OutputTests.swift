// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaTestSupport
import TestSupport
import Testing

@testable import AudioUnits

#if canImport(Glibc)
    import Glibc
#endif

@Suite("RemoteIO plays")
struct OutputTests {
    @Test("the samples that a callback writes, unchanged at the rate of the hardware")
    func bitExact() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 2))
        try program.setRenderCallback()
        var next: Int16 = -30_000
        program.onRender = { call, _, list in
            for index in samples(list, as: Int16.self).indices {
                samples(list, as: Int16.self)[index] = next
                next &+= 37
            }
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        var expected: Int16 = -30_000
        for _ in 0..<10 {
            let played = try #require(program.engine.stream).turn()
            #expect(played.count == 1024 * 2)
            for sample in played {
                guard sample == Float(expected) / 32768 else {
                    Issue.record("\(sample) instead of \(Float(expected) / 32768)")
                    return
                }
                expected &+= 37
            }
        }
        #expect(program.renders.count == 10)
        #expect(program.renders.allSatisfy { $0.frames == 1024 && $0.bus == 0 && $0.hasData })
    }

    @Test("silence until the start time, to the frame, and full slices from then on", arguments: [0, 300, 1023, 1024, 5000])
    func startTime(silent: Int) throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 2))
        try program.setRenderCallback()
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        var start = AudioOutputUnitStartAtTimeParams()
        start.mTimestamp.mFlags = 2
        // The first frame is heard 10 ms after the first cycle.
        start.mTimestamp.mHostTime = 1_000_000_000 + UInt64((Double(silent) / 48_000 * 1e9).rounded())
        try program.set(.startTime, .global, 0, start)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let played = (0..<10).flatMap { _ in stream.turn() }
        #expect(played.firstIndex { $0 != 0 } == 2 * silent)
        #expect(played[(2 * silent)...].allSatisfy { $0 == 0.5 } && played.count > 10 * 2048 - 32)
        let first = try #require(program.renders.first)
        #expect(first.time.mSampleTime == Double(silent) && program.renders.allSatisfy { $0.frames == 1024 })
        #expect(abs(Int64(first.time.mHostTime) - Int64(start.mTimestamp.mHostTime)) < 10_500)
    }

    @Test("silence until the start time on a device with 16-bit samples too", arguments: [1, 300, 1_023, 1_024, 1_500])
    func startTimeOfIntegers(silent: Int) throws {
        let program = try Program { $0.acceptsInt16 = true }
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 2))
        try program.setRenderCallback()
        program.onRender = { _, _, list in
            for index in samples(list, as: Int16.self).indices { samples(list, as: Int16.self)[index] = 16_384 }
            return 0
        }
        var start = AudioOutputUnitStartAtTimeParams()
        start.mTimestamp.mFlags = 2
        start.mTimestamp.mHostTime = 1_000_000_000 + UInt64((Double(silent) / 48_000 * 1e9).rounded())
        try program.set(.startTime, .global, 0, start)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let cycles = (0..<6).map { _ in stream.turn() }
        // A cycle is complete with 16 frames less than a slice.
        #expect(cycles.allSatisfy { $0.count >= 2_016 })
        let played = cycles.flatMap { $0 }
        #expect(played.firstIndex { $0 != 0 } == 2 * silent)
        #expect(played[(2 * silent)...].allSatisfy { $0 == 0.5 })
    }

    @Test("slices with the host time at which they are heard, by the speed of the device", arguments: [48_000.0, 44_100])
    func hostTimes(client: Double) throws {
        let program = try Program {
            $0.slice = 1_024
            $0.preferredSlice = 128 / client
        }
        try program.setFormat(.input, 0, Program.float(client, channels: 2))
        try program.setRenderCallback()
        try program.unit.initialize()
        for _ in 0..<2 {
            let former = program.renders.count
            #expect(program.unit.start() == 0)
            let stream = try #require(program.engine.stream)
            stream.rateScalar = 1.25
            stream.turn()
            let slices = program.renders[former...].map { $0.time }
            #expect(slices.count >= 7 && slices.allSatisfy { $0.mRateScalar == 1.25 })
            for (time, next) in zip(slices, slices.dropFirst()) {
                #expect(abs(Double(next.mHostTime) - Double(time.mHostTime) - 128e9 / (client * 1.25)) < 2)
                #expect(next.mSampleTime - time.mSampleTime == 128)
            }
            try program.unit.stop()
        }
    }

    @Test(
        "slices of at least 16 frames, and of no more than the unit renders at once; without a useful preference of 1,024",
        arguments: [
            (1e-6, 16), (15 / 48_000, 16), (17 / 48_000, 17), (4_096 / 48_000, 4_096), (10, 4_096), (0, 1_024),
            (-1, 1_024), (.nan, 1_024), (.infinity, 1_024),
        ] as [(Double, Int)])
    func limitsOfSlices(seconds: Double, frames: Int) throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        for (preferred, wanted) in [(seconds, frames), (480 / 48_000, 480), (seconds, frames)] {
            program.engine.preferredSlice = preferred
            let former = program.renders.count
            #expect(program.unit.start() == 0)
            let stream = try #require(program.engine.stream)
            #expect(stream.frames == Double(wanted) && abs(program.engine.publishedSlice * 48_000 - Double(wanted)) < 1e-6)
            stream.turn()
            #expect(program.renders[former...].map { $0.frames } == [UInt32(wanted)])
            try program.unit.stop()
        }
    }

    @Test("the default format: float, one buffer for each of two channels, 44,100 Hz")
    func defaultFormat() throws {
        let program = try Program()
        let format = try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self)
        #expect(format.mSampleRate == 44_100 && format.mFormatFlags == 0x29 && format.mChannelsPerFrame == 2)
        #expect(format.mBytesPerFrame == 4 && format.mBytesPerPacket == 4 && format.mBitsPerChannel == 32)
        try program.setRenderCallback()
        var shape: (buffers: Int, bytes: Int) = (0, 0)
        program.onRender = { _, _, list in
            shape = (bufferCount(list), samples(list, as: UInt8.self).count)
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        _ = try #require(program.engine.stream).turn()
        #expect(shape.buffers == 2 && shape.bytes == 4 * 1024)
    }

    /// The rates of a client and of hardware, and a preferred duration.
    static let durations: [(client: Double, hardware: Double, seconds: Double)] = [
        (44_100, 48_000, 0), (44_100, 48_000, 0.005), (8_000, 48_000, 0.02), (48_000, 44_100, 64.0 / 48_000),
        (44_100, 44_100, 64.0 / 44_100), (22_050, 48_000, 0.0232), (16_000, 44_100, 0.01), (192_000, 48_000, 0.005),
    ]

    @Test("in constant slices that are round(duration × rate) long", arguments: durations)
    func constantSlices(client: Double, hardware: Double, seconds: Double) throws {
        let program = try Program {
            $0.hardware.output_rate = hardware
            $0.preferredSlice = seconds
        }
        try program.setFormat(.input, 0, Program.float(client, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let frames = seconds == 0 ? 1024 : Int((seconds * client).rounded())
        #expect(stream.frames == Double(frames) && stream.rate == client)
        #expect(abs(program.engine.publishedSlice - Double(frames) / client) < 1e-9)
        for _ in 0..<200 { stream.turn() }
        #expect(program.renders.count == 200)
        #expect(program.renders.allSatisfy { $0.frames == UInt32(frames) })
        for (index, call) in program.renders.enumerated() {
            #expect(call.time.mSampleTime == Double(index * frames))
            #expect(call.time.mFlags == 7)
        }
    }

    @Test("of the duration that the program prefers at the start")
    func durationAtEachStart() throws {
        let program = try Program { $0.preferredSlice = 64 / 44_100 }
        try program.setRenderCallback()
        try program.unit.initialize()
        for frames in [256.0, 512, 128] {
            program.engine.preferredSlice = frames / 44_100
            #expect(program.unit.start() == 0)
            let stream = try #require(program.engine.stream)
            #expect(stream.frames == frames)
            #expect(abs(program.engine.publishedSlice - frames / 44_100) < 1e-9)
            let before = program.renders.count
            for _ in 0..<20 { stream.turn() }
            #expect(program.renders.count == before + 20)
            #expect(program.renders[before...].allSatisfy { Double($0.frames) == frames })
            try program.unit.stop()
        }
    }

    @Test("never more than MaximumFramesPerSlice at once")
    func maximumFrames() throws {
        let program = try Program { $0.preferredSlice = 0.1 }
        try program.set(.maximumFramesPerSlice, .global, 0, UInt32(512))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        for _ in 0..<20 { program.engine.stream?.turn() }
        #expect(program.renders.count >= 20)
        #expect(program.renders.allSatisfy { $0.frames == 512 })
        #expect(program.engine.publishedSlice == 512.0 / 44_100)
    }

    @Test("a tone at the pitch and the level that it has, from each rate", arguments: [8_000.0, 22_050, 44_100, 48_000, 96_000])
    func pitch(rate: Double) throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(rate, channels: 1))
        try program.setRenderCallback()
        var phase = 0.0
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices {
                samples(list, as: Float.self)[index] = Float(0.5 * sin(phase))
                phase += 2 * .pi * 1_000 / rate
            }
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        var left: [Double] = []
        while left.count < 60_000 {
            let played = try #require(program.engine.stream).turn()
            left += stride(from: 0, to: played.count, by: 2).map { Double(played[$0]) }
            #expect(stride(from: 0, to: played.count, by: 2).allSatisfy { played[$0] == played[$0 + 1] })
        }
        // The difference from the nearest tone of 1,000 Hz is below -80 dB, from the start of the filter on.
        let tone = Array(left[4_800..<52_800])
        let (residue, amplitude) = residue(of: tone, frequency: 1_000, rate: 48_000)
        #expect(abs(amplitude - 0.5) < 0.001)
        #expect(residue < 0.5e-4)
    }

    @Test("silence if the callback fails, sets size 0, sets OutputIsSilence, or does not write its buffer")
    func silence() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let fill: (UnsafeMutablePointer<AudioBufferList>) -> Void = { list in
            for index in samples(list, as: Int16.self).indices { samples(list, as: Int16.self)[index] = 10_000 }
        }
        program.onRender = { _, _, list in
            fill(list)
            return 0
        }
        #expect(stream.turn().allSatisfy { $0 != 0 })
        program.onRender = { _, _, list in
            fill(list)
            return -1
        }
        #expect(stream.turn().allSatisfy { $0 == 0 })
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == -1)
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 0)
        program.onRender = { _, _, list in
            fill(list)
            setSize(list, 0)
            return 0
        }
        #expect(stream.turn().allSatisfy { $0 == 0 })
        program.onRender = { _, flags, list in
            fill(list)
            flags |= 1 << 4
            return 0
        }
        #expect(stream.turn().allSatisfy { $0 == 0 })
        var found: [Int16] = []
        program.onRender = { _, _, list in
            found = Array(samples(list, as: Int16.self))
            return 0
        }
        #expect(stream.turn().allSatisfy { $0 == 0 })
        #expect(found == [Int16](repeating: 0, count: 1024))
        // Half of it.
        program.onRender = { _, _, list in
            fill(list)
            setSize(list, 1024)
            return 0
        }
        let half = stream.turn()
        #expect(half.prefix(1024).allSatisfy { $0 != 0 } && half.dropFirst(1024).allSatisfy { $0 == 0 })
    }

    @Test("silence of unsigned samples, which is not zero")
    func unsignedSilence() throws {
        let program = try Program()
        var format = Program.int16(48_000, channels: 1)
        (format.mFormatFlags, format.mBitsPerChannel) = (8, 8)
        (format.mBytesPerFrame, format.mBytesPerPacket) = (1, 1)
        try program.setFormat(.input, 0, format)
        try program.setRenderCallback()
        var found: [UInt8] = []
        program.onRender = { _, _, list in
            found = Array(samples(list, as: UInt8.self))
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        #expect(try #require(program.engine.stream).turn().allSatisfy { $0 == 0 })
        #expect(found == [UInt8](repeating: 128, count: 1024))
    }

    @Test("the memory to which the callback has pointed the list")
    func replacedPointer() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 1))
        try program.setRenderCallback()
        let own = UnsafeMutablePointer<Int16>.allocate(capacity: 1024)
        own.initialize(repeating: 5_000, count: 1024)
        defer { own.deallocate() }
        program.onRender = { _, _, list in
            list.pointee.mBuffers.mData = UnsafeMutableRawPointer(own)
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        for _ in 0..<3 {
            #expect(try #require(program.engine.stream).turn().allSatisfy { $0 == Float(5_000) / 32768 })
        }
    }

    /// The event of one cycle of a test.
    enum Step: CaseIterable { case full, part, silent, error, otherSource, borrowed, volume, echo }

    /// Plays a sequence of samples on a device with as many channels. Returns the sound of each cycle, and the number of cycles
    /// without a conversion.
    private func play(
        _ steps: [Step], _ format: AudioStreamBasicDescription, acceptsInt16: Bool
    ) throws -> (sound: [[Float]], copies: Int) {
        let program = try Program(engine: {
            $0.acceptsInt16 = acceptsInt16
            $0.hardware.output_channels = format.mChannelsPerFrame
        })
        try program.setFormat(.input, 0, format)
        try program.setRenderCallback()
        var step = Step.full
        var next: Int16 = -30_000
        let own = UnsafeMutablePointer<Int16>.allocate(capacity: 4096)
        defer { own.deallocate() }
        program.onRender = { _, flags, list in
            if step == .borrowed, bufferCount(list) == 1 { list.pointee.mBuffers.mData = UnsafeMutableRawPointer(own) }
            let buffer = samples(list, as: Int16.self)
            for index in buffer.indices {
                buffer[index] = next
                next &+= 37
            }
            if step == .part { list.pointee.mBuffers.mDataByteSize /= 4 }
            if step == .silent { flags |= 0x10 }
            return step == .error ? -50 : 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        var volume: Float = 1
        var listeners = 0
        defer { for _ in 0..<listeners { program.context.echo.endListening() } }
        let sound = try steps.map { next in
            step = next
            switch step {
            case .volume:
                volume = volume == 1 ? 0.5 : 1
                try program.unit.setParameter(14, 0, 0, volume)
            case .otherSource:
                program.unit.beginSourceChange()
                program.unit.endSourceChange()
            case .echo where listeners == 0:
                program.context.echo.beginListening()
                listeners += 1
            case .echo:
                program.context.echo.endListening()
                listeners -= 1
            default: break
            }
            return stream.turn()
        }
        return (sound, stream.int16Cycles)
    }

    @Test(
        "the same sound on a device with 16-bit samples, without a conversion where nothing changes the samples",
        arguments: [UInt32(1), 2], [true, false])
    func sameSound(channels: UInt32, isInterleaved: Bool) throws {
        var generator = SeededGenerator(UInt64(channels) * 2 + (isInterleaved ? 1 : 0))
        let format = Program.int16(48_000, channels: channels, isInterleaved: isInterleaved)
        for _ in 0..<20 {
            let steps = (0..<40).map { _ in
                Bool.random(using: &generator) ? .full : Step.allCases.randomElement(using: &generator) ?? .full
            }
            let floats = try play(steps, format, acceptsInt16: false)
            let integers = try play(steps, format, acceptsInt16: true)
            let isSame = floats.sound == integers.sound
            #expect(isSame, "\(steps)")
            #expect(floats.copies == 0)
        }
        let copies = try play([Step](repeating: .full, count: 5), format, acceptsInt16: true).copies
        #expect(copies == (channels == 1 || isInterleaved ? 5 : 0))
    }

    @Test("floats where the volume, a new source or an echo canceller needs them")
    func whereFloats() throws {
        let format = Program.int16(48_000, channels: 2)
        #expect(try play([.full, .part, .silent, .error, .borrowed, .full], format, acceptsInt16: true).copies == 6)
        #expect(try play([.full, .volume, .full, .volume, .full, .full], format, acceptsInt16: true).copies == 3)
        #expect(try play([.full, .otherSource, .full, .full], format, acceptsInt16: true).copies == 3)
        #expect(try play([.full, .echo, .full, .echo, .full], format, acceptsInt16: true).copies == 3)
        #expect(try play([.full, .full], Program.float(48_000, channels: 2), acceptsInt16: true).copies == 0)
        #expect(try play([.full, .full], Program.int16(44_100, channels: 2), acceptsInt16: true).copies == 0)
    }

    @Test("the volume, without a step")
    func volume() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 1))
        try program.setRenderCallback()
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        #expect(stream.turn().allSatisfy { $0 == 0.5 })
        for place in [(Scope.global, UInt32(0)), (.output, 0), (.input, 0)] {
            try program.unit.setParameter(14, place.0.rawValue, place.1, 0.5)
        }
        #expect(try program.unit.parameter(14, 2, 0) == 0.5)
        let ramp = stream.turn()
        #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.001 })
        #expect(stream.turn().allSatisfy { $0 == 0.25 })
        #expect(status { try program.unit.setParameter(0, 0, 0, 1) } == -10878)
        #expect(status { try program.unit.setParameter(14, 9, 0, 1) } == -10866)
        #expect(status { try program.unit.setParameter(14, 0, 7, 1) } == -10877)
        #expect(status { try program.unit.setParameter(14, 0, 0, .nan) } == -10878)
    }

    @Test("a volume that was set before the first frame, from this frame on")
    func firstVolume() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 1))
        try program.setRenderCallback()
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        try program.unit.setParameter(14, 0, 0, 0.5)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        #expect(try #require(program.engine.stream).turn().allSatisfy { $0 == 0.25 })
    }

    @Test("at the time that AudioTimeStamp names")
    func hostTime() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        for _ in 0..<5 {
            let heard = stream.time
            stream.turn()
            #expect(program.renders.last?.time.mHostTime == heard)
        }
        // Lost frames are a jump of the sample time.
        stream.lose(480)
        stream.turn()
        #expect(program.renders.last?.time.mSampleTime == Double(5 * 1024 + 480))
    }

    @Test(
        "at times that count on in the program's rate, with the frames that the device has lost", arguments: [44_100.0, 24_000])
    func timesOfAnotherRate(rate: Double) throws {
        let program = try Program { $0.preferredSlice = 256 / 48_000 }
        try program.setFormat(.input, 0, Program.float(rate, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        // The first frame is heard when the filter has let it through.
        let heard = Double(stream.time) + (try program.get(.latency, .global, 0, as: Double.self)) * 1e9
        for _ in 0..<20 { stream.turn() }
        #expect(abs(Double(program.renders[0].time.mHostTime) - heard) < 1 / rate * 1e9)
        let slice = Double(program.renders[0].frames)
        let hostTimes = program.renders.map { Double($0.time.mHostTime) }
        for (former, next) in zip(hostTimes, hostTimes.dropFirst()) {
            #expect(abs(next - former - slice / rate * 1e9) < 2 / rate * 1e9)
        }
        stream.lose(4_800)
        for _ in 0..<3 { stream.turn() }
        #expect(program.renders.last?.time.mSampleTime == Double(program.renders.count - 1) * slice + rate / 10)
    }

    @Test("on the first eight channels of a device that has more, and silence on the others")
    func wideDevice() throws {
        let program = try Program { $0.hardware.output_channels = 10 }
        try program.setFormat(.input, 0, Program.float(48_000, channels: 8))
        try program.setRenderCallback()
        var next: Float = 1
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices {
                samples(list, as: Float.self)[index] = next
                next += 1
            }
            return 0
        }
        let known = try program.get(.streamFormat, .output, 0, as: AudioStreamBasicDescription.self)
        #expect(known.mChannelsPerFrame == 10 && known.mSampleRate == 48_000)
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        let played = (0..<2).flatMap { _ in stream.turn() }
        #expect(played.count == 2 * 1024 * 10)
        let isEqual = played.indices.allSatisfy { index in
            let (frame, channel) = (index / 10, index % 10)
            return played[index] == (channel < 8 ? Float(8 * frame + channel + 1) : 0)
        }
        #expect(isEqual)
    }

    @Test("channels by the map")
    func channelMap() throws {
        let program = try Program { $0.hardware.output_channels = 4 }
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 2))
        try program.setRenderCallback()
        try [Int32(-1), 1, 0, 9].withUnsafeBytes {
            try program.unit.set(UnitProperty.channelMap.rawValue, 2, 0, $0.baseAddress, UInt32($0.count))
        }
        program.onRender = { _, _, list in
            for index in samples(list, as: Int16.self).indices {
                samples(list, as: Int16.self)[index] = index % 2 == 0 ? 1_000 : 2_000
            }
            return 0
        }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let played = try #require(program.engine.stream).turn()
        let wanted: [Float] = [0, 2_000, 1_000, 0]
        #expect(played[..<4].map { $0 * 32_768 } == wanted)
        let map = try program.get(.channelMap, .output, 0, as: SIMD4<Int32>.self)
        #expect(map == SIMD4(-1, 1, 0, 9))
    }

    @Test("with a format that is set while it runs")
    func formatWhileRunning() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 2))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        stream.turn()
        try program.setFormat(.input, 0, Program.float(24_000, channels: 1))
        var found = 0
        program.onRender = { _, _, list in
            found = samples(list, as: Float.self).count
            for index in 0..<found { samples(list, as: Float.self)[index] = 0.25 }
            return 0
        }
        for _ in 0..<5 { stream.turn() }
        // The duration of the slice stays, until the next start.
        #expect(found == 512)
        #expect(stream.turn().allSatisfy { abs($0 - 0.25) < 1e-3 })
        #expect(stream.starts == 1)
    }

    @Test("notifications around each slice")
    func notifies() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.addRenderNotify(RenderCallback(Program.notify, program.reference))
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        program.engine.stream?.turn()
        let (preRender, postRender, postRenderError) = (UInt32(4), UInt32(8), UInt32(256))
        #expect(program.notifies.map { $0.flags } == [preRender, postRender])
        program.onRender = { _, _, _ in -1 }
        program.engine.stream?.turn()
        #expect(program.notifies.last?.flags == postRender | postRenderError)
        try program.unit.removeRenderNotify(RenderCallback(Program.notify, program.reference))
        program.engine.stream?.turn()
        #expect(program.notifies.count == 4)
    }
}

/// How far samples are from the nearest tone, and its amplitude.
func residue(of samples: [Double], frequency: Double, rate: Double) -> (residue: Double, amplitude: Double) {
    var (sine, cosine) = (0.0, 0.0)
    let step = 2 * Double.pi * frequency / rate
    for (index, sample) in samples.enumerated() {
        sine += sample * sin(step * Double(index))
        cosine += sample * cos(step * Double(index))
    }
    sine *= 2 / Double(samples.count)
    cosine *= 2 / Double(samples.count)
    var largest = 0.0
    for (index, sample) in samples.enumerated() {
        largest = max(largest, abs(sample - sine * sin(step * Double(index)) - cosine * cos(step * Double(index))))
    }
    return (largest, (sine * sine + cosine * cosine).squareRoot())
}
