import LinuxSystem

/// The machine that the environment names.
public enum NamedMachine {
    case simulated
    case soundCards
    /// By a mistake; the sound cards stand in for what was meant.
    case misnamed(String)

    public static var chosen: NamedMachine {
        switch Environment.value("AUDIOSESSION_HARDWARE") {
        case "simulated": .simulated
        case nil, "alsa": .soundCards
        case let other?: .misnamed(other)
        }
    }

    /// What to say of a mistake.
    public var complaint: String? {
        guard case .misnamed(let name) = self else { return nil }
        return "AUDIOSESSION_HARDWARE is \"\(name)\", which is none: it may be simulated, or alsa; the sound cards are used"
    }
}
