// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import SoundFiles

/// The error of opening, reading or writing a file: the values of `kAudioFile…Error`.
public enum AudioFileError: Error, Equatable, Sendable {
    case unspecified
    /// The system error that caused this error. The result code is the one of `unspecified`.
    case system(SystemError)
    case unsupportedFileType
    case unsupportedDataFormat
    case unsupportedProperty
    case badPropertySize
    case permissions
    case notOptimized
    case invalidChunk
    case tooLarge
    case invalidPacketOffset
    case invalidFile
    case operationNotSupported
    case notOpen
    case endOfFile
    case position
    case fileNotFound
    /// A value is missing or invalid: `kAudio_ParamError`.
    case parameter
    case outOfMemory
    /// The result of a procedure of the program.
    case program(Int32)

    /// The result code of the C interface.
    public var status: Int32 {
        switch self {
        case .unspecified, .system: FourCC.status("wht?")
        case .unsupportedFileType: FourCC.status("typ?")
        case .unsupportedDataFormat: FourCC.status("fmt?")
        case .unsupportedProperty: FourCC.status("pty?")
        case .badPropertySize: FourCC.status("!siz")
        case .permissions: FourCC.status("prm?")
        case .notOptimized: FourCC.status("optm")
        case .invalidChunk: FourCC.status("chk?")
        case .tooLarge: FourCC.status("off?")
        case .invalidPacketOffset: FourCC.status("pck?")
        case .invalidFile: FourCC.status("dta?")
        case .operationNotSupported: FourCC.status("op??")
        case .notOpen: -38
        case .endOfFile: -39
        case .position: -40
        case .fileNotFound: -43
        case .parameter: -50
        case .outOfMemory: -108
        case .program(let status): status
        }
    }

    public init(_ error: SoundFileError) {
        switch error {
        case .unsupportedType: self = .unsupportedFileType
        case .unsupportedFormat: self = .unsupportedDataFormat
        case .invalidFile: self = .invalidFile
        case .tooLarge: self = .tooLarge
        case .notLast: self = .notOptimized
        case .read(let code), .write(let code):
            // The storage of a file reports a system error by its number; callbacks report the program's result.
            self = code > 0 && code < 4_096 ? AudioFileError(SystemError(code)) : code == 0 ? .unspecified : .program(code)
        }
    }

    public init(_ error: SystemError) {
        switch error {
        case .notFound: self = .fileNotFound
        case .noAccess, .exists, .notPermitted, .readOnly: self = .permissions
        case .noMemory: self = .outOfMemory
        case .tooLarge: self = .tooLarge
        // The opened file is not a regular file, or the storage has no size.
        case .invalid: self = .unspecified
        default: self = .system(error)
        }
    }

    /// The system error that caused this error; nil if there is none.
    public var systemError: SystemError? {
        if case .system(let error) = self { error } else { nil }
    }
}

/// Calls `body` and translates its errors to errors of this module.
func containers<Result>(_ body: () throws(SoundFileError) -> Result) throws(AudioFileError) -> Result {
    do throws(SoundFileError) { return try body() } catch { throw AudioFileError(error) }
}
