// SPDX-License-Identifier: Apache-2.0

/// Reads bits, the highest first. Bits after the end are 0.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isBeyondEnd: Bool { position > bytes.count * 8 }
    var remaining: Int { max(bytes.count * 8 - position, 0) }

    mutating func bits(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
            value = value << 1 | UInt32(byte >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    mutating func objectType() -> UInt32 {
        let type = bits(5)
        return type == 31 ? 32 + bits(6) : type
    }

    /// 0 for an invalid rate.
    mutating func rate() -> UInt32 {
        let index = Int(bits(4))
        if index == 15 { return bits(24) }
        return index < AACConfiguration.rates.count ? AACConfiguration.rates[index] : 0
    }

    /// Reads the description of the channels of a program, and returns their number.
    mutating func channelsOfProgram() -> UInt32 {
        // Its number, the object type and the rate.
        _ = bits(10)
        let (front, side, back, effects) = (bits(4), bits(4), bits(4), bits(2))
        let (associated, coupled) = (bits(3), bits(4))
        // Mixes of all channels to one and to two, and the weights of the others in them.
        if bits(1) == 1 { _ = bits(4) }
        if bits(1) == 1 { _ = bits(4) }
        if bits(1) == 1 { _ = bits(3) }
        var channels = effects
        for _ in 0..<front + side + back {
            channels += 1 + bits(1)
            _ = bits(4)
        }
        for _ in 0..<effects + associated { _ = bits(4) }
        for _ in 0..<coupled { _ = bits(5) }
        position = (position + 7) / 8 * 8
        for _ in 0..<bits(8) { _ = bits(8) }
        return channels
    }
}
