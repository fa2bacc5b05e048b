// SPDX-License-Identifier: Apache-2.0
import SessionModel
import Testing

/// Settings in a category, with nothing else changed.
private func settings(_ category: Category) -> SessionSettings {
    var settings = SessionSettings()
    settings.setCategory(category)
    return settings
}

private func outcome(_ body: () throws -> Void) -> ResultCode {
    do {
        try body()
        return .noError
    } catch {
        return error as? ResultCode ?? .unspecified
    }
}

@Suite struct OverrideTests {
    @Test("MixWithOthers: nonzero only with MediaPlayback, LiveAudio, PlayAndRecord and MultiRoute", arguments: Category.allCases)
    func mix(category: Category) {
        var settings = settings(category)
        let allowed: [Category] = [.mediaPlayback, .liveAudio, .playAndRecord, .multiRoute]
        #expect(
            outcome { try settings.setMixesWithOthers(true) } == (allowed.contains(category) ? .noError : .incompatibleCategory))
        #expect(settings.mixesWithOthers == allowed.contains(category))
        #expect(settings.mixes == (allowed + [.ambientSound, .userInterfaceSoundEffects]).contains(category))
        #expect(outcome { try settings.setMixesWithOthers(false) } == .noError)
        #expect(!settings.mixesWithOthers)
    }

    @Test("DefaultToSpeaker and the route override: only PlayAndRecord", arguments: Category.allCases)
    func speaker(category: Category) {
        var settings = settings(category)
        let expected: ResultCode = category == .playAndRecord ? .noError : .incompatibleCategory
        #expect(outcome { try settings.setDefaultsToSpeaker(true) } == expected)
        #expect(outcome { try settings.setOverridesToSpeaker(true) } == expected)
        #expect(outcome { try settings.setDefaultsToSpeaker(false) } == .noError)
        #expect(outcome { try settings.setOverridesToSpeaker(false) } == expected)
    }

    @Test("EnableBluetoothInput: nonzero only with RecordAudio and PlayAndRecord", arguments: Category.allCases)
    func bluetooth(category: Category) {
        var settings = settings(category)
        let allowed = category == .playAndRecord || category == .recordAudio
        #expect(outcome { try settings.setEnablesBluetoothInput(true) } == (allowed ? .noError : .incompatibleCategory))
        #expect(settings.enablesBluetoothInput == allowed)
        #expect(outcome { try settings.setEnablesBluetoothInput(false) } == .noError)
    }

    @Test(
        "Duck: accepted everywhere, sets mix where mixing is a choice, counts only while the session mixes",
        arguments: Category.allCases)
    func duck(category: Category) {
        var settings = settings(category)
        let choice: [Category] = [.mediaPlayback, .liveAudio, .playAndRecord, .multiRoute]
        settings.setDucksOthers(true)
        #expect(settings.ducksOthers)
        #expect(settings.mixesWithOthers == choice.contains(category))
        #expect(settings.ducks == (choice + [.ambientSound, .userInterfaceSoundEffects]).contains(category))
        settings.setDucksOthers(false)
        #expect(settings.mixesWithOthers == choice.contains(category), "setting 0 leaves mix")
        #expect(!settings.ducks)
    }

    @Test("A change of category resets cmix, cspk, cblu and ovrd, not duck; the category it has resets nothing")
    func reset() throws {
        var settings = settings(.playAndRecord)
        settings.setDucksOthers(true)
        try settings.setDefaultsToSpeaker(true)
        try settings.setEnablesBluetoothInput(true)
        try settings.setOverridesToSpeaker(true)
        let before = settings
        settings.setCategory(.playAndRecord)
        #expect(settings == before)
        settings.setCategory(.mediaPlayback)
        #expect(settings.ducksOthers)
        #expect(
            !settings.mixesWithOthers && !settings.defaultsToSpeaker && !settings.enablesBluetoothInput
                && !settings.overridesToSpeaker)
    }

    @Test("An interruption reverts the override to mix and the override to the speaker, and nothing else")
    func interruption() throws {
        var settings = settings(.playAndRecord)
        settings.setDucksOthers(true)
        try settings.setDefaultsToSpeaker(true)
        try settings.setEnablesBluetoothInput(true)
        var expected = settings
        try expected.setMixesWithOthers(false)
        try settings.setOverridesToSpeaker(true)
        settings.revertOverrides()
        #expect(settings == expected)
        #expect(!settings.mixes && settings.ducksOthers && !settings.ducks)
    }

    @Test("MixWithOthers set as an option survives an interruption; setting the property to 0 removes it as well")
    func mixOption() throws {
        var settings = SessionSettings()
        try settings.configure(.mediaPlayback, mode: nil, policy: .standard, options: .mixWithOthers)
        settings.revertOverrides()
        #expect(settings.mixes && settings.mixesWithOthers)
        try settings.setMixesWithOthers(true)
        try settings.setMixesWithOthers(false)
        #expect(!settings.mixes)
    }

    @Test("Older category names behave as their equivalents and read back as they were set")
    func equivalents() {
        #expect(settings(.userInterfaceSoundEffects).category == .userInterfaceSoundEffects)
        #expect(Category.userInterfaceSoundEffects.equivalent == .ambientSound)
        #expect(Category.liveAudio.equivalent == .mediaPlayback)
    }
}

