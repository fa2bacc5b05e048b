// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Synchronization

// Players, recorders and engines on a simulated machine, in a process of their own. The first argument selects the scenario; the
// lines of the standard input are commands, and every event prints a line.

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The main thread handles no event until `runs` is false.
@MainActor func wait(while runs: () -> Bool) {
    say("waits")
    while runs() { usleep(1_000) }
}

/// Calls `body` on the main thread with each line of the standard input, and ends the process with its end.
func readCommands(_ body: @escaping @MainActor @Sendable ([String]) -> Void) {
    Thread.detachNewThread {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            DispatchQueue.main.async { MainActor.assumeIsolated { body(words) } }
        }
        exit(0)
    }
}

/// From its first use on, prints the interruptions of the session, behind what its players and recorders print.
enum InterruptionReports {
    @MainActor static let observer = NotificationCenter.default.addObserver(
        forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
    ) {
        let type = $0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        let hasBegun = type == AVAudioSession.InterruptionType.began.rawValue
        // The delegates are called on the main queue.
        DispatchQueue.main.async { DispatchQueue.main.async { say(hasBegun ? "session interrupted" : "session continues") } }
    }
}

/// Deactivates the session, and waits until the sound has stopped.
@MainActor func deactivate(_ name: String, while runs: @escaping @MainActor @Sendable () -> Bool) {
    // Its sound makes it fail, and stops.
    try? AVAudioSession.sharedInstance().setActive(false)
    func wait() {
        guard runs() else { return say("inactive, \(name) false") }
        DispatchQueue.main.async { MainActor.assumeIsolated { wait() } }
    }
    wait()
}

@MainActor func activate() {
    _ = InterruptionReports.observer
    say("active \((try? AVAudioSession.sharedInstance().setActive(true)) != nil)")
}

@MainActor func setCategory(_ name: String) {
    let session = AVAudioSession.sharedInstance()
    try? session.setCategory(AVAudioSession.Category(rawValue: "AVAudioSessionCategory\(name)"))
    say("category \(session.category.rawValue)")
}

final class PlayerDelegate: AVAudioPlayerDelegate {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        say("finished \(flag) at \(player.currentTime), main thread \(Thread.isMainThread)")
    }
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { say("interrupted, playing \(player.isPlaying)") }
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) { say("interruption over \(flags)") }
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) { say("error \(error as Any)") }
}

@MainActor func runPlayer(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    let player =
        try CommandLine.arguments.contains("data") ? AVAudioPlayer(data: Data(contentsOf: url)) : AVAudioPlayer(contentsOf: url)
    let delegate = PlayerDelegate()
    player.delegate = delegate
    _ = AVAudioSession.sharedInstance()
    say("\(player.duration) s, \(player.numberOfChannels) channels, \(player.format.sampleRate) Hz")
    nonisolated(unsafe) let held = (player, delegate)
    var begins = 0.0
    readCommands { words in
        let player = held.0
        switch words[0] {
        case "loops": player.numberOfLoops = Int(words[1]) ?? 0
        case "prepare": say("prepare \(player.prepareToPlay())")
        case "play": say("play \(player.play())")
        case "wait":
            wait { player.isPlaying }
            say("play \(player.play())")
        case "pause":
            player.pause()
            say("paused at \(player.currentTime > 0)")
        case "stop":
            player.stop()
            say("stopped, playing \(player.isPlaying)")
        case "seek":
            player.currentTime = Double(words[1]) ?? 0
            say("at \(player.currentTime)")
        case "volume":
            player.setVolume(Float(words[1]) ?? 0, fadeDuration: words.count > 2 ? Double(words[2]) ?? 0 : 0)
            say("volume \(player.volume)")
        case "pan":
            player.pan = Float(words[1]) ?? 0
            say("pan \(player.pan)")
        case "rate":
            player.rate = Float(words[1]) ?? 0
            say("rate \(player.rate)")
        case "enable":
            player.enableRate = true
            say("enabled \(player.enableRate)")
        case "later":
            let begin = player.deviceCurrentTime + (Double(words[1]) ?? 0)
            begins = begin
            say("play \(player.play(atTime: begin))")
        case "inactive": deactivate("playing") { held.0.isPlaying }
        case "active": activate()
        case "category": setCategory(words[1])
        case "state": say("playing \(player.isPlaying)")
        case "late": say("heard \(player.deviceCurrentTime >= begins + player.duration)")
        case "time": say("\(player.currentTime)")
        case "meter":
            player.isMeteringEnabled = words[1] == "on"
            player.updateMeters()
            say("\(player.peakPower(forChannel: 0)) \(player.averagePower(forChannel: 0)) \(player.peakPower(forChannel: 9))")
        default: say("?")
        }
    }
}

