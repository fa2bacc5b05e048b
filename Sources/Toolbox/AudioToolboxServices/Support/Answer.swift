// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import AudioUnits
import CAudioToolbox
import CLinux
import LinuxSystem

/// An error that has a result code of the C interface.
protocol StatusError: Error {
    var status: OSStatus { get }
    /// The likely mistake, for the log.
    var mistake: String? { get }
    /// The system error that caused this error. The program reads it from errno.
    var systemError: SystemError? { get }
    /// The tables with the names of its results.
    static var results: [ConstantTable] { get }
}

extension StatusError { var systemError: SystemError? { nil } }

extension ConverterError: StatusError {
    var mistake: String? { "\(text)" }
    static var results: [ConstantTable] { [.converterResults] }
}
extension FormatError: StatusError {
    var mistake: String? { nil }
    static var results: [ConstantTable] { [.formatResults] }
}
extension AudioFileError: StatusError {
    var mistake: String? { systemError?.text ?? "\(text)" }
    static var results: [ConstantTable] { [.fileResults] }
}
extension ExtendedFileError: StatusError {
    var systemError: SystemError? {
        if case .file(let error) = self { error.systemError } else { nil }
    }

    var mistake: String? {
        switch self {
        case .file(let error): error.mistake
        case .converter(let error): error.mistake
        case .invalidProperty: "there is no such property, or it cannot be read or set"
        case .invalidPropertySize: "the size is not that of the type"
        case .nonPCMClientFormat: "the client format is linear PCM"
        case .invalidChannelMap: "the map does not fit the channels of file and client"
        case .invalidOperationOrder:
            "the file is open for the other direction, or the property is set after the first write or an asynchronous one"
        case .invalidDataFormat: "the format of the file has no converter"
        case .maxPacketSizeUnknown: "the size of the packets is not known"
        case .invalidSeek: "the position is outside of the file, or the file is written"
        case .asyncWriteTooLarge: "the frames do not fit the ring"
        case .asyncWriteBufferOverflow: "the disk is slower than the program writes"
        case .parameter: "an argument is NULL or has no meaning"
        }
    }
    static var results: [ConstantTable] { [.extendedFileResults, .fileResults, .converterResults] }
}
extension UnitError: StatusError {
    var status: OSStatus { rawValue }
    var mistake: String? { nil }
    static var results: [ConstantTable] { [] }
}

/// Runs a call of a program, logs it, and returns its result code.
@inline(__always)
func answer<Failure: StatusError>(
    _ function: StaticString, _ arguments: @autoclosure () -> String = "", _ body: () throws(Failure) -> Void
) -> OSStatus {
    do throws(Failure) {
        try body()
        ToolboxLog.call(function, arguments, 0, nil)
        return 0
    } catch {
        let (status, mistake) = (error.status, error.mistake)
        ToolboxLog.call(function, arguments, status, mistake, in: Failure.results)
        if let system = error.systemError { linux_set_last_error(system.number) }
        return status
    }
}

/// Runs a call that moves sound. Logs only an error.
@inline(__always)
func answerQuietly<Failure: StatusError>(_ function: StaticString, _ body: () throws(Failure) -> Void) -> OSStatus {
    do throws(Failure) {
        try body()
        return 0
    } catch {
        let (status, mistake) = (error.status, error.mistake)
        ToolboxLog.call(function, { "" }, status, mistake, in: Failure.results)
        if let system = error.systemError { linux_set_last_error(system.number) }
        return status
    }
}

/// Runs a call without a log.
@inline(__always)
func answer<Failure: StatusError>(_ body: () throws(Failure) -> Void) -> OSStatus {
    do throws(Failure) {
        try body()
        return 0
    } catch { return error.status }
}