@Suite struct ModeTests {
    private static let playing: [Category] = [
        .ambientSound, .soloAmbientSound, .mediaPlayback, .playAndRecord, .multiRoute, .liveAudio, .userInterfaceSoundEffects,
    ]
    /// The categories of each mode; the default mode fits every category.
    private static let places: [Mode: [Category]] = [
        .voiceChat: [.playAndRecord], .gameChat: [.playAndRecord], .videoChat: [.playAndRecord],
        .videoRecording: [.recordAudio, .playAndRecord],
        .measurement: [.recordAudio, .playAndRecord, .mediaPlayback, .liveAudio],
        .moviePlayback: [.mediaPlayback, .liveAudio],
        .spokenAudio: playing, .voicePrompt: playing,
    ]

    @Test("Each mode fits its categories and no other", arguments: Mode.allCases, Category.allCases)
    func cell(mode: Mode, category: Category) {
        var settings = settings(category)
        let fits = mode == .standard || ModeTests.places[mode, default: []].contains(category)
        let expected: ResultCode = fits ? .noError : .incompatibleCategory
        #expect(outcome { try settings.setMode(mode, whileActive: false) } == expected)
        #expect(settings.mode == (expected == .noError ? mode : .standard))
    }

    @Test("A change while the session is active or mixes is refused; a set of the present mode is not")
    func refused() throws {
        var settings = settings(.playAndRecord)
        try settings.setMode(.voiceChat, whileActive: false)
        #expect(outcome { try settings.setMode(.standard, whileActive: true) } == .unspecified)
        #expect(outcome { try settings.setMode(.voiceChat, whileActive: true) } == .noError)
        try settings.setMixesWithOthers(true)
        #expect(outcome { try settings.setMode(.standard, whileActive: false) } == .unspecified)
        #expect(settings.mode == .voiceChat)
    }

    @Test("A category that the mode does not fit resets the mode to default", arguments: Mode.allCases, Category.allCases)
    func putBack(mode: Mode, category: Category) {
        for origin in ModeTests.places[mode, default: []] {
            var settings = settings(origin)
            #expect(outcome { try settings.setMode(mode, whileActive: false) } == .noError)
            settings.setCategory(category)
            #expect(settings.mode == (ModeTests.places[mode, default: []].contains(category) ? mode : .standard))
        }
    }

    @Test("Chat modes enable Bluetooth input, video chat the speaker too; they stay when the mode returns to default")
    func sideEffects() throws {
        for mode in [Mode.voiceChat, .gameChat, .videoChat] {
            var settings = settings(.playAndRecord)
            try settings.setMode(mode, whileActive: false)
            #expect(settings.enablesBluetoothInput)
            #expect(settings.defaultsToSpeaker == (mode == .videoChat))
            try settings.setMode(.standard, whileActive: false)
            #expect(settings.enablesBluetoothInput)
            try settings.setEnablesBluetoothInput(false)
            #expect(!settings.enablesBluetoothInput)
        }
    }
}

@Suite struct FlagTests {
    /// The programs of one version of the table read each other's flags.
    private static let bits: [(flag: SessionSettings.Flags, bit: UInt32)] = [
        (.mixWithOthers, 0), (.duckOthers, 1), (.interruptSpokenAudio, 2), (.overrideToSpeaker, 9), (.defaultToSpeaker, 10),
        (.enableBluetoothInput, 11), (.allowBluetoothA2DP, 12), (.allowAirPlay, 13), (.wantsSecondaryAudioHint, 14),
        (.overrideToMix, 15), (.systemSounds, 16), (.overrideMutedMicrophone, 17), (.allowHapticsDuringRecording, 18),
        (.preferNoSystemAlerts, 19),
    ]

