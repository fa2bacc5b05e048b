// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

/// The result of one option in one category.
enum Fate: Sendable, CustomTestStringConvertible {
    /// It is set, with the options that it implies.
    case set(AVAudioSession.CategoryOptions)
    /// It is cleared without an error.
    case cleared
    /// It is refused.
    case refused

    var testDescription: String {
        switch self {
        case .set(let options): "reads \(options.rawValue)"
        case .cleared: "cleared"
        case .refused: "refused"
        }
    }
}

struct OptionRow: Sendable, CustomTestStringConvertible {
    let category: AVAudioSession.Category
    let option: AVAudioSession.CategoryOptions
    let fate: Fate
    var testDescription: String { "\(option.rawValue) in \(category.rawValue): \(fate.testDescription)" }

    /// In the order ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute.
    static func rows(_ option: AVAudioSession.CategoryOptions, _ fates: Fate...) -> [OptionRow] {
        zip(order, fates).map { OptionRow(category: $0, option: option, fate: $1) }
    }
}

private let order: [AVAudioSession.Category] = [
    .ambient, .soloAmbient, .playback, .record, .playAndRecord, .audioProcessing, .multiRoute,
]
private let mix = AVAudioSession.CategoryOptions.mixWithOthers
private let duck: AVAudioSession.CategoryOptions = [.duckOthers, .mixWithOthers]
private let muted = AVAudioSession.CategoryOptions.overrideMutedMicrophoneInterruption
private let speech = AVAudioSession.CategoryOptions.interruptSpokenAudioAndMixWithOthers

private let optionRows: [OptionRow] =
    OptionRow.rows(.mixWithOthers, .set(mix), .refused, .set(mix), .refused, .set(mix), .refused, .set(mix))
    + OptionRow.rows(.duckOthers, .set(duck), .refused, .set(duck), .refused, .set(duck), .refused, .set(duck))
    + OptionRow.rows(
        .allowBluetooth, .refused, .refused, .refused, .set(.allowBluetooth), .set(.allowBluetooth), .refused, .refused)
    + OptionRow.rows(
        .defaultToSpeaker, .refused, .refused, .refused, .refused, .set(.defaultToSpeaker), .refused, .refused)
    + OptionRow.rows(
        .interruptSpokenAudioAndMixWithOthers, .refused, .refused, .set(speech), .refused, .set(speech), .refused, .set(speech))
    + OptionRow.rows(
        .allowBluetoothA2DP, .refused, .refused, .refused, .cleared, .set(.allowBluetoothA2DP), .refused, .cleared)
    + OptionRow.rows(.allowAirPlay, .refused, .refused, .refused, .cleared, .set(.allowAirPlay), .refused, .cleared)
    + OptionRow.rows(
        .overrideMutedMicrophoneInterruption, .refused, .refused, .refused, .set(muted), .set(muted), .refused, .set(muted))

private let modeRows:
    [(mode: AVAudioSession.Mode, categories: [AVAudioSession.Category], brings: AVAudioSession.CategoryOptions)] = [
        (.default, order, []),
        (.voiceChat, [.playAndRecord], .allowBluetooth),
        (.gameChat, [.playAndRecord], .allowBluetooth),
        (.videoChat, [.playAndRecord], [.allowBluetooth, .defaultToSpeaker]),
        (.videoRecording, [.record, .playAndRecord], []),
        (.measurement, [.playback, .record, .playAndRecord], []),
        (.moviePlayback, [.playback], []),
        (.spokenAudio, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute], []),
        (.voicePrompt, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute], []),
    ]

@Suite struct OptionRules {
    @Test("Each option in each category", arguments: optionRows)
    func option(row: OptionRow) throws {
        let session = try singleProgram().session
        try session.setMode(.spokenAudio)
        let refusal = code { try session.setCategory(row.category, options: row.option) }
        switch row.fate {
        case .set(let options):
            #expect(refusal == nil)
            #expect(session.categoryOptions == options)
        case .cleared:
            #expect(refusal == nil)
            #expect(session.categoryOptions == [])
            #expect(session.category == row.category)
        case .refused:
            #expect(refusal == .badParam)
            #expect(session.category == .soloAmbient)
            #expect(session.mode == .spokenAudio)
            #expect(session.categoryOptions == [])
        }
    }

    @Test("Only the ambient category implies an option", arguments: order)
    func implied(category: AVAudioSession.Category) throws {
        let session = try singleProgram().session
        try session.setCategory(category)
        #expect(session.categoryOptions == (category == .ambient ? .mixWithOthers : []))
    }

    @Test("A set of the category replaces all options, also with the same category")
    func replaced() throws {
        let session = try singleProgram().session
        try session.setCategory(.playAndRecord, options: [.duckOthers, .allowAirPlay, .defaultToSpeaker])
        #expect(session.categoryOptions == [.mixWithOthers, .duckOthers, .allowAirPlay, .defaultToSpeaker])
        try session.setCategory(.playAndRecord, options: .allowBluetooth)
        #expect(session.categoryOptions == .allowBluetooth)
        try session.setCategory(.playAndRecord)
        #expect(session.categoryOptions == [])
    }

