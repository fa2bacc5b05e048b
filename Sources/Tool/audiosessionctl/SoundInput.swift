// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// A sound file to read: the file that an argument names, or standard input for the argument "-".
struct SoundInput {
    /// For messages.
    let name: String
    let path: FilePath
    private let spool: Spool?
    private var failure: SoundError?

    /// Reads standard input to its end if it is a pipe.
    init(_ argument: String) {
        guard argument == "-" else {
            (name, path, spool) = (argument, argument.path, nil)
            return
        }
        name = "standard input"
        do throws(SystemError) {
            let spool = try Spool.ofStandardInput()
            self.spool = spool
            path = FilePath("/proc/self/fd/\(spool?.file.number ?? 0)")
        } catch {
            (path, spool) = (FilePath(""), nil)
            failure = SoundError(name, error.text)
        }
        if linux_is_terminal(0) { failure = SoundError(name, "this is a terminal; redirect it from a pipe or a file") }
    }

    func checkReadable() throws(SoundError) {
        if let failure { throw failure }
        var status = linux_file_status()
        do throws(SystemError) {
            // Without LINUX_NONBLOCK, opening a FIFO would wait for a writer.
            let file = try FileDescriptor(opening: path, how: LINUX_READ | LINUX_NONBLOCK)
            try SystemError.check(linux_status_of_descriptor(file.number, &status))
        } catch { throw SoundError(name, error.text) }
        guard status.is_regular else { throw SoundError(name, "this is no regular file") }
    }
}

/// A temporary file without a name, which ends with this object. Most types of sound files need a file in which the reader can seek.
private final class Spool {
    let file: FileDescriptor

    private init() throws(SystemError) {
        let folder = Environment.value("TMPDIR") ?? "/tmp"
        let path = "\(folder)/audiosessionctl.\(linux_process_id()).\(linux_monotonic_nanoseconds())"
        file = try FileDescriptor(opening: path, how: LINUX_READ_WRITE | LINUX_CREATE | LINUX_EXCLUSIVE)
        _ = linux_unlink(path)
    }

    /// Nil for a regular file or a terminal, which are not copied.
    static func ofStandardInput() throws(SystemError) -> Spool? {
        var status = linux_file_status()
        try SystemError.check(linux_status_of_descriptor(0, &status))
        guard !status.is_regular, !linux_is_terminal(0) else { return nil }
        let spool = try Spool()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try SystemError.check(bytes.withUnsafeMutableBytes { linux_read(0, $0.baseAddress, $0.count) })
            if count == 0 { return spool }
            try spool.write(bytes[..<count])
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try SystemError.check(rest.withUnsafeBytes { linux_write(file.number, $0.baseAddress, $0.count) }))
        }
    }
}
