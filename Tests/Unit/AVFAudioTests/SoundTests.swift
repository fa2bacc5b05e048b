// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

/// The files of a test, and a program that plays and records on a simulated machine.
private final class SoundMachine {
    let directory = try? PeerDirectory()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    var heard: URL { folder.appendingPathComponent("heard.wav") }
    var recorded: URL { folder.appendingPathComponent("recorded.wav") }
    var source: URL { folder.appendingPathComponent("source.wav") }
    /// The log of the programs, which says whether a stream was late.
    private var log: URL { folder.appendingPathComponent("log") }

    /// The source has the samples `level(frame)` in 16 bits.
    init(_ frames: Int, _ level: (Int) -> Int16) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true))
        let file = try AVAudioFile(
            forWriting: source, settings: format.settings, commonFormat: .pcmFormatInt16, interleaved: true)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(frames, 1))))
        buffer.frameLength = AVAudioFrameCount(frames)
        let samples = try #require(buffer.int16ChannelData)[0]
        for frame in 0..<frames { samples[frame] = level(frame) }
        try file.write(from: buffer)
        file.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func peer(_ arguments: String...) throws -> Peer {
        let variables = [
            "AUDIOSESSION_SIMULATION_WAV": heard.path, "AUDIOSESSION_SIMULATION_MICROPHONE": source.path,
            "AUDIOSESSION_DEBUG": "1",
        ]
        let file = open(log.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        return try #require(directory).peer(
            "SoundPeer", arguments, variables, log: FileHandle(fileDescriptor: file, closeOnDealloc: true))
    }

    /// The sound that was heard. A machine that stands still for longer than a slice makes the output late, and the device then
    /// plays silence: the log says so, and the sound is that without this silence.
    func played() throws -> [Float] {
        let sound = try SoundMachine.sound(heard)
        return try logged().contains("the output device was late") ? SoundMachine.withoutSilence(sound) : sound
    }

    /// Nil when the first channel of a file has only the frames of the microphone, and all of them from the first to the last.
    /// Frames are lost at no more places than a stream was late, which its log counts when it stops, or the times of a tap leap.
    func differenceFromMicrophone(_ url: URL) throws -> String? {
        let late = try underrunsAndOverruns() + gapsOfTheTap()
        let sound = try SoundMachine.sound(url)
        let frames = (late > 0 ? SoundMachine.withoutSilence(sound) : sound).map { Int($0 * 32_768) }
        let breaks = zip(frames, frames.dropFirst()).filter { $1 != $0 % 30_000 + 1 }
        let isExact = frames.count > 10_000 && frames.allSatisfy { 1...30_000 ~= $0 } && breaks.count <= late
        guard !isExact else { return nil }
        return
            "\(frames.count) frames from \(frames.prefix(1)) to \(frames.suffix(1)), \(breaks.count) breaks in place of \(late): "
            + "\(breaks.prefix(3))"
    }

    private func logged() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    private func gapsOfTheTap() throws -> Int {
        try logged().matches(of: /a gap in the times of the tap/).count
    }

    func underrunsAndOverruns() throws -> Int {
        let count = /(\d+) underruns of the output, (\d+) overruns of the input/
        return try logged().matches(of: count).reduce(0) {
            $0 + (Int($1.output.1) ?? 0) + (Int($1.output.2) ?? 0)
        }
    }

    /// A sound without its zeros, but for the single ones at which a wave changes its sign.
    private static func withoutSilence(_ sound: [Float]) -> [Float] {
        sound.indices.filter { index in
            sound[index] != 0 || (index > 0 && index + 1 < sound.count && sound[index - 1] != 0 && sound[index + 1] != 0)
        }.map { sound[$0] }
    }

    /// The samples of the first channel of a file, without the silence around them.
    private static func sound(_ url: URL) throws -> [Float] {
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        let samples = UnsafeBufferPointer(start: try #require(buffer.floatChannelData)[0], count: Int(buffer.frameLength))
        guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else {
            return []
        }
        return Array(samples[first...last])
    }
}

extension Peer {
    fileprivate var position: Double {
        say("time")
        return line().flatMap { Double($0) } ?? .nan
    }

