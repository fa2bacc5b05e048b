// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioGraphs
import AudioUnits
import CAudioToolbox
import CLinux
import Dispatch
import EngineTestSupport
import LinuxSystem
import MediaFormats
import SoundFiles
import Synchronization
import Testing

/// Mono floats in memory: frame n has the value of `level(n)`. It records the threads that read it.
private final class TestFile: ByteSource, @unchecked Sendable {
    private let memory = ByteMemory()
    let threads = Mutex<Set<UInt64>>([])
    /// The reads after the file was opened fail.
    let fails = Atomic<Bool>(false)
    /// A read waits while the test holds it.
    let isHeld = Lock()
    let reads = Atomic<Int>(0)
    private let wasRead = DispatchSemaphore(value: 0)

    init(_ frames: Int, rate: Double = 44_100, channels: UInt32 = 1, _ level: (Int) -> Float = { Float($0) / 65_536 }) throws {
        let format = withUnsafeBytes(of: Program.float(rate, channels: channels)) { StreamDescription(at: $0.baseAddress!) }
        var writer = try SoundFileWriter(memory, type: .wave, format: format)
        let samples = (0..<frames).flatMap { frame in Array(repeating: level(frame), count: Int(channels)) }
        try samples.withUnsafeBytes { try writer.append($0) }
        try writer.synchronize()
    }

    var size: UInt64 { memory.size }
    var allowsGaps: Bool { true }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        threads.withLock { _ = $0.insert(threadSelf()) }
        isHeld.withLock {}
        reads.add(1, ordering: .relaxed)
        wasRead.signal()
        guard !fails.load(ordering: .relaxed) else { throw .read(code: 5) }
        return try memory.read(at: offset, into: buffer)
    }
}

extension TestFile {
    /// Whether the file is read. Waits at most a minute for it.
    var isRead: Bool { wasRead.wait(timeout: .now() + 60) == .success }
}

private func threadSelf() -> UInt64 { linux_thread_self() }

/// The files of a program.
private final class Files: @unchecked Sendable {
    private let all = Mutex<[UInt: TestFile]>([:])

    func add(_ file: TestFile) -> OpaquePointer {
        all.withLock {
            let number = UInt($0.count + 1) * 16
            $0[number] = file
            return OpaquePointer(bitPattern: number)!
        }
    }

    var playable: PlayerFiles {
        PlayerFiles(
            hasFile: { handle in self.all.withLock { $0[UInt(bitPattern: handle)] != nil } },
            open: { handle in
                let file = self.all.withLock { $0[UInt(bitPattern: handle)] }
                return file.flatMap { try? AudioFile.open($0) }.map { ExtendedFile($0, isForWriting: false) }
            })
    }
}

/// The completions of regions and slices.
private final class Completions: @unchecked Sendable {
    struct Completion: Equatable {
        var start: Int64
        var status: OSStatus
    }

    private let lock = Mutex<[Completion]>([])
    private let called = DispatchSemaphore(value: 0)
    /// Runs in each call.
    var action: () -> Void = {}

    var all: [Completion] { lock.withLock { $0 } }
    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let region: ScheduledAudioFileRegionCompletionProc = { reference, region, status in
        Unmanaged<Completions>.fromOpaque(reference!).takeUnretainedValue().add(region!.pointee.mStartFrame, status)
    }

    static let slice: ScheduledAudioSliceCompletionProc = { reference, slice in
        Unmanaged<Completions>.fromOpaque(reference!).takeUnretainedValue().add(
            Int64(slice!.pointee.mNumberFrames), OSStatus(slice!.pointee.mFlags))
    }

    private func add(_ start: Int64, _ status: OSStatus) {
        action()
        lock.withLock { $0.append(Completion(start: start, status: status)) }
        called.signal()
    }

    /// Waits until there are `count` completions; false after a minute.
    func await(_ count: Int) -> Bool {
        while all.count < count { guard called.wait(timeout: .now() + 60) == .success else { return false } }
        return true
    }
}

/// A player whose sound is rendered offline, in mono floats of 44,100 Hz.
private final class Player {
    let files = Files()
    let program: Program
    let completions = Completions()
    var time = 0.0
    /// The frames that the device plays in a second of the host; nil: renders have no host time.
    var deviceRate: Double?

    init(_ kind: UnitKind = .filePlayer, rate: Double = 44_100) throws {
        let engine = FakeEngine()
        program = try Program(kind, on: engine, in: UnitContext(engine: engine, files: files.playable))
        try program.setFormat(.output, 0, Program.float(rate, channels: 1))
    }

