// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import MediaFormats

private let aac = CodecFormat.aac
private let aacHE = CodecFormat.aacHE
private let aacHEv2 = CodecFormat.aacHEv2

extension StreamDescription {
    /// The formats that packets with this magic cookie can be decoded to, the best one first. Packets of AAC with spectral band
    /// replication are packets of plain AAC too, with half of the rate. Packets with parametric stereo are both, with one channel.
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
        let frames = configuration?.framesPerPacket ?? 1_024
        extended.framesPerPacket = extended.sampleRate == plain.sampleRate ? frames : 2 * frames
        plain.framesPerPacket = frames
        guard let configuration, configuration.hasParametricStereo else { return [extended, plain] }
        var stereo = extended
        (extended.formatID, extended.channelsPerFrame) = (aacHE, plain.channelsPerFrame)
        (stereo.formatID, stereo.channelsPerFrame) = (aacHEv2, configuration.decodedChannels)
        return [stereo, extended, plain]
    }

    /// This description with the members that its magic cookie states. Nil for a cookie that has no configuration of the format.
    func completed(fromCookie cookie: [UInt8]) -> StreamDescription? {
        var format = self
        switch formatID {
        case aac, aacHE, aacHEv2:
            guard let configuration = AACConfiguration(cookie: cookie) else { return nil }
            format.complete(from: configuration)
        case CodecFormat.appleLossless:
            guard let stated = AppleLosslessConfiguration(cookie: cookie) else { return nil }
            format.formatFlags = AppleLossless.flags(ofCookie: cookie) ?? formatFlags
            (format.sampleRate, format.channelsPerFrame) = (Double(stated.rate), stated.channels)
            format.framesPerPacket = stated.framesPerPacket
        case CodecFormat.flac:
            guard let stated = FLACConfiguration.facts(ofCookie: cookie) else { return nil }
            format.formatFlags = FLACConfiguration.flags(ofCookie: cookie) ?? formatFlags
            (format.sampleRate, format.channelsPerFrame) = (Double(stated.rate), stated.channels)
            format.framesPerPacket = stated.framesPerPacket
        default: break
        }
        return format
    }

    private mutating func complete(from configuration: AACConfiguration) {
        let isPlain = formatID == aac
        // A description of an extension may have a cookie that does not state it: the packets state it then.
        let rate = isPlain ? configuration.rate : configuration.extendedRate ?? configuration.rate
        sampleRate = Double(rate)
        framesPerPacket = configuration.framesPerPacket * (isPlain || rate == configuration.rate ? 1 : 2)
        let channels = formatID == aacHEv2 ? configuration.decodedChannels : configuration.channels
        if channels > 0 { channelsPerFrame = channels }
        formatFlags = FormatFlags(rawValue: configuration.objectType == 5 ? 2 : configuration.objectType)
    }

    /// The format of packets of AAC, from the descriptor of their stream. Nil for other streams.
    static func ofStreamDescriptor(_ descriptor: [UInt8]) -> StreamDescription? {
        guard AACConfiguration.streamKind(cookie: descriptor) == 0x40, let configuration = AACConfiguration(cookie: descriptor)
        else { return nil }
        let format = StreamDescription(
            sampleRate: Double(configuration.rate), formatID: aac,
            formatFlags: FormatFlags(rawValue: configuration.objectType == 5 ? 2 : configuration.objectType),
            framesPerPacket: 1_024, channelsPerFrame: configuration.channels)
        // Decoders of plain AAC know the packets unless the object type is that of spectral band replication.
        return configuration.objectType == 5 ? format.formatList(cookie: descriptor)[0] : format
    }

    /// The items of the formats, each an `AudioFormatListItem`.
    public func listItems(cookie: [UInt8]) -> [UInt8] { formatList(cookie: cookie).flatMap { $0.listItem } }
}
