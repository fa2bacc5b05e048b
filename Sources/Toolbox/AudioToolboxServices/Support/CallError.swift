// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import AudioQueues
import AudioUnits
import CAudioToolbox
import CLinux
import LinuxSystem

/// An error of a call of the program, with what the log says about it.
protocol CallError: StatusError {
    /// The likely mistake, for the log.
    var mistake: String? { get }
    /// The system error that caused this error. The program reads it from errno.
    var systemError: SystemError? { get }
    /// The tables with the names of its results.
    static var results: [ConstantTable] { get }
}

extension CallError { var systemError: SystemError? { nil } }

extension ConverterError: CallError {
    var mistake: String? { "\(text)" }
    static var results: [ConstantTable] { [.converterResults] }
}
extension FormatError: CallError {
    var mistake: String? { nil }
    static var results: [ConstantTable] { [.formatResults] }
}
extension AudioFileError: CallError {
    var mistake: String? { systemError?.text ?? "\(text)" }
    static var results: [ConstantTable] { [.fileResults] }
}
extension ExtendedFileError: CallError {
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
extension QueueStatus: CallError {
    public var status: OSStatus { code }
    var mistake: String? { queueMistake }
    static var results: [ConstantTable] { [.queueResults, .formatResults] }
}
extension UnitError: CallError {
    public var status: OSStatus { rawValue }
    var mistake: String? { nil }
    static var results: [ConstantTable] { [] }
}

/// Runs a call of a program, logs it, and returns its result code. A quiet call moves sound: it is logged only if it fails.
/// `hint` is the likely mistake in a call that succeeds, and `mistake` a better text than that of the error.
@inline(__always)
func answer<Failure: CallError>(
    _ function: StaticString, _ arguments: @autoclosure () -> String = "", isQuiet: Bool = false, hint: String? = nil,
    mistake better: @autoclosure () -> String? = nil, _ body: () throws(Failure) -> Void
) -> OSStatus {
    do throws(Failure) {
        try body()
        if !isQuiet { ToolboxLog.call(function, arguments, 0, hint) }
        return 0
    } catch {
        let (status, mistake) = (error.status, Log.isEnabled ? better() ?? error.mistake : nil)
        ToolboxLog.call(function, arguments, status, mistake, in: Failure.results)
        if let system = error.systemError { linux_set_last_error(system.number) }
        return status
    }
}

/// Names the arguments that are NULL, for the log; nil if there is none.
func nullArguments(_ arguments: (name: StaticString, isNull: Bool)...) -> String? {
    var names = ""
    var count = 0
    for argument in arguments where argument.isNull {
        names += (count > 0 ? " and " : "") + "\(argument.name)"
        count += 1
    }
    return count == 0 ? nil : names + (count > 1 ? " are NULL" : " is NULL")
}
