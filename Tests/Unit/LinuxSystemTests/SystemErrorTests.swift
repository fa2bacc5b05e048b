// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxSystem
import Testing

@Suite("An error of the system")
struct SystemErrorTests {
    private static let numbers: [(error: SystemError, number: Int32)] = [
        (.notPermitted, EPERM), (.notFound, ENOENT), (.failed, EIO), (.noDeviceOrAddress, ENXIO), (.tryAgain, EAGAIN),
        (.noMemory, ENOMEM), (.noAccess, EACCES), (.busy, EBUSY), (.exists, EEXIST), (.noDevice, ENODEV),
        (.isDirectory, EISDIR), (.invalid, EINVAL), (.tooManyFilesInAll, ENFILE), (.tooManyFiles, EMFILE), (.tooLarge, EFBIG),
        (.noSpace, ENOSPC), (.readOnly, EROFS), (.late, EPIPE), (.loop, ELOOP), (.badState, EBADFD),
        (.suspended, ESTRPIPE), (.timedOut, ETIMEDOUT),
    ]

    @Test("Each error has the number and the text of the system", arguments: numbers.indices)
    func number(row: Int) {
        let (error, number) = SystemErrorTests.numbers[row]
        #expect(error.number == number && error.result == -number && error.status == -number)
        #expect(SystemError(result: -number) == error)
        #expect(error.text == String(cString: strerror(number)))
    }

    @Test("A result below 0 is thrown, and any other returned", arguments: [0, 1, 7, Int(Int32.max)])
    func results(result: Int) throws {
        #expect(try SystemError.check(Int32(result)) == Int32(result) && SystemError.check(result) == result)
        guard result > 0 else { return }
        #expect(throws: SystemError(Int32(result))) { try SystemError.check(Int32(-result)) }
        #expect(throws: SystemError(Int32(result))) { try SystemError.check(-result) }
    }

    @Test("A number of bytes may be larger than a number of an error")
    func bytes() throws { #expect(try SystemError.check(1 << 40) == 1 << 40) }
}