final class RecorderDelegate: AVAudioRecorderDelegate {
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        say("recorded \(flag), recording \(recorder.isRecording)")
    }
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) { say("interrupted, recording \(recorder.isRecording)") }
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) { say("interruption over \(flags)") }
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) { say("error \(error as Any)") }
}

/// The largest size of a file of this process; nil: none. The limit is lifted before the process ends: it adds its counts to the
/// file of coverage then, which other processes use too.
func limitFiles(_ bytes: Int?) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(1), &limit)  // RLIMIT_FSIZE
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(1), &limit)
}

@MainActor func runRecorder(_ path: String) throws {
    try AVAudioSession.sharedInstance().setCategory(.record)
    let recorder = try AVAudioRecorder(
        url: URL(fileURLWithPath: path),
        settings: [
            AVFormatIDKey: CommandLine.arguments.contains("ima4") ? kAudioFormatAppleIMA4 : kAudioFormatLinearPCM,
            AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
            AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        ])
    let delegate = RecorderDelegate()
    recorder.delegate = delegate
    nonisolated(unsafe) let held = (recorder, delegate)
    readCommands { words in
        let recorder = held.0
        switch words[0] {
        case "record": say("record \(recorder.record())")
        case "wait":
            wait { recorder.isRecording }
            say("record \(recorder.record())")
        case "for": say("record \(recorder.record(forDuration: Double(words[1]) ?? 0))")
        case "pause":
            recorder.pause()
            say("paused, recording \(recorder.isRecording)")
        case "stop": recorder.stop()
        case "inactive": deactivate("recording") { held.0.isRecording }
        case "active": activate()
        case "limit":
            limitFiles(Int(words[1]))
            say("limited")
        case "delete": say("deleted \(recorder.deleteRecording())")
        case "category": setCategory(words[1])
        case "state": say("recording \(recorder.isRecording)")
        case "later":
            say("record \(recorder.record(atTime: recorder.deviceCurrentTime + (Double(words[1]) ?? 0), forDuration: 0.25))")
        case "time": say("\(recorder.currentTime)")
        case "meter":
            if words[1] != "read" { recorder.isMeteringEnabled = words[1] == "on" }
            recorder.updateMeters()
            say(
                "\(recorder.peakPower(forChannel: 0)) \(recorder.averagePower(forChannel: 0)) \(recorder.peakPower(forChannel: 9))"
            )
        default: say("?")
        }
    }
}

/// Counts the interruptions that the program has heard of.
final class HeardEvents: Sendable {
    let count = Atomic<Int>(0)

    /// Asks for the other sessions in each turn of the run loop until the next event: the main thread notices an interruption before
    /// the threads of the library do.
    func askUntilNext() { ask(count.load(ordering: .relaxed)) }

    private func ask(_ heard: Int) {
        _ = AVAudioSession.sharedInstance().secondaryAudioShouldBeSilencedHint
        if count.load(ordering: .relaxed) == heard { DispatchQueue.main.async { self.ask(heard) } }
    }
}

