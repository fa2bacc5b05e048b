// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import Synchronization
import Testing

@testable import AudioStreams

/// A registry that counts the calls that take the lock of the table.
private final class CountingRegistry: SessionRegistry {
    private let registry: InProcessRegistry
    private(set) var locks = 0

    init(in table: InProcessTable) { registry = InProcessRegistry(in: table) }

    private func counted() -> InProcessRegistry {
        locks += 1
        return registry
    }

    var descriptor: Int32 { registry.descriptor }
    func processEvents() { registry.processEvents() }
    func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> TableSlot {
        try counted().enter(name: name, settings: settings)
    }
    func enterStreams(of session: TableSlot) throws(ResultCode) -> TableSlot { try counted().enterStreams(of: session) }
    func leave(_ slot: TableSlot) { counted().leave(slot) }
    func submit(_ request: Request) throws(ResultCode) { try counted().submit(request) }
    func submit(_ request: Request, viewing slot: TableSlot) throws(ResultCode) -> SessionView {
        try counted().submit(request, viewing: slot)
    }
    func view(of slot: TableSlot) -> SessionView { counted().view(of: slot) }
    func table() -> SessionTable { counted().table() }
    func othersArePlaying() -> Bool { counted().othersArePlaying() }
}

/// The streams of this process, and sessions of this process and of another one, in one table.
private final class Group {
    let common = InProcessTable()
    let hardware = TestHardware()
    let program: InProcessRegistry
    let other: InProcessRegistry
    let registry: CountingRegistry
    let session: StreamGroup
    private var streams: [PushedStream] = []

    init(isSimulated: Bool = false) {
        program = InProcessRegistry(in: common)
        other = InProcessRegistry(in: common, as: ProcessIdentity(pid: 4711, startTime: 1, pidNamespace: 1))
        registry = CountingRegistry(in: common)
        session = StreamGroup(in: registry, on: hardware, isSimulated: isSimulated)
    }

    deinit { for stream in streams { stream.leave() } }

    func open(capture: Bool = false, _ options: StreamOptions = StreamOptions()) throws -> PushedStream {
        let stream = PushedStream(capture: capture, options)
        try stream.join(session)
        streams.append(stream)
        return stream
    }

    /// All sessions of this process, in the order of their slots.
    var sessions: [SessionEntry] {
        program.table().entries.compactMap { $0 }.filter { $0.role == .session && $0.process == .own }
    }

    var entriesOfStreams: [SessionEntry] {
        program.table().entries.compactMap { $0 }.filter { if case .streams = $0.role { true } else { false } }
    }

    func enter(
        _ registry: InProcessRegistry, _ settings: SessionSettings = SessionSettings(category: .mediaPlayback, mixes: false)
    )
        throws -> TableSlot
    {
        try registry.enter(name: SessionName("test"), settings: settings)
    }
}

