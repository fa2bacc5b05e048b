// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
public import MediaFormats

// Formats and errors in words, for the log.

extension StreamDescription {
    /// The format in one line, with the rule that it breaks if it is linear PCM that no converter takes.
    public var text: String {
        var text = "\(FourCC.text(formatID, isHexadecimal: true)), \(channelsPerFrame) channels, \(number(sampleRate)) Hz"
        guard formatID == FormatID.linearPCM else { return text }
        text += ", \(bitsPerChannel) bits, flags \(formatFlags.rawValue)"
        do throws(PCMFormatError) { _ = try PCMFormat(self, defaultRate: 44_100) } catch { text += " (\(error.text))" }
        return text
    }

    private func number(_ rate: Double) -> String { Int(exactly: rate.rounded()).map { "\($0)" } ?? "?" }
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
