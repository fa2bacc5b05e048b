import Foundation

/// The tool in a process of its own, and a folder for what it leaves behind.
final class Tool {
    let folder: String

    /// What it came to.
    struct End {
        let status: Int32
        let output: String
        let errors: String
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tool.\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Sessions meet where it is told, on a simulated machine; with `prelude` a shell does something first.
    func run(_ line: String, meetingIn place: String, prelude: String = "", simulation: String? = nil) throws -> End {
        let executable = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("audiosessionctl").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(prelude)\nexec '\(executable)' \(line)"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var environment = ProcessInfo.processInfo.environment
        for name in ["AUDIOSESSION_DEBUG", "AUDIOSESSION_SIMULATION"] { environment[name] = nil }
        environment["AUDIOSESSION_RUNTIME_DIR"] = place
        environment["AUDIOSESSION_HARDWARE"] = "simulated"
        environment["LD_LIBRARY_PATH"] = try Tool.runtime()
        if let simulation { environment["AUDIOSESSION_SIMULATION"] = simulation }
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // It says less than a pipe holds.
        let said = try [output, errors].map {
            String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        process.waitUntilExit()
        return End(status: process.terminationStatus, output: said[0], errors: said[1])
    }

    /// The folder of Swift's libraries that this process runs with; the tool, which ships without them, knows of none.
    private static func runtime() throws -> String? {
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
        let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
        guard let line, let start = line.firstIndex(of: "/") else { return nil }
        return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent().path
    }
}