    func setFiles(_ ids: [OpaquePointer]) throws {
        try ids.withUnsafeBytes { try program.unit.set(3310, 0, 0, $0.baseAddress, UInt32($0.count)) }
    }

    func schedule(
        _ file: OpaquePointer, at time: Double? = nil, from start: Int64 = 0, frames: UInt32 = .max, loops: UInt32 = 0
    ) throws {
        var region = ScheduledAudioFileRegion()
        if let time { (region.mTimeStamp.mSampleTime, region.mTimeStamp.mFlags) = (time, 1) }
        region.mCompletionProc = Completions.region
        region.mCompletionProcUserData = completions.reference
        region.mAudioFile = file
        (region.mLoopCount, region.mStartFrame, region.mFramesToPlay) = (loops, start, frames)
        try program.set(.scheduledFileRegion, .global, 0, region)
    }

    func start(_ sampleTime: Double = -1) throws {
        var time = AudioTimeStamp()
        (time.mSampleTime, time.mFlags) = (sampleTime, 1)
        try program.set(.scheduleStartTimeStamp, .global, 0, time)
    }

    var startFlags: UInt32 { get throws { try program.get(.scheduleStartTimeStamp, .global, 0, as: AudioTimeStamp.self).mFlags } }

    var playTime: Double {
        get throws { try program.get(.currentPlayTime, .global, 0, as: AudioTimeStamp.self).mSampleTime }
    }

    /// The host time of a frame. Host times are far from 0.
    func hostTime(_ frame: Double, _ rate: Double) -> UInt64 { 1 << 60 + UInt64((frame / rate * 1e9).rounded()) }

    func render(_ frames: Int) -> [Float] {
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(program.render(0, frames, &list, time: time, hostTime: deviceRate.map { hostTime(time, $0) }) == 0)
        time += Double(frames)
        return Array(samples(&list, as: Float.self))
    }

    func render(total: Int, in slice: Int = 512) -> [Float] {
        var all: [Float] = []
        while all.count < total { all += render(min(slice, total - all.count)) }
        return all
    }
}

private func ramp(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map { Float($0) / 65_536 } }
private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

@Suite("A file player")
struct FilePlayerTests {
    @Test("plays a whole file exactly, and reads it on a thread of its own", arguments: [1, 77, 512, 1024])
    func wholeFile(slice: Int) throws {
        let player = try Player()
        let file = try TestFile(10_000)
        let id = player.files.add(file)
        try player.setFiles([id])
        #expect(try player.playTime == -1)
        for life in 0..<2 {
            try player.program.unit.initialize()
            try player.schedule(id, at: 0)
            try player.program.set(.scheduledFilePrime, .global, 0, UInt32(0))
            #expect(player.render(100) == silence(100))
            #expect(try player.playTime == -1)
            try player.start()
            let isEqual = player.render(total: 10_300, in: slice) == ramp(0, 10_000) + silence(300)
            #expect(isEqual)
            #expect(try player.playTime == 10_300)
            #expect(player.completions.await(life + 1))
            #expect(player.completions.all.last == .init(start: 0, status: 0))
            player.program.unit.uninitialize()
            #expect(try player.playTime == -1)
        }
        #expect(file.threads.withLock { !$0.contains(threadSelf()) && $0.count == 1 })
    }

    @Test("plays a file that is many times longer than what is read ahead, while the memory for it is full again and again")
    func longFile() throws {
        let player = try Player(rate: 8_000)
        let id = player.files.add(try TestFile(300_000, rate: 8_000))
        try player.setFiles([id])
        try player.program.unit.initialize()
        for life in 0..<2 {
            try player.schedule(id)
            try player.start()
            let played = player.render(total: 300_100, in: 16)
            let wanted = ramp(0, 300_000) + silence(100)
            let difference = zip(played, wanted).enumerated().first { $0.element.0 != $0.element.1 }
            #expect(difference == nil)
            #expect(player.completions.await(life + 1))
            try player.program.unit.reset(0, 0)
        }
    }

