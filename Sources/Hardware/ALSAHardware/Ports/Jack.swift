// SPDX-License-Identifier: Apache-2.0
/// A jack that the kernel reports, by the name of its control.
struct Jack: Equatable, Sendable {
    enum Kind: Sendable {
        case headphones, headset, headsetMicrophone, microphone, lineOut, lineIn, hdmi
        case internalSpeaker, internalMicrophone
    }

    let kind: Kind
    /// The kernel cannot detect whether the jack is used. This is not the same as an unused jack.
    let isPhantom: Bool
    /// The PCM device of the jack, if the name contains it.
    let pcm: UInt32?

    /// Nil for a control that is not a jack, and for a jack that is no port.
    init?(controlName: String) {
        guard let plain = controlName.without(ending: " Jack") else { return nil }
        let real = plain.without(ending: " Phantom")
        let name = (real ?? plain).folded
        guard let kind = Jack.kinds.first(where: { name.holds($0.part) })?.kind else { return nil }
        self.kind = kind
        isPhantom = real != nil
        pcm = name.number(after: "pcm=")
    }

    /// The first text that the name contains decides. A "Headphone Mic" can be either; it counts as headphones.
    private static let kinds: [(part: StaticString, kind: Kind)] = [
        ("hdmi", .hdmi), ("displayport", .hdmi), ("dp,", .hdmi), ("dp/", .hdmi),
        ("headset mic", .headsetMicrophone), ("headset stereomic", .headsetMicrophone),
        ("headphone", .headphones), ("headset", .headset), ("earphone", .headphones),
        ("internal mic", .internalMicrophone), ("int mic", .internalMicrophone), ("dmic", .internalMicrophone),
        ("mic", .microphone), ("speaker", .internalSpeaker),
        ("line out", .lineOut), ("line-out", .lineOut), ("lineout", .lineOut),
        ("line", .lineIn), ("aux", .lineIn),
    ]
}
