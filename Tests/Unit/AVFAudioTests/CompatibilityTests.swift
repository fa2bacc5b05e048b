// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

// The names of several years for the same functions.
@Suite struct CompatibilityTests {
    @Test("The string constants and the types name the same values")
    func strings() throws {
        let session = try singleProgram().session
        try session.setCategory(AVAudioSessionCategoryPlayAndRecord, with: [.defaultToSpeaker, .allowBluetooth])
        #expect(session.category == AVAudioSessionCategoryPlayAndRecord)
        #expect(session.category != AVAudioSessionCategoryAmbient)
        #expect(AVAudioSessionModeDefault == session.mode)
        #expect(session.categoryOptions == [.defaultToSpeaker, .allowBluetooth])
        try session.setMode(AVAudioSessionModeVoiceChat)
        try session.setActive(true, with: [])
        try session.setActive(false, with: .notifyOthersOnDeactivation)
        try session.setCategory(AVAudioSessionCategoryPlayback, options: .mixWithOthers)
        try session.setCategory(AVAudioSessionCategoryPlayback, mode: AVAudioSessionModeSpokenAudio, policy: .longForm)
        try session.setCategory(AVAudioSessionCategoryAmbient)
        switch session.category {
        case AVAudioSessionCategoryAmbient: break
        default: Issue.record("another category")
        }
        let usesSpeaker = session.currentRoute.outputs.contains { $0.portType == AVAudioSessionPortBuiltInSpeaker }
        #expect(usesSpeaker)
    }

    @Test("The types accept the names of the string constants")
    func types() throws {
        let session = try singleProgram().session
        try session.setCategory(.playback, mode: .default)
        try session.setCategory(.playback, mode: .default, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        #expect(session.categoryOptions.rawValue == 0x13)
        try session.setCategory(.playAndRecord, mode: .voiceChat, policy: .default, options: [])
        try session.overrideOutputAudioPort(.speaker)
        try session.overrideOutputAudioPort(AVAudioSessionPortOverride.none)
    }

    @Test("The values equal the values of the platform")
    func values() {
        #expect(AVAudioSessionCategoryOptions.allowAirPlay.rawValue == 0x40)
        #expect(AVAudioSession.RecordPermission.granted.rawValue == 0x6772_6E74)
        #expect(AVAudioSession.PortOverride.speaker.rawValue == 0x7370_6B72)
        #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
        #expect(AVAudioSession.InterruptionType.began.rawValue == 1)
        #expect(AVAudioSessionPortBluetoothHFP == "BluetoothHFP")
        #expect(AVAudioSessionPortUSBAudio == "USBAudio")
        #expect(AVAudioSessionOrientationBack == "Back")
        #expect(AVAudioSessionPolarPatternCardioid == "Cardioid")
        #expect(AVAudioSessionLocationUpper == "Upper")
    }

    @Test("The names of 2009 work")
    func old() throws {
        let old: any SpeaksAsIn2009.Type = Program2009.self
        try old.use(singleProgram().session)
    }

    @Test("Integer and floating-point literals are numbers of seconds")
    func literals() throws {
        let session = try singleProgram().session
        try session.setPreferredSampleRate(44100)
        try session.setPreferredIOBufferDuration(1024 / 44100)
        #expect(session.preferredIOBufferDuration == 1024.0 / 44_100)
    }
}

// Called through a protocol, so that the deprecated names cause no warning.
private protocol SpeaksAsIn2009 {
    static func use(_ session: AVAudioSession) throws
}

private enum Program2009: SpeaksAsIn2009 {
    @available(*, deprecated)
    static func use(_ session: AVAudioSession) throws {
        try session.setPreferredHardwareSampleRate(48_000)
        #expect(session.preferredHardwareSampleRate == 48_000)
        #expect(session.currentHardwareSampleRate == 48_000)
        #expect(session.currentHardwareInputNumberOfChannels == 0)
        #expect(session.currentHardwareOutputNumberOfChannels == 2)
        #expect(session.inputIsAvailable)
        try session.setActive(true, withFlags: 0)
        try session.setActive(false, withFlags: AVAudioSessionSetActiveFlags_NotifyOthersOnDeactivation)
    }
}