    @Test("plays a region, from a frame on, as often as it says, at its time")
    func regions() throws {
        let player = try Player()
        let (file, other) = (player.files.add(try TestFile(5_000)), player.files.add(try TestFile(2_000) { Float($0 + 1) }))
        try player.setFiles([file, other])
        #expect(try player.program.get(.scheduledFileIDs, .global, 0, as: OpaquePointer?.self) == file)
        try player.program.unit.initialize()
        for _ in 0..<2 {
            try player.schedule(file, at: 100, from: 1_000, frames: 300, loops: 2)
            try player.schedule(file, at: 1_500, from: 4_900)
            try player.schedule(other, at: 2_000, frames: 50)
            // Sounds at one time are added.
            try player.schedule(other, at: 2_025, frames: 50)
            try player.schedule(other, frames: 10)
            try player.start(player.time + 200)
            var expected = silence(300)
            for _ in 0..<3 { expected += ramp(1_000, 300) }
            expected += silence(500)
            expected += ramp(4_900, 100)
            expected += silence(400)
            for index in 0..<75 { expected.append(Float((index < 50 ? index + 1 : 0) + (index >= 25 ? index - 24 : 0))) }
            for level in 1...10 { expected.append(Float(level)) }
            expected += silence(115)
            #expect(player.render(total: 2_400, in: 333) == expected)
            try player.program.unit.reset(0, 0)
        }
        #expect(player.completions.await(10))
        #expect(player.completions.all.map { $0.status } == Array(repeating: 0, count: 10))
    }

    @Test("plays nothing of zero frames and behind the end, and loops without an end")
    func limits() throws {
        let player = try Player()
        let file = player.files.add(try TestFile(1_000))
        try player.setFiles([file])
        try player.program.unit.initialize()
        try player.schedule(file, frames: 0)
        try player.schedule(file, from: 1_000)
        try player.schedule(file, from: 990, frames: 100, loops: 1)
        try player.schedule(file, from: 999, frames: 1, loops: .max)
        try player.start()
        let expected = ramp(990, 10) + ramp(990, 10) + Array(repeating: Float(999) / 65_536, count: 70_000)
        // Not in the macro, which would compare the frames one by one.
        let isEqual = player.render(total: 70_020, in: 1_024) == expected
        #expect(isEqual)
        #expect(player.completions.await(3))
        #expect(player.completions.all.map { $0.start } == [0, 1_000, 990])
        // Behind the last frame there is nothing to read.
        try player.program.unit.reset(0, 0)
        #expect(player.completions.all.last == .init(start: 999, status: -128))
        try player.schedule(file, from: 1_001)
        try player.start()
        #expect(player.render(512) == silence(512) && player.render(512) == silence(512))
        #expect(player.completions.await(5) && player.completions.all.last?.status != 0)
    }

    @Test(
        "reads a region of a long list two seconds before it begins, while another one plays and in silence",
        arguments: [0.0, 300_000])
    func laterRegions(first: Double) throws {
        let player = try Player()
        let (long, next) = (player.files.add(try TestFile(250_000)), try TestFile(1_000))
        let file = player.files.add(next)
        try player.setFiles([long, file])
        try player.program.unit.initialize()
        // Three regions are read ahead, whenever they begin.
        for start in [first, 600_000, 900_000] { try player.schedule(long, at: start) }
        let start = 4 * 44_100
        try player.schedule(file, at: Double(start))
        try player.start()
        _ = player.render(total: start - 2 * 44_100 - 441, in: 441)
        #expect(next.reads.load(ordering: .relaxed) == 0)
        _ = player.render(total: 882, in: 441)
        #expect(next.isRead)
    }

    @Test("reads a region of a long list that begins soon after a leap of the time, in silence")
    func laterRegionAfterALeap() throws {
        let player = try Player()
        let (long, next) = (player.files.add(try TestFile(1_000)), try TestFile(1_000))
        let file = player.files.add(next)
        try player.setFiles([long, file])
        try player.program.unit.initialize()
        for start in [300_000.0, 600_000, 900_000] { try player.schedule(long, at: start) }
        try player.schedule(file, at: 4 * 44_100)
        try player.start(0)
        // The service thread has read the first region, and knows no time yet.
        try player.program.set(.scheduledFilePrime, .global, 0, UInt32(0))
        player.time = 3 * 44_100
        _ = player.render(441)
        #expect(next.isRead)
    }

    @Test("changes the rate of a file, and its channels", arguments: [22_050.0, 48_000])
    func conversion(rate: Double) throws {
        let player = try Player()
        let file = player.files.add(try TestFile(Int(rate), rate: rate, channels: 2) { _ in 0.5 })
        try player.setFiles([file])
        try player.program.unit.initialize()
        try player.schedule(file, frames: UInt32(rate / 2))
        try player.start()
        let played = player.render(total: 30_000, in: 1_000)
        #expect(played[100..<22_000].allSatisfy { abs($0 - 0.5) < 0.001 })
        #expect(played[22_052...].allSatisfy { $0 == 0 })
    }

