// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// Converts sound between two formats: types of samples, channels, rates and codecs. The C API's `AudioConverter` does the work.
///
/// One thread at a time uses a converter.
open class AVAudioConverter: NSObject, @unchecked Sendable {
    public let inputFormat: AVAudioFormat
    public let outputFormat: AVAudioFormat
    let converter: AudioConverterRef
    /// The converter reads from it until it asks for the next one.
    private var lastInput: AVAudioBuffer?
    /// The input has ended: nothing is converted until a reset.
    private var hasEnded = false
    private var mixesChannels = false
    private var ownMap: [NSNumber] = []

    /// A converter between two formats; nil if the formats cannot be converted. The log states the reason.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        var created: AudioConverterRef?
        let status = AudioConverterNew(fromFormat.streamDescription, toFormat.streamDescription, &created)
        guard status == noErr, let created else { return nil }
        inputFormat = fromFormat
        outputFormat = toFormat
        converter = created
        super.init()
        if let cookie = fromFormat.magicCookie { magicCookie = cookie }
        applyChannels()
    }

    deinit { AudioConverterDispose(converter) }

    /// Discards what the converter has read, so that it can convert another stream.
    open func reset() {
        AudioConverterReset(converter)
        lastInput = nil
        hasEnded = false
    }

    // MARK: Conversion

    /// Converts one buffer: both formats are linear PCM of one rate, and the output has room for all frames.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        guard inputBuffer.format.isEqual(inputFormat), outputBuffer.format.isEqual(outputFormat) else {
            throw AudioCallError.argument(
                "the converter is from \(inputFormat) to \(outputFormat), and the buffers have \(inputBuffer.format) and "
                    + "\(outputBuffer.format)")
        }
        guard inputFormat.sampleRate == outputFormat.sampleRate else {
            throw AudioCallError.argument(
                "convert(to:from:) does not change the rate from \(inputFormat.sampleRate) to \(outputFormat.sampleRate) Hz: use "
                    + "convert(to:error:withInputFrom:)")
        }
        guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
            throw AudioCallError.argument(
                "\(inputBuffer.frameLength) frames do not fit into a buffer of \(outputBuffer.frameCapacity)")
        }
        guard inputBuffer.frameLength > 0 else {
            outputBuffer.frameLength = 0
            return
        }
        let status = AudioConverterConvertComplexBuffer(
            converter, inputBuffer.frameLength, inputBuffer.audioBufferList, outputBuffer.mutableAudioBufferList)
        try AudioCallError.check(status, "AudioConverterConvertComplexBuffer", "the buffer cannot be converted")
        outputBuffer.frameLength = inputBuffer.frameLength
    }

    /// Fills a buffer. The block is called for input as often as necessary, on the calling thread and before the return.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer, withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        outError?.pointee = nil
        guard outputBuffer.format.isEqual(outputFormat) else {
            outError?.pointee = AudioCallError.argument(
                "the output buffer has \(outputBuffer.format), and the converter \(outputFormat)")
            return .error
        }
        let output = ConverterOutput(outputBuffer)
        output.setLength(packets: 0, bytes: 0)
        guard !hasEnded else { return .endOfStream }
        var packets = output.capacity
        let (status, failure) = withoutActuallyEscaping(inputBlock) { block in
            let supply = ConverterSupply(block, inputFormat, lastInput)
            defer { lastInput = supply.buffer }
            let status = withExtendedLifetime(supply) {
                AudioConverterFillComplexBuffer(
                    converter, ConverterSupply.procedure, Unmanaged.passUnretained(supply).toOpaque(), &packets, output.list,
                    output.descriptions)
            }
            supply.end()
            return (status, supply.failure)
        }
        output.setLength(packets: packets, bytes: output.list.pointee.mBuffers.mDataByteSize)
        return result(status, failure, packets: packets, of: output.capacity, outError)
    }

    private func result(
        _ status: OSStatus, _ failure: NSError?, packets: UInt32, of capacity: UInt32, _ outError: NSErrorPointer
    ) -> AVAudioConverterOutputStatus {
        switch status {
        case noErr where capacity == 0:
            outError?.pointee = AudioCallError.argument("the output buffer has no room")
            return .error
        case noErr:
            hasEnded = packets < capacity
            return packets > 0 ? .haveData : .endOfStream
        case ConverterSupply.ranDry: return .inputRanDry
        default:
            outError?.pointee =
                failure ?? AudioCallError.make(status, "AudioConverterFillComplexBuffer", "the input cannot be converted")
            return .error
        }
    }

    // MARK: Channels

    /// The input channel of each output channel; -1 is silence. Empty: the converter decides by `downmix`.
    open var channelMap: [NSNumber] {
        get { ownMap }
        set {
            guard newValue.isEmpty || newValue.count == Int(outputFormat.channelCount) else {
                return AudioCallError.refuse(
                    "AVAudioConverter: a channel map of \(newValue.count) numbers is refused: the output has "
                        + "\(outputFormat.channelCount) channels")
            }
            let old = ownMap
            ownMap = newValue
            if applyChannels() != noErr {
                ownMap = old
                AudioCallError.refuse(
                    "AVAudioConverter: the channel map \(newValue) is refused: it names a channel that does not exist")
            }
        }
    }

    /// Whether channels that the output does not have are mixed into the others. Without it they are dropped.
    open var downmix: Bool {
        get { mixesChannels }
        set {
            mixesChannels = newValue
            applyChannels()
        }
    }

    @discardableResult
    private func applyChannels() -> OSStatus {
        var map = ownMap.map { $0.int32Value }
        if map.isEmpty, !mixesChannels, outputFormat.channelCount < inputFormat.channelCount, inputFormat.isLinear,
            outputFormat.isLinear
        {
            map = (0..<Int32(outputFormat.channelCount)).map { $0 }
        }
        // Without a map of the program or a drop, the converter has its own mix, and keeps it until it gets a map.
        guard !map.isEmpty || hasMap else { return noErr }
        hasMap = !map.isEmpty
        return AudioConverterSetProperty(converter, kAudioConverterChannelMap, UInt32(map.count * MemoryLayout<Int32>.size), map)
    }

    private var hasMap = false
}
