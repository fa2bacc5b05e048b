// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import Testing

@Suite struct SurfaceTests {
    @Test("A new session is inactive, in category soloAmbient and mode default, on the speaker")
    func beginnings() throws {
        let session = try singleProgram().session
        #expect(session.category == .soloAmbient)
        #expect(session.mode == .default)
        #expect(session.categoryOptions == [])
        #expect(session.routeSharingPolicy == .default)
        #expect(session.preferredSampleRate == 0)
        #expect(session.preferredIOBufferDuration == 0)
        #expect(session.sampleRate == 44_100)
        #expect(session.outputNumberOfChannels == 2)
        #expect(session.inputNumberOfChannels == 0)
        #expect(session.outputVolume == 0.5)
        #expect(session.recordPermission == .granted)
        #expect(!session.isOtherAudioPlaying)
        #expect(!session.secondaryAudioShouldBeSilencedHint)
        #expect(session.currentRoute.outputs.map { $0.portType } == [.builtInSpeaker])
        #expect(session.currentRoute.inputs.isEmpty)
    }

    @Test("Every category can be set and reads back", arguments: try! singleProgram().session.availableCategories)
    func categories(category: AVAudioSession.Category) throws {
        let session = try singleProgram().session
        try session.setCategory(category)
        #expect(session.category == category)
    }

    @Test("Seven categories and nine modes are available; without an input the categories that record are not")
    func available() throws {
        let program = try singleProgram()
        #expect(program.session.availableCategories.count == 7)
        #expect(program.session.availableModes.count == 9)
        try program.simulate("unplug microphone")
        #expect(!program.session.availableCategories.contains(.record))
        #expect(!program.session.availableCategories.contains(.playAndRecord))
        #expect(program.session.availableCategories.count == 5)
    }

    @Test("Preferences read back exactly; the granted values are those of the device")
    func preferences() throws {
        let session = try singleProgram().session
        try session.setPreferredSampleRate(47_999.5)
        try session.setPreferredIOBufferDuration(0.005)
        #expect(session.preferredSampleRate == 47_999.5)
        #expect(session.preferredIOBufferDuration == 0.005)
        #expect(session.sampleRate == 48_000)
        #expect(session.ioBufferDuration == TimeInterval(Float(256.0 / 48_000)))
        try session.setPreferredSampleRate(0)
        #expect(session.sampleRate == 44_100)
    }

    @Test("At most the channels of the route can be preferred")
    func channels() throws {
        let session = try singleProgram().session
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(session.maximumOutputNumberOfChannels == 2)
        #expect(session.maximumInputNumberOfChannels == 1)
        try session.setPreferredOutputNumberOfChannels(1)
        #expect(session.preferredOutputNumberOfChannels == 1)
        try session.setPreferredOutputNumberOfChannels(2)
        #expect(session.preferredOutputNumberOfChannels == 2)
        #expect(code { try session.setPreferredOutputNumberOfChannels(3) } == .badParam)
        try session.setPreferredInputNumberOfChannels(1)
        #expect(session.preferredInputNumberOfChannels == 1)
        #expect(code { try session.setPreferredInputNumberOfChannels(2) } == .badParam)
        #expect(code { try session.setPreferredOutputNumberOfChannels(-1) } == .badParam)
        #expect(session.preferredInputNumberOfChannels == 1)
        #expect(session.preferredOutputNumberOfChannels == 2)
    }

    @Test("The input gain is clamped to 0…1, and exists when the route's input has a gain")
    func gain() throws {
        let session = try singleProgram().session
        #expect(!session.isInputGainSettable)
        #expect(session.inputGain == 1)
        #expect(code { try session.setInputGain(0.5) } == .resourceNotAvailable)
        try session.setCategory(.record)
        #expect(session.isInputGainSettable)
        try session.setActive(true)
        try session.setInputGain(0.25)
        #expect(session.inputGain == 0.25)
        try session.setInputGain(7)
        #expect(session.inputGain == 1)
        try session.setInputGain(-1)
        #expect(session.inputGain == 0)
        #expect(code { try session.setInputGain(.nan) } == .badParam)
        #expect(session.inputGain == 0)
    }

