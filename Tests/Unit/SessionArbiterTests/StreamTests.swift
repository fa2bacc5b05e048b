// SPDX-License-Identifier: Apache-2.0
import SessionArbiter
import SessionModel
import Testing

/// The ALSA streams of a process belong to its session.
@Suite struct StreamTests {
    private var table = SessionTable()
    private let process = ProcessIdentity(pid: 1, startTime: 1, pidNamespace: 1)
    private let other = ProcessIdentity(pid: 2, startTime: 1, pidNamespace: 1)

    private mutating func enter(_ kind: Kind, _ process: ProcessIdentity) throws -> TableSlot {
        try #require(table.decide(.enter(process: process, name: SessionName("x"), settings: kind.settings)).slot)
    }

    private mutating func enterStreams(of session: TableSlot) throws -> TableSlot {
        try #require(table.decide(.enterStreams(process: process, of: session)).slot)
    }

    @Test("Streams are notified with their session, and have its effect")
    mutating func following() throws {
        let (session, ducker) = (try enter(.ambient, process), try enter(.ducker, other))
        let streams = try enterStreams(of: session)
        #expect(table.decide(.activate(session)).affected.contains(streams))
        #expect(table.decide(.activate(ducker)).affected.contains(streams))
        #expect(table.effect(of: streams) == Effect(gain: 0.2, isSilenced: false))
        #expect(table.decide(.beginCall(SessionName("call"), holder: nil)).affected.contains(streams))
        #expect(table.effect(of: streams).isSilenced)
        #expect(table[streams]?.isInterrupted == false && table[streams]?.isActive == false)
    }

    @Test("A session plays while one of its streams plays. Without streams its playback is unknown")
    mutating func playing() throws {
        let session = try enter(.solo, process)
        _ = table.decide(.activate(session))
        #expect(table.othersArePlaying(than: other))
        let (first, second) = (try enterStreams(of: session), try enterStreams(of: session))
        #expect(!table.othersArePlaying(than: other))
        _ = table.decide(.playback(first, .running))
        _ = table.decide(.playback(second, .running))
        _ = table.decide(.playback(first, .stopped))
        #expect(table[session]?.playback == .running && table.othersArePlaying(than: other))
        _ = table.decide(.leave(second))
        #expect(table[session]?.playback == .stopped)
        _ = table.decide(.leave(first))
        #expect(table[session]?.playback == .unknown)
    }

    @Test("Streams that process a voice duck the other active sessions while they run")
    mutating func voices() throws {
        let (session, listener) = (try enter(.solo, process), try enter(.ambient, other))
        _ = table.decide(.activate(session))
        _ = table.decide(.activate(listener))
        let (voice, music) = (try enterStreams(of: session), try enterStreams(of: session))
        #expect(!table.decide(.playback(music, .running)).affected.contains(listener))
        let outcome = table.decide(.playback(voice, .runningVoice))
        #expect(outcome.affected.contains(listener) && table[session]?.playback == .runningVoice)
        #expect(table.effect(of: listener).gain == 0.2 && table.effect(of: session).gain == 1)
        #expect(table.decide(.playback(voice, .stopped)).affected.contains(listener))
        #expect(table.effect(of: listener).gain == 1 && table[session]?.playback == .running)
        _ = table.decide(.playback(voice, .runningVoice))
        #expect(table.decide(.beginCall(SessionName("call"), holder: nil)).affected.contains(listener))
        _ = table.decide(.endCall(shouldResume: true))
        _ = table.decide(.activate(session))
        #expect(table.decide(.deactivate(session, notifyingOthers: false)).isBusy)
        _ = table.decide(.activate(session))
        _ = table.decide(.activate(listener))
        #expect(table.effect(of: listener).gain == 0.2)
        _ = table.decide(.death(voice))
        #expect(table.effect(of: listener).gain == 1)
    }

    @Test("Streams that follow another session play for it, and not for the first")
    mutating func moving() throws {
        let (first, second) = (try enter(.ambient, process), try enter(.ambient, process))
        let streams = try enterStreams(of: first)
        _ = table.decide(.playback(streams, .running))
        #expect(table[first]?.playback == .running && table[second]?.playback == .unknown)
        #expect(table.decide(.join(streams, session: second)).refusal == nil)
        #expect(table[first]?.playback == .unknown && table[second]?.playback == .running)
    }

    @Test("A full table refuses streams and sessions")
    mutating func full() throws {
        let session = try enter(.ambient, process)
        for slot in 0..<SessionTable.capacity { table.put(table[session], in: slot) }
        let before = table
        #expect(table.decide(.enterStreams(process: process, of: session)).refusal != nil)
        #expect(table == before)
    }

    @Test("A deactivation while the streams of the session run is busy, and deactivates the session")
    mutating func busy() throws {
        let session = try enter(.solo, process)
        let streams = try enterStreams(of: session)
        _ = table.decide(.activate(session))
        _ = table.decide(.playback(streams, .running))
        #expect(table.decide(.deactivate(session, notifyingOthers: true)).isBusy)
        #expect(table[session]?.isActive == false)
        #expect(!table.decide(.deactivate(session, notifyingOthers: true)).isBusy)
    }

    @Test("Streams belong to a session of their own process, and stay when it leaves")
    mutating func owners() throws {
        let (own, foreign) = (try enter(.solo, process), try enter(.solo, other))
        #expect(table.decide(.enterStreams(process: process, of: foreign)).refusal == .unspecified)
        let streams = try enterStreams(of: own)
        #expect(table.decide(.enterStreams(process: process, of: streams)).refusal == .unspecified)
        #expect(table.decide(.activate(streams)).refusal == .unspecified)
        #expect(table.decide(.leave(own)).affected.contains(streams))
        #expect(table[streams]?.role == .streams(of: nil))
        #expect(table.effect(of: streams).isSilenced)
        #expect(table.decide(.join(streams, session: foreign)).refusal == .unspecified)
        let next = try enter(.ambient, process)
        #expect(table.decide(.join(streams, session: next)).refusal == nil)
        #expect(table[streams]?.role == .streams(of: next) && table[next]?.playback == .stopped)
    }
}
