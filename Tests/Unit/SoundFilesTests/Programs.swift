// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Programs of others that read and write sound files.
enum Program {
    static let sox = path("sox")
    static let ffmpeg = path("ffmpeg")
    static let ffprobe = path("ffprobe")

    private static func path(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program, and returns what it writes into the file that its last argument names.
    static func output(_ program: String?, _ input: [UInt8], _ name: String, _ arguments: (String) -> [String], _ result: String)
        throws
        -> [UInt8]
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "SoundFilesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: name)
        let target = folder.appending(path: result)
        try Data(input).write(to: source)
        let process = Process()
        process.executableURL = URL(filePath: program ?? "/nonexistent")
        process.arguments = arguments(source.path) + [target.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Array(try Data(contentsOf: target))
    }
}