    @Test("The preferences without an effect keep their value in every category and mode, until the program changes them")
    func stored() throws {
        let session = try singleProgram().session
        #expect(!session.allowHapticsAndSystemSoundsDuringRecording && !session.prefersNoInterruptionsFromSystemAlerts)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        #expect(session.allowHapticsAndSystemSoundsDuringRecording && !session.prefersNoInterruptionsFromSystemAlerts)
        try session.setCategory(.playAndRecord, options: .overrideMutedMicrophoneInterruption)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(false)
        try session.setCategory(.playback, mode: .voicePrompt)
        #expect(!session.allowHapticsAndSystemSoundsDuringRecording && session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.categoryOptions == [] && session.mode == .voicePrompt)
        try session.setPrefersNoInterruptionsFromSystemAlerts(false)
        #expect(!session.prefersNoInterruptionsFromSystemAlerts)
    }

    @Test("The options of a get can be set", arguments: order)
    func roundTrip(category: AVAudioSession.Category) throws {
        let session = try singleProgram().session
        try session.setCategory(category)
        try session.setCategory(session.category, mode: session.mode, options: session.categoryOptions)
        #expect(session.category == category)
    }

    @Test("One invalid option among valid ones is refused, and none is set")
    func together() throws {
        let session = try singleProgram().session
        #expect(code { try session.setCategory(.playback, options: [.mixWithOthers, .defaultToSpeaker]) } == .badParam)
        #expect(session.categoryOptions == [])
    }

    @Test("A long form policy fits only playback without options; the policy independent is refused")
    func policies() throws {
        let session = try singleProgram().session
        try session.setCategory(.playback, mode: .spokenAudio, policy: .longFormAudio)
        #expect(session.routeSharingPolicy == .longFormAudio)
        #expect(code { try session.setCategory(.playAndRecord, mode: .default, policy: .longFormAudio) } == .badParam)
        #expect(code { try session.setCategory(.playback, mode: .measurement, policy: .longFormVideo) } == .badParam)
        #expect(
            code { try session.setCategory(.playback, mode: .default, policy: .longFormAudio, options: .duckOthers) } == .badParam
        )
        #expect(code { try session.setCategory(.playback, mode: .default, policy: .independent) } == .badParam)
        #expect(session.routeSharingPolicy == .longFormAudio)
        #expect(session.mode == .spokenAudio)
        try session.setCategory(.playback)
        #expect(session.routeSharingPolicy == .default)
    }
}

@Suite struct ModeRules {
    @Test("Each mode in each category, with the options that it implies", arguments: modeRows.map { $0.mode }, order)
    func mode(mode: AVAudioSession.Mode, category: AVAudioSession.Category) throws {
        let row = try #require(modeRows.first { $0.mode == mode })
        let implied: AVAudioSession.CategoryOptions = category == .ambient ? .mixWithOthers : []
        let together = try singleProgram().session
        let later = try singleProgram().session
        try later.setCategory(category)
        if row.categories.contains(category) {
            try together.setCategory(category, mode: mode)
            try later.setMode(mode)
            #expect(together.mode == mode && together.category == category)
            #expect(later.mode == mode)
            #expect(together.categoryOptions == row.brings.union(implied))
            #expect(later.categoryOptions == row.brings.union(implied))
        } else {
            #expect(code { try together.setCategory(category, mode: mode) } == .incompatibleCategory)
            #expect(code { try later.setMode(mode) } == .incompatibleCategory)
            #expect(together.category == .soloAmbient && together.mode == .default)
            #expect(later.mode == .default && later.categoryOptions == implied)
        }
    }

    @Test("The mode stays in a category that it fits, and returns to default in another")
    func staying() throws {
        let session = try singleProgram().session
        try session.setCategory(.playAndRecord, mode: .videoRecording)
        try session.setCategory(.record)
        #expect(session.mode == .videoRecording)
        try session.setCategory(.playback)
        #expect(session.mode == .default)
    }

    @Test("The mode may change while the session is active, and while it mixes")
    func whileActive() throws {
        let session = try singleProgram().session
        try session.setCategory(.playAndRecord, options: .mixWithOthers)
        try session.setActive(true)
        try session.setMode(.voiceChat)
        #expect(session.mode == .voiceChat)
        #expect(session.categoryOptions == [.mixWithOthers, .allowBluetooth])
    }
}

@Suite struct EffectsOfOptions {
    @Test("A session that mixes interrupts none; a session that does not mix interrupts every other that does not mix")
    func mixing() throws {
        let group = ProgramGroup()
        let music = try group.program()
        let game = try group.program()
        try music.session.setCategory(.playback)
        try music.session.setActive(true)
        try game.session.setCategory(.playback, options: .mixWithOthers)
        try game.session.setActive(true)
        #expect(music.isActive)
        try game.session.setCategory(.playback)
        #expect(!music.isActive)
        #expect(game.isActive)
    }

