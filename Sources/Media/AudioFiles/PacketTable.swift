// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The fields of `AudioFilePacketTableInfo`: the frames of sound in the packets, and the frames before and after them.
struct PacketTable {
    static let byteCount = 16

    let validFrames: Int64
    let primingFrames: Int32
    let remainderFrames: Int32

    /// Reads 16 bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        validFrames = bytes.loadUnaligned(as: Int64.self)
        primingFrames = bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self)
        remainderFrames = bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self)
    }

    var bytes: [UInt8] {
        [UInt8](nativeBytesOf: validFrames) + [UInt8](nativeBytesOf: primingFrames) + [UInt8](nativeBytesOf: remainderFrames)
    }

    /// True if the numbers describe packets with this number of frames.
    func describes(frames: UInt64) -> Bool {
        guard validFrames >= 0, primingFrames >= 0, remainderFrames >= 0 else { return false }
        let (sum, overflow) = validFrames.addingReportingOverflow(Int64(primingFrames) + Int64(remainderFrames))
        return !overflow && UInt64(sum) == frames
    }
}