private func options(_ pairs: [(String, String)]) -> StreamOptions {
    var options = StreamOptions()
    for (key, value) in pairs { #expect(options.set(key, to: value) == nil) }
    return options
}

private let playback = SessionSettings(category: .mediaPlayback, mixes: false)

/// The session that the streams of a process belong to.
@Suite struct SessionOfStreamsTests {
    // MARK: A session made for the streams

    @Test("A program without a session gets one for its streams: active while a stream runs, and gone with the last stream")
    func ownSession() throws {
        let group = Group()
        let first = try group.open()
        let second = try group.open()
        #expect(group.sessions.map(\.isActive) == [false] && group.sessions[0].settings.category == .mediaPlayback)
        try group.session.start(first)
        try group.session.start(second)
        #expect(group.sessions.map(\.isActive) == [true] && group.entriesOfStreams.map(\.playback) == [.running])
        group.session.stopped(first)
        #expect(group.sessions.map(\.isActive) == [true] && group.entriesOfStreams.map(\.playback) == [.running])
        group.session.stopped(second)
        #expect(group.sessions.map(\.isActive) == [false] && group.entriesOfStreams.map(\.playback) == [.stopped])
        first.leave()
        #expect(group.sessions.count == 1)
        second.leave()
        #expect(group.program.table().entries.allSatisfy { $0 == nil })
    }

    @Test("The options of the first stream count while there are streams, and are forgotten with the last one")
    func optionsOfTheFirst() throws {
        let group = Group()
        for word in ["AmbientSound", "SoloAmbientSound"] {
            let first = try group.open(options([("category", word), ("name", word)]))
            let second = try group.open(options([("category", "MediaPlayback"), ("name", "second")]))
            #expect(group.sessions.map(\.settings.category) == [SessionModel.Category(word: word)])
            #expect(group.sessions.map(\.name.text) == [word])
            for stream in [first, second] { stream.leave() }
        }
    }

    @Test("A process without entries left for a session and its streams opens no stream", arguments: [true, false])
    func noEntries(hasSession: Bool) throws {
        let group = Group()
        let session = try group.enter(group.program)
        let others = SessionTable.capacityOfProcess - 1
        for _ in 0..<others { _ = try group.program.enterStreams(of: session) }
        // The entry of a session is left, and none for the streams.
        if !hasSession { group.program.leave(session) }
        #expect(throws: SystemError.invalid) { try group.open() }
        #expect(group.sessions.count == (hasSession ? 1 : 0) && group.entriesOfStreams.count == others)
        #expect(group.session.isEmpty)
    }

    @Test("A stop without a close ends the interruption of others, and lets them resume") func others() throws {
        let group = Group()
        let stream = try group.open()
        let other = try group.enter(group.other)
        try group.other.submit(.activate(other))
        try group.session.start(stream)
        #expect(group.other.view(of: other).interruptions == [.begin])
        group.session.stopped(stream)
        #expect(group.other.view(of: other).interruptions == [.end(.shouldResume)])
    }

    @Test("The session for the streams follows their directions") func directions() throws {
        let group = Group()
        let player = try group.open()
        #expect(group.sessions[0].settings.category == .mediaPlayback)
        _ = try group.open(capture: true)
        #expect(group.sessions[0].settings.category == .playAndRecord)
        try group.session.start(player)
        #expect(group.sessions.map(\.isActive) == [true])
    }

    @Test("After an interruption the session for the streams is active again while a stream runs") func resumes() throws {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        for shouldResume in [true, false] {
            try group.other.submit(.beginCall(SessionName("call"), holder: nil))
            group.session.applyEvents()
            #expect(group.sessions.map(\.isActive) == [false] && stream.target.isHeld)
            try group.other.submit(.endCall(shouldResume: shouldResume))
            group.session.applyEvents()
            #expect(group.sessions.map(\.isActive) == [true] && !stream.target.isHeld)
        }
    }

    @Test("resume allowed: after an end that says not to resume, the streams stay held") func resumeAllowed() throws {
        let options = options([("resume", "allowed")])
        let group = Group()
        let stream = try group.open(options)
        try group.session.start(stream)
        for shouldResume in [true, false] {
            try group.other.submit(.beginCall(SessionName("call"), holder: nil))
            group.session.applyEvents()
            try group.other.submit(.endCall(shouldResume: shouldResume))
            group.session.applyEvents()
            #expect(group.sessions.map(\.isActive) == [shouldResume] && stream.target.isHeld == !shouldResume)
        }
    }

    @Test("After an interruption in which the last stream stopped, the session for the streams stays inactive")
    func stopsDuringCall() throws {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        try group.other.submit(.beginCall(SessionName("call"), holder: nil))
        group.session.applyEvents()
        group.session.stopped(stream)
        try group.other.submit(.endCall(shouldResume: true))
        group.session.applyEvents()
        #expect(group.sessions.map(\.isActive) == [false])
    }

    // MARK: The program's session

    @Test("Streams belong to the program's session where there is one, and no other is made for them") func programsSession()
        throws
    {
        let group = Group()
        let slot = try group.enter(group.program)
        let stream = try group.open()
        #expect(group.sessions.count == 1)
        try group.session.start(stream)
        #expect(group.program.view(of: slot).isActive && group.entriesOfStreams.map(\.role) == [.streams(of: slot)])
        group.session.stopped(stream)
        #expect(group.program.view(of: slot).isActive)
    }

    @Test("When the program makes its session, the one made for the streams leaves the table at their next start") func joins()
        throws
    {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        group.session.stopped(stream)
        let slot = try group.enter(group.program)
        try group.session.start(stream)
        #expect(group.sessions.count == 1 && group.sessions[0].isActive)
        #expect(group.entriesOfStreams.map(\.role) == [.streams(of: slot)])
    }

    @Test("When the program's session ends, its streams get one of their own") func outlives() throws {
        let group = Group()
        let slot = try group.enter(group.program)
        let stream = try group.open()
        group.program.leave(slot)
        group.session.applyEvents()
        #expect(group.sessions.count == 1 && group.sessions[0].settings == playback)
        try group.session.start(stream)
        #expect(group.sessions.map(\.isActive) == [true])
    }

    @Test("The streams do not join a session of another process") func foreign() throws {
        let group = Group()
        let slot = try group.enter(group.other)
        let stream = try group.open()
        try group.session.start(stream)
        #expect(!group.other.view(of: slot).isActive && group.sessions.map(\.isActive) == [true])
    }

    @Test("A stream is held while its session is not active, and moves when it is") func held() throws {
        let group = Group()
        let slot = try group.enter(group.program)
        let stream = try group.open()
        #expect(stream.target.isHeld)
        try group.session.start(stream)
        #expect(!stream.target.isHeld)
        #expect(throws: Never.self) { try group.program.submit(.deactivate(slot, notifyingOthers: false)) }
        group.session.applyEvents()
        #expect(stream.target.isHeld)
    }

    // MARK: Refusals

    @Test("A category without the direction of the stream does not permit it") func categories() throws {
        let rows: [(SessionModel.Category, plays: Bool, records: Bool)] = [
            (.ambientSound, true, false), (.soloAmbientSound, true, false), (.mediaPlayback, true, false),
            (.recordAudio, false, true),
            (.playAndRecord, true, true), (.audioProcessing, false, false), (.multiRoute, true, true),
        ]
        for (category, plays, records) in rows {
            for (capture, isPermitted) in [(false, plays), (true, records)] {
                let group = Group()
                _ = try group.enter(group.program, SessionSettings(category: category, mixes: false))
                if isPermitted {
                    _ = try group.open(capture: capture)
                } else {
                    #expect(throws: SystemError.notPermitted, "\(category) \(capture)") { _ = try group.open(capture: capture) }
                }
            }
        }
    }

    @Test("The log says which direction a category does not permit") func refusedDirections() throws {
        let group = Group()
        _ = try group.enter(group.program, SessionSettings(category: .mediaPlayback, mixes: false))
        let lines = Log.lines { #expect(throws: SystemError.notPermitted) { _ = try group.open(capture: true) } }
        let category = SessionModel.Category.mediaPlayback.traits.name
        #expect(lines.contains("capture is not permitted: the session's category is \(category)"))
    }

    @Test("Without a device of its direction no stream opens, but while the hardware has not answered, or with a PCM of its own")
    func devices() throws {
        let group = Group()
        group.hardware.change { $0.ports = [.speaker] }
        _ = try group.open()
        #expect(throws: SystemError.noDevice) { _ = try group.open(capture: true) }
        _ = try group.open(capture: true, options([("slave", "null")]))
        group.hardware.change { $0 = HardwareSnapshot(isPending: true) }
        let stream = try group.open()
        #expect(stream.target.device == nil)
    }

    @Test("During a call a stream of a session that does not mix is refused") func call() throws {
        let group = Group()
        let stream = try group.open()
        try group.other.submit(.beginCall(SessionName("call"), holder: nil))
        #expect(throws: SystemError.busy) { try group.session.start(stream) }
        #expect(group.entriesOfStreams.map(\.playback) == [.stopped])
        try group.other.submit(.endCall(shouldResume: true))
        try group.session.start(stream)
    }

    @Test("During a call only a stream with the option hold that ran when the call began can be started again; it moves no frame")
    func startDuringInterruption() throws {
        for (word, isRefused) in [("hold", false), ("silence", true), ("xrun", true)] {
            let group = Group()
            let stream = try group.open(options([("on_interrupt", word)]))
            try group.session.start(stream)
            try group.other.submit(.beginCall(SessionName("call"), holder: nil))
            group.session.applyEvents()
            if isRefused {
                #expect(throws: SystemError.busy) { try group.session.start(stream) }
            } else {
                group.session.stopped(stream)
                try group.session.start(stream)
                #expect(stream.target.isHeld)
            }
            #expect(throws: SystemError.busy) { try group.session.start(try group.open()) }
        }
    }

    @Test("A stream that starts during an interruption by another session activates its own session, as SetActive does")
    func startDuringAnothersInterruption() throws {
        let group = Group()
        let running = try group.open()
        let late = try group.open()
        try group.session.start(running)
        try group.other.submit(.activate(try group.enter(group.other)))
        group.session.applyEvents()
        try group.session.start(running)
        #expect(group.sessions.map(\.isActive) == [false] && running.target.isHeld)
        try group.session.start(late)
        #expect(group.sessions.map(\.isActive) == [true] && !running.target.isHeld)
    }

    @Test("A dead server stops the streams of the session made for them, and none starts until it is back") func serverDies()
        throws
    {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        group.hardware.change { $0.serverIsAlive = false }
        group.session.applyEvents()
        #expect(group.sessions.map(\.isActive) == [false])
        #expect(stream.target.end(on: .hold) == .late && stream.target.end(on: .silence) == .late)
        group.session.stopped(stream)
        #expect(throws: SystemError.failed) { try group.session.start(stream) }
        group.hardware.change { $0.serverIsAlive = true }
        group.session.applyEvents()
        #expect(group.sessions.map(\.isActive) == [false])
        try group.session.start(stream)
        #expect(group.sessions.map(\.isActive) == [true] && stream.target.end(on: .hold) == nil)
    }

    @Test("An interruption ends silently with the audio server: the session made for the streams stays inactive")
    func serverDiesDuringCall() throws {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        try group.other.submit(.beginCall(SessionName("call"), holder: nil))
        group.session.applyEvents()
        group.hardware.change { $0.serverIsAlive = false }
        group.session.applyEvents()
        try group.other.submit(.endCall(shouldResume: true))
        group.session.applyEvents()
        #expect(group.sessions.map(\.isActive) == [false])
        #expect(throws: SystemError.failed) { try group.session.start(stream) }
    }

    @Test("A stream that records does not start without an input") func startWithoutInput() throws {
        let group = Group()
        _ = try group.enter(group.program, SessionSettings(category: .recordAudio, mixes: false))
        let stream = try group.open(capture: true)
        group.hardware.change { $0.ports = [.speaker] }
        #expect(throws: SystemError.noDevice) { try group.session.start(stream) }
    }

    @Test("A stream does not start in a category that has become one without its direction") func startInOtherCategory() throws {
        let group = Group()
        let slot = try group.enter(group.program)
        let stream = try group.open()
        try group.program.submit(.change(slot, SessionSettings(category: .recordAudio, mixes: false)))
        #expect(throws: SystemError.notPermitted) { try group.session.start(stream) }
    }

    // MARK: The program makes its session while streams run

    @Test(
        "Where a stream runs, the session made for the streams becomes the program's: active, and no other session is interrupted"
    )
    func handOver() throws {
        let group = Group()
        let stream = try group.open(capture: true)
        try group.session.start(stream)
        let before = group.sessions
        let handed = try #require(group.session.handOverSession())
        group.session.join(handed.slot) {}
        #expect(group.sessions == before && handed.settings.category == .playAndRecord)
        #expect(group.entriesOfStreams.map(\.role) == [.streams(of: handed.slot)] && !stream.target.isHeld)
        group.session.stopped(stream)
        #expect(group.sessions.map(\.isActive) == [true])
        #expect(group.session.handOverSession() == nil)
    }

    @Test("A session made for the streams that is interrupted is not handed over") func handOverInterrupted() throws {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        try group.other.submit(.beginCall(SessionName("call"), holder: nil))
        #expect(group.session.handOverSession() == nil)
    }

    @Test("Where no stream runs, the streams belong to the program's new session at once") func joinAtOnce() throws {
        let group = Group()
        _ = try group.open()
        #expect(group.session.handOverSession() == nil)
        let slot = try group.enter(group.program)
        var activations = 0
        group.session.join(slot) { activations += 1 }
        #expect(group.sessions.count == 1 && group.entriesOfStreams.map(\.role) == [.streams(of: slot)] && activations == 0)
    }

    @Test("A refusal of the program's session is the refusal of the start") func refusals() throws {
        let rows: [(ResultCode, SystemError)] = [
            (.notActive, .busy), (.noHardware, .noDevice), (.unspecified, .failed), (.incompatibleCategory, .notPermitted),
        ]
        for (refusal, error) in rows {
            let group = Group()
            let stream = try group.open()
            group.session.join(try group.enter(group.program)) { () throws(ResultCode) in throw refusal }
            #expect(throws: error) { try group.session.start(stream) }
            #expect(group.entriesOfStreams.map(\.playback) == [.stopped])
        }
    }

    // MARK: Targets

    @Test(
        "A card of the route is reached through its mixer first; another PCM by its name; a port of a simulated machine by the clock"
    )
    func names() throws {
        let group = Group()
        let player = try group.open()
        let recorder = try group.open(capture: true)
        #expect(player.target.device == .alsa(["plug:'dmix:0'", "plughw:0"]))
        #expect(recorder.target.device == .alsa(["plug:'dsnoop:0'", "plughw:0"]))
        group.hardware.change { $0.ports.append(.display) }
        group.session.applyEvents()
        #expect(player.target.device == .alsa(["plug:'hdmi:2'"]))
        let simulated = Group(isSimulated: true)
        #expect(try simulated.open().target.device == .simulated)
    }

    @Test("A stream goes where the route goes; without a route it is silent") func routes() throws {
        let group = Group()
        let stream = try group.open()
        group.hardware.change { $0.ports.append(.headphones) }
        group.session.applyEvents()
        #expect(stream.target.device == .alsa(["plug:'dmix:1'", "plughw:1"]))
        group.hardware.change { $0.ports = [] }
        group.session.applyEvents()
        #expect(stream.target.device == .silence)
    }

    @Test("A change of the hardware moves the streams without a look at the table") func jack() throws {
        let group = Group()
        _ = try group.enter(group.program)
        let program = try group.open()
        try group.session.start(program)
        let locks = group.registry.locks
        group.hardware.change { $0.ports.append(.headphones) }
        group.session.applyHardwareEvents()
        #expect(program.target.device == .alsa(["plug:'dmix:1'", "plughw:1"]))
        group.hardware.change { $0.serverIsAlive = false }
        group.session.applyHardwareEvents()
        #expect(program.target.isWithoutServer && !program.target.isHeld)
        #expect(group.registry.locks == locks)
    }

    @Test("The title of a stream is the name of its session at a start, and a change of the hardware does not read it again")
    func title() throws {
        let group = Group()
        group.hardware.change { $0.ports = [.onServer] }
        let slot = try group.enter(group.program)
        let program = try group.open()
        try group.session.start(program)
        func expectTitle(_ title: String) {
            let definition = "{ type plug slave.pcm { type pipewire name \"\(title)\" } }"
            #expect(program.target.device == .server([definition, "plug:'default'"]))
        }
        expectTitle("test")
        try group.program.submit(.rename(slot, SessionName("Radio")))
        let locks = group.registry.locks
        group.hardware.change { $0.ports.append(.headphones) }
        group.hardware.change { $0.ports = [.onServer] }
        group.session.applyHardwareEvents()
        #expect(group.registry.locks == locks)
        expectTitle("test")
        try group.session.start(program)
        expectTitle("Radio")
    }

    @Test("A server that dies ends the activity of the session made for the streams; later changes do not change the table")
    func deathOfServer() throws {
        let group = Group()
        let stream = try group.open()
        try group.session.start(stream)
        group.hardware.change { $0.serverIsAlive = false }
        group.session.applyHardwareEvents()
        #expect(group.sessions.map(\.isActive) == [false] && stream.target.isHeld && stream.target.isWithoutServer)
        let locks = group.registry.locks
        group.hardware.change { $0.ports.append(.headphones) }
        group.session.applyHardwareEvents()
        group.hardware.change { $0.serverIsAlive = true }
        group.session.applyHardwareEvents()
        #expect(group.registry.locks == locks && !stream.target.isWithoutServer)
    }

    @Test("on_route_loss stop: a running stream is lost when the port that it plays to is gone, and then only") func lost() throws
    {
        let group = Group()
        group.hardware.change { $0.ports.append(.headphones) }
        let stream = try group.open(options([("on_route_loss", "stop")]))
        group.hardware.change { $0.ports.removeLast() }
        group.session.applyEvents()
        #expect(!stream.target.isLost)
        group.hardware.change { $0.ports.append(.headphones) }
        group.session.applyEvents()
        try group.session.start(stream)
        group.hardware.change { $0.ports.append(.display) }
        group.session.applyEvents()
        #expect(!stream.target.isLost && stream.target.device == .alsa(["plug:'hdmi:2'"]))
        group.hardware.change { $0.ports.removeAll { $0.kind == .headphones } }
        group.session.applyEvents()
        #expect(!stream.target.isLost)
        group.hardware.change { $0.ports.removeAll { $0.kind == .hdmi } }
        group.session.applyEvents()
        #expect(stream.target.isLost)
    }

    @Test("A stream of a MultiRoute session plays to the port that it names; of another session to the route's first")
    func ports() throws {
        let wanted = options([("port", "hdmi")])
        let group = Group()
        group.hardware.change { $0.ports += [.headphones, .display] }
        let slot = try group.enter(group.program, SessionSettings(category: .multiRoute, mixes: false))
        let stream = try group.open(wanted)
        #expect(stream.target.device == .alsa(["plug:'hdmi:2'"]))
        group.hardware.change { $0.ports.removeAll { $0.kind == .hdmi } }
        group.session.applyEvents()
        #expect(stream.target.device == .silence)
        try group.program.submit(.change(slot, playback))
        group.session.applyEvents()
        #expect(stream.target.device == .alsa(["plug:'dmix:1'", "plughw:1"]))
    }

    @Test("Ducking lowers playback and leaves capture; a recording silences playback") func effects() throws {
        let group = Group()
        _ = try group.enter(group.program, SessionSettings(category: .playAndRecord, mixes: true))
        let player = try group.open()
        let recorder = try group.open(capture: true)
        try group.session.start(player)
        let ducker = try group.enter(group.other, SessionSettings(category: .mediaPlayback, mixes: true, ducks: true))
        try group.other.submit(.activate(ducker))
        group.session.applyEvents()
        #expect(player.target.gain == 0.2 && recorder.target.gain == 1)
        try group.other.submit(.deactivate(ducker, notifyingOthers: false))
        group.session.applyEvents()
        #expect(player.target.gain == 1)
        try group.other.submit(.change(ducker, SessionSettings(category: .recordAudio, mixes: false)))
        try group.other.submit(.activate(ducker))
        group.session.applyEvents()
        #expect(player.target.gain == 0)
    }
}
