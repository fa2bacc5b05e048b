// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import Foundation

/// How a new file stores its sound: its type and format, from the settings and the name of the file.
struct SoundFileSettings {
    let type: AudioFileTypeID
    let description: AudioStreamBasicDescription
    let channelLayout: AVAudioChannelLayout?
    /// The bits of a second that an encoder makes; nil: it chooses.
    private let bitRate: UInt32?

    init(_ values: [String: Any], _ url: URL) throws {
        let settings = SettingsDictionary(values)
        guard let type = settings.integer(AVAudioFileTypeKey) ?? FileTypes.type(forExtension: url.pathExtension) else {
            throw AudioCallError.make(
                kAudioFileUnsupportedFileTypeError, "AVAudioFile",
                "no type of file has the extension \"\(url.pathExtension)\": use another one, or set AVAudioFileTypeKey")
        }
        guard let wanted = settings.streamDescription, wanted.mSampleRate > 0, wanted.mChannelsPerFrame > 0 else {
            throw AudioCallError.argument(
                "the settings of a file need AVFormatIDKey, AVSampleRateKey and AVNumberOfChannelsKey, and a bit depth that exists"
            )
        }
        let layout = settings.channelLayout
        if let layout, layout.channelCount != wanted.mChannelsPerFrame {
            throw AudioCallError.argument(
                "AVChannelLayoutKey has \(layout.channelCount) channels, and AVNumberOfChannelsKey \(wanted.mChannelsPerFrame)")
        }
        self.type = type
        description = Self.stored(wanted, in: type)
        channelLayout = layout
        bitRate =
            settings.integer(AVEncoderBitRateKey)
            ?? settings.integer(AVEncoderBitRatePerChannelKey).map { $0 &* wanted.mChannelsPerFrame }
    }

    /// The format that the type of file stores: interleaved, in its own byte order.
    private static func stored(_ wanted: AudioStreamBasicDescription, in type: AudioFileTypeID) -> AudioStreamBasicDescription {
        guard wanted.mFormatID == kAudioFormatLinearPCM else { return wanted }
        var stored = wanted
        stored.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
        stored.mBytesPerFrame = wanted.mBitsPerChannel / 8 * wanted.mChannelsPerFrame
        stored.mBytesPerPacket = stored.mBytesPerFrame
        switch type {
        case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type:
            stored.mFormatFlags &= ~kAudioFormatFlagIsBigEndian
            // Samples of 8 bits have no sign in these files.
            if wanted.mBitsPerChannel == 8 { stored.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
        case kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType, kAudioFileSoundDesigner2Type:
            stored.mFormatFlags |= kAudioFormatFlagIsBigEndian
        default: break
        }
        return stored
    }

    /// Creates the file, which is written in the client format. An existing file is replaced. With `discarded` no byte is kept.
    func create(_ url: URL, client: AVAudioFormat, discarded: DiscardedFile?) throws -> ExtAudioFileRef {
        var description = description
        let created = try discarded?.create(type, &description) ?? create(url, &description)
        do {
            try ExtendedFileProperty.setClientFormat(created, client, url)
            if let bitRate { try setBitRate(created, bitRate, url) }
        } catch {
            ExtAudioFileDispose(created)
            throw error
        }
        return created
    }

    private func create(_ url: URL, _ description: inout AudioStreamBasicDescription) throws -> ExtAudioFileRef {
        var created: ExtAudioFileRef?
        let status = ExtAudioFileCreateWithURL(
            url as CFURL, type, &description, channelLayout?.layout, AudioFileFlags.eraseFile.rawValue, &created)
        guard status == noErr, let created else {
            throw AudioCallError.make(status, "ExtAudioFileCreateWithURL", "\(url.path) cannot be created")
        }
        return created
    }

    private func setBitRate(_ file: ExtAudioFileRef, _ rate: UInt32, _ url: URL) throws {
        // Formats without a choice of the rate, such as those without loss, do not have the property.
        guard let converter: AudioConverterRef = ExtendedFileProperty.value(file, kExtAudioFileProperty_AudioConverter) else {
            return
        }
        var (rate, size, isWritable) = (rate, UInt32(0), DarwinBoolean(false))
        guard AudioConverterGetPropertyInfo(converter, kAudioConverterEncodeBitRate, &size, &isWritable) == noErr,
            isWritable.boolValue
        else { return }
        let status = AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, UInt32(MemoryLayout<UInt32>.size), &rate)
        try AudioCallError.check(
            status, "AudioConverterSetProperty", "\(url.path) cannot be encoded with \(rate) bits a second: choose another rate")
        var none: UnsafeRawPointer?
        ExtAudioFileSetProperty(
            file, kExtAudioFileProperty_ConverterConfig, UInt32(MemoryLayout<UnsafeRawPointer?>.size), &none)
    }
}
