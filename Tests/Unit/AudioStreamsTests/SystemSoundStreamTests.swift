// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel
import SessionRegistry
import SimulatedHardware
import Testing

@testable import AudioStreams

/// System sounds are no part of the program's session.
@Suite struct SystemSoundStreamTests {
    private let machine = PullMachine()

    private func sound() -> PullProgram { PullProgram(machine, in: machine.systemSounds) }

    private func level(of sound: PullProgram) -> Float? {
        machine.systemSounds.applyEvents()
        machine.step(milliseconds: 200)
        return machine.devices.sound.last
    }

    private var entries: [SessionEntry] { machine.program.table().entries.compactMap { $0 } }

    @Test("A sound interrupts no session, ducks none, and other programs do not see it as audio that plays")
    func othersAreLeftAlone() throws {
        let other = try machine.other.enter(
            name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        try machine.other.submit(.activate(other))
        let sound = sound()
        defer { sound.destroy() }
        for _ in 1...2 {
            try sound.start(441)
            #expect(level(of: sound) == 1)
            let view = machine.other.view(of: other)
            #expect(view.isActive && view.interruptions.isEmpty && view.effect.gain == 1 && !view.effect.isSilenced)
            #expect(!machine.other.othersArePlaying())
            sound.stream.stop()
            #expect(machine.other.view(of: other).isActive)
        }
    }

    @Test("A sound neither activates the program's session nor keeps it active, and no end of that session stops the sound")
    func programsSessionIsLeftAlone() throws {
        let slot = try machine.enter(.mediaPlayback)
        let sound = sound()
        defer { sound.destroy() }
        for _ in 1...2 {
            try sound.start(441)
            #expect(!machine.program.view(of: slot).isActive)
            try machine.program.submit(.activate(slot))
            #expect(!(try machine.program.submit(.deactivate(slot, notifyingOthers: false), viewing: slot).isBusy))
            try machine.program.submit(.activate(slot))
            let other = try machine.other.enter(
                name: SessionName("other"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
            try machine.other.submit(.activate(other))
            #expect(machine.program.view(of: slot).isInterrupted)
            #expect(level(of: sound) == 1 && sound.stream.isStarted && sound.stopReasons.isEmpty)
            machine.other.leave(other)
            sound.stream.stop()
        }
    }

    @Test("Streams of the program that start during a sound have a session of their own, and no sound keeps it")
    func streamsOfTheProgram() throws {
        let sound = sound()
        defer { sound.destroy() }
        try sound.start(441)
        #expect(entries.map(\.settings.areOfSystemSounds) == [true, true] && machine.sessions.map(\.isActive) == [true])
        let program = PullProgram(machine)
        defer { program.destroy() }
        try program.start(441)
        let own = try #require(machine.sessions.first { !$0.settings.areOfSystemSounds })
        #expect(own.isActive && own.settings.category == .soloAmbientSound && own.playback == .running)
        program.stream.stop()
        #expect(machine.sessions.map(\.isActive) == [true, false] && sound.stream.isStarted)
        sound.stream.stop()
        #expect(machine.sessions.map(\.isActive) == [false, false])
        // A session that the program creates later is not taken for that of the sounds.
        let slot = try machine.enter(.mediaPlayback)
        try sound.start(441)
        #expect(!machine.program.view(of: slot).isActive)
    }

    @Test("The session of sounds is named so, and streams without options have none of an earlier stream")
    func names() throws {
        let pushed = PushedStream(
            capture: false,
            {
                var options = StreamOptions()
                #expect(options.set("category", to: "AmbientSound") == nil && options.set("name", to: "radio") == nil)
                return options
            }())
        try pushed.join(machine.group)
        #expect(machine.sessions.map(\.name.text) == ["radio"])
        pushed.leave()
        let (sound, program) = (sound(), PullProgram(machine))
        defer {
            sound.destroy()
            program.destroy()
        }
        try program.start(441)
        try sound.start(441)
        let name = String(cString: linux_program_name())
        #expect(machine.sessions.map(\.name.text) == [name, SessionName("\(name) (system sounds)").text])
        #expect(machine.sessions.map(\.settings.category).first == .soloAmbientSound)
    }

    @Test("The silent switch, the lock and a call silence a sound while they last, and it goes on")
    func silenced() throws {
        let sound = sound()
        defer { sound.destroy() }
        try sound.start(441)
        let causes: [(begin: Request, end: Request)] = [
            (.silent(true), .silent(false)), (.lock(true), .lock(false)),
            (.beginCall(SessionName("call"), holder: nil), .endCall(shouldResume: true)),
            (.beginCall(SessionName("call"), holder: nil), .endCall(shouldResume: false)),
        ]
        #expect(level(of: sound) == 1)
        for cause in causes {
            try machine.other.submit(cause.begin)
            #expect(level(of: sound) == 0, "\(cause.begin)")
            try machine.other.submit(cause.end)
            #expect(level(of: sound) == 1, "\(cause.end)")
        }
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        #expect(level(of: sound) == 0)
        try machine.other.submit(.confirmCall)
        #expect(level(of: sound) == 1 && sound.stopReasons.isEmpty)
        // A sound begins silently during a call.
        try machine.other.submit(.endCall(shouldResume: true))
        sound.stream.stop()
        try machine.other.submit(.beginCall(SessionName("call"), holder: nil))
        try sound.start(441)
        #expect(level(of: sound) == 0)
    }

    @Test("A session that ducks others ducks a sound, and one that only records silences it") func asOfClassAmbient() throws {
        let sound = sound()
        defer { sound.destroy() }
        try sound.start(441)
        for (settings, wanted) in [
            (SessionSettings(category: .mediaPlayback, mixes: true, ducks: true), 0.2),
            (.init(category: .recordAudio, mixes: false), 0),
        ] as [(SessionSettings, Float)] {
            let other = try machine.other.enter(name: SessionName("other"), settings: settings)
            try machine.other.submit(.activate(other))
            #expect(abs((level(of: sound) ?? -1) - wanted) < 1e-6)
            machine.other.leave(other)
            #expect(level(of: sound) == 1)
        }
    }
}
