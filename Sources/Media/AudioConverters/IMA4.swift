// SPDX-License-Identifier: Apache-2.0
/// IMA ADPCM in the packets of QuickTime, AIFC and CAF: 34 bytes of one channel hold 64 frames.
///
/// A packet begins with 9 bits of the predictor and 7 bits of the step index, most significant byte first.
/// Samples of 4 bits follow, the low half of a byte first. A packet of several channels consists of one packet per channel.
public enum IMA4 {
    public static let framesPerPacket = 64
    public static let bytesPerChannel = 34
    static let steps: [Int32] = [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
        130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1_060,
        1_166, 1_282, 1_411, 1_552, 1_707, 1_878, 2_066, 2_272, 2_499, 2_749, 3_024, 3_327, 3_660, 4_026, 4_428, 4_871, 5_358,
        5_894, 6_484, 7_132, 7_845, 8_630, 9_493, 10_442, 11_487, 12_635, 13_899, 15_289, 16_818, 18_500, 20_350, 22_385, 24_623,
        27_086, 29_794, 32_767,
    ]
}

/// The state of one channel, which is the same in decoder and encoder.
struct IMA4Channel {
    var predictor: Int32 = 0
    var stepIndex = 0

    /// Advances to the sample that a code represents.
    mutating func advance(_ code: UInt8) {
        let step = IMA4.steps[stepIndex]
        var difference = step >> 3
        if code & 4 != 0 { difference += step }
        if code & 2 != 0 { difference += step >> 1 }
        if code & 1 != 0 { difference += step >> 2 }
        predictor = min(max(code & 8 == 0 ? predictor + difference : predictor - difference, -32_768), 32_767)
        let change = code & 4 == 0 ? -1 : Int(code & 3) * 2 + 2
        stepIndex = min(max(stepIndex + change, 0), IMA4.steps.count - 1)
    }

    /// The code with the largest difference from the predictor that does not exceed the difference of `sample`.
    func code(_ sample: Int16) -> UInt8 {
        var rest = Int32(sample) - predictor
        var code: UInt8 = rest < 0 ? 8 : 0
        rest = abs(rest)
        var step = IMA4.steps[stepIndex]
        var bit: UInt8 = 4
        while bit > 0 {
            if rest >= step {
                code |= bit
                rest -= step
            }
            step >>= 1
            bit >>= 1
        }
        return code
    }

    /// Reads the beginning of a packet. A packet has only 9 bits of the predictor: if these and the step match the predictor of
    /// the decoder, the decoder keeps its predictor.
    mutating func begin(_ high: UInt8, _ low: UInt8) {
        let preamble = Int32(Int16(bitPattern: UInt16(high) << 8 | UInt16(low)))
        let index = min(Int(preamble & 0x7F), IMA4.steps.count - 1)
        let start = preamble & ~0x7F
        guard index != stepIndex || abs(start - predictor) > 0x7F else { return }
        predictor = start
        stepIndex = index
    }

    var preamble: UInt16 { UInt16(truncatingIfNeeded: predictor & ~0x7F | Int32(stepIndex)) }
}

extension [IMA4Channel] {
    fileprivate mutating func reset() { for channel in indices { self[channel] = IMA4Channel() } }
}

/// Decodes packets of IMA4 to interleaved 16-bit samples.
public struct IMA4Decoder {
    private var channels: [IMA4Channel]

    public init(channels: Int) { self.channels = Array(repeating: IMA4Channel(), count: max(channels, 0)) }

    /// Resets the state after earlier packets, for instance after a seek.
    public mutating func reset() { channels.reset() }

    /// Decodes whole packets. Returns the number of packets, which both buffers limit.
    public mutating func decode(_ packets: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Int16>) -> Int {
        guard !channels.isEmpty else { return 0 }
        let bytes = channels.count * IMA4.bytesPerChannel
        let count = min(packets.count / bytes, samples.count / (channels.count * IMA4.framesPerPacket))
        for packet in 0..<count {
            for channel in channels.indices {
                let start = packet * bytes + channel * IMA4.bytesPerChannel
                channels[channel].begin(packets[start], packets[start + 1])
                var target = packet * IMA4.framesPerPacket * channels.count + channel
                for index in start + 2..<start + IMA4.bytesPerChannel {
                    for code in [packets[index] & 0x0F, packets[index] >> 4] {
                        channels[channel].advance(code)
                        samples[target] = Int16(truncatingIfNeeded: channels[channel].predictor)
                        target += channels.count
                    }
                }
            }
        }
        return count
    }
}

/// Encodes interleaved 16-bit samples to packets of IMA4.
public struct IMA4Encoder {
    private var channels: [IMA4Channel]

    public init(channels: Int) { self.channels = Array(repeating: IMA4Channel(), count: max(channels, 0)) }

    /// Resets the state after earlier packets. Does not allocate.
    public mutating func reset() { channels.reset() }

    /// Encodes whole packets. Returns the number of packets, which both buffers limit.
    public mutating func encode(_ samples: UnsafeBufferPointer<Int16>, into packets: UnsafeMutableRawBufferPointer) -> Int {
        guard !channels.isEmpty else { return 0 }
        let bytes = channels.count * IMA4.bytesPerChannel
        let count = min(packets.count / bytes, samples.count / (channels.count * IMA4.framesPerPacket))
        for packet in 0..<count {
            for channel in channels.indices {
                let start = packet * bytes + channel * IMA4.bytesPerChannel
                let preamble = channels[channel].preamble
                packets[start] = UInt8(preamble >> 8)
                packets[start + 1] = UInt8(preamble & 0xFF)
                var source = packet * IMA4.framesPerPacket * channels.count + channel
                for index in start + 2..<start + IMA4.bytesPerChannel {
                    var pair: UInt8 = 0
                    for shift in stride(from: UInt8(0), through: 4, by: 4) {
                        let code = channels[channel].code(samples[source])
                        channels[channel].advance(code)
                        pair |= code << shift
                        source += channels.count
                    }
                    packets[index] = pair
                }
            }
        }
        return count
    }
}
