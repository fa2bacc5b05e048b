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

    /// A buffer for packets of at most this size. Without memory for them it has room for none.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let size = max(maximumPacketSize, 0)
        let channels = format.streamDescription.pointee.mChannelsPerFrame
        let isDescribed = format.streamDescription.pointee.mBytesPerPacket == 0 && packetCapacity > 0
        let (bytes, overflow) = Int(packetCapacity).multipliedReportingOverflow(by: size)
        let described = isDescribed ? Self.descriptions(of: packetCapacity) : nil
        let sound =
            overflow || (isDescribed && described == nil)
            ? nil : BufferMemory(buffers: 1, channelsPerBuffer: channels, capacity: bytes)
        if sound == nil { free(described) }
        guard let memory = sound ?? BufferMemory(buffers: 1, channelsPerBuffer: channels, capacity: 0) else {
            preconditionFailure("no memory for an empty buffer")
        }
        self.packetCapacity = sound == nil ? 0 : packetCapacity
        self.maximumPacketSize = size
        descriptions = sound == nil ? nil : described
        super.init(format: format, memory: memory)
        if sound == nil {
            AudioCallError.refuse(
                "AVAudioCompressedBuffer: no memory for \(packetCapacity) packets of \(maximumPacketSize) bytes")
        }
    }

    /// All zeros. Nil when memory is exhausted.
    private static func descriptions(of packets: AVAudioPacketCount) -> UnsafeMutablePointer<AudioStreamPacketDescription>? {
        calloc(Int(packets), MemoryLayout<AudioStreamPacketDescription>.stride)?
            .bindMemory(to: AudioStreamPacketDescription.self, capacity: Int(packets))
    }

    /// A buffer for packets of one size, which the format states.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.streamDescription.pointee.mBytesPerPacket))
    }

    deinit { free(descriptions) }

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
