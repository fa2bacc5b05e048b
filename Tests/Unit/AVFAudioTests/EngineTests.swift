// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import TestSupport
import Testing

/// An engine that renders offline, in floats of two channels at 44,100 Hz.
final class OfflineEngine {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    private let buffer: AVAudioPCMBuffer

    init(rate: Double = 44_100, maximumFrames: AVAudioFrameCount = 4096) throws {
        format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
        buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: maximumFrames))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximumFrames)
    }

    /// The samples of both channels.
    func render(_ frames: Int, in slice: Int = 512) throws -> [[Float]] {
        var all: [[Float]] = [[], []]
        while all[0].count < frames {
            let count = min(slice, frames - all[0].count)
            #expect(try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success)
            #expect(buffer.frameLength == AVAudioFrameCount(count))
            let samples = try #require(buffer.floatChannelData)
            for channel in 0..<2 { all[channel] += UnsafeBufferPointer(start: samples[channel], count: count) }
        }
        return all
    }

    /// A buffer with `level(frame)` in both channels.
    func buffer(_ frames: Int, _ level: (Int) -> Float) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = AVAudioFrameCount(frames)
        let samples = try #require(buffer.floatChannelData)
        for frame in 0..<frames { (samples[0][frame], samples[1][frame]) = (level(frame), -level(frame)) }
        return buffer
    }

    func player() -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        return player
    }
}

/// The reports of completion handlers.
final class Reports<Value: Sendable>: Sendable {
    private let values = LockedValue<[Value]>([])
    private let added = DispatchSemaphore(value: 0)

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        added.signal()
    }
    var all: [Value] { values.withLock { $0 } }

    /// Waits until there are `count` values; fewer after a minute.
    func await(_ count: Int) -> [Value] {
        while all.count < count, added.wait(timeout: .now() + 60) == .success {}
        return all
    }
}

/// A flag that two threads use.
private final class SharedFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var value: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}

private func ramp(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map { Float($0) / 65_536 } }
private func silence(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }
private func negative(_ samples: [Float]) -> [Float] { samples.map { -$0 } }

