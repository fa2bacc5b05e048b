// SPDX-License-Identifier: Apache-2.0
public import PCMConversion

/// Packets that the input procedure gives. Their memory stays valid until it is called again.
public struct InputPackets {
    public var buffers: SampleBuffers
    /// The number of packets; 0 is the end of the input.
    public var count: Int
    /// An array of `AudioStreamPacketDescription`, for packets of variable size.
    public var descriptions: UnsafeRawPointer?

    public init(buffers: SampleBuffers, count: Int, descriptions: UnsafeRawPointer? = nil) {
        self.buffers = buffers
        self.count = count
        self.descriptions = descriptions
    }

    public static var end: InputPackets { InputPackets(buffers: SampleBuffers(), count: 0) }
}

/// The input procedure. The argument is the number of packets that the converter needs. The procedure returns as many as
/// it has, and none at the end.
public typealias PacketSupply = (_ packets: Int) throws(ConverterError) -> InputPackets

/// The fields of `AudioStreamPacketDescription`.
public struct PacketDescription: Equatable, Sendable {
    public static let byteCount = 16

    public var startOffset: Int64
    /// 0 where the format states the frames of the packet. The last packet of a sound may have fewer.
    public var variableFrames: UInt32
    public var byteSize: UInt32

    public init(startOffset: Int64, variableFrames: UInt32 = 0, byteSize: UInt32) {
        self.startOffset = startOffset
        self.variableFrames = variableFrames
        self.byteSize = byteSize
    }

    /// Reads an element of an array.
    public init(at array: UnsafeRawPointer, index: Int) {
        let address = array + index &* PacketDescription.byteCount
        startOffset = address.loadUnaligned(as: Int64.self)
        variableFrames = address.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        byteSize = address.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
    }

    /// Writes an element of an array.
    public func store(at array: UnsafeMutableRawPointer, index: Int) {
        let address = array + index &* PacketDescription.byteCount
        address.storeBytes(of: startOffset, as: Int64.self)
        address.storeBytes(of: variableFrames, toByteOffset: 8, as: UInt32.self)
        address.storeBytes(of: byteSize, toByteOffset: 12, as: UInt32.self)
    }
}

extension SampleBuffers {
    /// The size of the smallest of the first `number` buffers; 0 when one of them is missing.
    @inline(__always)
    func smallest(of number: Int) -> Int {
        var size = Int.max
        for index in 0..<number { size = min(size, self[index].count) }
        return number == 0 ? 0 : size
    }
}
