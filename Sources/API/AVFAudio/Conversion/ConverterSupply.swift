// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation
internal import LinuxSystem

/// The input of one conversion: the block of the program, as the procedure of the C API.
final class ConverterSupply {
    /// The block has no data now. A result of the procedure that no function of the library returns.
    static let ranDry = OSStatus(bitPattern: FourCC.code("dry!"))

    private var block: AVAudioConverterInputBlock?
    private let format: AVAudioFormat
    /// The buffer that the converter reads.
    private(set) var buffer: AVAudioBuffer?
    private(set) var failure: NSError?

    init(_ block: @escaping AVAudioConverterInputBlock, _ format: AVAudioFormat, _ buffer: AVAudioBuffer?) {
        self.block = block
        self.format = format
        self.buffer = buffer
    }

    /// The block does not live longer than the conversion.
    func end() { block = nil }

    static let procedure: AudioConverterComplexInputDataProc = { _, packets, list, descriptions, context in
        guard let context else { return OSStatus(kAudio_ParamError) }
        return Unmanaged<ConverterSupply>.fromOpaque(context).takeUnretainedValue().supply(packets, list, descriptions)
    }

    private func supply(
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        var status = AVAudioConverterInputStatus.haveData
        let wanted = packets.pointee
        packets.pointee = 0
        let next = block?(wanted, &status)
        switch status {
        case .endOfStream: return noErr
        case .noDataNow: return Self.ranDry
        case .haveData: break
        }
        guard let next else { return fail("the block for input has returned haveData and no buffer: return noDataNow") }
        guard next.format.isEqual(format) else {
            return fail("the block for input has returned a buffer with \(next.format), and the converter is from \(format)")
        }
        buffer = next
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: next.audioBufferList))
        let target = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<min(source.count, target.count) { target[index] = source[index] }
        if let compressed = next as? AVAudioCompressedBuffer {
            packets.pointee = compressed.packetCount
            descriptions?.pointee = compressed.packetDescriptions
        } else if let linear = next as? AVAudioPCMBuffer {
            packets.pointee = linear.frameLength
        }
        // A buffer without sound is no end.
        return packets.pointee > 0 ? noErr : Self.ranDry
    }

    private func fail(_ what: String) -> OSStatus {
        failure = AudioCallError.argument(what)
        return OSStatus(kAudio_ParamError)
    }
}
