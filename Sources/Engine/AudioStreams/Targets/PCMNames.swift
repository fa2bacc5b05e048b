// SPDX-License-Identifier: Apache-2.0
/// The names with which a stream opens an ALSA device, in the order of the attempts. The mixer of a card comes first, because it
/// lets other programs use the card.
struct PCMNames {
    private let device: String
    /// "CARD,DEVICE" of a device "hw:CARD,DEVICE"; nil for any other device.
    private let address: String?

    init(_ device: String) {
        self.device = device
        address = device.utf8.starts(with: "hw:".utf8) ? String(decoding: device.utf8.dropFirst(3), as: UTF8.self) : nil
    }

    /// For a program whose format ALSA converts.
    func converting(playback: Bool) -> [String] {
        guard let address else { return ["plug:'\(device)'"] }
        return ["plug:'\(mixer(playback)):\(address)'", "plughw:\(address)"]
    }

    /// For a stream that takes the format of the device. If the samples of the device are not known to the stream, ALSA converts
    /// them.
    func direct(playback: Bool) -> [String] {
        guard let address else { return [device, "plug:'\(device)'"] }
        return ["\(mixer(playback)):\(address)", "hw:\(address)", "plughw:\(address)"]
    }

    var clockSource: ClockSource {
        guard let address else { return .unknown }
        return .card(String(decoding: address.utf8.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
    }

    private func mixer(_ playback: Bool) -> StaticString { playback ? "dmix" : "dsnoop" }

    /// The name is that of the mixer of a card, behind which other programs play, with or without a conversion.
    static func isMixer(_ name: String) -> Bool {
        name.utf8.starts(with: "dmix:".utf8) || name.utf8.starts(with: "plug:'dmix:".utf8)
    }
}