@Suite("An engine that renders offline")
struct OfflineEngineTests {
    @Test(
        "plays buffers exactly, one behind another, and calls each completion handler once and in order",
        arguments: [1, 77, 512, 4096])
    func buffers(slice: Int) throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        let reports = Reports<Int>()
        for index in 0..<5 {
            try player.scheduleBuffer(offline.buffer(300) { Float(index * 300 + $0) / 65_536 }) { reports.add(index) }
        }
        try offline.engine.start()
        player.play()
        let sound = try offline.render(1_600, in: slice)
        let isEqual = sound == [ramp(0, 1_500) + silence(100), negative(ramp(0, 1_500)) + silence(100)]
        #expect(isEqual)
        #expect(reports.await(5) == [0, 1, 2, 3, 4])
        #expect(offline.engine.manualRenderingSampleTime == 1_600)
    }

    @Test("calls the completion handlers of what a stop drops, once and in order")
    func stop() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        let reports = Reports<Int>()
        for index in 0..<4 {
            try player.scheduleBuffer(offline.buffer(300) { _ in 0.5 }, completionCallbackType: .dataPlayedBack) {
                #expect($0 == .dataPlayedBack)
                reports.add(index)
            }
        }
        try offline.engine.start()
        player.play()
        #expect(try offline.render(450)[0] == Array(repeating: 0.5, count: 450))
        player.stop()
        #expect(reports.await(4) == [0, 1, 2, 3])
        #expect(!player.isPlaying)
        #expect(try offline.render(100)[0] == silence(100))
        // The player begins again.
        try player.scheduleBuffer(offline.buffer(50) { _ in 0.25 }, at: nil)
        player.play()
        #expect(try offline.render(100)[0] == Array(repeating: 0.25, count: 50) + silence(50))
        #expect(reports.all.count == 4)
    }

    @Test("repeats a buffer until another one interrupts it at the end of a repetition")
    func loops() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        try player.scheduleBuffer(offline.buffer(100) { Float($0) / 65_536 }, at: nil, options: .loops)
        try offline.engine.start()
        player.play()
        #expect(try offline.render(250)[0] == ramp(0, 100) + ramp(0, 100) + ramp(0, 50))
        try player.scheduleBuffer(offline.buffer(10) { _ in 0.5 }, at: nil, options: [.interruptsAtLoop])
        #expect(try offline.render(70)[0] == ramp(50, 50) + Array(repeating: 0.5, count: 10) + silence(10))
    }

    @Test("pauses a player to the frame, and knows the times of the player and of the node")
    func pause() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        try player.scheduleBuffer(offline.buffer(1_000) { Float($0) / 65_536 }, at: nil)
        try player.scheduleBuffer(offline.buffer(20) { _ in 0.5 }, at: AVAudioTime(sampleTime: 1_100, atRate: 44_100))
        try offline.engine.start()
        _ = try offline.render(300)
        player.play()
        #expect(try offline.render(400, in: 100)[0] == ramp(0, 400))
        let node = try #require(player.lastRenderTime)
        #expect(node.sampleTime == 600)
        #expect(player.playerTime(forNodeTime: node)?.sampleTime == 300)
        #expect(player.nodeTime(forPlayerTime: AVAudioTime(sampleTime: 0, atRate: 44_100))?.sampleTime == 300)
        player.pause()
        #expect(try offline.render(200)[0] == silence(200))
        #expect(player.playerTime(forNodeTime: node) == nil)
        player.play()
        #expect(
            try offline.render(800, in: 128)[0] == ramp(400, 600) + silence(100) + Array(repeating: 0.5, count: 20) + silence(80))
    }

    @Test("mixes sources with their volume and pan, of different rates, and again after new connections")
    func mixing() throws {
        let offline = try OfflineEngine()
        let (first, second) = (offline.player(), offline.player())
        first.volume = 0.5
        second.pan = 1
        #expect(first.destination(forMixer: offline.engine.mainMixerNode, bus: 0)?.volume == 0.5)
        try first.scheduleBuffer(offline.buffer(2_000) { _ in 0.5 }, at: nil)
        try second.scheduleBuffer(offline.buffer(2_000) { _ in 0.125 }, at: nil)
        try offline.engine.start()
        first.play()
        second.play()
        let sound = try offline.render(1_000)
        #expect(sound[0].allSatisfy { $0 == 0.25 })
        #expect(sound[1].allSatisfy { $0 == -0.375 })
        offline.engine.mainMixerNode.outputVolume = 0
        _ = try offline.render(1_024)
        #expect(try offline.render(100)[0] == silence(100))
    }

    @Test("converts the rate of a player to that of the output")
    func rates() throws {
        let offline = try OfflineEngine(rate: 48_000)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        let player = AVAudioPlayerNode()
        offline.engine.attach(player)
        offline.engine.connect(player, to: offline.engine.mainMixerNode, format: format)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 24_000))
        buffer.frameLength = 24_000
        let samples = try #require(buffer.floatChannelData)[0]
        for frame in 0..<24_000 { samples[frame] = sin(Float(frame) * 2 * .pi * 500 / 24_000) * 0.5 }
        player.scheduleBuffer(buffer)
        try offline.engine.start()
        player.play()
        let sound = try offline.render(48_000)[0]
        let crossings = zip(sound[4_000..<44_000], sound[4_001..<44_001]).count { $0 < 0 && $1 >= 0 }
        #expect(415...418 ~= crossings)
        let loudest = try #require(sound[4_000..<44_000].max())
        #expect(abs(loudest - 0.5) < 0.001)
    }

    @Test("plays from a sample time of the node on, within a slice, in each life of the player")
    func startTime() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        try offline.engine.start()
        for begin: AVAudioFramePosition in [0, 600] {
            try player.scheduleBuffer(offline.buffer(100) { Float($0) / 65_536 })
            player.play(at: AVAudioTime(sampleTime: begin + 300, atRate: 44_100))
            let wanted: [Float] = silence(300) + ramp(0, 100) + silence(200)
            #expect(try offline.render(600)[0] == wanted)
            player.stop()
        }
    }

    @Test("renders more frames at once than a unit does")
    func largeSlices() throws {
        let offline = try OfflineEngine(maximumFrames: 10_000)
        let player = offline.player()
        try player.scheduleBuffer(offline.buffer(18_000) { Float($0) / 65_536 })
        try offline.engine.start()
        player.play()
        let wanted: [Float] = ramp(0, 18_000) + silence(2_000)
        let isEqual = try offline.render(20_000, in: 10_000)[0] == wanted
        #expect(isEqual && offline.engine.manualRenderingSampleTime == 20_000)
    }

    @Test("starts and stops again with what is scheduled anew, and has no time while it does not run")
    func lives() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        for _ in 0..<3 {
            #expect(player.lastRenderTime == nil)
            try offline.engine.start()
            #expect(offline.engine.isRunning)
            try player.scheduleBuffer(offline.buffer(100) { Float($0) / 65_536 })
            player.play()
            #expect(try offline.render(120)[0] == ramp(0, 100) + silence(20))
            offline.engine.stop()
            #expect(!player.isPlaying)
            #expect(throws: NSError.self) { try offline.render(1) }
        }
    }
}