/// Plays a file by a player node, and records the microphone by a tap into another.
@MainActor func runEngine(_ path: String, _ recording: String?) throws {
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(recording == nil ? .playback : .playAndRecord)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
    if let recording {
        let format = engine.inputNode.outputFormat(forBus: 0)
        let target = try AVAudioFile(forWriting: URL(fileURLWithPath: recording), settings: format.settings)
        let frames = Atomic<Int>(0)
        let next = Atomic<Int>(0)
        engine.inputNode.installTap(onBus: 0, bufferSize: 2_048, format: format) { buffer, time in
            let expected = next.exchange(Int(time.sampleTime) + Int(buffer.frameLength), ordering: .relaxed)
            if expected != 0, expected != Int(time.sampleTime) {
                FileHandle.standardError.write(Data("a gap in the times of the tap\n".utf8))
            }
            try? target.write(from: buffer)
            let (before, after) = frames.add(Int(buffer.frameLength), ordering: .relaxed)
            if before < 20_000, after >= 20_000 { say("tapped, host time \(time.isHostTimeValid)") }
        }
    }
    _ = NotificationCenter.default.addObserver(forName: .AVAudioEngineConfigurationChange, object: engine, queue: .main) { _ in
        say("configuration change, running \(engine.isRunning)")
    }
    let interruptions = HeardEvents()
    _ = NotificationCenter.default.addObserver(forName: AVAudioSession.interruptionNotification, object: session, queue: nil) {
        _ in
        say("interruption, running \(engine.isRunning)")
        interruptions.count.add(1, ordering: .relaxed)
    }
    let held = (engine, player, file)
    readCommands { words in
        let (engine, player, file) = held
        switch words[0] {
        case "start":
            do {
                try engine.start()
                say("running \(engine.isRunning)")
            } catch { say("refused \((error as NSError).code)") }
        case "play":
            player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in say("played") }
            player.play()
            say("playing \(player.isPlaying)")
        case "pause":
            engine.pause()
            say("running \(engine.isRunning)")
        case "stop":
            engine.stop()
            say("running \(engine.isRunning), playing \(player.isPlaying)")
        case "ask":
            interruptions.askUntilNext()
            say("asking")
        case "rate": say("rate \(engine.outputNode.outputFormat(forBus: 0).sampleRate)")
        case "record": say("category: \((try? session.setCategory(.playAndRecord)) != nil)")
        case "formats":
            let (mixed, device) = (engine.mainMixerNode.outputFormat(forBus: 0), engine.outputNode.outputFormat(forBus: 0))
            say("mixes \(mixed.channelCount) at \(mixed.sampleRate), plays \(device.channelCount) at \(device.sampleRate)")
        case "times": sayTimes(engine, player)
        default: say("?")
        }
    }
}

/// Prints the times that the nodes state while they render.
func sayTimes(_ engine: AVAudioEngine, _ player: AVAudioPlayerNode) {
    guard let node = player.lastRenderTime, let output = engine.outputNode.lastRenderTime,
        let played = player.playerTime(forNodeTime: node), played.sampleTime > 0
    else { return say("no time") }
    let isInverse = player.nodeTime(forPlayerTime: played)?.sampleTime == node.sampleTime
    let latency = engine.outputNode.presentationLatency
    say("host times \(node.isHostTimeValid && output.isHostTimeValid), inverse \(isInverse)")
    say("latency \(latency > 0 && latency < 1 && player.outputPresentationLatency == latency)")
}

/// The permission to record, as both classes state it.
@MainActor func runPermission() {
    let application = AVAudioApplication.shared
    say("\(application.recordPermission) \(AVAudioSession.sharedInstance().recordPermission.rawValue)")
    AVAudioApplication.requestRecordPermission {
        say("handler \($0)")
        Task {
            say("task \(await AVAudioApplication.requestRecordPermission())")
            exit(0)
        }
    }
}

