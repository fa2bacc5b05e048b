// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioStreams
import CAudioToolbox
import CStatusPage
import EngineClient
import EngineTestSupport
import LinuxSystem
import Testing

@Suite("A unit lives")
struct LifeTests {
    @Test("only as long as its pointer is in the table")
    func pointers() throws {
        let context = UnitContext(engine: FakeEngine())
        var dead: [OpaquePointer] = []
        for _ in 0..<3_000 {
            let unit = try Unit.make(.converter, in: context)
            #expect(context.table.object(unit.handle) === unit)
            dead.append(unit.handle)
            #expect(unit.dispose())
            #expect(!unit.dispose())
        }
        #expect(Set(dead.map { UInt(bitPattern: $0) }).count == 3_000)
        #expect(dead.allSatisfy { context.table.object($0) == nil })
        #expect(context.table.object(nil) == nil)
        for bits in [1, 5, 0x15, UInt.max, UInt(bitPattern: dead[0]) ^ 0x4000, 0x7FFF_FFFF_FFF5] {
            #expect(context.table.object(OpaquePointer(bitPattern: bits)) == nil)
        }
    }

    @Test("with at most 1,023 others")
    func tooMany() throws {
        let context = UnitContext(engine: FakeEngine())
        var units: [Unit] = []
        #expect(throws: UnitError.tooManyInstances) {
            while units.count < 5_000 { units.append(try Unit.make(.converter, in: context)) }
        }
        #expect(units.count == 1024)
        #expect(units[77].dispose())
        units.append(try Unit.make(.converter, in: context))
        for unit in units { _ = unit.dispose() }
    }

    @Test("uninitialized, then initialized, then running; each step back is harmless twice")
    func states() throws {
        let program = try Program()
        #expect(program.unit.start() == -10867)
        #expect(status { try program.unit.stop() } == 0)
        try program.unit.initialize()
        try program.unit.initialize()
        #expect(program.engine.streams.filter { !$0.isDestroyed }.count == 1)
        #expect(!program.unit.isRunning)
        #expect(program.unit.start() == 0)
        #expect(program.unit.start() == 0)
        #expect(program.engine.stream?.starts == 1)
        #expect(try program.get(.isRunning, .global, 0, as: UInt32.self) == 1)
        try program.unit.stop()
        try program.unit.stop()
        #expect(try program.get(.isRunning, .global, 0, as: UInt32.self) == 0)
        #expect(program.unit.start() == 0)
        program.unit.uninitialize()
        #expect(!program.unit.isRunning && program.engine.stream == nil)
        program.unit.uninitialize()
        #expect(status { try program.unit.stop() } == 0)
        #expect(program.unit.start() == -10867)
        #expect(program.engine.publishedSlice == 1_024.0 / 44_100)
        #expect(program.unit.dispose())
        #expect(program.engine.publishedSlice == 0)
    }

    @Test("until it is disposed, also where its input feeds its output")
    func circle() throws {
        weak var unit: Unit?
        do {
            let program = try Program()
            unit = program.unit
            try program.enableInput()
            try program.set(
                .makeConnection, .input, 0,
                AudioUnitConnection(sourceAudioUnit: program.unit.handle, sourceOutputNumber: 1, destInputNumber: 0))
            try program.unit.initialize()
            #expect(unit != nil)
        }
        #expect(unit == nil)
    }

    @Test("without a converter's start and stop")
    func notAnOutput() throws {
        let program = try Program(.converter)
        try program.unit.initialize()
        #expect(program.unit.start() == -50)
        #expect(status { try program.unit.stop() } == -50)
    }

    @Test("running without a stream where it is a generic output, until it is stopped or uninitialized")
    func genericOutput() throws {
        let program = try Program(.genericOutput)
        #expect(program.unit.start() == -10867)
        try program.unit.initialize()
        #expect(!program.unit.isRunning)
        for stops in [true, false] {
            try program.unit.initialize()
            for _ in 0..<2 { #expect(program.unit.start() == 0) }
            #expect(try program.get(.isRunning, .global, 0, as: UInt32.self) == 1)
            if stops { try program.unit.stop() } else { program.unit.uninitialize() }
            #expect(try program.get(.isRunning, .global, 0, as: UInt32.self) == 0)
        }
        #expect(program.engine.streams.isEmpty)
    }

    @Test("with one line of the log for a run whose callback took longer than a slice")
    func slowCallback() throws {
        let program = try Program()
        try program.unit.initialize()
        func stop(slice: UInt32, longest: UInt32) throws -> [String] {
            #expect(program.unit.start() == 0)
            program.engine.stream?.counters.slice_ns = slice
            program.engine.stream?.counters.longest_render_ns = longest
            return try Log.lines { try program.unit.stop() }.filter { $0.contains("the callback does too much") }
        }
        let line = "AudioOutputUnitStop: a callback took 7654 microseconds, and a slice has 5432: the callback does too much"
        #expect(try stop(slice: 5_432_000, longest: 7_654_000) == [line])
        #expect(try stop(slice: 5_432_000, longest: 5_432_000).isEmpty)
        #expect(try stop(slice: 0, longest: 7_654_000).isEmpty)
    }

    @Test("with one line of the log for a run that was late", arguments: [(0, 0), (2, 0), (0, 3), (4, 1)])
    func lateRun(underruns: UInt64, overruns: UInt64) throws {
        let program = try Program()
        try program.unit.initialize()
        for _ in 0..<2 {
            #expect(program.unit.start() == 0)
            program.engine.stream?.counters.underruns = underruns
            program.engine.stream?.counters.overruns = overruns
            program.engine.stream?.counters.lost_frames = 1024
            program.engine.stream?.counters.slice_ns = 5_432_000
            let lines = try Log.lines { try program.unit.stop() }.filter { $0.contains("underruns") }
            let line =
                "AudioOutputUnitStop: \(underruns) underruns of the output, \(overruns) overruns of the input, 1024 frames lost: "
                + "the program or the machine is too slow for slices of 5432 microseconds"
            #expect(lines == (underruns + overruns > 0 ? [line] : []))
        }
    }

    @Test("with the reason in the log when the engine stops it")
    func reasons() throws {
        let program = try Program()
        try program.unit.initialize()
        let reasons: [(StopReason, String)] = [
            (.program, "the program"), (.interruption, "an interruption, or the end of the session's activity"),
            (.deadServer, "the end of the sound server"), (.category, "the new category of the session"),
        ]
        for (reason, text) in reasons {
            #expect(program.unit.start() == 0)
            let lines = Log.lines { program.engine.stream?.interrupt(reason) }
            #expect(lines.contains("a unit was stopped by \(text); AudioOutputUnitStart starts it again"))
        }
    }

    @Test("with an entry on the status page, from its initialization to its end")
    func statusPage() throws {
        let page = UnsafeMutablePointer<status_page>.allocate(capacity: 1)
        page.initialize(to: status_page())
        defer { page.deallocate() }
        func entry() -> status_description? {
            var (description, counters) = (status_description(), status_counters())
            return status_read(status_page_slot(page, 0), &description, &counters) ? description : nil
        }
        let program = try Program { $0.statusPage = page }
        try program.enableInput()
        try program.setFormat(.input, 0, Program.int16(44_100, channels: 2))
        try program.setFormat(.output, 1, Program.float(16_000, channels: 1))
        #expect(entry() == nil)
        try program.unit.initialize()
        let counters = status_slot_counters(UnsafeMutablePointer(mutating: status_page_slot(page, 0)))
        #expect(program.engine.stream?.slotCounters == counters)
        var shown = try #require(entry())
        #expect(shown.kind == 0x7269_6F63 && shown.state == UInt32(STATUS_HAS_OUTPUT | STATUS_HAS_INPUT) && shown.starts == 0)
        #expect(shown.output.rate == 44_100 && shown.output.channels == 2 && shown.output.bits == 16)
        #expect(shown.input.rate == 16_000 && shown.input.channels == 1 && shown.input.bits == 32)
        #expect(shown.slice_frames == 1024 && shown.graph == 0)
        for _ in 0..<2 { #expect(program.unit.start() == 0) }
        shown = try #require(entry())
        #expect(shown.state & UInt32(STATUS_IS_RUNNING) != 0 && shown.starts == 1)
        try program.unit.stop()
        #expect(try #require(entry()).state & UInt32(STATUS_IS_RUNNING) == 0)
        program.unit.uninitialize()
        #expect(entry() == nil)
        try program.set(.enableIO, .input, 1, UInt32(0))
        try program.unit.initialize()
        #expect(try #require(entry()).state == UInt32(STATUS_HAS_OUTPUT))
        program.unit.uninitialize()
        try program.enableInput(output: false)
        try program.unit.initialize()
        shown = try #require(entry())
        #expect(shown.state == UInt32(STATUS_HAS_INPUT) && shown.slice_frames == 1024 && shown.input.rate == 16_000)
        #expect(program.unit.dispose() && entry() == nil)
    }

    @Test("with the number of the renders that have failed since its start, and the result of the last one")
    func failedRenders() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(48_000, channels: 2))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.failedRenders == (0, 0))
        for (life, failures) in [3, 2, 0].enumerated() {
            #expect(program.unit.start() == 0)
            #expect(program.unit.failedRenders.count == 0)
            let stream = try #require(program.engine.stream)
            program.onRender = { _, _, _ in OSStatus(70 + life) }
            for _ in 0..<failures { stream.turn() }
            program.onRender = { _, _, _ in 0 }
            stream.turn()
            try program.unit.stop()
            #expect(program.unit.failedRenders == (UInt32(failures), Int32(70 + min(life, 1))))
        }
    }

    @Test("with the session's own result where it refuses")
    func refusal() throws {
        let program = try Program()
        try program.unit.initialize()
        program.engine.startResult = 560_557_684
        #expect(program.unit.start() == 560_557_684)
        #expect(!program.unit.isRunning)
        program.engine.startResult = -19
        #expect(program.unit.start() == -10875)
        program.engine.startResult = 0
        #expect(program.unit.start() == 0)
    }

    @Test("not without an engine, a stream, or a direction")
    func noEngine() throws {
        let context = UnitContext(engine: nil)
        let unit = try Unit.make(.remoteIO, in: context)
        #expect(status { try unit.initialize() } == -10875)
        #expect(unit.start() == -10867)
        #expect(unit.dispose())
        let program = try Program { $0.refusesStreams = true }
        #expect(status { try program.unit.initialize() } == -10875)
        program.engine.refusesStreams = false
        try program.set(.enableIO, .output, 0, UInt32(0))
        #expect(status { try program.unit.initialize() } == -10875)
    }

    @Test("through an interruption: stopped, still initialized, and started again by the program only")
    func interruption() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        for _ in 0..<3 { stream.turn() }
        stream.interrupt()
        #expect(!program.unit.isRunning)
        stream.turn()
        #expect(program.renders.count == 3)
        // Listeners of programs stop what is stopped already.
        try program.unit.stop()
        #expect(program.unit.start() == 0)
        stream.turn()
        #expect(program.renders.count == 4)
        #expect(program.renders[3].time.mSampleTime == 0)
    }

    @Test("with time stamps that continue if StartTimestampsAtZero is 0")
    func timestamps() throws {
        let program = try Program()
        try program.set(.startTimestampsAtZero, .global, 0, UInt32(0))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        program.engine.stream?.turn()
        try program.unit.stop()
        #expect(program.unit.start() == 0)
        program.engine.stream?.turn()
        #expect(program.renders.map { $0.time.mSampleTime } == [0, 1024])
    }

    /// A call that a program makes to its unit inside a callback.
    enum Inside: CaseIterable { case stop, uninitialize, dispose, setFormat, removeCallback, reset }

    @Test("through every call inside its callback", arguments: Inside.allCases)
    func inside(_ call: Inside) throws {
        let program = try Program { $0.preferredSlice = 256 / 48_000 }
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        program.onRender = { _, _, list in
            switch call {
            case .stop: #expect(status { try program.unit.stop() } == 0)
            case .uninitialize: program.unit.uninitialize()
            case .dispose: #expect(program.unit.dispose())
            case .setFormat: #expect(status { try program.setFormat(.input, 0, Program.int16(16_000, channels: 2)) } == 0)
            case .removeCallback:
                let none = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
                #expect(status { try program.set(.setRenderCallback, .input, 0, none) } == 0)
            case .reset: program.unit.reset()
            }
            // The memory of the slice is still there.
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        stream.turn()
        program.onRender = nil
        stream.turn()
        let isOver = call == .stop || call == .uninitialize || call == .dispose || call == .removeCallback
        #expect(program.renders.count == (isOver ? 1 : 2))
    }

    // MARK: Calls of other threads

    @Test("stopped when another thread uninitializes or disposes of it during its start", arguments: [false, true])
    func endDuringStart(disposes: Bool) throws {
        let program = try Program()
        try program.unit.initialize()
        let stream = try #require(program.engine.stream)
        stream.whileStarting = { if disposes { _ = program.unit.dispose() } else { program.unit.uninitialize() } }
        #expect(program.unit.start() == -10867)
        #expect(stream.isDestroyed && !stream.isRunning && !program.unit.isRunning)
        #expect(program.engine.publishedSlice == (disposes ? 0 : 1_024.0 / 44_100))
    }

    @Test("without slices for the session when another thread disposes of it while it is initialized")
    func disposalDuringInitialization() throws {
        let program = try Program()
        program.engine.whileReadingState = { #expect(program.unit.dispose()) }
        try program.unit.initialize()
        #expect(program.engine.stream == nil && program.engine.publishedSlice == 0)
    }

    @Test("no longer than its pointer, also when another thread initializes or starts it during the disposal")
    func initializeDuringDisposal() throws {
        let program = try Program()
        try program.unit.initialize()
        program.engine.whilePublishing = {
            #expect(status { try program.unit.initialize() } == -50)
            #expect(program.unit.start() == -10867)
            #expect(status { try program.setFormat(.input, 0, Program.int16(16_000, channels: 2)) } == -50)
        }
        #expect(program.unit.dispose())
        #expect(program.engine.whilePublishing == nil)
        #expect(program.engine.stream == nil && program.engine.publishedSlice == 0)
    }

    @Test("with one callback at a time: the next stream is silent until the callback of the former one has returned")
    func oneCallback() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let former = try #require(program.engine.stream)
        program.onRender = { _, _, list in
            program.unit.uninitialize()
            #expect(status { try program.unit.initialize() } == 0 && program.unit.start() == 0)
            #expect(program.engine.stream?.turn().allSatisfy { $0 == 0 } == true)
            for index in samples(list, as: Float.self).indices { samples(list, as: Float.self)[index] = 0.5 }
            return 0
        }
        former.turn()
        #expect(program.renders.count == 1)
        program.onRender = nil
        program.engine.stream?.turn()
        #expect(program.renders.map { $0.time.mSampleTime } == [0, 0])
    }

    @Test("without a callback after a stop, also when another thread uninitializes it at the same time")
    func stopDuringEnd() throws {
        let program = try Program()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        stream.whileEnding = {
            stream.whileEnding = nil
            // Each of the calls waits for the callback of the stream that ends.
            #expect(status { try program.unit.stop() } == 0 && stream.stops == 1)
        }
        program.unit.uninitialize()
        let stops = stream.stops
        #expect(status { try program.unit.stop() } == 0 && stream.stops == stops)
    }

    @Test("with the callback that it is uninitialized in: a stop of another thread waits for it")
    func stopAfterEndInside() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        program.onRender = { _, _, _ in
            program.unit.uninitialize()
            #expect(stream.stops == 0)
            return 0
        }
        stream.turn()
        #expect(program.unit.dispose() && stream.stops == 1)
    }

    @Test("while others are replaced: the duration of the first one's slices is the session's")
    func publishedSlice() throws {
        let engine = FakeEngine()
        engine.preferredSlice = 0.02
        let context = UnitContext(engine: engine)
        let units = try (0..<3).map { _ in try Unit.make(.remoteIO, in: context) }
        #expect(abs(engine.publishedSlice - 0.02) < 1e-9)
        engine.preferredSlice = 0.01
        try units[0].initialize()
        #expect(abs(engine.publishedSlice - 0.01) < 1e-9)
        engine.preferredSlice = 0.005
        try units[1].initialize()
        #expect(abs(engine.publishedSlice - 0.01) < 1e-9)
        #expect(units[0].dispose())
        #expect(abs(engine.publishedSlice - 0.005) < 1e-4)
        #expect(units[1].dispose())
        #expect(abs(engine.publishedSlice - 0.02) < 1e-9)
        #expect(units[2].dispose())
        #expect(engine.publishedSlice == 0)
    }

    @Test("on changed hardware: the hardware formats change, and the callback continues at its own rate")
    func hardwareChange() throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.float(44_100, channels: 1))
        try program.setRenderCallback()
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        let stream = try #require(program.engine.stream)
        #expect(try program.get(.streamFormat, .output, 0, as: AudioStreamBasicDescription.self).mSampleRate == 48_000)
        for _ in 0..<10 { stream.turn() }
        program.engine.hardware.output_rate = 16_000
        program.engine.hardware.output_channels = 1
        stream.reconfigure()
        for _ in 0..<10 { stream.turn() }
        let hardware = try program.get(.streamFormat, .output, 0, as: AudioStreamBasicDescription.self)
        #expect(hardware.mSampleRate == 16_000 && hardware.mChannelsPerFrame == 1)
        #expect(try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self).mSampleRate == 44_100)
        let times = program.renders.map { $0.time.mSampleTime }
        #expect(times == Array(stride(from: 0, to: 20 * 1_024, by: 1_024)))
    }
}
