// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import Testing

@testable import AudioUnits

@Suite("The buffers of a slice")
struct SliceBuffersTests {
    @Test("hold floats at multiples of four bytes, wherever a callback has put those of any buffer", arguments: [1, 2, 8], 0...7)
    func alignment(buffers: Int, offset: Int) throws {
        let format = try PCMFormat(sampleRate: 48_000, channels: buffers, sample: .float32(), isInterleaved: false)
        let slice = try #require(SliceBuffers(format, frames: 32))
        let lent = UnsafeMutableRawPointer.allocate(byteCount: 32 * 4 + 8, alignment: 8)
        defer { lent.deallocate() }
        let samples: [Float] = (0..<32).map { Float($0) }
        for moved in 0..<buffers {
            slice.prepare(frames: 32)
            for frame in 0..<32 { (lent + offset).storeBytes(of: samples[frame], toByteOffset: 4 * frame, as: Float.self) }
            let own = (0..<buffers).map { slice.nativeFloats($0) }
            BufferList(slice.list)[moved].pointee.mData = lent + offset
            slice.alignFloats(32)
            let found = slice.nativeFloats(moved)
            #expect(UInt(bitPattern: found) % 4 == 0)
            // Aligned floats stay in the memory of the callback.
            #expect(found == (offset % 4 == 0 ? UnsafeMutablePointer(bitPattern: UInt(bitPattern: lent + offset)) : own[moved]))
            #expect(Array(UnsafeBufferPointer(start: found, count: 32)) == samples)
        }
    }
}
