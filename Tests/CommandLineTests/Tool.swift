import Foundation
import Testing

/// The tool in a process of its own, and a folder for what it leaves behind.
final class Tool {
    let folder: String

    /// What it came to.
    struct End {
        let status: Int32
        let output: String
        let errors: String
    }

    static let path = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("audiosessionctl").path

    /// A prelude: also none that counts what is executed.
    static let noFileMayGrow = "trap '' XFSZ; ulimit -f 0; export LLVM_PROFILE_FILE=/dev/null"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tool.\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Sessions meet where it is told, on a simulated machine; with `prelude` a shell does something first.
    func run(_ line: String, meetingIn place: String, prelude: String = "", simulation: String? = nil) throws -> End {
        var environment = ProcessInfo.processInfo.environment
        for name in ["AUDIOSESSION_DEBUG", "AUDIOSESSION_SIMULATION"] { environment[name] = nil }
        environment["AUDIOSESSION_RUNTIME_DIR"] = place
        environment["AUDIOSESSION_HARDWARE"] = "simulated"
        environment["LD_LIBRARY_PATH"] = try Tool.runtime()
        if let simulation { environment["AUDIOSESSION_SIMULATION"] = simulation }
        // Not by Foundation's Process, whose wait may miss the end where tests run beside each other.
        var (output, errors) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &output) == 0 && socketpair(AF_UNIX, kind, 0, &errors) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
        let words = ["sh", "-c", "cd '\(folder)'\n\(prelude)\nexec '\(Tool.path)' \(line)"]
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        try #require(posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, &variables) == 0)
        close(output[1])
        close(errors[1])
        // It says less than a socket holds.
        let said = [output[0], errors[0]].map { String(decoding: everything(from: $0), as: UTF8.self) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // Who was ended by a signal has no status of its own.
        return End(status: status & 0x7F == 0 ? status >> 8 & 0xFF : -1, output: said[0], errors: said[1])
    }

    private func everything(from end: Int32) -> Data {
        FileHandle(fileDescriptor: end, closeOnDealloc: true).readDataToEndOfFile()
    }

    /// The folder of Swift's libraries that this process runs with; the tool, which ships without them, knows of none.
    private static func runtime() throws -> String? {
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
        let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
        guard let line, let start = line.firstIndex(of: "/") else { return nil }
        return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent().path
    }
}
