// SPDX-License-Identifier: Apache-2.0
extension PortKind {
    /// The name in configurations, on the command line and in messages. The two ports of a device that plays and
    /// records have the same name.
    public var word: StaticString { PortKind.words.first { $0.kind == self }?.word ?? "unknown" }

    /// The kind with this name. If an input and an output have this name, the direction decides; the default is the output.
    public init?(word: String, isInput: Bool? = nil) {
        for (known, kind) in PortKind.words where "\(known)" == word && (isInput ?? kind.isInput) == kind.isInput {
            self = kind
            return
        }
        return nil
    }

    /// The first name of a kind is its word.
    private static let words: [(word: StaticString, kind: PortKind)] = [
        ("speaker", .builtInSpeaker), ("receiver", .builtInReceiver), ("headphones", .headphones), ("line-out", .lineOut),
        ("hdmi", .hdmi), ("usb", .usbOutput), ("bluetooth-hfp", .bluetoothHFPOutput), ("bluetooth-a2dp", .bluetoothA2DP),
        ("airplay", .airPlay), ("microphone", .builtInMicrophone), ("headset", .headsetMicrophone), ("line-in", .lineIn),
        ("usb", .usbInput), ("usb-input", .usbInput), ("bluetooth-hfp", .bluetoothHFPInput),
        ("bluetooth-hfp-input", .bluetoothHFPInput),
    ]
}
