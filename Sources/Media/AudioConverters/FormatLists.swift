// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import MediaFormats

private let aac = FourCC.code("aac ")
private let aacHE = FourCC.code("aach")
private let aacHEv2 = FourCC.code("aacp")

extension StreamDescription {
    /// The formats that packets with this magic cookie can be decoded to, the best one first. Packets of AAC with spectral band
    /// replication are packets of plain AAC too, with half of the rate.
    public func formatList(cookie: [UInt8] = []) -> [StreamDescription] {
        let configuration = cookie.isEmpty ? nil : AACConfiguration(cookie: cookie)
        var (extended, plain) = (self, self)
        switch formatID {
        case aac:
            guard let rate = configuration?.extendedRate else { return [self] }
            extended.formatID = aacHE
            extended.sampleRate = Double(rate)
        case aacHE, aacHEv2:
            plain.formatID = aac
            plain.formatFlags = FormatFlags(rawValue: 2)
            plain.sampleRate = configuration.map { Double($0.rate) } ?? sampleRate / 2
            if let channels = configuration?.channels, channels > 0 { plain.channelsPerFrame = channels }
        default: return [self]
        }
        extended.framesPerPacket = extended.sampleRate == plain.sampleRate ? 1_024 : 2_048
        plain.framesPerPacket = 1_024
        return [extended, plain]
    }

    /// The format of packets of AAC, from the descriptor of their stream. Nil for other streams.
    static func ofStreamDescriptor(_ descriptor: [UInt8]) -> StreamDescription? {
        guard AACConfiguration.streamKind(cookie: descriptor) == 0x40, let configuration = AACConfiguration(cookie: descriptor)
        else { return nil }
        let format = StreamDescription(
            sampleRate: Double(configuration.rate), formatID: aac,
            formatFlags: FormatFlags(rawValue: configuration.objectType == 5 ? 2 : configuration.objectType),
            framesPerPacket: 1_024, channelsPerFrame: configuration.channels)
        return format.formatList(cookie: descriptor)[0]
    }

    /// The items of the formats, each an `AudioFormatListItem`.
    public func listItems(cookie: [UInt8]) -> [UInt8] { formatList(cookie: cookie).flatMap { $0.listItem } }
}
