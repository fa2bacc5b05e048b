// SPDX-License-Identifier: Apache-2.0
public import AudioConverters

/// The error of reading or writing a file through a converter: the values of `kExtAudioFileError_…`, and the errors of the file
/// and of the converter.
public enum ExtendedFileError: Error, Equatable, Sendable {
    case invalidProperty
    case invalidPropertySize
    case nonPCMClientFormat
    case invalidChannelMap
    case invalidOperationOrder
    case invalidDataFormat
    case maxPacketSizeUnknown
    case invalidSeek
    case asyncWriteTooLarge
    case asyncWriteBufferOverflow
    case parameter
    case file(AudioFileError)
    case converter(ConverterError)

    /// The result code of the C interface.
    public var status: Int32 {
        switch self {
        case .invalidProperty: -66561
        case .invalidPropertySize: -66562
        case .nonPCMClientFormat: -66563
        case .invalidChannelMap: -66564
        case .invalidOperationOrder: -66565
        case .invalidDataFormat: -66566
        case .maxPacketSizeUnknown: -66567
        case .invalidSeek: -66568
        case .asyncWriteTooLarge: -66569
        case .asyncWriteBufferOverflow: -66570
        case .parameter: -50
        case .file(let error): error.status
        case .converter(let error): error.status
        }
    }
}

func inFile<Result>(_ body: () throws(AudioFileError) -> Result) throws(ExtendedFileError) -> Result {
    do throws(AudioFileError) { return try body() } catch { throw .file(error) }
}

func inConverter<Result>(_ body: () throws(ConverterError) -> Result) throws(ExtendedFileError) -> Result {
    do throws(ConverterError) { return try body() } catch { throw .converter(error) }
}
