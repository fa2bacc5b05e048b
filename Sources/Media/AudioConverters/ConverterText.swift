// SPDX-License-Identifier: Apache-2.0
public import MediaFormats

// Formats and errors in words, for the log.

extension StreamDescription {
    /// The format in one line, with the rule that it breaks if it is linear PCM that no converter takes.
    public var text: String {
        var text = "'\(fourCharacters(formatID))', \(channelsPerFrame) channels, \(number(sampleRate)) Hz"
        guard formatID == FormatID.linearPCM else { return text }
        text += ", \(bitsPerChannel) bits, flags \(formatFlags.rawValue)"
        do throws(PCMFormatError) { _ = try PCMFormat(self, defaultRate: 44_100) } catch { text += " (\(error.text))" }
        return text
    }

    private func number(_ rate: Double) -> String { Int(exactly: rate.rounded()).map { "\($0)" } ?? "?" }
}

/// The characters of a code; a question mark stands for each that cannot be printed.
public func fourCharacters(_ code: UInt32) -> String {
    var text = ""
    for index: UInt32 in 0..<4 {
        let byte = UInt8(truncatingIfNeeded: code >> (24 - 8 * index))
        text.unicodeScalars.append(0x20...0x7E ~= byte ? Unicode.Scalar(byte) : "?")
    }
    return text
}

extension ConverterError {
    public var text: StaticString {
        switch self {
        case .formatNotSupported: "a format is not supported, or its decoder is not installed"
        case .operationNotSupported: "the converter does not do this"
        case .propertyNotSupported: "the converter does not have this property"
        case .invalidInputSize: "the input is smaller than its packets"
        case .invalidOutputSize: "the output has no room"
        case .unspecified: "the codec failed"
        case .badPropertySize: "the size of a property is wrong"
        case .requiresPacketDescriptions: "packets of variable size need descriptions"
        case .inputSampleRateOutOfRange: "the input rate is not in 4000 to 192000 Hz, and another rate is wanted"
        case .outputSampleRateOutOfRange: "the output rate is not in 4000 to 192000 Hz, and another rate is there"
        case .parameter: "an argument is NULL or has no meaning"
        case .outOfMemory: "memory is exhausted"
        case .program: "the input procedure of the program returned an error"
        }
    }
}
