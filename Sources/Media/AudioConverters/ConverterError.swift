// SPDX-License-Identifier: Apache-2.0
/// A converter cannot be made, or refuses an operation: the values of `kAudioConverterErr_…`.
public enum ConverterError: Error, Equatable, Sendable {
    case formatNotSupported
    case operationNotSupported
    case propertyNotSupported
    case invalidInputSize
    case invalidOutputSize
    case unspecified
    case badPropertySize
    case requiresPacketDescriptions
    case inputSampleRateOutOfRange
    case outputSampleRateOutOfRange
    /// A value is missing or has no meaning: `kAudio_ParamError`.
    case parameter
    case outOfMemory
    /// The input procedure of the program returned this.
    case program(Int32)

    /// The result code of the C interface.
    public var status: Int32 {
        switch self {
        case .formatNotSupported: 0x666D_743F
        case .operationNotSupported: 0x6F70_3F3F
        case .propertyNotSupported: 0x7072_6F70
        case .invalidInputSize: 0x696E_737A
        case .invalidOutputSize: 0x6F74_737A
        case .unspecified: 0x7768_6174
        case .badPropertySize: 0x2173_697A
        case .requiresPacketDescriptions: 0x2170_6B64
        case .inputSampleRateOutOfRange: 0x2169_7372
        case .outputSampleRateOutOfRange: 0x216F_7372
        case .parameter: -50
        case .outOfMemory: -108
        case .program(let status): status
        }
    }
}