/// Passes the microphone to a sink node and through a mixer to the output, with or without voice processing.
@MainActor func runInput(isVoice: Bool) throws {
    try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
    let engine = AVAudioEngine()
    if isVoice { try engine.inputNode.setVoiceProcessingEnabled(true) }
    say("voice \(engine.inputNode.isVoiceProcessingEnabled) \(engine.outputNode.isVoiceProcessingEnabled)")
    let format = engine.inputNode.outputFormat(forBus: 0)
    let frames = Atomic<Int>(0)
    let sink = AVAudioSinkNode { time, count, list in
        let isSound = list.pointee.mBuffers.mDataByteSize == count * 4 && time.pointee.mFlags.contains(.hostTimeValid)
        let (before, after) = frames.add(Int(count), ordering: .relaxed)
        if before < 20_000, after >= 20_000 { DispatchQueue.main.async { say("received \(isSound)") } }
        return noErr
    }
    engine.attach(sink)
    engine.connect(
        engine.inputNode, to: [.init(node: sink, bus: 0), .init(node: engine.mainMixerNode, bus: 0)], fromBus: 0, format: format)
    try engine.start()
    say("running \(engine.isRunning)")
    let held = (engine, sink)
    readCommands { command in
        guard command == ["stop"] else { return frames.store(0, ordering: .relaxed) }
        held.0.stop()
        say("running \(held.0.isRunning)")
    }
}

/// Renders without hardware, returns to the hardware and plays there, twice.
@MainActor func runModes() throws {
    let engine = AVAudioEngine()
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2),
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 50)
    else { exit(1) }
    _ = engine.mainMixerNode
    for _ in 0..<2 {
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 50)
        try engine.start()
        say("manual \(engine.isInManualRenderingMode), rendered \(try engine.renderOffline(50, to: buffer) == .success)")
        engine.disableManualRenderingMode()
        say("manual \(engine.isInManualRenderingMode), running \(engine.isRunning)")
        try engine.start()
        say("running \(engine.isRunning)")
        engine.stop()
    }
    // A queue for input asks the hardware for the rate that a format leaves open.
    var (none, queue) = (AudioStreamBasicDescription(), nil as AudioQueueRef?)
    let status = AudioQueueNewInput(&none, { _, _, _, _, _, _ in }, nil, nil, nil, 0, &queue)
    say("input of no format \(status), queue \(queue == nil ? "none" : "made")")
    exit(0)
}

/// Captures by a tap, and renders without hardware where the input has no frames, twice.
@MainActor func runCapture() throws {
    try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
    let engine = AVAudioEngine()
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 50)
    else { exit(1) }
    for _ in 0..<2 {
        let captured = DispatchSemaphore(value: 0)
        engine.inputNode.installTap(onBus: 0, bufferSize: 2_048, format: nil) { _, _ in captured.signal() }
        try engine.start()
        say(captured.wait(timeout: .now() + 60) == .success ? "captured" : "nothing captured")
        engine.stop()
        engine.inputNode.removeTap(onBus: 0)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 50)
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: format)
        try engine.start()
        let result = try engine.renderOffline(50, to: buffer)
        let samples = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
        say("rendered \(samples.count) frames: \(result), silent \(samples.allSatisfy { $0 == 0 })")
        engine.disconnectNodeOutput(engine.inputNode)
        engine.disableManualRenderingMode()
    }
    exit(0)
}

let arguments = CommandLine.arguments
do {
    switch arguments[1] {
    case "player": try runPlayer(arguments[2])
    case "recorder": try runRecorder(arguments[2])
    case "engine": try runEngine(arguments[2], arguments.count > 3 ? arguments[3] : nil)
    case "input": try runInput(isVoice: false)
    case "voice": try runInput(isVoice: true)
    case "modes": try runModes()
    case "capture": try runCapture()
    case "permission": runPermission()
    default: exit(2)
    }
} catch {
    say("error \((error as NSError).domain) \((error as NSError).code)")
    exit(1)
}
RunLoop.main.run()
