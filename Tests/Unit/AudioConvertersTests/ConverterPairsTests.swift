// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import MediaFormats
import MediaTestSupport
import TestSupport
import Testing

/// Samples, with the bytes of a quarter of full scale.
private enum LevelSample: CaseIterable {
    case int8, int16, int16Big, int24, int32Big, float32, float64Big

    func format() throws -> SampleFormat {
        switch self {
        case .int8: try .integer(8)
        case .int16: try .integer(16)
        case .int16Big: try .integer(16, byteOrder: .big)
        case .int24: try .integer(24)
        case .int32Big: try .integer(32, byteOrder: .big)
        case .float32: .float32(.little)
        case .float64Big: .float64(.big)
        }
    }

    var quarter: [UInt8] {
        switch self {
        case .int8: [0x20]
        case .int16: [0x00, 0x20]
        case .int16Big: [0x20, 0x00]
        case .int24: [0, 0, 0x20]
        case .int32Big: [0x20, 0, 0, 0]
        case .float32: [0, 0, 0x80, 0x3E]
        case .float64Big: [0x3F, 0xD0, 0, 0, 0, 0, 0, 0]
        }
    }

    /// The value of a sample, computed without the library.
    func value(_ bytes: ArraySlice<UInt8>) -> Double {
        let isBig = self == .int16Big || self == .int32Big || self == .float64Big
        let pattern = (isBig ? Array(bytes) : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch self {
        case .float32: return Double(Float(bitPattern: UInt32(pattern)))
        case .float64Big: return Double(bitPattern: pattern)
        default:
            let unused = UInt64(64 - 8 * bytes.count)
            return Double(Int64(bitPattern: pattern << unused)) / 0x1p63
        }
    }

    /// The distance of two values.
    var step: Double { self == .int8 ? 1.0 / 128 : 1.0 / 32_768 }
}

/// One value of each variable.
private struct ConverterCase: CustomStringConvertible {
    let (source, target): (LevelSample, LevelSample)
    let (sourceIsInterleaved, targetIsInterleaved): (Bool, Bool)
    let (channels, targetChannels): (Int, Int)
    let (rate, targetRate): (Double, Double)
    let quality: UInt32
    let method: UInt32
    /// The packets that are asked for, and given at once.
    let (asked, given): (Int, Int)

    static let all: [ConverterCase] = {
        let (channels, sizes) = ([(1, 1), (1, 2), (2, 1), (2, 2), (6, 2)], [1, 100, 5_000])
        let rates = [(48_000.0, 48_000.0), (44_100, 48_000), (48_000, 8_000), (8_000, 44_100), (11_025, 12_000)]
        let qualities: [UInt32] = [0, 0x20, 0x40, 0x60, 0x7F]
        return Pairs([7, 7, 2, 2, channels.count, rates.count, qualities.count, 3, sizes.count, sizes.count]).rows.map { row in
            ConverterCase(
                source: LevelSample.allCases[row[0]], target: LevelSample.allCases[row[1]], sourceIsInterleaved: row[2] == 0,
                targetIsInterleaved: row[3] == 0, channels: channels[row[4]].0, targetChannels: channels[row[4]].1,
                rate: rates[row[5]].0, targetRate: rates[row[5]].1, quality: qualities[row[6]], method: UInt32(row[7]),
                asked: sizes[row[8]], given: sizes[row[9]])
        }
    }()

    var description: String {
        "\(source) to \(target), interleaved \(sourceIsInterleaved) to \(targetIsInterleaved), \(channels) to \(targetChannels) channels, "
            + "\(rate) to \(targetRate) Hz, quality \(quality), method \(method), \(asked) asked, \(given) given"
    }
}

@Suite("A converter, for each pair of values of its variables")
struct ConverterPairsTests {
    @Test("keeps a level, and gives as many frames as the length of the input makes", arguments: ConverterCase.all)
    fileprivate func level(_ wanted: ConverterCase) throws {
        let source = try linear(
            wanted.source.format(), rate: wanted.rate, channels: wanted.channels, isInterleaved: wanted.sourceIsInterleaved)
        let target = try linear(
            wanted.target.format(), rate: wanted.targetRate, channels: wanted.targetChannels,
            isInterleaved: wanted.targetIsInterleaved)
        let converter = try Converter.make(from: source.streamDescription, to: target.streamDescription)
        if wanted.rate != wanted.targetRate {
            try converter.set(code("srcq"), wanted.quality)
            try converter.set(code("prmm"), wanted.method)
        }
        let frames = 5_000
        let quarters = (0..<frames * source.channelsPerBuffer).flatMap { _ in wanted.source.quarter }
        let sound = Stream([[UInt8]](repeating: quarters, count: source.bufferCount))
        let result = try convert(
            converter, sound, packetBytes: source.bytesPerFrame, to: target.bufferCount, packetBytes: target.bytesPerFrame,
            ask: { wanted.asked }, give: { min($0, wanted.given) })
        // With the prime method Pre, the first frames of the input are before the sound.
        let leading = wanted.method == 0 && wanted.rate != wanted.targetRate ? Int(try converter.number(code("prim"))) : 0
        let count = Int((Double(frames - leading) * wanted.targetRate / wanted.rate).rounded(.up))
        #expect(count > 0)
        let size = wanted.target.quarter.count
        for buffer in result.buffers {
            #expect(buffer.count == count * target.bytesPerFrame)
            // At both ends is the sound of the filter.
            let middle = buffer[(count / 2 * target.bytesPerFrame)..<(count * 5 / 8 * target.bytesPerFrame)]
            for start in stride(from: middle.startIndex, to: middle.endIndex - size + 1, by: size) {
                let value = wanted.target.value(buffer[start..<start + size])
                try #require(abs(value - 0.25) <= wanted.target.step, "byte \(start) of \(buffer.count)")
            }
        }
    }
}
