/// A socket that the kernel reports on, as the name of its control tells.
struct Jack: Equatable, Sendable {
    enum Kind: Sendable {
        case headphones, headset, headsetMicrophone, microphone, lineOut, lineIn, hdmi
        case internalSpeaker, internalMicrophone
    }

    let kind: Kind
    /// Nobody can say whether something is plugged in: not the same as unplugged.
    let isPhantom: Bool
    /// The PCM device it belongs to, where the name says so.
    let pcm: UInt32?

    /// Nil for controls that are not jacks, and for jacks of nothing that a route knows.
    init?(controlName: String) {
        guard let plain = controlName.without(ending: " Jack") else { return nil }
        let real = plain.without(ending: " Phantom")
        let name = (real ?? plain).folded
        guard let kind = Jack.kinds.first(where: { name.holds($0.word) })?.kind else { return nil }
        self.kind = kind
        isPhantom = real != nil
        pcm = name.number(after: "pcm=")
    }

    /// The first word that the name holds decides. A "Headphone Mic" can be either; who plugs something
    /// into it wants to hear.
    private static let kinds: [(word: StaticString, kind: Kind)] = [
        ("hdmi", .hdmi), ("displayport", .hdmi), ("dp,", .hdmi), ("dp/", .hdmi),
        ("headset mic", .headsetMicrophone), ("headset stereomic", .headsetMicrophone),
        ("headphone", .headphones), ("headset", .headset), ("earphone", .headphones),
        ("internal mic", .internalMicrophone), ("int mic", .internalMicrophone), ("dmic", .internalMicrophone),
        ("mic", .microphone), ("speaker", .internalSpeaker),
        ("line out", .lineOut), ("line-out", .lineOut), ("lineout", .lineOut),
        ("line", .lineIn), ("aux", .lineIn),
    ]
}