    @Test("Each flag is the bit that the table of sessions stores", arguments: bits.indices)
    func bit(row: Int) {
        let (flag, bit) = Self.bits[row]
        #expect(flag.rawValue == 1 << bit)
        #expect(SessionSettings.Flags.all.rawValue == Self.bits.reduce(0) { $0 | 1 << $1.bit })
    }

    @Test("Settings that are read from the table have the flags that exist, and no others")
    func unknown() {
        let settings = SessionSettings(
            category: .mediaPlayback, mode: .standard, flags: SessionSettings.Flags(rawValue: .max), sampleRate: 0,
            bufferDuration: 0,
            sharingPolicy: .standard, inputChannels: 0, outputChannels: 0, input: 0)
        #expect(settings.flags == .all)
    }

    @Test("A set of the category by AVAudioSession replaces the override to mix as well, also with the same category")
    func configuredAgain() throws {
        var settings = settings(.playAndRecord)
        try settings.setMixesWithOthers(true)
        try settings.configure(.playAndRecord, mode: nil, policy: .standard, options: [])
        #expect(!settings.mixes)
        settings.flags.insert(.wantsSecondaryAudioHint)
        try settings.configure(.playAndRecord, mode: nil, policy: .standard, options: .duckOthers)
        #expect(settings.ducks && settings.flags.contains(.wantsSecondaryAudioHint))
        // The C API replaces the sharing policy with the category.
        try settings.configure(.mediaPlayback, mode: nil, policy: .longFormVideo, options: [])
        #expect(settings.sharingPolicy == .longFormVideo)
        settings.setCategory(.mediaPlayback)
        #expect(settings.sharingPolicy == .longFormVideo)
        settings.setCategory(.ambientSound)
        #expect(settings.sharingPolicy == .standard)
    }
}

@Suite struct PreferenceTests {
    @Test("Preferred values: 0 until set, read back as set, refused when not finite or below 0; 0 removes them")
    func preferences() throws {
        var settings = SessionSettings()
        #expect(settings.preferredSampleRate == 0 && settings.preferredBufferDuration == 0)
        try settings.setPreferredSampleRate(44_100.5)
        try settings.setPreferredBufferDuration(0.0058)
        for bad in [Double.nan, .infinity, -.infinity, -1] {
            #expect(outcome { try settings.setPreferredSampleRate(bad) } == .unsupportedProperty)
            #expect(outcome { try settings.setPreferredBufferDuration(bad) } == .unsupportedProperty)
        }
        #expect(outcome { try settings.setPreferredBufferDuration(1e300) } == .unsupportedProperty)
        #expect(settings.preferredSampleRate == 44_100.5 && settings.preferredBufferDuration == 0.0058)
        try settings.setPreferredSampleRate(0)
        try settings.setPreferredBufferDuration(0)
        #expect(settings.preferredSampleRate == 0 && settings.preferredBufferDuration == 0)
    }

    @Test("Channels can be preferred up to those of the route, and 0 removes the preference")
    func channels() throws {
        var settings = SessionSettings()
        for most in [0, 1, 2, 65_535] as [UInt32] {
            for count in [0, Int(most)] {
                try settings.setPreferredInputChannels(count, upTo: most)
                #expect(settings.preferredInputChannels == count)
                try settings.setPreferredOutputChannels(count, upTo: most)
                #expect(settings.preferredOutputChannels == count)
            }
            for count in [-1, Int(most) + 1, 65_536, Int.max] {
                #expect(outcome { try settings.setPreferredInputChannels(count, upTo: most) } == .parameter)
                #expect(outcome { try settings.setPreferredOutputChannels(count, upTo: most) } == .parameter)
            }
            #expect(settings.preferredInputChannels == most && settings.preferredOutputChannels == most)
        }
        try settings.setPreferredInputChannels(3, upTo: 4)
        try settings.setPreferredOutputChannels(2, upTo: 4)
        #expect(settings.preferredInputChannels == 3 && settings.preferredOutputChannels == 2)
    }

    @Test("Only an input of the list can be preferred, and nil removes the preference")
    func input() throws {
        let inputs = [port(.builtInMicrophone, device: 1), port(.usbInput, device: 2)]
        var settings = SessionSettings()
        for input in inputs {
            try settings.setPreferredInput(input.uid, among: inputs)
            #expect(settings.preferredInput == input.uidHash)
        }
        #expect(outcome { try settings.setPreferredInput("none", among: inputs) } == .parameter)
        #expect(settings.preferredInput == inputs[1].uidHash)
        try settings.setPreferredInput(nil, among: inputs)
        #expect(settings.preferredInput == 0)
    }
}
