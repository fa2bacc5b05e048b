// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import CLinux
import LinuxSystem

/// Records events until a signal ends the tool, then writes the trace and the picture. The files are opened first,
/// so that an unusable name fails before the recording.
func recordTrace(to file: String, picture: String?) -> Int32 {
    guard let trace = OutputFile(file) else { return ExitCode.failure }
    guard let picture else {
        guard let history = followEvents({ _, _ in true }) else { return ExitCode.failure }
        return trace.write(history.trace) ? ExitCode.success : ExitCode.failure
    }
    guard let drawing = OutputFile(picture), let history = followEvents({ _, _ in true }) else { return ExitCode.failure }
    let isWritten = trace.write(history.trace)
    return drawing.write(history.svg) && isWritten ? ExitCode.success : ExitCode.failure
}

/// An open file that keeps its content until it is written.
private struct OutputFile: ~Copyable {
    private let path: String
    private let file: FileDescriptor

    /// Nil after an error, which has been printed.
    init?(_ path: String) {
        self.path = path
        do throws(SystemError) { file = try FileDescriptor(opening: path.path, how: LINUX_WRITE | LINUX_CREATE) } catch {
            Output.error("\(path): \(error.text)")
            return nil
        }
    }

    consuming func write(_ text: String) -> Bool {
        // A pipe or a device cannot be truncated and need not be truncated.
        _ = linux_truncate(file.number, 0)
        do throws(SystemError) {
            try TextFile.write(text, to: file)
            return true
        } catch {
            Output.error("\(path): \(error.text)")
            return false
        }
    }
}
