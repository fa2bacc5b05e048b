import CALSA
import CLinux
import LinuxSystem

/// How likely a card has a use-case profile, as far as can be told without reading it. Reading means several
/// files, and that libasound reads all its configuration with the libraries of sound servers.
enum ProfileHope: Equatable, Sendable {
    case none
    /// There are profiles for some cards of the driver, and hardly for this one: it can be asked for later.
    case faint
    case good

    init(_ facts: CardFacts, profiles: String = ProfileHope.folder) {
        var status = linux_file_status()
        // Without a name for the driver libasound goes by the kernel module's.
        if facts.driver.isEmpty {
            self = .good
        } else if linux_status_of_path("\(profiles)/conf.d/\(facts.driver)", true, &status) < 0 {
            self = .none
        } else {
            self = ProfileHope.isChosen(facts, profiles) ? .good : .faint
        }
    }

    private static var folder: String {
        Environment.value("ALSA_CONFIG_UCM2") ?? String(cString: alsa_data_folder()) + "/ucm2"
    }

    /// Two drivers are those of thousands of cards, of which profiles choose a few: by what its maker is
    /// called in "USB0b05:1996", and by a word in the card's name.
    private static func isChosen(_ facts: CardFacts, _ profiles: String) -> Bool {
        switch facts.driver {
        case "USB-Audio":
            guard let maker = facts.usbMaker else { return true }
            return names(maker, in: "\(profiles)/conf.d/USB-Audio/USB-Audio.conf")
        case "HDA-Intel": return facts.longName.holds("DualCodecs")
        default: return true
        }
    }

    /// True also of a file that can't be read.
    private static func names(_ maker: String, in file: String) -> Bool {
        do throws(SystemError) {
            let text = Array(try TextFile.read(file, limit: 0x40000).folded.utf8)
            return text.indices.contains { text[$0...].starts(with: maker.utf8) }
        } catch { return true }
    }
}

extension CardFacts {
    /// Nil where the card does not tell.
    var usbMaker: String? {
        let word = components.parts { $0 == 0x20 }.first { $0.begins(with: "USB") }
        guard let word, word.utf8.count == 12 else { return nil }
        return String(decoding: word.utf8.dropFirst(3).prefix(4), as: UTF8.self)
    }
}
