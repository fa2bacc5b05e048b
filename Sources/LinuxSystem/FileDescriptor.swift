// SPDX-License-Identifier: Apache-2.0
import CLinux

/// A positive errno value.
public struct SystemError: Error, Equatable, Sendable {
    public let number: Int32

    public init(_ number: Int32) { self.number = number }

    public var text: String { String(cString: linux_error_text(number)) }

    /// Turns the -errno of a call into an error.
    @discardableResult
    public static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(0 &- result) }
        return result
    }

    /// The same for a call that returns a number of bytes.
    @discardableResult
    public static func check(_ result: Int) throws(SystemError) -> Int {
        try check(Int32(clamping: min(result, 0)))
        return result
    }

    public static let notFound = SystemError(2)
    public static let noMemory = SystemError(12)
    public static let tooManyFilesInAll = SystemError(23)
    public static let tooManyFiles = SystemError(24)
    public static let tryAgain = SystemError(11)
    public static let noReader = SystemError(6)
    public static let noAccess = SystemError(13)
    public static let busy = SystemError(16)
    public static let exists = SystemError(17)
    public static let tooLarge = SystemError(27)
    public static let noSpace = SystemError(28)
}

/// An open file. It is closed with its owner.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: Int32

    public init(owning number: Int32) { self.number = number }

    public init(opening path: String, how: Int, mode: UInt32 = 0o600) throws(SystemError) {
        number = try SystemError.check(linux_open(path, Int32(how), mode))
    }

    deinit { _ = linux_close(number) }

    /// False while another process holds the lock of the file.
    public borrowing func tryLock() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try SystemError.check(linux_try_lock(number))
            return true
        } catch {
            if error == .tryAgain { return false }
            throw error
        }
    }
}
