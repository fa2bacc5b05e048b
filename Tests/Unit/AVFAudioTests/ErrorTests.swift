// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioSession
import Foundation
import SessionModel
import Testing

@testable import AVAudioSession

@Suite struct ErrorTests {
    @Test("During a phone call a session that does not mix is refused with insufficientPriority; one that mixes activates")
    func insufficientPriority() throws {
        let program = try singleProgram()
        try program.simulate("interrupt begin")
        #expect(code { try program.session.setActive(true) } == .insufficientPriority)
        #expect(!program.isActive)
        try program.session.setCategory(.ambient)
        try program.session.setActive(true)
        #expect(program.isActive)
    }

    @Test("A session that mixes during a phone call cannot stop mixing by its category")
    func cannotInterruptOthers() throws {
        let program = try singleProgram()
        try program.simulate("interrupt begin")
        try program.session.setCategory(.playback, options: .mixWithOthers)
        try program.session.setActive(true)
        #expect(code { try program.session.setCategory(.playback) } == .cannotInterruptOthers)
        #expect(program.session.categoryOptions == .mixWithOthers)
        #expect(program.isActive)
    }

    @Test("Without its audio server a session cannot be activated")
    func mediaServicesFailed() throws {
        let program = try singleProgram()
        try program.simulate("server die")
        #expect(code { try program.session.setActive(true) } == .mediaServicesFailed)
        try program.simulate("server restart")
        try program.session.setActive(true)
    }

    @Test("Recording cannot be activated without an input")
    func resourceNotAvailable() throws {
        let program = try singleProgram()
        try program.simulate("unplug microphone")
        try program.session.setCategory(.record)
        #expect(code { try program.session.setActive(true) } == .resourceNotAvailable)
    }

    @Test("Only playAndRecord accepts the override to the speaker")
    func incompatibleCategory() throws {
        let program = try singleProgram()
        #expect(code { try program.session.overrideOutputAudioPort(.speaker) } == .incompatibleCategory)
        try program.session.setCategory(.playAndRecord)
        try program.session.overrideOutputAudioPort(.speaker)
        #expect(program.outputs == [.builtInSpeaker])
        try program.session.overrideOutputAudioPort(.none)
        #expect(program.outputs == [.builtInReceiver])
    }

    @Test("The error of a refusal depends on the operation")
    func names() {
        func name(
            _ refusal: ResultCode, _ operation: OperationError.Operation, server: Bool = true, call: Bool = false
        ) -> AVAudioSession.ErrorCode {
            AVAudioSession.ErrorCode(OperationError(refusal, when: operation, serverIsAlive: server, isCallOngoing: call))
        }
        #expect(name(.notActive, .deactivating) == .isBusy)
        #expect(name(.notActive, .activating) == .insufficientPriority)
        #expect(name(.unspecified, .setting) == .unspecified)
        #expect(name(.unspecified, .setting, call: true) == .cannotInterruptOthers)
        #expect(name(.unspecified, .activating, call: true) == .unspecified)
        #expect(name(.unspecified, .activating, server: false) == .mediaServicesFailed)
        #expect(name(.initializationError, .setting) == .unspecified)
        #expect(name(.noHardware, .setting) == .resourceNotAvailable)
        #expect(name(.incompatibleCategory, .setting) == .incompatibleCategory)
        for refusal in [ResultCode.unsupportedProperty, .parameter, .badPropertySize] {
            #expect(name(refusal, .setting) == .badParam)
        }
    }

    @Test("Every code is that of the platform")
    func codes() {
        func fourCharacters(_ text: String) -> Int { text.utf8.reduce(0) { $0 << 8 | Int($1) } }
        let codes: [AVAudioSession.ErrorCode: Int] = [
            .none: 0, .badParam: -50, .mediaServicesFailed: fourCharacters("msrv"), .isBusy: fourCharacters("!act"),
            .incompatibleCategory: fourCharacters("!cat"), .cannotInterruptOthers: fourCharacters("!int"),
            .missingEntitlement: fourCharacters("ent?"), .siriIsRecording: fourCharacters("siri"),
            .cannotStartPlaying: fourCharacters("!pla"), .cannotStartRecording: fourCharacters("!rec"),
            .insufficientPriority: fourCharacters("!pri"), .resourceNotAvailable: fourCharacters("!res"),
            .unspecified: fourCharacters("what"), .expiredSession: fourCharacters("!ses"),
            .sessionNotActive: fourCharacters("inac"),
        ]
        for code in AVAudioSession.ErrorCode.allCases { #expect(codes[code] == code.rawValue) }
    }

    @Test("An error is an NSError, can be caught by its code, and has a description")
    func catching() throws {
        let session = try singleProgram().session
        do {
            try session.setMode(.voiceChat)
            Issue.record("nothing was thrown")
        } catch  where AVAudioSession.ErrorCode(error) == .incompatibleCategory {
            #expect(AVAudioSession.ErrorCode(error) != .badParam)
        }
        #expect(AVAudioSession.ErrorCode(CancellationError()) == nil)
        #expect(AVAudioSession.ErrorCode(NSError(domain: "another", code: -50)) == nil)
        do {
            try session.setMode(.voiceChat)
        } catch let error as NSError {
            #expect(error.domain == NSOSStatusErrorDomain)
            #expect(error.code == AVAudioSession.ErrorCode.incompatibleCategory.rawValue)
            #expect(error.localizedDescription == "The session's category does not allow this.")
        }
    }

    @Test("A session that could not be created has the initial values, and throws when it is used")
    func withoutSession() throws {
        let session = AVAudioSession { () throws(ResultCode) in throw .initializationError }
        #expect(session.category == .soloAmbient)
        #expect(session.currentRoute.outputs.isEmpty)
        #expect(session.sampleRate == 0)
        #expect(session.recordPermission == .undetermined)
        #expect(code { try session.setActive(true) } == .mediaServicesFailed)
    }
}

@Suite struct BusyTests {
    @Test("A deactivation while streams run throws isBusy, and the session is inactive")
    func busy() throws {
        let group = ProgramGroup()
        let program = try group.program()
        try program.session.setActive(true)
        try group.play(as: program)
        #expect(code { try program.session.setActive(false) } == .isBusy)
        #expect(!program.below.known.isActive)
        try program.session.setActive(false)
    }
}
