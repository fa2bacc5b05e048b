// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A unit that `AudioUnitRender` pulls.
private func puller(
    _ kind: UnitKind = .genericOutput, from given: AudioStreamBasicDescription, to taken: AudioStreamBasicDescription
) throws -> Program {
    let program = try Program(kind)
    try program.setFormat(.input, 0, given)
    try program.setFormat(.output, 0, taken)
    try program.setRenderCallback()
    try program.unit.initialize()
    return program
}

/// Renders one buffer.
private func render<Sample>(
    _ program: Program, _ frames: Int, channels: Int = 1, time: Double = 0, as type: Sample.Type
) -> (status: OSStatus, samples: [Sample]) {
    var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 9, mDataByteSize: 3, mData: nil))
    let status = program.render(0, frames, &list, time: time)
    guard status == 0 else { return (status, []) }
    #expect(list.mBuffers.mNumberChannels == UInt32(channels))
    #expect(list.mBuffers.mDataByteSize == UInt32(frames * channels * MemoryLayout<Sample>.size))
    return (status, Array(samples(&list, as: Sample.self)))
}

@Suite("AudioUnitRender pulls")
struct PullTests {
    static let kinds: [UnitKind] = [.genericOutput, .converter]

    @Test("with memory of its own for each part of a slice", arguments: [.genericOutput, .converter, .mixer] as [UnitKind])
    func lentParts(kind: UnitKind) throws {
        let mono = Program.float(44_100, channels: 1, isInterleaved: false)
        let program = try puller(kind, from: mono, to: mono)
        var next: Float = 0
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices {
                next += 1
                samples(list, as: Float.self)[index] = next
            }
            return 0
        }
        let maximum = Int(try program.get(.maximumFramesPerSlice, .global, 0, as: UInt32.self))
        for part in [1, 100, maximum / 4, maximum / 2 + 1, maximum] {
            var lent: [UnsafeMutableBufferPointer<Float>] = []
            let expected = next
            for _ in 0..<(maximum / part) {
                var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
                #expect(program.render(0, part, &list) == 0)
                lent.append(samples(&list, as: Float.self))
                // A buffer of the program takes nothing of the room.
                var own = [Float](repeating: 0, count: 16)
                own.withUnsafeMutableBytes {
                    list.mBuffers = AudioBuffer(mNumberChannels: 1, mDataByteSize: 64, mData: $0.baseAddress)
                    #expect(program.render(0, 16, &list) == 0)
                }
                next -= 16
            }
            let wanted: [Float] = (1...(maximum / part * part)).map { expected + Float($0) }
            #expect(Array(lent.joined()) == wanted)
        }
        // A slice whose second part does not fit after the first one in the room of one slice.
        var lent: [UnsafeMutableBufferPointer<Float>] = []
        let expected = next
        for part in [300, maximum - 324, 324] {
            var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
            #expect(program.render(0, part, &list) == 0)
            lent.append(samples(&list, as: Float.self))
        }
        let wanted: [Float] = (301...(300 + maximum)).map { expected + Float($0) }
        #expect(Array(lent[1...].joined()) == wanted)
    }

    @Test("exactly the frames of the source, in another format", arguments: kinds)
    func exact(kind: UnitKind) throws {
        let program = try puller(
            kind, from: Program.int16(8_000, channels: 1), to: Program.float(8_000, channels: 2))
        var next: Int16 = 0
        program.onRender = { _, _, list in
            for index in samples(list, as: Int16.self).indices {
                samples(list, as: Int16.self)[index] = next
                next += 1
            }
            return 0
        }
        var (position, expected) = (0, 0)
        for frames in [1, 64, 0, 1024, 333, 7] {
            let result = render(program, frames, channels: 2, time: Double(position), as: Float.self)
            #expect(result.status == 0)
            for frame in 0..<frames {
                #expect(result.samples[2 * frame] == Float(expected) / 32768)
                #expect(result.samples[2 * frame + 1] == Float(expected) / 32768)
                expected += 1
            }
            position += frames
        }
        #expect(program.renders.map { $0.frames } == [1, 64, 1024, 333, 7])
        #expect(program.renders.map { $0.time.mSampleTime } == [0, 1, 65, 1089, 1422])
    }

    @Test("a whole file of another rate, frame by frame the same in any slices")
    func resampling() throws {
        func convert(_ slices: [Int]) throws -> [Float] {
            let program = try puller(
                .converter, from: Program.float(44_100, channels: 1), to: Program.float(48_000, channels: 1))
            var phase = 0.0
            program.onRender = { _, _, list in
                for index in samples(list, as: Float.self).indices {
                    samples(list, as: Float.self)[index] = Float(0.5 * sin(phase))
                    phase += 2 * .pi * 1_000 / 44_100
                }
                return 0
            }
            var output: [Float] = []
            var turn = 0
            while output.count < 60_000 {
                let result = render(program, slices[turn % slices.count], as: Float.self)
                guard result.status == 0 else {
                    Issue.record("the result is \(result.status)")
                    return output
                }
                output += result.samples
                turn += 1
            }
            #expect(program.renders.allSatisfy { $0.frames <= 1024 })
            // The clock of the source has no gap.
            var expected = 0.0
            for call in program.renders {
                #expect(call.time.mSampleTime == expected)
                expected += Double(call.frames)
            }
            return output
        }
        let even = try convert([1024])
        let uneven = try convert([1, 1000, 37, 512])
        #expect(even[..<60_000] == uneven[..<60_000])
        let (residue, amplitude) = residue(of: even[4_800..<52_800].map(Double.init), frequency: 1_000, rate: 48_000)
        #expect(abs(amplitude - 0.5) < 0.001 && residue < 0.5e-4)
    }

    @Test("more frames of the source than a slice of it has, in several slices")
    func downsampling() throws {
        let program = try puller(
            .converter, from: Program.float(192_000, channels: 1), to: Program.float(4_000, channels: 1))
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        var all: [Float] = []
        for _ in 0..<4 { all += render(program, 1024, as: Float.self).samples }
        #expect(all.count == 4096)
        #expect(all[200...].allSatisfy { abs($0 - 0.5) < 1e-3 })
        #expect(program.renders.allSatisfy { $0.frames <= 1024 })
    }

    @Test("the pointer of the source where it has replaced ours")
    func replacedPointer() throws {
        let program = try puller(.converter, from: Program.int16(8_000, channels: 1), to: Program.int16(8_000, channels: 1))
        let own = UnsafeMutablePointer<Int16>.allocate(capacity: 160)
        own.initialize(repeating: 77, count: 160)
        defer { own.deallocate() }
        program.onRender = { _, _, list in
            list.pointee.mBuffers.mData = UnsafeMutableRawPointer(own)
            list.pointee.mBuffers.mDataByteSize = 200
            return 0
        }
        let result = render(program, 160, as: Int16.self)
        #expect(result.samples == [Int16](repeating: 77, count: 100) + [Int16](repeating: 0, count: 60))
    }

    @Test("an error of the source, and silence")
    func errors() throws {
        let program = try puller(from: Program.int16(8_000, channels: 1), to: Program.int16(8_000, channels: 1))
        program.onRender = { _, _, _ in 12_345 }
        var data = [Int16](repeating: 55, count: 64)
        let status = data.withUnsafeMutableBytes { bytes in
            var list = AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 128, mData: bytes.baseAddress))
            return program.render(0, 64, &list)
        }
        #expect(status == 12_345 && data == [Int16](repeating: 0, count: 64))
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 12_345)
        program.onRender = { _, flags, _ in
            flags |= 1 << 4
            return 0
        }
        var flags: UInt32 = 0
        var time = AudioTimeStamp()
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(program.unit.render(flags: &flags, time: &time, bus: 0, frames: 64, list: &list) == 0)
        #expect(flags & 1 << 4 != 0)
        #expect(render(program, 1025, as: Int16.self).status == -10874)
        list.mNumberBuffers = 2
        #expect(program.render(0, 64, &list) == -50)
        list.mNumberBuffers = 1
        #expect(program.render(1, 64, &list) == -10877)
        try program.set(.shouldAllocateBuffer, .output, 0, UInt32(0))
        #expect(render(program, 64, as: Int16.self).status == -50)
        try program.set(.shouldAllocateBuffer, .output, 0, UInt32(1))
        try program.set(.setRenderCallback, .global, 0, AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil))
        #expect(render(program, 64, as: Int16.self).status == -10876)
        program.unit.uninitialize()
        #expect(render(program, 64, as: Int16.self).status == -10867)
    }

    @Test("silence of unsigned samples in every channel of a whole slice, where the source fills nothing", arguments: kinds)
    func unsignedSilence(kind: UnitKind) throws {
        var unsigned = Program.int16(8_000, channels: 2)
        (unsigned.mFormatFlags, unsigned.mBitsPerChannel) = (8, 8)
        (unsigned.mBytesPerFrame, unsigned.mBytesPerPacket) = (2, 2)
        let program = try puller(kind, from: unsigned, to: Program.float(8_000, channels: 2))
        var found: [UInt8] = []
        program.onRender = { _, _, list in
            found = Array(samples(list, as: UInt8.self))
            return 0
        }
        for _ in 1...2 {
            // The largest slice: the silence of a shorter one is a part of its silence.
            let result = render(program, 1_024, channels: 2, as: Float.self)
            #expect(result.status == 0 && result.samples == [Float](repeating: 0, count: 2_048))
            #expect(found == [UInt8](repeating: 128, count: 2_048))
            program.unit.uninitialize()
            try program.unit.initialize()
        }
    }

    @Test("no sound from before a reset, and the source from its beginning", arguments: kinds + [.mixer])
    func reset(kind: UnitKind) throws {
        let program = try puller(kind, from: Program.float(44_100, channels: 1), to: Program.float(48_000, channels: 1))
        var level: Float = 1
        program.onRender = { _, _, list in
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = level }
            return 0
        }
        #expect(render(program, 512, as: Float.self).samples.last.map { $0 > 0.9 } == true)
        level = 0
        #expect(render(program, 512, as: Float.self).samples.contains { $0 > 0.9 })
        level = 1
        #expect(render(program, 512, as: Float.self).samples.last.map { $0 > 0.9 } == true)
        level = 0
        let before = program.renders.count
        try program.unit.reset(Scope.global.rawValue, 0)
        #expect(render(program, 512, as: Float.self).samples == [Float](repeating: 0, count: 512))
        #expect(program.renders[before...].first?.time.mSampleTime == 0)
    }

    @Test("not a unit that is in the middle of it")
    func recursion() throws {
        let program = try puller(from: Program.int16(8_000, channels: 1), to: Program.int16(8_000, channels: 1))
        var inner: OSStatus = 0
        program.onRender = { call, _, _ in
            inner = render(program, Int(call.frames), as: Int16.self).status
            return 0
        }
        #expect(render(program, 64, as: Int16.self).status == 0)
        #expect(inner == -10863)
    }

    @Test("through connected units, and not through a disposed unit")
    func connections() throws {
        let first = try puller(.converter, from: Program.int16(8_000, channels: 1), to: Program.float(8_000, channels: 1))
        first.onRender = { _, _, list in
            for index in samples(list, as: Int16.self).indices { samples(list, as: Int16.self)[index] = 16_384 }
            return 0
        }
        let second = try Unit.make(.genericOutput, in: first.context)
        func set<Value>(_ property: UnitProperty, _ scope: Scope, _ value: Value) throws {
            try withUnsafeBytes(of: value) {
                try second.set(property.rawValue, scope.rawValue, 0, $0.baseAddress, UInt32($0.count))
            }
        }
        try set(.streamFormat, .output, Program.int16(8_000, channels: 1))
        try set(
            .makeConnection, .input,
            AudioUnitConnection(sourceAudioUnit: first.unit.handle, sourceOutputNumber: 0, destInputNumber: 0))
        #expect(
            status {
                try set(
                    .makeConnection, .input,
                    AudioUnitConnection(sourceAudioUnit: first.unit.handle, sourceOutputNumber: 1, destInputNumber: 0))
            } == -10877)
        try second.initialize()
        var flags: UInt32 = 0
        var time = AudioTimeStamp()
        var data = [Int16](repeating: 0, count: 32)
        func pull() -> OSStatus {
            data.withUnsafeMutableBytes { bytes in
                var list = AudioBufferList(
                    mNumberBuffers: 1,
                    mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 64, mData: bytes.baseAddress))
                return second.render(flags: &flags, time: &time, bus: 0, frames: 32, list: &list)
            }
        }
        #expect(pull() == 0 && data == [Int16](repeating: 16_384, count: 32))
        // Neither end can change while the connection is in use.
        #expect(status { try first.setFormat(.output, 0, Program.int16(8_000, channels: 1)) } == -10865)
        #expect(status { try set(.streamFormat, .input, Program.int16(8_000, channels: 1)) } == -10865)
        #expect(pull() == 0 && data == [Int16](repeating: 16_384, count: 32))
        _ = first.unit.dispose()
        #expect(pull() == -10867)
        #expect(
            status {
                try set(
                    .makeConnection, .input,
                    AudioUnitConnection(sourceAudioUnit: first.unit.handle, sourceOutputNumber: 0, destInputNumber: 0))
            } == -10851)
        try set(
            .makeConnection, .input, AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0))
        #expect(pull() == -10876)
        #expect(second.dispose())
    }

    @Test("nothing where AudioUnitProcess is not implemented: of devices, mixers and players", arguments: UnitKind.allCases)
    func processOfAKind(kind: UnitKind) throws {
        let program = try Program(kind)
        try program.unit.initialize()
        let unimplemented: Set<UnitKind> = [.remoteIO, .voiceProcessingIO, .mixer, .soundPlayer, .filePlayer]
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect((program.unit.process(frames: 16, list: &list) == -4) == unimplemented.contains(kind))
    }

    @Test("nothing where AudioUnitProcess converts the program's own buffers")
    func process() throws {
        let program = try puller(.converter, from: Program.int16(8_000, channels: 1), to: Program.int16(8_000, channels: 1))
        var description = Program.int16(8_000, channels: 1)
        description.mFormatFlags |= 2
        try program.setFormat(.output, 0, description)
        var data: [Int16] = [1, 2, -3, 256]
        let result = data.withUnsafeMutableBytes { bytes in
            var list = AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 8, mData: bytes.baseAddress))
            return program.unit.process(frames: 4, list: &list)
        }
        #expect(result == 0 && data == ([1, 2, -3, 256] as [Int16]).map { $0.byteSwapped })
        #expect(program.unit.process(frames: 4, list: nil) == -50)
        try program.setFormat(.output, 0, Program.float(8_000, channels: 1))
        data.withUnsafeMutableBytes { bytes in
            var floats = [Float](repeating: 9, count: 4)
            floats.withUnsafeMutableBytes { room in
                var input = AudioBufferList(
                    mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 8, mData: bytes.baseAddress))
                var output = AudioBufferList(
                    mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 16, mData: room.baseAddress))
                #expect(program.unit.process(frames: 4, list: &input) == -10868)
                withUnsafeMutablePointer(to: &input) { input in
                    withUnsafeMutablePointer(to: &output) { output in
                        var (inputs, outputs): (UnsafePointer<AudioBufferList>?, UnsafeMutablePointer<AudioBufferList>?) = (
                            UnsafePointer(input), output
                        )
                        #expect(
                            program.unit.process(
                                frames: 4, inputs: &inputs, inputCount: 1, outputs: &outputs, outputCount: 1) == 0)
                        #expect(
                            program.unit.process(
                                frames: 4, inputs: &inputs, inputCount: 2, outputs: &outputs, outputCount: 1) == -50)
                        // The input has fewer frames, no memory, or another number of buffers.
                        let damages: [(inout AudioBufferList) -> Void] = [
                            { $0.mBuffers.mDataByteSize = 7 }, { $0.mBuffers.mData = nil }, { $0.mNumberBuffers = 0 },
                        ]
                        for damage in damages {
                            let whole = input.pointee
                            damage(&input.pointee)
                            #expect(
                                program.unit.process(
                                    frames: 4, inputs: &inputs, inputCount: 1, outputs: &outputs, outputCount: 1) == -50)
                            input.pointee = whole
                        }
                    }
                }
            }
            #expect(floats == bytes.bindMemory(to: Int16.self).map { Float($0) / 32768 })
        }
    }

    @Test("in the input callback of another unit")
    func nested() throws {
        let converter = try puller(.converter, from: Program.float(48_000, channels: 1), to: Program.int16(8_000, channels: 1))
        let recorder = try Program { $0.preferredSlice = 0.02 }
        try recorder.enableInput(output: false)
        try recorder.setFormat(.output, 1, Program.float(48_000, channels: 1))
        try recorder.setInputCallback()
        converter.onRender = { call, _, list in recorder.render(1, Int(call.frames), list) }
        var recorded: [Int16] = []
        recorder.onInput = { call in
            let result = render(converter, Int(call.frames) / 6, as: Int16.self)
            recorded += result.samples
            return result.status
        }
        try recorder.unit.initialize()
        #expect(recorder.unit.start() == 0)
        for _ in 0..<50 { recorder.engine.stream?.turn([Float](repeating: 0.5, count: 960)) }
        #expect(recorded.count == 50 * 160)
        #expect(recorded[400..<7_900].allSatisfy { abs(Int($0) - 16_384) < 40 })
    }
}