    @Test("drops what is scheduled with a reset, and completes it before the return")
    func reset() throws {
        let player = try Player()
        let file = player.files.add(try TestFile(5_000))
        try player.setFiles([file])
        try player.program.unit.initialize()
        for life in 0..<3 {
            for index in 0..<5 { try player.schedule(file, at: Double(index) * 200, from: Int64(index), frames: 150) }
            try player.start()
            #expect(player.render(100) == ramp(0, 100))
            #expect(try player.startFlags == 1)
            let former = player.completions.all.count
            if life == 2 {
                player.program.unit.uninitialize()
                try player.program.unit.initialize()
            } else {
                try player.program.unit.reset(0, 0)
            }
            #expect(player.completions.all[former...].map { $0.start } == [0, 1, 2, 3, 4])
            #expect(player.completions.all[former...].allSatisfy { $0.status == -128 })
            #expect(player.render(300) == silence(300))
            #expect(try player.playTime == -1 && player.startFlags == 0)
        }
        try player.schedule(file)
        #expect(player.program.unit.dispose())
        #expect(player.completions.all.count == 16)
    }

    @Test("goes on where it was when the sample time goes back, and leaves out what is late")
    func times() throws {
        let player = try Player()
        let file = player.files.add(try TestFile(5_000))
        try player.setFiles([file])
        try player.program.unit.initialize()
        try player.schedule(file, at: 0)
        try player.start()
        player.time = 7_000
        #expect(player.render(100) == ramp(0, 100))
        player.time = 0
        #expect(player.render(100) == ramp(100, 100))
        player.time = 150
        #expect(player.render(100) == ramp(250, 100))
        #expect(try player.playTime == 350)
        try player.program.unit.reset(0, 0)
        try player.schedule(file, at: 50)
        player.time = 1_000
        try player.start(900)
        #expect(player.render(100) == ramp(50, 100))
    }

    @Test(
        "waits for a file that is not read yet, unless the generic output that renders it is not offline",
        arguments: [0, 1] as [UInt32])
    func realTime(isOffline: UInt32) throws {
        let player = try Player()
        let output = try Program(.genericOutput, on: player.program.engine, in: player.program.context)
        #expect(try output.get(.offlineRender, .global, 0, as: UInt32.self) == 1)
        try output.set(.offlineRender, .global, 0, isOffline)
        try output.set(.startTimestampsAtZero, .global, 0, UInt32(0))
        try output.set(
            .makeConnection, .input, 0,
            AudioUnitConnection(sourceAudioUnit: player.program.unit.handle, sourceOutputNumber: 0, destInputNumber: 0))
        try output.setFormat(.output, 0, Program.float(44_100, channels: 1))
        let (early, late) = (try TestFile(10), try TestFile(1_000))
        let ids = [player.files.add(early), player.files.add(late)]
        try player.setFiles(ids)
        try player.program.unit.initialize()
        try output.unit.initialize()
        // Three regions are read ahead. The next one is 10 s away.
        for index in 0..<3 { try player.schedule(ids[0], at: 1e6 + Double(index) * 100) }
        try player.schedule(ids[1], at: 441_000)
        try player.start(0)
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(output.render(0, 100, &list, time: 0) == 0)
        let later = {
            list.mBuffers.mData = nil
            #expect(output.render(0, 300, &list, time: 441_000) == 0)
            return Array(samples(&list, as: Float.self))
        }
        let sound = isOffline != 0 ? later() : late.isHeld.withLock { later() }
        #expect(sound == (isOffline != 0 ? ramp(0, 300) : silence(300)))
        #expect(player.program.unit.dispose())
    }

