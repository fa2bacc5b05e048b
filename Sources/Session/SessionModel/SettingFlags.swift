// SPDX-License-Identifier: Apache-2.0
extension SessionSettings {
    /// Options and overrides that are switched on. The shared table stores these bits, so that their meaning must not change. The
    /// unused bits between them belong to the session's state.
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The option of AVAudioSession. It survives interruptions.
        public static let mixWithOthers = Flags(rawValue: 1)
        public static let duckOthers = Flags(rawValue: 2)
        public static let interruptSpokenAudio = Flags(rawValue: 4)
        /// The route override to the speaker. The arrival or departure of a device and an interruption revert it.
        public static let overrideToSpeaker = Flags(rawValue: 512)
        public static let defaultToSpeaker = Flags(rawValue: 1_024)
        public static let enableBluetoothInput = Flags(rawValue: 2_048)
        public static let allowBluetoothA2DP = Flags(rawValue: 4_096)
        public static let allowAirPlay = Flags(rawValue: 8_192)
        /// A subscription of the process has requested the hint about secondary audio. The program cannot set this flag.
        public static let wantsSecondaryAudioHint = Flags(rawValue: 16_384)
        /// The C API's override to mix. An interruption reverts it.
        public static let overrideToMix = Flags(rawValue: 32_768)
        /// The entry is that of the system sounds of its process, and not a session of a program. No program can set this flag.
        public static let systemSounds = Flags(rawValue: 65_536)

        public static let overrideMutedMicrophone = Flags(rawValue: 131_072)
        // Preferences of AVAudioSession without an effect here: they are kept until the program changes them.
        public static let allowHapticsDuringRecording = Flags(rawValue: 262_144)
        public static let preferNoSystemAlerts = Flags(rawValue: 524_288)

        /// All flags. Other bits of a table record are not settings.
        public static let all: Flags = [
            .mixWithOthers, .duckOthers, .interruptSpokenAudio, .overrideToSpeaker, .defaultToSpeaker,
            .enableBluetoothInput, .allowBluetoothA2DP, .allowAirPlay, .wantsSecondaryAudioHint, .overrideToMix, .systemSounds,
            .overrideMutedMicrophone, .allowHapticsDuringRecording, .preferNoSystemAlerts,
        ]
        /// The flags that stay when the category changes. The others are reset.
        static let keptByCategory: Flags = [
            .duckOthers, .wantsSecondaryAudioHint, .allowHapticsDuringRecording, .preferNoSystemAlerts,
        ]
        /// The flags that an interruption resets.
        static let revertedByInterruption: Flags = [.overrideToSpeaker, .overrideToMix]
    }
}
