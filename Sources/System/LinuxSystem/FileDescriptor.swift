// SPDX-License-Identifier: Apache-2.0
import CLinux

/// An open file. The file is closed when the value is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: Int32

    public init(owning number: Int32) { self.number = number }

    public init(opening path: String, how: Int, mode: UInt32 = 0o600) throws(SystemError) {
        number = try SystemError.check(linux_open(path, Int32(how), mode))
    }

    public init(opening path: FilePath, how: Int, mode: UInt32 = 0o600) throws(SystemError) {
        number = try SystemError.check(path.withCString { linux_open($0, Int32(how), mode) } ?? SystemError.noMemory.result)
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