    @Test(
        "waits offline for a file that is not read yet beside a unit for real time that does not render now, in each life",
        arguments: [UnitKind.remoteIO, .voiceProcessingIO, .genericOutput])
    func besideUnits(kind: UnitKind) throws {
        let player = try Player()
        let other = try Program(kind, on: player.program.engine, in: player.program.context)
        if kind == .genericOutput { try other.set(.offlineRender, .global, 0, UInt32(0)) }
        let ids = [player.files.add(try TestFile(10)), player.files.add(try TestFile(1_000))]
        try player.setFiles(ids)
        try player.program.unit.initialize()
        for life in 1...2 {
            // In the second life the unit runs, and is between two cycles.
            if life == 2, kind == .remoteIO {
                try other.unit.initialize()
                #expect(other.unit.start() == 0)
            }
            // Three regions are read ahead. The next one is 10 s away.
            for index in 0..<3 { try player.schedule(ids[0], at: 1e6 + Double(index) * 100) }
            try player.schedule(ids[1], at: 441_000)
            player.time = 0
            try player.start(0)
            #expect(player.render(100) == silence(100), "life \(life)")
            player.time = 441_000
            #expect(player.render(300) == ramp(0, 300), "life \(life)")
            try player.program.unit.reset(0, 0)
        }
        if kind == .remoteIO { try other.unit.stop() }
    }

    @Test("completes with the error of a file that cannot be read")
    func failure() throws {
        let player = try Player()
        let file = try TestFile(200_000)
        let id = player.files.add(file)
        try player.setFiles([id])
        try player.program.unit.initialize()
        file.fails.store(true, ordering: .relaxed)
        try player.schedule(id)
        try player.start()
        #expect(player.render(512) == silence(512) && player.render(512) == silence(512))
        #expect(player.completions.await(1) && player.completions.all[0].status != 0)
        file.fails.store(false, ordering: .relaxed)
        try player.schedule(id, frames: 10)
        #expect(player.render(20) == ramp(0, 10) + silence(10))
    }

    @Test("in a graph plays what was scheduled before the initialization, and never waits on the thread of the device")
    func graph() throws {
        let engine = FakeEngine()
        engine.preferredSlice = 512.0 / 44_100
        engine.hardware.output_rate = 44_100
        let files = Files()
        let file = try TestFile(30_000)
        let id = files.add(file)
        let context = UnitContext(engine: engine, files: files.playable)
        let graph = Graph(context)
        defer { graph.dispose() }
        let description = { (kind: UnitKind) in UnitKind.components.rows[Int(kind.rawValue)].description }
        let (player, output) = (try graph.addNode(description(.filePlayer)), try graph.addNode(description(.remoteIO)))
        #expect(throws: GraphError.invalidConnection) { try graph.connect(output, 1, to: GraphInput(player, 0)) }
        try graph.connect(player, 0, to: GraphInput(output, 0))
        try graph.open()
        let unit = try #require(try graph.node(player).unit)
        func set<Value>(_ property: UInt32, _ value: Value) throws {
            try withUnsafeBytes(of: value) { try unit.set(property, 0, 0, $0.baseAddress, UInt32($0.count)) }
        }
        for _ in 0..<2 {
            var region = ScheduledAudioFileRegion()
            (region.mAudioFile, region.mFramesToPlay) = (id, .max)
            try set(3310, id)
            try set(3311, region)
            try set(3312, UInt32(0))
            var time = AudioTimeStamp()
            (time.mSampleTime, time.mFlags) = (-1, 1)
            try set(3301, time)
            try graph.initialize()
            // Nothing is read before the unit is initialized.
            try set(3312, UInt32(0))
            try graph.start()
            let stream = try #require(engine.stream)
            var played: [Float] = []
            let before = file.threads.withLock { $0 }
            while played.count < 20_000 { played += stride(from: 0, to: 1_024, by: 2).map { [turn = stream.turn()] in turn[$0] } }
            let isEqual = Array(played[..<20_000]) == ramp(0, 20_000)
            #expect(isEqual)
            #expect(!file.threads.withLock { $0.subtracting(before) }.contains(threadSelf()))
            try graph.stop()
            try graph.start()
            // The output counts from 0 again, and the file goes on.
            let rest = stride(from: 0, to: 1_024, by: 2).map { [turn = stream.turn()] in turn[$0] }
            #expect(rest == ramp(played.count, 512))
            try graph.stop()
            try graph.uninitialize()
        }
    }