@Suite("The nodes of an engine")
struct EngineNodeTests {
    @Test("supply frames by a block of a source, at the times of the output")
    func source() throws {
        let offline = try OfflineEngine()
        let times = Reports<Double>()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let source = AVAudioSourceNode(format: format) { isSilence, time, frames, list in
            times.add(time.pointee.mSampleTime)
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = Float(time.pointee.mSampleTime + Double(frame)) / 65_536 }
            isSilence.pointee = ObjCBool(time.pointee.mSampleTime >= 300)
            return noErr
        }
        offline.engine.attach(source)
        offline.engine.connect(source, to: offline.engine.mainMixerNode, format: format)
        try offline.engine.start()
        let sound = try offline.render(400, in: 100)
        #expect(sound[0] == ramp(0, 300) + silence(100))
        #expect(sound[1] == sound[0])
        #expect(times.all == [0, 100, 200, 300])
    }

    @Test("of a source have its own format until they are connected, and then that of each connection, also for a tap")
    func sourceFormats() throws {
        let offline = try OfflineEngine()
        let (engine, mixer) = (offline.engine, offline.engine.mainMixerNode)
        let own = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1))
        let source = AVAudioSourceNode(format: own) { _, _, frames, list in
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
            return noErr
        }
        engine.attach(source)
        #expect(source.outputFormat(forBus: 0) == own)
        for (rate, channels) in [(44_100.0, 2), (32_000, 1), (22_050, 2)] as [(Double, AVAudioChannelCount)] {
            let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
            engine.connect(source, to: mixer, format: format)
            #expect(source.outputFormat(forBus: 0) == format)
            let taken = Reports<AVAudioFormat>()
            source.installTap(onBus: 0, bufferSize: 100, format: nil) { buffer, _ in taken.add(buffer.format) }
            try engine.start()
            _ = try offline.render(1_000)
            #expect(taken.await(1).first == format)
            source.removeTap(onBus: 0)
            engine.disconnectNodeOutput(source)
        }
    }

    @Test("copy the frames of a bus for a tap, with the time of each buffer, until it is removed")
    func tap() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        let taken = Reports<(time: Int64, samples: [Float])>()
        offline.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_000, format: nil) { buffer, when in
            let samples = buffer.floatChannelData.map { Array(UnsafeBufferPointer(start: $0[0], count: Int(buffer.frameLength))) }
            taken.add((when.sampleTime, samples ?? []))
        }
        try player.scheduleBuffer(offline.buffer(5_000) { Float($0) / 65_536 })
        try offline.engine.start()
        player.play()
        _ = try offline.render(4_500, in: 300)
        let buffers = taken.await(4)
        #expect(buffers.map { $0.time } == [0, 1_000, 2_000, 3_000])
        #expect(buffers.flatMap { $0.samples } == ramp(0, 4_000))
        offline.engine.mainMixerNode.removeTap(onBus: 0)
        _ = try offline.render(4_000)
        #expect(taken.all.count == 4)
    }

    @Test("give a tap every frame offline, whatever its block takes, until it is removed during a render")
    func slowTap() throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        let taken = Reports<Int>()
        let gate = DispatchSemaphore(value: 0)
        let isOpen = SharedFlag()
        offline.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 4_096, format: nil) { buffer, when in
            if !isOpen.value { gate.wait() }
            taken.add(Int(when.sampleTime))
        }
        try player.scheduleBuffer(offline.buffer(100) { _ in 0.5 }, at: nil, options: .loops)
        try offline.engine.start()
        player.play()
        // Ten seconds: more than the ring of a tap has room for.
        let ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let engine = offline
        Thread.detachNewThread {
            for _ in 0..<108 { _ = try? engine.render(4_096, in: 4_096) }
            ended.signal()
        }
        gate.signal()
        #expect(taken.await(1) == [0])
        isOpen.value = true
        gate.signal()
        #expect(Array(taken.await(107).prefix(107)) == Array(stride(from: 0, to: 107 * 4_096, by: 4_096)))
        ended.wait()
        // A render that waits for the block ends with the tap.
        isOpen.value = false
        Thread.detachNewThread {
            for _ in 0..<108 { _ = try? engine.render(4_096, in: 4_096) }
            ended.signal()
        }
        Thread.detachNewThread {
            gate.signal()
            gate.signal()
        }
        _ = taken.await(109)
        isOpen.value = true
        for _ in 0..<200 { gate.signal() }
        offline.engine.mainMixerNode.removeTap(onBus: 0)
        ended.wait()
        #expect(offline.engine.manualRenderingSampleTime == 216 * 4_096)
    }

    @Test("give a tap every frame of renders that are shorter than its buffers", arguments: [1, 3])
    func shortRenders(slice: Int) throws {
        let offline = try OfflineEngine()
        let taken = Reports<Int>()
        offline.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 4_096, format: nil) { buffer, when in
            taken.add(Int(when.sampleTime))
        }
        try offline.engine.start()
        _ = try offline.render(4 * 4_096, in: slice)
        #expect(taken.await(4) == (0..<4).map { $0 * 4_096 })
    }

    @Test("take the input of the program in manual rendering, and report that it has none")
    func manualInput() throws {
        let offline = try OfflineEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let input = try offline.buffer(100) { Float($0) / 65_536 }
        let supplies = Atomic<Bool>(true)
        #expect(
            offline.engine.inputNode.setManualRenderingInputPCMFormat(format) { _ in
                supplies.load(ordering: .relaxed) ? input.audioBufferList : nil
            })
        offline.engine.connect(offline.engine.inputNode, to: offline.engine.mainMixerNode, format: format)
        try offline.engine.start()
        #expect(try offline.render(200, in: 100)[0] == ramp(0, 100) + ramp(0, 100))
        supplies.store(false, ordering: .relaxed)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 100))
        #expect(try offline.engine.renderOffline(100, to: buffer) == .insufficientDataFromInputNode)
    }

    @Test("feed several inputs from one bus")
    func fanOut() throws {
        let offline = try OfflineEngine()
        let (engine, mixer, player) = (offline.engine, AVAudioMixerNode(), AVAudioPlayerNode())
        engine.attach(mixer)
        engine.attach(player)
        engine.connect(mixer, to: engine.mainMixerNode, format: offline.format)
        engine.connect(
            player, to: [.init(node: mixer, bus: 0), .init(node: engine.mainMixerNode, bus: 3)], fromBus: 0,
            format: offline.format)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map { $0.bus } == [0, 3])
        try player.scheduleBuffer(offline.buffer(300) { Float($0) / 65_536 })
        try engine.start()
        player.play()
        #expect(try offline.render(400)[0] == ramp(0, 300).map { 2 * $0 } + silence(100))
    }

    @Test("give a tap each frame once, however many inputs the bus feeds, in each life of the engine", arguments: [1, 2, 3])
    func tapOfASharedBus(inputs: Int) throws {
        let offline = try OfflineEngine()
        let (engine, player) = (offline.engine, AVAudioPlayerNode())
        engine.attach(player)
        engine.connect(
            player, to: (0..<inputs).map { AVAudioConnectionPoint(node: engine.mainMixerNode, bus: $0) }, fromBus: 0,
            format: offline.format)
        let taken = Reports<[Float]>()
        player.installTap(onBus: 0, bufferSize: 100, format: nil) { buffer, _ in
            let samples = buffer.floatChannelData.map { Array(UnsafeBufferPointer(start: $0[0], count: Int(buffer.frameLength))) }
            taken.add(samples ?? [])
        }
        for life in 1...2 {
            try player.scheduleBuffer(offline.buffer(400) { Float($0) / 65_536 })
            try engine.start()
            player.play()
            let wanted = ramp(0, 400)
            #expect(try offline.render(400, in: 100)[0] == wanted.map { Float(inputs) * $0 }, "life \(life)")
            let buffers = taken.await(4 * life)
            #expect(Array(buffers.suffix(4).joined()) == wanted, "life \(life)")
            #expect(taken.all.count == 4 * life, "life \(life)")
            engine.stop()
        }
        player.removeTap(onBus: 0)
    }

    @Test("change their connections while another thread renders")
    func changes() throws {
        let offline = try OfflineEngine()
        let engine = offline.engine
        _ = engine.mainMixerNode
        try engine.start()
        let (isEnding, rendered, ended) = (SharedFlag(), Reports<Bool>(), DispatchSemaphore(value: 0))
        let target = try #require(AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 64))
        nonisolated(unsafe) let render = engine.manualRenderingBlock
        Thread.detachNewThread {
            while !isEnding.value {
                let status = render(64, target.mutableAudioBufferList, nil)
                if rendered.all.isEmpty || status != .success { rendered.add(status == .success) }
            }
            ended.signal()
        }
        #expect(rendered.await(1) == [true])
        for turn in 0..<200 {
            let player = AVAudioPlayerNode()
            let mixer = AVAudioMixerNode()
            engine.attach(player)
            engine.attach(mixer)
            engine.connect(player, to: mixer, format: offline.format)
            engine.connect(mixer, to: engine.mainMixerNode, format: offline.format)
            try player.scheduleBuffer(offline.buffer(32) { _ in 0.1 }, at: nil, options: .loops)
            player.play()
            if turn % 3 == 0 { engine.disconnectNodeOutput(player) }
            engine.detach(player)
            engine.detach(mixer)
        }
        isEnding.value = true
        ended.wait()
        #expect(rendered.all == [true])
        #expect(engine.attachedNodes.count == 2)
    }

    @Test(
        "change the level of a band by an equalizer, and pass the sound when it is bypassed",
        arguments: [(100.0, 6.0), (5_000.0, 0.0)])
    func equalizer(frequency: Double, decibels: Double) throws {
        let offline = try OfflineEngine()
        let (player, equalizer) = (AVAudioPlayerNode(), AVAudioUnitEQ(numberOfBands: 2))
        offline.engine.attach(player)
        offline.engine.attach(equalizer)
        offline.engine.connect(player, to: equalizer, format: offline.format)
        offline.engine.connect(equalizer, to: offline.engine.mainMixerNode, format: offline.format)
        equalizer.bands[0].filterType = .parametric
        equalizer.bands[0].frequency = 100
        equalizer.bands[0].bandwidth = 1
        equalizer.bands[0].gain = 6
        let tone = { (frame: Int) in Float(sin(Double(frame) * 2 * .pi * frequency / 44_100) * 0.25) }
        try player.scheduleBuffer(offline.buffer(88_200, tone))
        try offline.engine.start()
        player.play()
        #expect(try offline.render(1_000)[0] == (0..<1_000).map(tone))
        equalizer.bands[0].bypass = false
        let sound = try offline.render(60_000)[0].suffix(20_000)
        #expect(abs(20 * log10(Double(sound.max() ?? 0) / 0.25) - decibels) < 0.05)
    }

    @Test("of an effect get another format one side after the other, and play it")
    func effectFormats() throws {
        let offline = try OfflineEngine()
        let (engine, player, equalizer) = (offline.engine, AVAudioPlayerNode(), AVAudioUnitEQ(numberOfBands: 1))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        engine.attach(player)
        engine.attach(equalizer)
        for format in [offline.format, mono] {
            engine.connect(player, to: equalizer, format: format)
            engine.connect(equalizer, to: engine.mainMixerNode, format: format)
            #expect(equalizer.inputFormat(forBus: 0) == format && equalizer.outputFormat(forBus: 0) == format)
        }
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 10))
        buffer.frameLength = 10
        for frame in 0..<10 { buffer.floatChannelData?[0][frame] = 0.5 }
        player.scheduleBuffer(buffer)
        try engine.start()
        player.play()
        #expect(try offline.render(20) == Array(repeating: Array(repeating: 0.5, count: 10) + silence(10), count: 2))
    }

    @Test("change the speed by Varispeed", arguments: [0.5, 1, 2] as [Float])
    func varispeed(rate: Float) throws {
        let offline = try OfflineEngine()
        let (player, speed) = (AVAudioPlayerNode(), AVAudioUnitVarispeed())
        speed.rate = rate
        offline.engine.attach(player)
        offline.engine.attach(speed)
        offline.engine.connect(player, to: speed, format: offline.format)
        offline.engine.connect(speed, to: offline.engine.mainMixerNode, format: offline.format)
        try player.scheduleBuffer(offline.buffer(88_200) { Float(sin(Double($0) * 2 * .pi * 441 / 44_100)) * 0.5 })
        try offline.engine.start()
        player.play()
        let sound = try offline.render(42_000)[0].suffix(40_000)
        let crossings = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(crossings) - 400 * Double(rate)) <= 1)
    }

    @Test("change the pitch by TimePitch, and keep the speed", arguments: [-2_400, -1_200, 0, 1_200, 2_400] as [Float])
    func timePitch(cents: Float) throws {
        let offline = try OfflineEngine()
        let (player, pitch) = (AVAudioPlayerNode(), AVAudioUnitTimePitch())
        pitch.pitch = cents
        for node in [player, pitch] as [AVAudioNode] { offline.engine.attach(node) }
        offline.engine.connect(player, to: pitch, format: offline.format)
        offline.engine.connect(pitch, to: offline.engine.mainMixerNode, format: offline.format)
        let tone = { (frame: Int) in Float(sin(Double(frame) * 2 * .pi * 441 / 44_100)) * 0.5 }
        for life in 1...2 {
            try player.scheduleBuffer(offline.buffer(44_100, tone), at: nil, options: .loops)
            try offline.engine.start()
            player.play()
            let sound = try offline.render(48_000)[0].suffix(40_000)
            let wanted = 400 * exp2(Double(cents) / 1_200)
            let found = Double(zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 })
            #expect(abs(found - wanted) <= 4 + wanted / 100, "life \(life): \(found)")
            player.stop()
            offline.engine.stop()
        }
    }

    @Test("limit the values of TimePitch: pitch to two octaves, rate to a factor of 32, overlap to 3 to 32")
    func timePitchLimits() {
        let node = AVAudioUnitTimePitch()
        let limits: [(ReferenceWritableKeyPath<AVAudioUnitTimePitch, Float>, Float, Float)] = [
            (\.pitch, -2_400, 2_400), (\.rate, 1 / 32, 32), (\.overlap, 3, 32),
        ]
        for (value, least, most) in limits {
            for (given, kept) in [
                (most, most), (least, least), (most * 2, most), (-.infinity, least), (.infinity, most), (-9_999, least),
                (.nan, least),
            ] {
                node[keyPath: value] = given
                #expect(node[keyPath: value] == kept, "\(given)")
            }
        }
    }

    @Test("pass the sound at its own speed while Varispeed is bypassed, then at the rate that was set meanwhile")
    func bypassedSpeed() throws {
        let offline = try OfflineEngine()
        let (player, speed) = (AVAudioPlayerNode(), AVAudioUnitVarispeed())
        speed.rate = 0.5
        for node in [player, speed] as [AVAudioNode] { offline.engine.attach(node) }
        offline.engine.connect(player, to: speed, format: offline.format)
        offline.engine.connect(speed, to: offline.engine.mainMixerNode, format: offline.format)
        let tone = { (frame: Int) in Float(sin(Double(frame) * 2 * .pi * 441 / 44_100)) * 0.5 }
        try player.scheduleBuffer(offline.buffer(44_100, tone), at: nil, options: .loops)
        try offline.engine.start()
        player.play()
        let steps: [(isBypassed: Bool, crossings: Int)] = [(false, 200), (true, 400), (false, 800), (true, 400)]
        for step in steps {
            speed.bypass = step.isBypassed
            for _ in 1...2 {
                let sound = try offline.render(42_000)[0].suffix(40_000)
                let found = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
                #expect(abs(found - step.crossings) <= 1, "\(found)")
                #expect(speed.bypass == step.isBypassed)
                // The next sound is bypassed too.
                if step.isBypassed { speed.rate = 2 }
            }
        }
    }

    @Test("pass the sound at its own pitch while TimePitch is bypassed, then at the pitch that was set meanwhile")
    func bypassedPitch() throws {
        let offline = try OfflineEngine()
        let (player, pitch) = (AVAudioPlayerNode(), AVAudioUnitTimePitch())
        for node in [player, pitch] as [AVAudioNode] { offline.engine.attach(node) }
        offline.engine.connect(player, to: pitch, format: offline.format)
        offline.engine.connect(pitch, to: offline.engine.mainMixerNode, format: offline.format)
        let tone = { (frame: Int) in Float(sin(Double(frame) * 2 * .pi * 441 / 44_100)) * 0.5 }
        try player.scheduleBuffer(offline.buffer(44_100, tone), at: nil, options: .loops)
        try offline.engine.start()
        player.play()
        for (isBypassed, crossings) in [(true, 400), (false, 800), (true, 400), (false, 800)] {
            pitch.bypass = isBypassed
            if isBypassed { pitch.pitch = 1_200 }
            let sound = try offline.render(48_000)[0].suffix(40_000)
            let found = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(found - crossings) <= 4 + crossings / 100, "\(found)")
            #expect(pitch.bypass == isBypassed && pitch.pitch == 1_200)
        }
    }

    @Test("that are detached leave no connection, and a new main mixer takes the place of a former one")
    func detaching() throws {
        let offline = try OfflineEngine()
        let (engine, player) = (offline.engine, offline.player())
        for _ in 1...2 {
            let mixer = engine.mainMixerNode
            engine.connect(player, to: mixer, format: offline.format)
            engine.detach(mixer)
            #expect(mixer.engine == nil)
            #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
            #expect(engine.mainMixerNode !== mixer && engine.mainMixerNode.engine === engine)
        }
    }
}