    @Test("Other sessions are ducked while the ducking session is active")
    func ducking() throws {
        let group = ProgramGroup()
        let music = try group.program()
        let prompt = try group.program()
        try music.session.setCategory(.playback)
        try music.session.setActive(true)
        try prompt.session.setCategory(.playback, options: .duckOthers)
        try prompt.session.setActive(true)
        #expect(music.isActive)
        #expect(group.gain(of: music) == 0.2)
        try prompt.session.setActive(false)
        #expect(group.gain(of: music) == 1)
    }

    @Test("interruptSpokenAudioAndMixWithOthers interrupts spoken audio only, which resumes whatever the flag")
    func spokenAudio() async throws {
        let group = ProgramGroup()
        let book = try group.program()
        let music = try group.program()
        let prompt = try group.program()
        try book.session.setCategory(.playback, mode: .spokenAudio, options: .mixWithOthers)
        try book.session.setActive(true)
        try music.session.setCategory(.playback)
        try music.session.setActive(true)
        try prompt.session.setCategory(.playback, options: .interruptSpokenAudioAndMixWithOthers)
        var events = book.session.events.makeAsyncIterator()
        try prompt.session.setActive(true)
        #expect(!book.isActive)
        #expect(music.isActive)
        try prompt.session.setActive(false)
        #expect(await events.next() == .interruptionBegan)
        #expect(await events.next() == .interruptionEnded(.shouldResume))
    }

    @Test("multiRoute uses all eligible outputs, and the speaker when none is present")
    func multiRoute() throws {
        let program = try singleProgram()
        try program.session.setCategory(.multiRoute)
        #expect(program.outputs == [.builtInSpeaker])
        try program.simulate("plug hdmi")
        try program.simulate("plug headset")
        #expect(program.outputs == [.HDMI, .headphones])
        #expect(program.inputs == [.headsetMic])
    }

    @Test("The receiver is the output of playAndRecord, unless an option or a mode selects the speaker")
    func defaultToSpeaker() throws {
        let program = try singleProgram()
        try program.session.setCategory(.playAndRecord)
        #expect(program.outputs == [.builtInReceiver])
        try program.session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(program.outputs == [.builtInSpeaker])
        try program.simulate("plug headset")
        #expect(program.outputs == [.headphones])
        try program.simulate("unplug headset")
        #expect(program.outputs == [.builtInSpeaker])
        try program.session.setCategory(.playAndRecord, mode: .videoChat)
        #expect(program.outputs == [.builtInSpeaker])
    }

    @Test("A hands-free device is input and output where it is allowed, and has precedence over A2DP of the same device")
    func bluetooth() throws {
        let program = try singleProgram()
        try program.simulate("plug bluetooth-hfp")
        try program.simulate("plug bluetooth-a2dp")
        try program.session.setCategory(.playAndRecord)
        #expect(program.outputs == [.builtInReceiver])
        #expect(program.inputs == [.builtInMic])
        try program.session.setCategory(.playAndRecord, options: .allowBluetoothA2DP)
        #expect(program.outputs == [.bluetoothA2DP])
        #expect(program.inputs == [.builtInMic])
        try program.session.setCategory(.playAndRecord, options: [.allowBluetooth, .allowBluetoothA2DP])
        #expect(program.outputs == [.bluetoothHFP])
        #expect(program.inputs == [.bluetoothHFP])
        try program.session.setCategory(.record, options: .allowBluetooth)
        #expect(program.inputs == [.bluetoothHFP])
        #expect(program.outputs == [])
    }

    @Test(
        "Headphones over Bluetooth are the output of the categories that only play",
        arguments: [AVAudioSession.Category.ambient, .soloAmbient, .playback])
    func wirelessOutputs(category: AVAudioSession.Category) throws {
        let program = try singleProgram()
        try program.session.setCategory(category)
        try program.simulate("plug bluetooth-a2dp")
        #expect(program.outputs == [.bluetoothA2DP])
        try program.simulate("plug airplay")
        #expect(program.outputs == [.airPlay])
    }

    @Test("AirPlay is an output of playAndRecord where it is allowed, except in mode voiceChat")
    func airPlay() throws {
        let program = try singleProgram()
        try program.simulate("plug airplay")
        try program.session.setCategory(.playAndRecord)
        #expect(program.outputs == [.builtInReceiver])
        try program.session.setCategory(.playAndRecord, options: .allowAirPlay)
        #expect(program.outputs == [.airPlay])
        try program.session.setMode(.voiceChat)
        #expect(program.outputs == [.builtInReceiver])
        try program.session.setMode(.videoChat)
        #expect(program.outputs == [.airPlay])
    }
}
