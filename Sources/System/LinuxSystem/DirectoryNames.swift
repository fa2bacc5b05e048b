// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The names in a directory, without "." and "..".
public struct DirectoryNames: ~Copyable {
    private let directory: UnsafeMutableRawPointer

    public init(_ path: String) throws(SystemError) {
        var error: Int32 = 0
        guard let opened = linux_directory_open(path, &error) else { throw SystemError(result: error) }
        directory = opened
    }

    deinit { linux_directory_close(directory) }

    public mutating func next() -> String? { linux_directory_next(directory).map { String(cString: $0) } }
}
