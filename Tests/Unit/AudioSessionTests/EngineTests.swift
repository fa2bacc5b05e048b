// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSession
import AudioStreams
import CAudioStreams
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Testing

@testable import AudioEngine

/// The session and the streams of a process.
@Suite struct EngineTests {
    private let registry = InProcessRegistry()
    private let engine: Engine

    init() { engine = Engine(registry, ScriptedHardware(), isSimulated: true) }

    private var sessions: [SessionEntry] { registry.table().entries.compactMap { $0 }.filter { $0.role == .session } }
    private var playback: [StreamActivity] {
        registry.table().entries.compactMap { $0 }.filter { $0.role != .session }.map(\.playback)
    }

    private func silentStream() -> PulledStream {
        let callbacks = pull_callbacks(
            render: { _, _ in }, configure: { _, _ in }, stopped: { _, _ in }, format_changed: { _ in },
            session_stopped: nil)
        return PulledStream(callbacks, nil, .output)
    }

    private func close(_ stream: any ManagedStream) {
        stream.endThreads()
        stream.leave()
    }

    @Test("The program's session takes over the session of its running streams, and stays when they are closed")
    func handOver() throws {
        #expect(engine.isUnused)
        let stream = silentStream()
        engine.open(stream)
        #expect(!engine.isUnused && sessions.isEmpty)
        try stream.start(try #require(SliceLength(frames: 480, rate: 48_000)))
        let before = sessions
        #expect(before.map(\.isActive) == [true] && playback == [.running])
        let session = try engine.beginSession()
        #expect(sessions.count == 1 && sessions[0].isActive && sessions[0].settings == before[0].settings)
        #expect(registry.table().entries[session.slot]?.isActive == true && session.known.isActive)
        #expect(stream.isStarted && playback == [.running])
        close(stream)
        #expect(!engine.isUnused && sessions.count == 1 && playback.isEmpty)
        session.end()
        engine.end()
    }

    @Test("Without a running stream the program gets a session of its own, which a stream activates with its start")
    func ownSession() throws {
        let stream = PushedStream(capture: false, StreamOptions())
        try engine.open(stream)
        #expect(sessions.map(\.isActive) == [false] && sessions[0].settings.category == .mediaPlayback)
        let session = try engine.beginSession()
        #expect(sessions.map(\.isActive) == [false] && sessions[0].settings.category == .soloAmbientSound)
        engine.setIOSlice(0.0125)
        #expect(try session.value(of: .currentHardwareIOBufferDuration) == .float32(0.0125))
        let pulled = silentStream()
        engine.open(pulled)
        try pulled.start(try #require(SliceLength(frames: 480, rate: 48_000)))
        #expect(sessions.map(\.isActive) == [true] && session.known.isActive)
        close(pulled)
        close(stream)
        session.end()
        engine.end()
    }

    @Test("An engine whose last stream is closed is unused") func lastStream() throws {
        let stream = PushedStream(capture: false, StreamOptions())
        try engine.open(stream)
        #expect(!engine.isUnused)
        close(stream)
        #expect(engine.isUnused && registry.table().entries.allSatisfy { $0 == nil })
        engine.end()
    }
}
