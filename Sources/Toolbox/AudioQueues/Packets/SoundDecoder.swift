// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import CLinux
import MediaFormats
import PCMConversion

/// Converts the bytes of a queue's buffers to interleaved floats. Only the initializer allocates memory.
struct SoundDecoder {
    private enum Coding {
        case linear(PCMConverter)
        case table(UnsafeMutablePointer<Float>)
        case packets
    }

    let channels: Int
    let rate: Double
    /// The buffers contain 16-bit samples as devices have them.
    let isNativeInt16: Bool
    private let bytesPerPacket: Int
    private let coding: Coding
    private var packets: IMA4Decoder
    private let decoded: UnsafeMutableBufferPointer<Int16>
    private var loadedPacket = -1

    /// Nil for a format that cannot be played.
    init?(_ description: StreamDescription) {
        guard let format = SoundFormat(description), let coding = SoundDecoder.coding(of: format) else { return nil }
        self.coding = coding
        channels = format.channels
        rate = format.rate
        bytesPerPacket = format.bytesPerPacket
        isNativeInt16 = format.linear?.sample.isNativeInt16 ?? false
        packets = IMA4Decoder(channels: format.formatID == FormatID.appleIMA4 ? channels : 0)
        let samples = format.formatID == FormatID.appleIMA4 ? channels * IMA4.framesPerPacket : 0
        decoded = .allocate(capacity: samples)
        decoded.initialize(repeating: 0)
    }

    private static func coding(of format: SoundFormat) -> Coding? {
        switch format.formatID {
        case FormatID.appleIMA4: return .packets
        case FormatID.uLaw: return .table(table(ULaw.decode))
        case FormatID.aLaw: return .table(table(ALaw.decode))
        default:
            guard let source = format.linear, let target = SoundFormat.floats(rate: format.rate, channels: format.channels)
            else { return nil }
            return (try? PCMConverter(from: source, to: target)).map { .linear($0) }
        }
    }

    /// Frees the memory. The decoder is a value in one voice, which calls this.
    func destroy() {
        if case .table(let table) = coding { table.deallocate() }
        decoded.deallocate()
    }

    private static func table(_ decode: (UInt8) -> Int16) -> UnsafeMutablePointer<Float> {
        let table = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        for code in 0..<256 { (table + code).initialize(to: Float(decode(UInt8(code))) / 32_768) }
        return table
    }

    /// A new buffer begins: the loaded packet belongs to the former buffer.
    mutating func beginBuffer() { loadedPacket = -1 }

    /// Copies frames of a buffer that contains them and has native 16-bit samples.
    func copy(_ bytes: UnsafeMutablePointer<UInt8>, from frame: Int, _ frames: Int, to target: UnsafeMutablePointer<Int16>) {
        linux_copy_samples(target, bytes + frame &* bytesPerPacket, frames &* bytesPerPacket)
    }

    /// Decodes frames of a buffer that contains them.
    mutating func decode(
        _ bytes: UnsafeMutablePointer<UInt8>, from frame: Int, _ frames: Int, to target: UnsafeMutablePointer<Float>
    ) {
        switch coding {
        case .linear(let converter):
            let source = UnsafeMutableRawBufferPointer(
                start: bytes + frame &* bytesPerPacket, count: frames &* bytesPerPacket)
            let floats = UnsafeMutableRawBufferPointer(start: target, count: frames &* channels &* 4)
            converter.convert(SampleBuffers(source), to: SampleBuffers(floats), frames: frames)
        case .table(let table):
            let first = bytes + frame &* channels
            for index in 0..<frames &* channels { target[index] = table[Int(first[index])] }
        case .packets:
            for index in 0..<frames {
                load(packet: (frame &+ index) / IMA4.framesPerPacket, of: bytes)
                let start = (frame &+ index) % IMA4.framesPerPacket &* channels
                for channel in 0..<channels {
                    target[index &* channels &+ channel] = Float(decoded[start &+ channel]) / 32_768
                }
            }
        }
    }

    private mutating func load(packet: Int, of bytes: UnsafeMutablePointer<UInt8>) {
        while loadedPacket < packet {
            loadedPacket += 1
            let source = UnsafeRawBufferPointer(start: bytes + loadedPacket &* bytesPerPacket, count: bytesPerPacket)
            _ = packets.decode(source, into: decoded)
        }
    }
}

extension StreamDescription {
    /// Linear PCM with the sizes that a program has left 0.
    fileprivate var completed: StreamDescription {
        var description = self
        if description.framesPerPacket == 0 { description.framesPerPacket = 1 }
        if description.bytesPerFrame == 0 { description.bytesPerFrame = bytesPerPacket }
        description.completeLinearSizes()
        return description
    }
}

/// The format of a queue's buffers.
struct SoundFormat {
    var formatID: UInt32
    var channels: Int
    var rate: Double
    var bytesPerPacket: Int
    var framesPerPacket: Int
    /// Nil for a codec.
    var linear: PCMFormat?

    /// Interleaved linear PCM of 4 to 192 kHz, µ-law, A-law and IMA4.
    init?(_ described: StreamDescription) {
        guard described.sampleRate >= 4_000, described.sampleRate <= 192_000 else { return nil }
        formatID = described.formatID
        rate = described.sampleRate
        if formatID == FormatID.linearPCM {
            guard let format = try? PCMFormat(described.completed), format.isInterleaved || format.channels == 1 else {
                return nil
            }
            linear = format
            (channels, bytesPerPacket, framesPerPacket) = (format.channels, format.bytesPerFrame, 1)
            return
        }
        guard 1...8 ~= described.channelsPerFrame else { return nil }
        channels = Int(described.channelsPerFrame)
        switch formatID {
        case FormatID.uLaw, FormatID.aLaw: (bytesPerPacket, framesPerPacket) = (channels, 1)
        case FormatID.appleIMA4: (bytesPerPacket, framesPerPacket) = (IMA4.bytesPerChannel * channels, IMA4.framesPerPacket)
        default: return nil
        }
        guard described.bytesPerPacket == 0 || described.bytesPerPacket == UInt32(bytesPerPacket),
            described.framesPerPacket == 0 || described.framesPerPacket == UInt32(framesPerPacket)
        else { return nil }
    }

    static func floats(rate: Double, channels: Int) -> PCMFormat? {
        try? PCMFormat(sampleRate: rate, channels: channels, sample: .float32())
    }

    /// The description with all fields set.
    var description: StreamDescription {
        linear?.streamDescription
            ?? StreamDescription(
                sampleRate: rate, formatID: formatID, bytesPerPacket: UInt32(bytesPerPacket),
                framesPerPacket: UInt32(framesPerPacket), bytesPerFrame: framesPerPacket == 1 ? UInt32(bytesPerPacket) : 0,
                channelsPerFrame: UInt32(channels), bitsPerChannel: framesPerPacket == 1 ? 8 : 0)
    }
}