    @Test("Latencies are those of the route's ports")
    func latencies() throws {
        let program = try singleProgram()
        #expect(program.session.inputLatency == 0)
        #expect(program.session.outputLatency == TimeInterval(Float(0.01)))
        try program.simulate("plug bluetooth-a2dp")
        #expect(program.session.outputLatency == TimeInterval(Float(0.15)))
    }

    @Test("isInputAvailable does not depend on the category")
    func inputAvailable() throws {
        let program = try singleProgram()
        #expect(program.session.isInputAvailable)
        try program.simulate("unplug microphone")
        #expect(!program.session.isInputAvailable)
    }

    @Test("A request for the permission to record is answered at once")
    func permission() async throws {
        let session = try singleProgram().session
        #expect(await session.requestRecordPermission())
        #expect(await withCheckedContinuation { answer in session.requestRecordPermission { answer.resume(returning: $0) } })
    }

    @Test("Another process that plays is other audio; one that does not mix sets the hint to silence secondary audio")
    func others() throws {
        let group = ProgramGroup()
        let own = try group.program()
        let other = try group.program()
        try own.session.setCategory(.ambient)
        try own.session.setActive(true)
        try other.session.setCategory(.playback, options: .mixWithOthers)
        try other.session.setActive(true)
        #expect(own.session.isOtherAudioPlaying)
        #expect(!own.session.secondaryAudioShouldBeSilencedHint)
        try other.session.setCategory(.playback)
        #expect(own.session.secondaryAudioShouldBeSilencedHint)
        #expect(!other.session.secondaryAudioShouldBeSilencedHint)
        try other.session.setActive(false)
        #expect(!own.session.secondaryAudioShouldBeSilencedHint)
        #expect(!own.session.isOtherAudioPlaying)
    }
}

@Suite struct BadInputTests {
    @Test("An unknown category or mode throws badParam, and changes nothing")
    func unknownNames() throws {
        let session = try singleProgram().session
        try session.setCategory(.playback, mode: .moviePlayback, options: .duckOthers)
        let before = "\(session.category) \(session.mode) \(session.categoryOptions)"
        #expect(code { try session.setCategory(AVAudioSession.Category(rawValue: "")) } == .badParam)
        #expect(code { try session.setCategory("AVAudioSessionCategoryplayback") } == .badParam)
        #expect(code { try session.setMode(AVAudioSession.Mode(rawValue: "voice")) } == .badParam)
        #expect(code { try session.setCategory(AVAudioSessionCategoryAmbient, mode: "\u{0}") } == .badParam)
        #expect("\(session.category) \(session.mode) \(session.categoryOptions)" == before)
    }

    @Test("An invalid rate or duration throws badParam and changes nothing", arguments: [-1, .nan, .infinity, -.infinity, 1e300])
    func rates(value: Double) throws {
        let session = try singleProgram().session
        try session.setPreferredSampleRate(22_050)
        try session.setPreferredIOBufferDuration(0.01)
        if value != 1e300 { #expect(code { try session.setPreferredSampleRate(value) } == .badParam) }
        #expect(code { try session.setPreferredIOBufferDuration(value) } == .badParam)
        #expect(session.preferredSampleRate == 22_050)
        #expect(session.preferredIOBufferDuration == 0.01)
    }

    @Test("Unknown options throw badParam", arguments: [0x100, 0x200, UInt.max])
    func unknownOptions(bits: UInt) throws {
        let session = try singleProgram().session
        #expect(
            code { try session.setCategory(.playAndRecord, options: AVAudioSession.CategoryOptions(rawValue: bits)) }
                == .badParam)
        #expect(session.category == .soloAmbient)
    }
}
