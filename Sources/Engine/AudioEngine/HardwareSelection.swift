// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The hardware that the environment selects.
public enum HardwareSelection {
    case simulated
    case soundCards
    /// The name is unknown. The process uses the sound cards.
    case misnamed(String)

    public static var chosen: HardwareSelection {
        switch Environment.value("AUDIOSESSION_HARDWARE") {
        case "simulated": .simulated
        case nil, "alsa": .soundCards
        case let other?: .misnamed(other)
        }
    }

    /// The line of the log that reports an unknown name.
    public var errorText: String? {
        guard case .misnamed(let name) = self else { return nil }
        return "AUDIOSESSION_HARDWARE is \"\(name)\", which is none: it may be simulated, or alsa; the sound cards are used"
    }
}
