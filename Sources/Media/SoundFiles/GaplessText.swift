// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The text `iTunSMPB`, by which iTunes states the frames before, in and after the sound of an MPEG-4 file: numbers of hexadecimal
/// digits. The second is the priming, the third the remainder, the fourth the frames of the sound.
struct GaplessText: Equatable {
    private static let largestText: UInt64 = 4_096

    let priming: UInt32
    let remainder: UInt32
    let valid: UInt64

    /// Nil for a text without these numbers.
    init?(_ text: [UInt8]) {
        let numbers = text.split { $0 == 0x20 || $0 == 0 }.prefix(4).map { GaplessText.number($0) }
        guard numbers.count == 4, let priming = numbers[1].flatMap({ UInt32(exactly: $0) }),
            let remainder = numbers[2].flatMap({ UInt32(exactly: $0) }), let valid = numbers[3], valid > 0
        else { return nil }
        (self.priming, self.remainder, self.valid) = (priming, remainder, valid)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard 1...16 ~= digits.count else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt64(digit - 0x30)
            case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt64((digit | 0x20) - 0x57)
            default: return nil
            }
        }
        return value
    }

    /// The numbers for packets that decode to `decoded` frames. Nil if the packets do not have the stated frames: the text belongs
    /// to another sound.
    ///
    /// The numbers of a sound with spectral band replication may count the frames without it.
    func frames(of decoded: UInt64) -> (priming: UInt32, remainder: UInt32, valid: UInt64)? {
        let (played, overflow) = valid.addingReportingOverflow(UInt64(priming))
        guard !overflow else { return nil }
        let (sum, sumOverflow) = played.addingReportingOverflow(UInt64(remainder))
        if !sumOverflow, decoded % 2 == 0, sum == decoded / 2, priming <= .max / 2, remainder <= .max / 2 {
            return (priming * 2, remainder * 2, valid * 2)
        }
        guard played <= decoded else { return nil }
        return (priming, UInt32(clamping: decoded - played), valid)
    }

    /// Looks for the text in the boxes up to `end`.
    static func find(_ reader: inout ByteReader, _ end: UInt64) throws(SoundFileError) -> GaplessText? {
        var found: GaplessText?
        var isNamed = false
        try forEachBox(&reader, end: end) { (reader, id, end) throws(SoundFileError) in
            guard found == nil else { return }
            switch id {
            case FourCC.code("meta"):
                reader.skip(4)
                found = try find(&reader, end)
            case FourCC.code("ilst"), FourCC.code("----"): found = try find(&reader, end)
            case FourCC.code("name"): isNamed = try content(&reader, end, skipping: 4).elementsEqual("iTunSMPB".utf8)
            // The value follows its name.
            case FourCC.code("data") where isNamed: found = GaplessText(try content(&reader, end, skipping: 8))
            default: break
            }
        }
        return found
    }

    private static func content(
        _ reader: inout ByteReader, _ end: UInt64, skipping: UInt64
    ) throws(SoundFileError) -> [UInt8] {
        reader.skip(skipping)
        return try reader.bytes(Int(min(end - min(reader.offset, end), largestText)))
    }
}