@Suite("An engine refuses, and stays as it is,")
struct EngineRefusalTests {
    @Test("nodes of another engine, cycles, buses that do not exist, and a second tap")
    func connections() throws {
        let (offline, other) = (try OfflineEngine(), AVAudioEngine())
        let engine = offline.engine
        let (first, second, foreign) = (AVAudioMixerNode(), AVAudioMixerNode(), AVAudioPlayerNode())
        for node in [first, second] { engine.attach(node) }
        other.attach(foreign)
        engine.attach(foreign)
        #expect(foreign.engine === other)
        engine.connect(foreign, to: first, format: nil)
        #expect(engine.inputConnectionPoint(for: first, inputBus: 0) == nil)
        engine.connect(first, to: second, format: nil)
        engine.connect(second, to: first, format: nil)
        engine.connect(first, to: first, format: nil)
        #expect(engine.inputConnectionPoint(for: first, inputBus: 0) == nil)
        #expect(engine.inputConnectionPoint(for: second, inputBus: 0)?.node === first)
        engine.connect(first, to: second, fromBus: 7, toBus: 0, format: nil)
        engine.connect(first, to: engine.outputNode, fromBus: 0, toBus: 1, format: nil)
        #expect(engine.outputConnectionPoints(for: first, outputBus: 0).count == 1)
        engine.detach(foreign)
        #expect(foreign.engine === other)
        let taps = Reports<Int>()
        second.installTap(onBus: 0, bufferSize: 0, format: nil) { _, _ in taps.add(0) }
        second.installTap(onBus: 5, bufferSize: 100, format: nil) { _, _ in taps.add(1) }
        second.removeTap(onBus: 3)
        #expect(taps.all.isEmpty)
    }