    /// Asks for the position until it is at least `seconds`.
    fileprivate func reach(_ seconds: Double) {
        let deadline = Date(timeIntervalSinceNow: 60)
        while deadline.timeIntervalSinceNow > 0 {
            say("time")
            guard let line = line(), let position = Double(line), position < seconds else { return }
        }
    }
}

extension Peer {
    fileprivate func setCategory(_ name: String) {
        say("category \(name)")
        #expect(line() == "category AVAudioSessionCategory\(name)")
    }

    /// Interrupts a program that starts again when its player or recorder has paused, and before its main thread hears of that.
    fileprivate func restart(_ start: String, _ doing: String, interruptedBy other: Peer) {
        say(start)
        #expect(line() == "\(start) true")
        for life in 1...2 {
            say("wait")
            #expect(line() == "waits")
            other.say("activate")
            #expect(other.line() == "activate: 0")
            #expect(line() == "\(start) true")
            #expect(other.line() == "began")
            #expect(line() == "interrupted, \(doing) true", "life \(life)")
            say("state")
            #expect(line() == "\(doing) true", "life \(life)")
        }
    }

    /// Deactivates the session of a program that is `doing` something and activates it again. Then another program interrupts it, of
    /// which its player or recorder prints nothing.
    fileprivate func deactivate(_ doing: String, interruptedBy other: Peer) {
        say("inactive")
        #expect(line() == "inactive, \(doing) false")
        say("active")
        #expect(line() == "active true")
        other.say("activate")
        #expect(other.line() == "activate: 0")
        #expect(line() == "session interrupted")
        other.say("leave")
        #expect(other.line() == "leave: 0")
        #expect(line() == "session continues")
    }
}

private func level(_ frame: Int) -> Int16 { Int16(frame % 30_000 + 1) }
private func floats(_ first: Int, _ count: Int, times: Int = 1) -> [Float] {
    let once = (first..<(first + count)).map { Float(level($0)) / 32_768 }
    return [[Float]](repeating: once, count: times).flatMap { $0 }
}

