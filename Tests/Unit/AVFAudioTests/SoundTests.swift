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

    /// The source has the samples `level(frame)` in 16 bits.
    init(_ frames: Int, _ level: (Int) -> Int16) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true))
        let file = try AVAudioFile(
            forWriting: source, settings: format.settings, commonFormat: .pcmFormatInt16, interleaved: true)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = AVAudioFrameCount(frames)
        let samples = try #require(buffer.int16ChannelData)[0]
        for frame in 0..<frames { samples[frame] = level(frame) }
        try file.write(from: buffer)
        file.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func peer(_ arguments: String...) throws -> Peer {
        try #require(directory).peer(
            "SoundPeer", arguments,
            ["AUDIOSESSION_SIMULATION_WAV": heard.path, "AUDIOSESSION_SIMULATION_MICROPHONE": source.path])
    }

    /// The samples of the first channel of a file, without the silence around them.
    static func sound(_ url: URL) throws -> [Float] {
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

private func level(_ frame: Int) -> Int16 { Int16(frame % 30_000 + 1) }
private func floats(_ first: Int, _ count: Int) -> [Float] { (first..<(first + count)).map { Float(level($0)) / 32_768 } }

@Suite("A player")
struct AVAudioPlayerTests {
    @Test("plays a file with its repetitions exactly, and reports the end on the main thread", arguments: ["file", "data"])
    func repetitions(source: String) throws {
        let machine = try SoundMachine(20_000, level)
        let peer = try machine.peer("player", machine.source.path, source)
        #expect(peer.line() == "\(20_000.0 / 44_100) s, 1 channels, 44100.0 Hz")
        peer.say("loops 1")
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
        let isEqual = try SoundMachine.sound(machine.heard) == floats(0, 20_000) + floats(0, 20_000)
        #expect(isEqual)
        // It plays again from the beginning, as often as before.
        peer.say("loops 0")
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
    }

    @Test("goes to a position before the start, and continues after a stop")
    func seek() throws {
        let machine = try SoundMachine(20_000, level)
        let peer = try machine.peer("player", machine.source.path)
        _ = peer.line()
        peer.say("seek 0.25")
        #expect(peer.line() == "at 0.25")
        peer.say("prepare")
        #expect(peer.line() == "prepare true")
        peer.say("stop")
        #expect(peer.line() == "stopped, playing false")
        peer.say("play")
        #expect(peer.line() == "play true")
        #expect(peer.line() == "finished true at 0.0, main thread true")
        let isEqual = try SoundMachine.sound(machine.heard) == floats(11_025, 20_000 - 11_025)
        #expect(isEqual)
    }

    @Test("pauses for a call, and continues when the program plays again")
    func interruption() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("player", machine.source.path)
        let other = try #require(machine.directory).peer("CPeer")
        _ = peer.line()
        // However long the other program takes.
        peer.say("loops -1")
        peer.say("play")
        #expect(peer.line() == "play true")
        other.say("activate")
        #expect(other.line() == "activate: 0")
        #expect(peer.line() == "interrupted, playing false")
        other.say("leave")
        #expect(other.line() == "leave: 0")
        #expect(peer.line() == "interruption over 1")
        peer.say("play")
        #expect(peer.line() == "play true")
        peer.say("stop")
        #expect(peer.line() == "stopped, playing false")
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
        let sound = try SoundMachine.sound(machine.recorded)
        let isEqual = sound.count > 10_000 && sound == floats(Int(sound[0] * 32_768) - 1, sound.count)
        #expect(isEqual)
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
        let isEqual = try SoundMachine.sound(machine.heard) == floats(0, 30_000)
        #expect(isEqual)
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

    @Test("taps the microphone while it plays")
    func taps() throws {
        let machine = try SoundMachine(60_000, level)
        let peer = try machine.peer("engine", machine.source.path, machine.recorded.path)
        peer.say("start")
        #expect(peer.line() == "running true")
        #expect(peer.line() == "tapped, host time true")
        peer.say("stop")
        #expect(peer.line() == "running false, playing false")
        let sound = try SoundMachine.sound(machine.recorded)
        let isEqual = sound.count > 10_000 && sound == floats(Int(sound[0] * 32_768) - 1, sound.count)
        #expect(isEqual)
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
        // Not a frame is lost between the microphone and the loudspeaker.
        let sound = try SoundMachine.sound(machine.heard)
        let isEqual = sound.count > 10_000 && sound == floats(Int(sound[0] * 32_768) - 1, sound.count)
        #expect(isEqual)
    }
}