    @Test("a format that a node does not take: the connections and the formats are as before")
    func formats() throws {
        let offline = try OfflineEngine()
        let (engine, effect) = (offline.engine, AVAudioUnitEQ(numberOfBands: 1))
        let player = offline.player()
        engine.attach(effect)
        try player.scheduleBuffer(offline.buffer(100) { _ in 0.5 }, at: nil, options: .loops)
        try engine.start()
        player.play()
        #expect(try offline.render(100)[0] == Array(repeating: 0.5, count: 100))
        let shorts = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
        engine.connect(player, to: effect, format: shorts)
        #expect(engine.inputConnectionPoint(for: effect, inputBus: 0) == nil)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map { $0.node } == [engine.mainMixerNode])
        #expect(player.outputFormat(forBus: 0) == offline.format)
        let sound = try offline.render(100)[0]
        #expect(sound == Array(repeating: 0.5, count: 100), "\(sound)")
        // One input of several is not possible: none is connected.
        engine.connect(
            player, to: [.init(node: engine.mainMixerNode, bus: 1), .init(node: AVAudioMixerNode(), bus: 0)], fromBus: 0,
            format: offline.format)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).map { $0.bus } == [0])
        engine.connect(player, to: [], fromBus: 0, format: offline.format)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
    }

    @Test("frames of no other rate: a player plays them at its own")
    func bufferRate() throws {
        let offline = try OfflineEngine(rate: 48_000)
        let player = AVAudioPlayerNode()
        #expect(player.outputFormat(forBus: 0).sampleRate == 44_100 && player.outputFormat(forBus: 0).channelCount == 2)
        offline.engine.attach(player)
        offline.engine.connect(player, to: offline.engine.mainMixerNode, format: offline.format)
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 10))
        buffer.frameLength = 10
        for frame in 0..<10 { buffer.floatChannelData?[0][frame] = 0.5 }
        let reports = Reports<Int>()
        player.scheduleBuffer(buffer) { reports.add(0) }
        try offline.engine.start()
        player.play()
        #expect(try offline.render(20)[0] == Array(repeating: 0.5, count: 10) + Array(repeating: 0, count: 10))
        #expect(reports.await(1) == [0])
    }

    @Test("a render in the wrong state, with the codes of the platform")
    func states() throws {
        let code = { (body: () throws -> Void) -> Int in
            do { try body() } catch let error as NSError { return error.code }
            return 0
        }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        let engine = AVAudioEngine()
        #expect(code { _ = try engine.renderOffline(10, to: buffer) } == -80800)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 50)
        #expect(engine.isInManualRenderingMode && engine.manualRenderingMaximumFrameCount == 50)
        _ = engine.mainMixerNode
        #expect(code { _ = try engine.renderOffline(10, to: buffer) } == -80802)
        try engine.start()
        #expect(code { _ = try engine.renderOffline(51, to: buffer) } == -10874)
        #expect(code { try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 50) } == -80801)
        #expect(try engine.renderOffline(50, to: buffer) == .success)
        engine.stop()
        #expect(!engine.isRunning)
    }

    @Test("a player that cannot play, and a buffer of another format")
    func players() throws {
        let offline = try OfflineEngine()
        let player = AVAudioPlayerNode()
        player.play()
        offline.engine.attach(player)
        player.play()
        #expect(!player.isPlaying)
        offline.engine.connect(player, to: offline.engine.mainMixerNode, format: offline.format)
        player.play()
        #expect(!player.isPlaying)
        try offline.engine.start()
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 10))
        player.scheduleBuffer(buffer)
        // A buffer of other samples is converted.
        let shorts = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
        let short = try #require(AVAudioPCMBuffer(pcmFormat: shorts, frameCapacity: 10))
        short.frameLength = 10
        for sample in 0..<20 { short.int16ChannelData?[0][sample] = 16_384 }
        player.scheduleBuffer(short)
        player.play()
        #expect(try offline.render(20)[0] == Array(repeating: 0.5, count: 10) + silence(10))
    }
}