/// Nil for a sound that is the expected one.
private func difference(_ sound: some Collection<Float>, _ expected: [Float]) -> String? {
    guard !sound.elementsEqual(expected) else { return nil }
    let samples = sound.map { Int($0 * 32_768) }
    let first = zip(sound, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(sound.count, expected.count)
    return "\(samples.count) frames in place of \(expected.count); from frame \(first) on \(samples[first...].prefix(3))"
}

@Suite("A player")
struct AVAudioPlayerTests {
    @Test("plays a file with its repetitions exactly, and reports the end on the main thread", arguments: ["file", "data"])
    func repetitions(source: String) throws {
        let machine = try SoundMachine(20_000, level)
        let peer = try machine.peer("player", machine.source.path, source)
        #expect(peer.line() == "\(20_000.0 / 44_100) s, 1 channels, 44100.0 Hz")
        peer.say("loops 1")
        // It plays again from the beginning, as often as before.
        for _ in 1...2 {
            peer.say("play")
            #expect(peer.line() == "play true")
            #expect(peer.line() == "finished true at 0.0, main thread true")
            #expect(try difference(machine.played().suffix(40_000), floats(0, 20_000, times: 2)) == nil)
        }
    }

    @Test("plays each frame in a process that stands still meanwhile")
    func standstill() throws {
        let machine = try SoundMachine(40_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.1)
        peer.standStill(milliseconds: 1_000)
        #expect(peer.line() == "finished true at 0.0, main thread true")
        #expect(try difference(machine.played(), floats(0, 40_000)) == nil)
    }

    @Test("goes to a position before the start, continues after a stop, and begins at 0 again after the end")
    func seek() throws {
        let machine = try SoundMachine(20_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for _ in 1...2 {
            peer.say("seek 0.25")
            #expect(peer.line() == "at 0.25")
            peer.say("prepare")
            #expect(peer.line() == "prepare true")
            peer.say("stop")
            #expect(peer.line() == "stopped, playing false")
            for first in [11_025, 0] {
                peer.say("play")
                #expect(peer.line() == "play true")
                #expect(peer.line() == "finished true at 0.0, main thread true")
                #expect(try difference(machine.played().suffix(20_000 - first), floats(first, 20_000 - first)) == nil)
            }
        }
    }

    @Test("does not play in a category without an output, and plays in one that has one, in each life")
    func category() throws {
        let machine = try SoundMachine(4_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for _ in 1...2 {
            peer.setCategory("Record")
            peer.say("play")
            #expect(peer.line() == "play false")
            peer.say("state")
            #expect(peer.line() == "playing false")
            peer.setCategory("Playback")
            peer.say("play")
            #expect(peer.line() == "play true")
            #expect(peer.line() == "finished true at 0.0, main thread true")
        }
    }

    @Test("pauses for a call, and continues when the program plays again")
    func interruption() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("player", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        _ = peer.line()
        // However long the other program takes.
        peer.say("loops -1")
        // The queue has played nothing yet, or reports its stop.
        for hasSound in [false, true, false, true] {
            peer.say("seek 0")
            #expect(peer.line() == "at 0.0")
            peer.say("play")
            #expect(peer.line() == "play true")
            if hasSound { peer.reach(0.01) }
            other.say("activate")
            #expect(other.line() == "activate: 0")
            #expect(peer.line() == "interrupted, playing false")
            other.say("leave")
            #expect(other.line() == "leave: 0")
            #expect(peer.line() == "interruption over 1")
        }
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.01)
        // The next interruption does not stop the player.
        peer.deactivate("playing", interruptedBy: other)
        peer.say("stop")
        #expect(peer.line() == "stopped, playing false")
    }

    @Test("goes on when its program starts it before it hears of the interruption, in each life")
    func startBeforeTheEvent() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("loops -1")
        peer.restart("play", "playing", interruptedBy: try #require(machine.directory).peer("CPeer"))
    }

    @Test("plays with its volume, and reaches another one within a time")
    func volume() throws {
        let machine = try SoundMachine(40_000) { _ in 16_384 }
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for (value, volume) in [("0.5", 0.5), ("nan", 0.5), ("-1", 0.0), ("7", 1.0), ("0.25", 0.25)] {
            peer.say("volume \(value)")
            #expect(peer.line() == "volume \(volume)")
        }
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.2)
        peer.say("volume 1 0.2")
        #expect(peer.line() == "volume 1.0")
        #expect(peer.line() == "finished true at 0.0, main thread true")
        let sound = try machine.played()
        #expect(sound.count == 40_000)
        #expect(sound.prefix(5_000).allSatisfy { $0 == 0.125 })
        let ramp = sound.filter { $0 > 0.125 && $0 < 0.5 }
        #expect(ramp == ramp.sorted())
        #expect(8_000...9_000 ~= ramp.count)
        #expect(sound.last == 0.5)
    }

    @Test("plays at another rate with its pitch once that is enabled, and its time is that of the sound", arguments: [0.5, 1.6])
    func rate(rate: Double) throws {
        let machine = try SoundMachine(40_000) { Int16(16_000 * sin(2 * .pi * 441 * Double($0) / 44_100)) }
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("enable")
        #expect(peer.line() == "enabled true")
        peer.say("rate \(rate)")
        #expect(peer.line() == "rate \(rate)")
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.5)
        #expect(peer.line() == "finished true at 0.0, main thread true")
        let sound = try machine.played()
        #expect(abs(Double(sound.count) * rate - 40_000) < 2_500, "\(sound.count) frames")
        let crossings = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - sound.count / 100) <= 8)
    }

    @Test("measures the levels while the program wants them, and stays within its rate and its pan")
    func meters() throws {
        let machine = try SoundMachine(20_000) { _ in 16_384 }
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("meter on")
        #expect(peer.line() == "-160.0 -160.0 -160.0")
        peer.say("loops -1")
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.3)
        peer.say("meter on")
        let levels = (peer.line() ?? "").split(separator: " ").compactMap { Double($0) }
        #expect(levels.count == 3 && abs(levels[0] + 6.02) < 0.01 && -7 ... -6 ~= levels[1] && levels[2] == -160, "\(levels)")
        peer.say("meter off")
        #expect(peer.line() == "-160.0 -160.0 -160.0")
        for (value, rate) in [("3", 2.0), ("nan", 2.0), ("0", 0.5), ("1.25", 1.25)] {
            peer.say("rate \(value)")
            #expect(peer.line() == "rate \(rate)")
        }
        for (value, pan) in [("-3", -1.0), ("nan", -1.0), ("0.5", 0.5), ("3", 1.0)] {
            peer.say("pan \(value)")
            #expect(peer.line() == "pan \(pan)")
        }
    }

    @Test("that plays is not changed by another start, also of a sound that is shorter than what is read ahead")
    func secondStart() throws {
        let machine = try SoundMachine(8_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for _ in 0..<2 {
            for _ in 0..<3 {
                peer.say("play")
                #expect(peer.line() == "play true")
            }
            #expect(peer.line() == "finished true at 0.0, main thread true")
        }
        // A paused player continues, and ends.
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.say("pause")
        #expect(peer.line()?.hasPrefix("paused") == true)
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
    }

    @Test("begins again at the end of its sound, and repeats it as often as before after a stop")
    func ends() throws {
        let machine = try SoundMachine(8_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("seek 100")
        #expect(peer.line() == "at \(8_000.0 / 44_100)")
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
        peer.say("loops 1")
        peer.say("prepare")
        #expect(peer.line() == "prepare true")
        peer.say("stop")
        #expect(peer.line() == "stopped, playing false")
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
        #expect(try difference(machine.played().suffix(16_000), floats(0, 8_000, times: 2)) == nil)
    }

    @Test("has a position within its sound in each repetition, and ends when the program takes the others away")
    func fewerLoops() throws {
        let machine = try SoundMachine(8_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for _ in 0..<2 {
            peer.say("loops -1")
            peer.say("play")
            #expect(peer.line() == "play true")
            let deadline = Date(timeIntervalSinceNow: 60)
            var (last, position) = (0.0, 0.0)
            repeat {
                last = position
                peer.say("time")
                position = try #require(Double(peer.line() ?? ""))
                try #require(position >= 0 && position <= 8_000.0 / 44_100)
            } while position >= last && deadline.timeIntervalSinceNow > 0
            peer.say("loops 0")
            #expect(peer.line() == "finished true at 0.0, main thread true")
        }
    }

    @Test("of a sound without frames does not play")
    func empty() throws {
        let machine = try SoundMachine(0, level)
        let peer = try machine.peer("player", machine.source.path)
        #expect(peer.line()?.hasPrefix("0.0 s") == true)
        for command in ["prepare", "play"] {
            peer.say(command)
            #expect(peer.line() == "\(command) false")
        }
    }

    @Test("begins at a time of the device, and continues at a position while it plays")
    func times() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        for time in ["nan", "inf", "-1e9", "1e12"] {
            peer.say("later \(time)")
            #expect(peer.line() == "play false")
        }
        for _ in 0..<2 {
            peer.say("later 0.5")
            #expect(peer.line() == "play true")
            #expect(peer.line() == "finished true at 0.0, main thread true")
            peer.say("late")
            #expect(peer.line() == "heard true")
        }
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.reach(0.1)
        peer.say("seek 1")
        #expect(Double((peer.line() ?? "").dropFirst(3)).map { $0 >= 1 && $0 < 1.3 } == true)
        #expect(peer.line() == "finished true at 0.0, main thread true")
        let sound = try machine.played()
        #expect(difference(sound.suffix(15_900), floats(44_100, 15_900)) == nil)
    }

    @Test("of a file that is none, or does not exist, throws the platform's error")
    func mistakes() throws {
        let machine = try SoundMachine(10, level)
        #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: machine.heard) }
        #expect(throws: NSError.self) { try AVAudioPlayer(data: Data("no sound at all".utf8)) }
        do { _ = try AVAudioPlayer(data: Data(count: 1_000)) } catch let error as NSError {
            #expect(error.domain == NSOSStatusErrorDomain)
            #expect(error.code == 0x7479_703F)  // 'typ?'
        }
    }

    /// A file of one channel of 16 bits with this rate.
    private func soundFile(_ rate: Double) -> Data {
        func big<Value: FixedWidthInteger>(_ value: Value) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        var file = Data("caff".utf8) + big(UInt16(1)) + big(UInt16(0))
        file += Data("desc".utf8) + big(Int64(32)) + big(rate.bitPattern) + Data("lpcm".utf8)
        for word: UInt32 in [0, 2, 1, 1, 16] { file += big(word) }
        return file + Data("data".utf8) + big(Int64(4 + 2_000)) + big(UInt32(0)) + Data(count: 2_000)
    }

    @Test(
        "of a file whose rate no queue has throws the platform's error",
        arguments: [0, 3_999, 192_001, 4.3e9, 4.4e10, 1e12, 1e300, Double.greatestFiniteMagnitude])
    func rates(rate: Double) {
        for rate in [rate, 44_100, rate] {
            let isPossible = (try? AVAudioPlayer(data: soundFile(rate))) != nil
            #expect(isPossible == (rate == 44_100), "\(rate)")
        }
    }

    @Test(
        "hears of no interruption when the program deactivates the session, nor of the next call unless it plays",
        arguments: ["play", "later 1000"])
    func deactivation(begin: String) throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("player", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        _ = peer.line()
        for life in 1...2 {
            peer.say("loops -1")
            peer.say(begin)
            #expect(peer.line() == "play true", "life \(life)")
            if begin == "play" { peer.reach(0.01) }
            peer.deactivate("playing", interruptedBy: other)
            // The player runs again, up to its end.
            peer.say("play")
            #expect(peer.line() == "play true")
            peer.say("loops 0")
            #expect(peer.line() == "finished true at 0.0, main thread true", "life \(life)")
        }
    }
}

@Suite("A recorder")
struct AVAudioRecorderTests {
    @Test("records for its duration, to the frame, what the microphone hears")
    func duration() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        peer.say("for 0.5")
        #expect(peer.line() == "record true")
        #expect(peer.line() == "recorded true, recording false")
        let file = try AVAudioFile(forReading: machine.recorded)
        #expect(file.length == 22_050)
        #expect(file.fileFormat.streamDescription.pointee.mBitsPerChannel == 16)
        #expect(try machine.differenceFromMicrophone(machine.recorded) == nil)
        peer.say("delete")
        #expect(peer.line() == "deleted true")
        #expect(!FileManager.default.fileExists(atPath: machine.recorded.path))
    }

    @Test("pauses, continues in the same file, and stops when the program says so")
    func pause() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        for _ in 0..<2 {
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false")
            #expect(try AVAudioFile(forReading: machine.recorded).length == 11_025)
        }
        peer.say("record")
        #expect(peer.line() == "record true")
        peer.say("pause")
        #expect(peer.line() == "paused, recording false")
        peer.say("record")
        #expect(peer.line() == "record true")
        peer.say("stop")
        #expect(peer.line() == "recorded true, recording false")
    }

    @Test("records a duration behind what it has captured, whole buffers or not, in each life")
    func furtherDuration() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        for seconds in [1.05, 0.33] {
            peer.say("record")
            #expect(peer.line() == "record true")
            peer.reach(seconds)
            peer.say("pause")
            #expect(peer.line() == "paused, recording false")
            peer.say("time")
            let captured = try #require(Double(peer.line() ?? "")) * 44_100
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false")
            // The slice in which the recorder pauses, and what a busy machine has lost before.
            let length = try Double(AVAudioFile(forReading: machine.recorded).length)
            #expect(try length > captured + 11_024 || machine.underrunsAndOverruns() > 0, "\(length) of \(captured) and 11025")
        }
    }

    @Test("refuses a duration of no frames or without an end, and a time that does not come, and makes no file")
    func refusals() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        for command in ["for 0", "for -1", "for 1e-5", "for nan", "for inf", "for 1e12", "later nan", "later 1e12"] {
            peer.say(command)
            #expect(peer.line() == "record false", "\(command)")
        }
        peer.say("delete")
        #expect(peer.line() == "deleted false")
        // In each life a category that does not record, and one that does.
        for _ in 1...2 {
            peer.setCategory("Playback")
            peer.say("record")
            #expect(peer.line() == "record false")
            peer.say("state")
            #expect(peer.line() == "recording false")
            peer.setCategory("Record")
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false")
            #expect(try AVAudioFile(forReading: machine.recorded).length == 11_025)
        }
    }

    @Test("pauses for a call, and continues in the same file")
    func interruption() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        let other = try #require(machine.directory).peer("CPeer")
        // The queue has captured nothing yet, or reports its stop.
        for hasSound in [false, true, false, true] {
            peer.say("record")
            #expect(peer.line() == "record true")
            if hasSound { peer.reach(peer.position + 0.01) }
            other.say("activate")
            #expect(other.line() == "activate: 0")
            #expect(peer.line() == "interrupted, recording false")
            other.say("leave")
            #expect(other.line() == "leave: 0")
            #expect(peer.line() == "interruption over 1")
        }
        peer.say("record")
        #expect(peer.line() == "record true")
        peer.reach(0.01)
        // The next interruption does not stop the recorder.
        peer.deactivate("recording", interruptedBy: other)
        peer.say("for 0.25")
        #expect(peer.line() == "record true")
        #expect(peer.line() == "recorded true, recording false")
        #expect(try AVAudioFile(forReading: machine.recorded).length >= 11_025)
    }

    @Test("goes on when its program starts it before it hears of the interruption, in each life")
    func startBeforeTheEvent() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        peer.restart("record", "recording", interruptedBy: try #require(machine.directory).peer("CPeer"))
    }

    @Test("begins at a time of the device, and measures while the program wants it; an open file is not deleted")
    func times() throws {
        let machine = try SoundMachine(30_000) { _ in 16_384 }
        let peer = try machine.peer("recorder", machine.recorded.path)
        peer.say("later nan")
        #expect(peer.line() == "record false")
        peer.say("later 0.25")
        #expect(peer.line() == "record true")
        #expect(peer.line() == "recorded true, recording false")
        #expect(try AVAudioFile(forReading: machine.recorded).length == 11_025)
        peer.say("time")
        #expect(peer.line() == "0.0")
        peer.say("record")
        #expect(peer.line() == "record true")
        peer.say("delete")
        #expect(peer.line() == "deleted false")
        peer.reach(0.2)
        peer.say("meter on")
        _ = peer.line()
        peer.reach(0.5)
        peer.say("meter on")
        let levels = (peer.line() ?? "").split(separator: " ").compactMap { Double($0) }
        #expect(levels.count == 3 && abs(levels[0] + 6.02) < 0.01 && -7 ... -6 ~= levels[1] && levels[2] == -160, "\(levels)")
        peer.say("meter off")
        #expect(peer.line() == "-160.0 -160.0 -160.0")
        peer.say("stop")
        #expect(peer.line() == "recorded true, recording false")
    }

    @Test("does not begin where its file cannot be made")
    func folder() throws {
        let machine = try SoundMachine(10, level)
        let peer = try machine.peer("recorder", machine.recorded.path + "/none/recorded.wav")
        peer.say("record")
        #expect(peer.line() == "record false")
        peer.say("delete")
        #expect(peer.line() == "deleted false")
    }

    // A test that deletes /dev/null would do so where it fails and runs as root.
    @Test("deletes its file and nothing else: no folder, and no file that a URL of another kind names")
    func deletion() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("memo.wav")
        try Data(count: 10).write(to: file)
        for url in [folder, try #require(URL(string: "http://localhost\(file.path)"))] {
            #expect(try !AVAudioRecorder(url: url, settings: [:]).deleteRecording(), "\(url)")
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
        let recorder = try AVAudioRecorder(url: file, settings: [:])
        for _ in 1...2 {
            #expect(recorder.deleteRecording())
            #expect(!recorder.deleteRecording())
            try Data(count: 10).write(to: file)
        }
    }

    @Test("measures without a file when it records to /dev/null, as often as the program wants")
    func discarded() throws {
        let machine = try SoundMachine(30_000) { _ in 16_384 }
        let peer = try machine.peer("recorder", "/dev/null")
        // Before the recorder has a queue.
        peer.say("meter on")
        #expect(peer.line() == "-160.0 -160.0 -160.0")
        for life in 1...2 {
            peer.say("for 0.25")
            #expect(peer.line() == "record true", "life \(life)")
            #expect(peer.line() == "recorded true, recording false", "life \(life)")
            peer.say("record")
            #expect(peer.line() == "record true")
            peer.reach(0.3)
            peer.say("meter read")
            let peak = (peer.line() ?? "").split(separator: " ").first.flatMap { Double($0) }
            #expect(peak.map { abs($0 + 6.02) < 0.01 } == true, "life \(life): \(String(describing: peak))")
            peer.say("stop")
            #expect(peer.line() == "recorded true, recording false")
        }
    }

    @Test("writes a file without an extension as CAF")
    func noExtension() throws {
        let machine = try SoundMachine(30_000, level)
        let url = machine.recorded.deletingPathExtension()
        let peer = try machine.peer("recorder", url.path)
        for _ in 1...2 {
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false")
            #expect(try Data(contentsOf: url).prefix(4) == Data("caff".utf8))
            #expect(try AVAudioFile(forReading: url).length == 11_025)
        }
    }

    @Test("reports a recording whose last packet does not fit on the disk as not successful")
    func fullDisk() throws {
        let machine = try SoundMachine(30_000, level)
        let url = machine.recorded.deletingPathExtension().appendingPathExtension("caf")
        let peer = try machine.peer("recorder", url.path, "ima4")
        // A duration that ends within a packet of 64 frames, which is written when the file is closed.
        for life in 1...2 {
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false", "life \(life)")
            let size = try #require(FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
            peer.say("limit \(size - 1)")
            #expect(peer.line() == "limited")
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded false, recording false", "life \(life)")
            peer.say("limit none")
            #expect(peer.line() == "limited")
        }
    }

    @Test("hears of no interruption when the program deactivates the session, nor of the next call unless it records")
    func deactivation() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("recorder", machine.recorded.path)
        let other = try #require(machine.directory).peer("CPeer")
        for life in 1...2 {
            peer.say("record")
            #expect(peer.line() == "record true")
            peer.reach(0.01)
            peer.deactivate("recording", interruptedBy: other)
            peer.say("for 0.25")
            #expect(peer.line() == "record true")
            #expect(peer.line() == "recorded true, recording false", "life \(life)")
        }
    }

    @Test("refuses settings without a format")
    func mistakes() {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("none.wav")
        #expect(throws: NSError.self) { try AVAudioRecorder(url: url, settings: [AVSampleRateKey: -1.0]) }
        #expect(throws: NSError.self) { try AVAudioRecorder(url: url, settings: [AVFormatIDKey: 0x1234]) }
    }
}

