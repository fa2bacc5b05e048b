// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

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
        case .formatNotSupported: FourCC.status("fmt?")
        case .operationNotSupported: FourCC.status("op??")
        case .propertyNotSupported: FourCC.status("prop")
        case .invalidInputSize: FourCC.status("insz")
        case .invalidOutputSize: FourCC.status("otsz")
        case .unspecified: FourCC.status("what")
        case .badPropertySize: FourCC.status("!siz")
        case .requiresPacketDescriptions: FourCC.status("!pkd")
        case .inputSampleRateOutOfRange: FourCC.status("!isr")
        case .outputSampleRateOutOfRange: FourCC.status("!osr")
        case .parameter: -50
        case .outOfMemory: -108
        case .program(let status): status
        }
    }
}
