// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import Foundation

/// A buffer of packets of a codec.
open class AVAudioCompressedBuffer: AVAudioBuffer, @unchecked Sendable {
    /// The number of packets for which there is room.
    public let packetCapacity: AVAudioPacketCount
    /// The bytes of the largest packet.
    public let maximumPacketSize: Int
    private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// The number of packets in the buffer, at most its capacity.
    public var packetCount: AVAudioPacketCount = 0 {
        didSet {
            guard packetCount > packetCapacity else { return }
            AudioCallError.refuse(
                "AVAudioCompressedBuffer: \(packetCount) packets are refused: the capacity is \(packetCapacity)")
            packetCount = oldValue
        }
    }

    /// The number of bytes in the buffer, at most `byteCapacity`.
    public var byteLength: UInt32 = 0 {
        didSet {
            guard byteLength > byteCapacity else { return }
            AudioCallError.refuse("AVAudioCompressedBuffer: \(byteLength) bytes are refused: the capacity is \(byteCapacity)")
            byteLength = oldValue
        }
    }

    /// A buffer for packets of at most this size.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        self.packetCapacity = packetCapacity
        self.maximumPacketSize = max(maximumPacketSize, 0)
        let size = Int(packetCapacity).multipliedReportingOverflow(by: max(maximumPacketSize, 0))
        let description = format.streamDescription.pointee
        if description.mBytesPerPacket == 0, packetCapacity > 0 {
            let memory = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: Int(packetCapacity))
            memory.initialize(repeating: AudioStreamPacketDescription(), count: Int(packetCapacity))
            descriptions = memory
        } else {
            descriptions = nil
        }
        let wanted = size.overflow ? 0 : size.partialValue
        guard
            let memory = BufferMemory(buffers: 1, channelsPerBuffer: description.mChannelsPerFrame, capacity: wanted)
                ?? BufferMemory(buffers: 1, channelsPerBuffer: description.mChannelsPerFrame, capacity: 0)
        else { preconditionFailure("no memory for an empty buffer") }
        super.init(format: format, memory: memory)
        if memory.capacity < wanted || size.overflow {
            AudioCallError.refuse(
                "AVAudioCompressedBuffer: no memory for \(packetCapacity) packets of \(maximumPacketSize) bytes")
        }
    }

    /// A buffer for packets of one size, which the format states.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.streamDescription.pointee.mBytesPerPacket))
    }

    deinit { descriptions?.deallocate() }

    /// The bytes of the packets.
    public var data: UnsafeMutableRawPointer { memory.data(0) ?? UnsafeMutableRawPointer(memory.sound.unsafeMutablePointer) }

    /// The number of bytes for which there is memory.
    public var byteCapacity: UInt32 { UInt32(clamping: memory.capacity) }

    /// The place and size of each packet; nil if all packets have one size.
    public var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { descriptions }

    override var bytesOfSound: Int { Int(byteLength) }

    /// A buffer of the same capacity and contents.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVAudioCompressedBuffer(format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
        copy.memory.copyContents(of: memory, bytes: bytesOfSound)
        if let descriptions, let target = copy.descriptions { target.update(from: descriptions, count: Int(packetCount)) }
        copy.packetCount = packetCount
        copy.byteLength = byteLength
        return copy
    }
}
