// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import Testing

/// Conversion between float and the formats of devices.
@Suite struct ConversionTests {
    private let samples: [Float] = [
        0, 1, -1, 0.5, -0.5, 2, -2, .infinity, -.infinity, .nan, 1.4 / 32_768, 1.6 / 32_768, -1.6 / 32_768,
    ]

    private func integers<Sample: FixedWidthInteger>(_ format: stream_sample, _: Sample.Type) -> [Sample] {
        var result = [Sample](repeating: 0, count: samples.count)
        stream_from_float(Int32(format.rawValue), samples, &result, samples.count)
        return result
    }

    @Test("Integers are rounded to the nearest and limited; a NaN is silence") func limits() {
        #expect(
            integers(STREAM_S16, Int16.self) == [0, 32767, -32768, 16384, -16384, 32767, -32768, 32767, -32768, 0, 1, 2, -2])
        #expect(integers(STREAM_S24, Int32.self).prefix(5) == [0, 8_388_607, -8_388_608, 4_194_304, -4_194_304])
        #expect(
            integers(STREAM_S32, Int32.self).prefix(10) == [
                0, 2_147_483_520, .min, 1_073_741_824, -1_073_741_824, 2_147_483_520, .min, 2_147_483_520, .min, 0,
            ])
        var floats = [Float](repeating: 9, count: samples.count)
        stream_from_float(Int32(STREAM_FLOAT.rawValue), samples, &floats, samples.count)
        #expect(floats.prefix(10) == [0, 1, -1, 0.5, -0.5, 1, -1, 1, -1, 0])
    }

    /// The integers of a format, from the bytes that a device plays.
    private func integers(of samples: [Float], in format: stream_sample) -> [Int] {
        let size = Int(stream_sample_size(Int32(format.rawValue)))
        var bytes = [UInt8](repeating: 0x5A, count: samples.count * size)
        stream_from_float(Int32(format.rawValue), samples, &bytes, samples.count)
        let shift = format == STREAM_S24 ? 40 : 64 - 8 * size
        return samples.indices.map { index in
            var value: UInt64 = 0
            for byte in 0..<size { value |= UInt64(bytes[index * size + byte]) << UInt64(8 * byte) }
            return Int(Int64(bitPattern: value << UInt64(shift)) >> Int64(shift))
        }
    }

    @Test(
        "A float at full scale or beyond is the largest or the least integer of each format, at each place",
        arguments: [(STREAM_S16, 16), (STREAM_S24, 24), (STREAM_S24_PACKED, 24), (STREAM_S32, 32)])
    func fullScale(_ format: stream_sample, _ bits: Int) {
        // A float has no value between the two largest integers of 32 bits: the result is one that it has.
        let highest = bits == 32 ? 2_147_483_520 : 1 << (bits - 1) - 1
        let least = -(1 << (bits - 1))
        for place in [0, 1, 7, 62, 63, 64, 65, 99] {
            for sample: Float in [1, Float(1).nextUp, 1.5, .greatestFiniteMagnitude, .infinity] {
                var floats = [Float](repeating: 0.5, count: 100)
                floats[place] = sample
                #expect(integers(of: floats, in: format)[place] == highest, "\(sample)")
                floats[place] = -sample
                #expect(integers(of: floats, in: format)[place] == least, "\(-sample)")
                floats[place] = .nan
                let all = integers(of: floats, in: format)
                #expect(all[place] == 0 && all.filter { $0 == 1 << (bits - 2) }.count == 99)
            }
        }
    }

    @Test("A float between two 16-bit integers becomes the even one, beside loud ones too", arguments: [1, 200])
    func ties(_ count: Int) {
        for (sample, integer) in [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (32_766.5, 32_766), (32_767.5, 32_767)] {
            for loud: Float in [0, 1, .nan] {
                var floats = [Float](repeating: Float(sample) / 32_768, count: count)
                floats[count - 1] = loud
                floats[0] = Float(sample) / 32_768
                var result = [Int16](repeating: 9, count: count)
                stream_from_float(Int32(STREAM_S16.rawValue), floats, &result, count)
                #expect(result.dropLast(count - 1).allSatisfy { $0 == integer })
                guard count > 1 else { continue }
                #expect(result.dropLast().allSatisfy { $0 == integer } && result.last == (loud == 1 ? 32_767 : 0))
            }
        }
    }

    @Test(
        "A float that was captured returns to the same integer",
        arguments: [STREAM_S16, STREAM_S24, STREAM_S24_PACKED, STREAM_S32, STREAM_FLOAT]) func exact(_ format: stream_sample)
    {
        let number = Int32(format.rawValue)
        // Every sample that a 16-bit device has.
        let floats = (-32_768...32_767).map { Float($0) / 32_768 }
        var bytes = [UInt8](repeating: 0, count: floats.count * Int(stream_sample_size(number)))
        stream_from_float(number, floats, &bytes, floats.count)
        var back = [Float](repeating: 9, count: floats.count)
        stream_to_float(number, bytes, &back, floats.count)
        #expect(back == floats)
    }

    @Test("A sample of 24 bits keeps all of them, and the upper byte of its 32 is not read") func bits() {
        let integers: [Int32] = [0x12_3456, -0x12_3456, 1, -1, 0x7F_FFFF, -0x80_0000]
        let floats = integers.map { Float($0) / 8_388_608 }
        var packed = [UInt8](repeating: 0, count: 3 * floats.count)
        stream_from_float(Int32(STREAM_S24_PACKED.rawValue), floats, &packed, floats.count)
        #expect(packed.prefix(6) == [0x56, 0x34, 0x12, 0xAA, 0xCB, 0xED])
        var back = [Float](repeating: 9, count: floats.count)
        stream_to_float(Int32(STREAM_S24_PACKED.rawValue), packed, &back, floats.count)
        #expect(back == floats)
        let dirty = integers.map { UInt32(bitPattern: $0) & 0xFF_FFFF | 0x5A00_0000 }
        stream_to_float(Int32(STREAM_S24.rawValue), dirty, &back, floats.count)
        #expect(back == floats)
    }
}
