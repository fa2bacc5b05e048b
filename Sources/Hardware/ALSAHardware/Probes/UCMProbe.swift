// SPDX-License-Identifier: Apache-2.0
import CALSA
import CLinux
import LinuxSystem

/// How likely a card has a use-case profile, without reading it. To read a profile opens several files, and
/// libasound reads its whole configuration again and loads the libraries of sound servers.
enum UCMProbe: Equatable, Sendable {
    case none
    /// Some cards of the driver have a profile, this card probably not. The profile is read later.
    case unlikely
    case likely

    init(_ facts: CardFacts, profiles: String = UCMProbe.folder) {
        var status = linux_file_status()
        // Without a driver name libasound uses the name of the kernel module.
        if facts.driver.isEmpty {
            self = .likely
        } else if linux_status_of_path("\(profiles)/conf.d/\(facts.driver)", true, &status) < 0 {
            self = .none
        } else {
            self = UCMProbe.isChosen(facts, profiles) ? .likely : .unlikely
        }
    }

    private static var folder: String {
        Environment.value("ALSA_CONFIG_UCM2") ?? String(cString: alsa_data_folder()) + "/ucm2"
    }

    /// Two drivers serve thousands of cards. Their profiles select a few of them: by the vendor in
    /// "USB0b05:1996", or by a part of the card's name.
    private static func isChosen(_ facts: CardFacts, _ profiles: String) -> Bool {
        switch facts.driver {
        case "USB-Audio":
            guard let vendor = facts.usbVendor else { return true }
            return names(vendor, in: "\(profiles)/conf.d/USB-Audio/USB-Audio.conf")
        case "HDA-Intel": return facts.longName.holds("DualCodecs")
        default: return true
        }
    }

    /// Also true for a file that cannot be read.
    private static func names(_ vendor: String, in file: String) -> Bool {
        do throws(SystemError) {
            let text = Array(try TextFile.read(file, limit: 0x40000).folded.utf8)
            return text.indices.contains { text[$0...].starts(with: vendor.utf8) }
        } catch { return true }
    }
}

extension CardFacts {
    /// Nil for a card without a USB identity.
    var usbVendor: String? {
        let identity = components.parts { $0 == 0x20 }.first { $0.begins(with: "USB") }
        guard let identity, identity.utf8.count == 12 else { return nil }
        return String(decoding: identity.utf8.dropFirst(3).prefix(4), as: UTF8.self)
    }
}