@Suite("An engine on the hardware")
struct HardwareEngineTests {
    @Test("plays a file exactly, and reports when it was heard")
    func plays() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("engine", machine.source.path)
        peer.say("start")
        #expect(peer.line() == "running true")
        peer.say("play")
        #expect(peer.line() == "playing true")
        #expect(peer.line() == "played")
        peer.say("stop")
        #expect(peer.line() == "running false, playing false")
        #expect(try difference(machine.played(), floats(0, 30_000)) == nil)
    }

    @Test("knows the times of its nodes and the delay of the hardware, and continues after a pause")
    func times() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("engine", machine.source.path)
        peer.say("times")
        #expect(peer.line() == "no time")
        for _ in 0..<2 {
            peer.say("start")
            #expect(peer.line() == "running true")
            peer.say("play")
            #expect(peer.line() == "playing true")
            peer.say("pause")
            #expect(peer.line() == "running false")
            peer.say("times")
            #expect(peer.line() == "no time")
            peer.say("start")
            #expect(peer.line() == "running true")
            var line: String?
            let deadline = Date(timeIntervalSinceNow: 60)
            repeat {
                peer.say("times")
                line = peer.line()
            } while line == "no time" && deadline.timeIntervalSinceNow > 0
            #expect(line == "host times true, inverse true")
            #expect(peer.line() == "latency true")
            #expect(peer.line() == "played")
            peer.say("stop")
            #expect(peer.line() == "running false, playing false")
        }
    }

    @Test("states the permission to record, as the session does")
    func permission() throws {
        let peer = try SoundMachine(10, level).peer("permission")
        #expect(peer.line() == "granted \(0x6772_6E74)")
        #expect(peer.line() == "handler true")
        #expect(peer.line() == "task true")
    }

    @Test("renders without hardware, and returns to it, also the second time")
    func modes() throws {
        let peer = try SoundMachine(100, level).peer("modes")
        for _ in 0..<2 {
            #expect(peer.line() == "manual true, rendered true")
            #expect(peer.line() == "manual false, running false")
            #expect(peer.line() == "running true")
        }
        #expect(peer.line() == "input of no format \(kAudioFormatUnsupportedDataFormatError), queue none")
    }

    @Test("has no frames of the hardware in a later manual rendering")
    func formerInput() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("capture")
        for life in 1...2 {
            #expect(peer.line() == "captured", "life \(life)")
            #expect(peer.line() == "rendered 50 frames: success, silent true", "life \(life)")
        }
    }

    @Test("taps the microphone while it plays")
    func taps() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("engine", machine.source.path, machine.recorded.path)
        peer.say("start")
        #expect(peer.line() == "running true")
        #expect(peer.line() == "tapped, host time true")
        peer.say("stop")
        #expect(peer.line() == "running false, playing false")
        #expect(try machine.differenceFromMicrophone(machine.recorded) == nil)
    }

    @Test("stops for a call, and starts again when the program says so")
    func interruption() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("engine", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        peer.say("start")
        #expect(peer.line() == "running true")
        other.say("activate")
        #expect(other.line() == "activate: 0")
        #expect(peer.line() == "interruption, running false")
        other.say("leave")
        #expect(other.line() == "leave: 0")
        #expect(peer.line() == "interruption, running false")
        peer.say("start")
        #expect(peer.line() == "running true")
    }

    @Test("does not run when the program hears of a call that its own thread has noticed first")
    func interruptionThatTheProgramNotices() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("engine", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        for _ in 1...20 {
            peer.say("start")
            #expect(peer.line() == "running true")
            peer.say("ask")
            #expect(peer.line() == "asking")
            other.say("activate")
            #expect(other.line() == "activate: 0")
            #expect(peer.line() == "interruption, running false")
            other.say("leave")
            #expect(other.line() == "leave: 0")
            #expect(peer.line() == "interruption, running false")
        }
    }

    @Test("stops and tells when the format of the hardware changes, and starts with the new one")
    func configurationChange() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("engine", machine.source.path, machine.recorded.path)
        let other = try #require(machine.directory).peer("CPeer")
        peer.say("start")
        #expect(peer.line() == "running true")
        #expect(peer.line() == "tapped, host time true")
        // The receiver of a telephone has one channel.
        other.say("plug headphones")
        #expect(other.line() == "plug headphones: 0")
        #expect(peer.line() == "configuration change, running false")
        peer.say("start")
        #expect(peer.line() == "running true")
    }

    @Test("that plays only runs on with another input, and mixes for each output in the format that it has")
    func anotherOutput() throws {
        let machine = try SoundMachine(30_000, level)
        let peer = try machine.peer("engine", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        func simulate(_ command: String) {
            other.say(command)
            #expect(other.line() == "\(command): 0")
        }
        peer.say("record")
        #expect(peer.line() == "category: true")
        // The receiver of a telephone has one channel.
        for (command, formats) in [
            ("plug line-in", "mixes 1 at 44100.0, plays 1 at 44100.0"),
            ("plug headphones", "mixes 2 at 44100.0, plays 2 at 44100.0"),
            ("unplug headphones", "mixes 1 at 44100.0, plays 1 at 44100.0"),
        ] {
            peer.say("start")
            #expect(peer.line() == "running true")
            simulate(command)
            if command != "plug line-in" { #expect(peer.line() == "configuration change, running false") }
            peer.say("start")
            #expect(peer.line() == "running true")
            peer.say("formats")
            #expect(peer.line() == formats)
        }
    }

    @Test("passes the microphone to a sink and to the output, with and without voice processing", arguments: ["input", "voice"])
    func sink(scenario: String) throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer(scenario)
        #expect(peer.line() == (scenario == "voice" ? "voice true true" : "voice false false"))
        #expect(peer.line() == "running true")
        #expect(peer.line() == "received true")
        peer.say("stop")
        #expect(peer.line() == "running false")
        guard scenario == "input" else { return }
        #expect(try machine.differenceFromMicrophone(machine.heard) == nil)
    }

    @Test("of a process that stands still loses frames of the microphone there only, and its log says so")
    func standstill() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("input")
        #expect(peer.line() == "voice false false")
        #expect(peer.line() == "running true")
        #expect(peer.line() == "received true")
        peer.standStill(milliseconds: 300)
        peer.say("again")
        #expect(peer.line() == "received true")
        peer.say("stop")
        #expect(peer.line() == "running false")
        #expect(try machine.underrunsAndOverruns() > 0)
        #expect(try machine.differenceFromMicrophone(machine.heard) == nil)
    }
}
