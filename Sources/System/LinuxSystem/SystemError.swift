// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The failure of a call to the system or to libasound: a positive errno value.
public struct SystemError: Error, Equatable, Sendable {
    public let number: Int32

    public init(_ number: Int32) { self.number = number }

    /// The error of a negative result, which is a negative errno value.
    public init(result: Int32) { number = 0 &- result }

    /// The value that a C function returns for the error.
    public var result: Int32 { 0 &- number }

    public var text: String { String(cString: linux_error_text(number)) }

    /// Throws the error of a negative result.
    @discardableResult
    public static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(result: result) }
        return result
    }

    /// Throws the error of a negative result, of a call that returns a number of bytes or frames.
    @discardableResult
    public static func check(_ result: Int) throws(SystemError) -> Int {
        try check(Int32(clamping: min(result, 0)))
        return result
    }
}

extension SystemError {
    public static let notPermitted = SystemError(1)  // EPERM
    public static let notFound = SystemError(2)  // ENOENT
    public static let failed = SystemError(5)  // EIO
    /// A FIFO without a reader, or a device of libasound without a plug-in.
    public static let noDeviceOrAddress = SystemError(6)  // ENXIO
    public static let tryAgain = SystemError(11)  // EAGAIN
    public static let noMemory = SystemError(12)  // ENOMEM
    public static let noAccess = SystemError(13)  // EACCES
    public static let busy = SystemError(16)  // EBUSY
    public static let exists = SystemError(17)  // EEXIST
    public static let noDevice = SystemError(19)  // ENODEV
    public static let isDirectory = SystemError(21)  // EISDIR
    public static let invalid = SystemError(22)  // EINVAL
    public static let tooManyFilesInAll = SystemError(23)  // ENFILE
    public static let tooManyFiles = SystemError(24)  // EMFILE
    public static let tooLarge = SystemError(27)  // EFBIG
    public static let noSpace = SystemError(28)  // ENOSPC
    public static let readOnly = SystemError(30)  // EROFS
    /// An underrun or an overrun.
    public static let late = SystemError(32)  // EPIPE
    public static let loop = SystemError(40)  // ELOOP
    public static let badState = SystemError(77)  // EBADFD
    /// The machine was asleep.
    public static let suspended = SystemError(86)  // ESTRPIPE
    public static let timedOut = SystemError(110)  // ETIMEDOUT
}