    @Test("refuses files and regions that are not possible")
    func mistakes() throws {
        let player = try Player()
        let file = player.files.add(try TestFile(10))
        #expect(status { try player.schedule(file) } == -10869)
        #expect(status { try player.setFiles([OpaquePointer(bitPattern: 0x990)!]) } == -10871)
        try player.setFiles([file])
        #expect(status { try player.schedule(file, at: .nan) } == -10851)
        #expect(status { try player.schedule(file, from: -1) } == -10851)
        #expect(status { try player.start(.infinity) } == -10851)
        #expect(status { try player.program.set(.scheduleStartTimeStamp, .global, 0, AudioTimeStamp()) } == -10851)
        #expect(status { try player.program.set(.scheduleAudioSlice, .global, 0, ScheduledAudioSlice()) } == -10851)
        #expect(status { try player.program.setRenderCallback(.global) } == -10879)
        #expect(status { try player.program.setFormat(.input, 0, Program.float(44_100, channels: 1)) } == -10877)
        #expect(try player.program.get(.elementCount, .input, 0, as: UInt32.self) == 0)
        #expect(player.program.unit.start() == -50)
        #expect(try player.program.unit.info(3311, 0, 0).size == 112)
        #expect(status { try player.program.set(.currentPlayTime, .global, 0, AudioTimeStamp()) } == -10865)
    }
}

@Suite("A sound player")
struct SoundPlayerTests {
    /// Buffers of the program, and the slices in them.
    private final class Slices {
        let memory: UnsafeMutablePointer<Float>
        let slices = UnsafeMutablePointer<ScheduledAudioSlice>.allocate(capacity: 8)
        let lists = UnsafeMutablePointer<AudioBufferList>.allocate(capacity: 8)

        init() {
            memory = .allocate(capacity: 8_000)
            for index in 0..<8_000 { memory[index] = Float(index) }
        }

        deinit {
            memory.deallocate()
            slices.deallocate()
            lists.deallocate()
        }

