// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// The buffer that a conversion fills, of either kind.
struct ConverterOutput {
    private let buffer: AVAudioBuffer

    init(_ buffer: AVAudioBuffer) { self.buffer = buffer }

    /// The number of packets that fit; of linear PCM, frames.
    var capacity: UInt32 {
        switch buffer {
        case let linear as AVAudioPCMBuffer: linear.frameCapacity
        case let compressed as AVAudioCompressedBuffer: compressed.packetCapacity
        default: 0
        }
    }

    var list: UnsafeMutablePointer<AudioBufferList> { buffer.memory.list }

    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? {
        (buffer as? AVAudioCompressedBuffer)?.packetDescriptions
    }

    /// `bytes` of the first buffer.
    func setLength(packets: UInt32, bytes: UInt32) {
        switch buffer {
        case let linear as AVAudioPCMBuffer: linear.frameLength = packets
        case let compressed as AVAudioCompressedBuffer:
            compressed.packetCount = packets
            compressed.byteLength = packets > 0 ? bytes : 0
        default: break
        }
        if packets == 0 { _ = buffer.mutableAudioBufferList }
    }
}
