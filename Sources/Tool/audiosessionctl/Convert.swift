// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLIOutput
import CLinux
import CToolboxFunctions
import LinuxSystem
import MediaFormats

/// Writes the sound of a file into another file.
func convert(_ name: String, _ options: OutputOptions) -> Int32 {
    withToolbox { (toolbox) throws(SoundError) in
        let input = SoundInput(name)
        let source = try OpenSoundFile(reading: input, toolbox)
        try checkDifferent(input, options.file)
        let rate = options.rate ?? source.format.mSampleRate
        let channels = options.channels ?? source.format.mChannelsPerFrame
        let encoding = options.encoding ?? source.encoding(in: options.container)
        // Double samples represent integers of 32 bits exactly.
        let isDouble = source.isPrecise && (encoding == .int32 || encoding == .float64)
        try source.setClient(clientFormat(rate: rate, channels: channels, isDouble: isDouble))
        let bits = min(source.losslessBits, mostLosslessBits)
        let target = try options.create(toolbox, encoding, rate: rate, channels: channels, bits: bits, isDouble: isDouble)
        if encoding == .alac, bits < source.losslessBits {
            Output.error("\(options.file): the encoder keeps \(bits) of \(source.losslessBits) bits")
        }
        try copy(source, to: target)
        return true
    }
}

/// Apple Lossless can have more bits, but no known encoder writes them.
private let mostLosslessBits: UInt32 = 24

/// Throws if both names refer to one file, because creating the target would erase the source.
private func checkDifferent(_ source: SoundInput, _ target: String) throws(SoundError) {
    var (first, second) = (linux_file_status(), linux_file_status())
    guard exists(source.path, &first), exists(target.path, &second) else { return }
    guard first.device == second.device, first.inode == second.inode else { return }
    throw SoundError(target, "is the file that is read")
}

private func copy(_ source: OpenSoundFile, to target: OpenSoundFile) throws(SoundError) {
    let signals = FileDescriptor(owning: linux_end_signals())
    let rate = source.client.mSampleRate
    let duration = source.seconds
    var progress = ProgressLine()
    var shown: UInt64 = 0
    var frames = 0
    let room = 16_384 * Int(source.client.mBytesPerFrame)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
    defer {
        memory.deallocate()
        progress.clear()
    }
    while true {
        let count = try source.read(memory, room: room)
        if count == 0 { break }
        try target.write(memory, frames: count)
        frames += count
        let now = linux_monotonic_nanoseconds()
        if now &- shown > 100_000_000 {
            shown = now
            progress.show(TransportLine(.converting, position: Double(frames) / rate, duration: duration))
        }
        guard linux_poll(signals.number, UInt32(LINUX_READABLE), 0) == 0 else {
            try target.close()
            throw SoundError(target.name, "stopped at \(soundTime(Double(frames) / rate)); the file is valid up to there")
        }
    }
    try target.close()
    progress.print("\(target.name): \(target.description.text), \(soundTime(Double(frames) / rate))")
}

extension OpenSoundFile {
    /// More than 24 bits per sample.
    fileprivate var isPrecise: Bool { format.mFormatID == FormatID.linearPCM && format.mBitsPerChannel > 24 }

    /// The bits that Apple Lossless needs for the samples of the file.
    fileprivate var losslessBits: UInt32 {
        switch format.mFormatID {
        case FormatID.linearPCM: format.mBitsPerChannel
        case CodecFormat.appleLossless, CodecFormat.flac: AppleLossless.bits(of: format.mFormatFlags) ?? 16
        default: 16
        }
    }

    /// The format of this file, if the type of the target supports it.
    fileprivate func encoding(in container: Container) -> TargetEncoding {
        let own = ownEncoding
        if container.holds(own) { return own }
        return container == .m4a ? .aac : .int16
    }

    private var ownEncoding: TargetEncoding {
        if let same = TargetEncoding.allCases.first(where: { $0.bits == nil && $0.formatID == format.mFormatID }) { return same }
        // Decoders return 16 bits for formats that cannot be written, except for long samples of lossless formats.
        guard format.mFormatID == FormatID.linearPCM else { return format.mFormatID == CodecFormat.flac ? .alac : .int16 }
        if FormatFlags(rawValue: format.mFormatFlags).contains(.float) {
            return format.mBitsPerChannel > 32 ? .float64 : .float32
        }
        switch format.mBitsPerChannel {
        case ...8: return .int8
        case ...16: return .int16
        case ...24: return .int24
        default: return .int32
        }
    }
}