        func make(_ index: Int, from first: Int, frames: Int, at time: Double?, _ completions: Completions?)
            -> ScheduledAudioSlice
        {
            lists[index] = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: memory + first))
            var slice = ScheduledAudioSlice()
            if let time { (slice.mTimeStamp.mSampleTime, slice.mTimeStamp.mFlags) = (time, 1) }
            (slice.mNumberFrames, slice.mBufferList, slice.mFlags) = (UInt32(frames), lists + index, 7)
            if let completions {
                (slice.mCompletionProc, slice.mCompletionProcUserData) = (Completions.slice, completions.reference)
            }
            slices[index] = slice
            return slice
        }

        /// Schedules frames of the memory with these flags.
        func schedule(
            _ player: Player, _ index: Int, from first: Int, frames: Int, at time: Double? = nil, _ flags: UInt32 = 0
        ) throws {
            _ = make(index, from: first, frames: frames, at: time, player.completions)
            slices[index].mFlags = flags
            try player.program.unit.set(3300, 0, 0, slices + index, 112)
        }
    }

    private func numbers(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map { Float($0) } }

    @Test("repeats a buffer until another one interrupts it, at once or at the end of a repetition", arguments: [16, 64, 1024])
    func loops(slice: Int) throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        try player.program.unit.initialize()
        try slices.schedule(player, 0, from: 1_000, frames: 100, 8)
        // Behind a buffer that repeats without an end there is no time.
        try slices.schedule(player, 1, from: 5_000, frames: 7)
        try player.start()
        #expect(player.render(total: 256, in: slice) == numbers(1_000, 100) + numbers(1_000, 100) + numbers(1_000, 56))
        try slices.schedule(player, 2, from: 2_000, frames: 50, 8 | 32)
        #expect(player.render(total: 144, in: slice) == numbers(1_056, 44) + numbers(2_000, 50) + numbers(2_000, 50))
        #expect(player.completions.await(2))
        try slices.schedule(player, 3, from: 3_000, frames: 30, 16)
        try slices.schedule(player, 4, from: 4_000, frames: 10)
        #expect(player.render(total: 64, in: 16) == numbers(3_000, 30) + numbers(4_000, 10) + silence(24))
        #expect(player.completions.await(5))
        // In the order of the calls.
        #expect(player.completions.all.map { $0.start } == [100, 7, 50, 30, 10])
        #expect((0..<5).allSatisfy { slices.slices[$0].mFlags & 1 == 1 })
        #expect(slices.slices[1].mFlags & 2 == 0)
        player.program.unit.uninitialize()
    }

    @Test("ends a buffer behind a repeating one when the repetition ends, not when its end is known")
    func endBehindLoop() throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        try player.program.unit.initialize()
        try slices.schedule(player, 0, from: 1_000, frames: 100, 8)
        try slices.schedule(player, 1, from: 5_000, frames: 7)
        try player.start()
        _ = player.render(total: 16, in: 16)
        try slices.schedule(player, 2, from: 2_000, frames: 50, 32)
        // It ends in the next render: what has ended with it or before is complete as well.
        try slices.schedule(player, 3, from: 0, frames: 12, at: 16)
        _ = player.render(total: 16, in: 16)
        #expect(player.completions.await(1))
        #expect(player.completions.all.map { $0.start } == [12])
        _ = player.render(total: 128, in: 16)
        #expect(player.completions.await(4))
        #expect(player.completions.all.map { $0.start } == [12, 100, 7, 50])
        player.program.unit.uninitialize()
    }

    /// The time is stated by the slice that interrupts, or is that of the render in front of which it is scheduled.
    @Test(
        "interrupts at the end of the repetition in which its time is, and at its time where a repetition ends there",
        arguments: [false, true])
    func endOfRepetition(statesTime: Bool) throws {
        for (time, end) in [(1, 100), (99, 100), (100, 100), (101, 200), (199, 200), (200, 200), (201, 300)] {
            let player = try Player(.soundPlayer)
            let slices = Slices()
            for life in 0..<2 {
                try player.program.unit.initialize()
                player.time = 0
                try slices.schedule(player, 0, from: 1_000, frames: 100, 8)
                try player.start()
                let played = statesTime ? 1 : time
                let before = player.render(total: played, in: 16)
                try slices.schedule(player, 1, from: 5_000, frames: 7, at: statesTime ? Double(time) : nil, 32)
                let sound = before + player.render(total: 400 - played, in: 16)
                var expected: [Float] = []
                while expected.count < end { expected += numbers(1_000, 100) }
                expected += numbers(5_000, 7) + silence(393 - end)
                let isEqual = sound == expected
                #expect(isEqual, "at \(time), life \(life)")
                #expect(player.completions.await(2 * life + 2))
                player.program.unit.uninitialize()
            }
        }
    }

    /// The slice that repeats is the first one, or follows another one.
    @Test("interrupts at the end of a repetition also where all is scheduled before the first render", arguments: [0, 20])
    func endOfRepetitionBeforeStart(lead: Int) throws {
        for (slice, time, end) in [(16, 1, 100), (64, 100, 100), (16, 150, 200), (400, 150, 200), (64, 200, 200)] {
            let player = try Player(.soundPlayer)
            let slices = Slices()
            for life in 0..<2 {
                try player.program.unit.initialize()
                player.time = 0
                if lead > 0 { try slices.schedule(player, 2, from: 100, frames: lead) }
                try slices.schedule(player, 0, from: 1_000, frames: 100, 8)
                try slices.schedule(player, 1, from: 5_000, frames: 7, at: Double(lead + time), 32)
                try player.start()
                var expected = numbers(100, lead)
                while expected.count < lead + end { expected += numbers(1_000, 100) }
                expected += numbers(5_000, 7) + silence(393 - lead - end)
                let isEqual = player.render(total: 400, in: slice) == expected
                #expect(isEqual, "at \(time), renders of \(slice), life \(life)")
                #expect(player.completions.await((life + 1) * (lead > 0 ? 3 : 2)))
                player.program.unit.uninitialize()
            }
        }
    }

    @Test("interrupts at the time of the buffer that interrupts, and keeps a buffer that ends before")
    func interruptionAtTime() throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        try player.program.unit.initialize()
        try slices.schedule(player, 0, from: 100, frames: 20)
        try slices.schedule(player, 1, from: 1_000, frames: 500)
        try slices.schedule(player, 2, from: 3_000, frames: 10, at: 70, 16)
        try player.start()
        #expect(player.render(total: 96, in: 32) == numbers(100, 20) + numbers(1_000, 50) + numbers(3_000, 10) + silence(16))
        #expect(player.completions.await(3))
        player.program.unit.uninitialize()
    }

    @Test("begins at a host time that is stated before the first render, with the frame that the device plays at that time")
    func hostTimes() throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        try player.program.unit.initialize()
        // The device is faster than its nominal rate: 20 of 40,000 frames.
        let rate = 44_100 * 1.0005
        player.deviceRate = rate
        func schedule(_ index: Int, from first: Int, frames: Int, atFrame frame: Double, _ flags: UInt32 = 0) throws {
            _ = slices.make(index, from: first, frames: frames, at: nil, player.completions)
            slices.slices[index].mTimeStamp.mHostTime = player.hostTime(frame, rate)
            slices.slices[index].mTimeStamp.mFlags = 2
            slices.slices[index].mFlags = flags
            try player.program.unit.set(3300, 0, 0, slices.slices + index, 112)
        }
        try slices.schedule(player, 0, from: 1_000, frames: 100, 8)
        try schedule(1, from: 4_000, frames: 50, atFrame: 40_000, 16)
        try slices.schedule(player, 2, from: 6_000, frames: 10)
        try schedule(3, from: 7_000, frames: 10, atFrame: 40_530)
        try player.start()
        var expected: [Float] = []
        for _ in 0..<400 { expected += numbers(1_000, 100) }
        expected += numbers(4_000, 50) + numbers(6_000, 10) + silence(470) + numbers(7_000, 10) + silence(60)
        let isEqual = player.render(total: 40_600, in: 100) == expected
        #expect(isEqual)
        // The player leaves out the frames that are late.
        try schedule(4, from: 5_000, frames: 30, atFrame: 40_590)
        #expect(player.render(40) == numbers(5_010, 20) + silence(20))
        #expect(player.completions.await(5))
        // Renders without a host time do not wait for one.
        player.deviceRate = nil
        try schedule(5, from: 300, frames: 8, atFrame: 9e9)
        #expect(player.render(16) == numbers(300, 8) + silence(8))
        player.program.unit.uninitialize()
    }

    @Test("of files plays buffers between them")
    func buffersOfFilePlayer() throws {
        let player = try Player(.filePlayer)
        let slices = Slices()
        let file = player.files.add(try TestFile(40))
        try player.setFiles([file])
        try player.program.unit.initialize()
        try slices.schedule(player, 0, from: 10, frames: 20)
        try player.schedule(file)
        try slices.schedule(player, 1, from: 50, frames: 4)
        try player.start()
        #expect(player.render(total: 80, in: 33) == numbers(10, 20) + ramp(0, 40) + numbers(50, 4) + silence(16))
        #expect(player.completions.await(3))
        player.program.unit.uninitialize()
    }

    @Test("plays buffers at their times and one behind another, and states how far it is")
    func slices() throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        for life in 0..<2 {
            try player.program.unit.initialize()
            player.time = 0
            let wanted: [(first: Int, frames: Int, time: Double?)] = [
                (1, 100, 50), (1_000, 30, nil), (2_000, 20, 160), (3_000, 40, 300),
            ]
            for (index, (first, frames, time)) in wanted.enumerated() {
                _ = slices.make(index, from: first, frames: frames, at: time, player.completions)
                try player.program.unit.set(3300, 0, 0, slices.slices + index, 112)
                #expect(slices.slices[index].mFlags == 0)
            }
            try player.start()
            var expected: [Float] = silence(50)
            expected += numbers(1, 100)
            expected += numbers(1_000, 30)
            for index in 0..<20 { expected[160 + index] += Float(2_000 + index) }
            #expect(player.render(total: 180, in: 64) == expected)
            #expect(player.completions.await(4 * life + 3))
            #expect(slices.slices[3].mFlags == 0)
            player.time += 130
            #expect(player.render(20) == numbers(3_010, 20))
            #expect(slices.slices[3].mFlags == 6)
            try player.program.unit.reset(0, 0)
            #expect(player.completions.all.count == 4 * (life + 1))
            #expect(player.completions.all.suffix(4).map { $0.status }.sorted() == [3, 3, 3, 7])
            player.program.unit.uninitialize()
        }
    }

    @Test("refuses buffers that do not fit its format")
    func mistakes() throws {
        let player = try Player(.soundPlayer)
        let slices = Slices()
        let damages: [(UnsafeMutablePointer<ScheduledAudioSlice>) -> Void] = [
            { $0.pointee.mBufferList = nil }, { $0.pointee.mBufferList.pointee.mNumberBuffers = 2 },
            { $0.pointee.mBufferList.pointee.mBuffers.mData = nil }, { $0.pointee.mNumberFrames += 1 },
            { $0.pointee.mTimeStamp.mSampleTime = .nan },
        ]
        for damage in damages {
            _ = slices.make(0, from: 0, frames: 10, at: 0, nil)
            damage(slices.slices)
            #expect(status { try player.program.unit.set(3300, 0, 0, slices.slices, 112) } == -10851)
        }
        #expect(status { try player.program.unit.set(3310, 0, 0, slices.slices, 8) } == -10879)
        _ = slices.make(0, from: 0, frames: 10, at: 0, nil)
        try player.program.unit.set(3300, 0, 0, slices.slices, 112)
        try player.program.unit.reset(0, 0)
        #expect(slices.slices[0].mFlags == 1)
    }
}
