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
        throws -> [UInt8]
    {
        try outputs(program, [(name, input)], [result]) { arguments($0[0]) + $1 }[0]
    }

    /// Has ffmpeg convert each input to one file: it takes longer to start than to convert. `options` are those of the inputs and of
    /// the results, by their numbers.
    static func converted(
        _ inputs: [(name: String, bytes: [UInt8])], _ result: String, from: (Int) -> [String] = { _ in [] }, to: [String]
    ) throws -> [[UInt8]] {
        try outputs(ffmpeg, inputs, inputs.indices.map { "\($0)-\(result)" }) { sources, targets in
            sources.enumerated().flatMap { from($0.offset) + ["-i", $0.element] }
                + targets.enumerated().flatMap { ["-map", "\($0.offset)"] + to + ["-y", $0.element] }
        }
    }

    /// Runs a program, and returns what it writes into files with the names of `results`. `arguments` gets the paths of the inputs
    /// and of the results.
    private static func outputs(
        _ program: String?, _ inputs: [(name: String, bytes: [UInt8])], _ results: [String],
        _ arguments: ([String], [String]) -> [String]
    ) throws -> [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "SoundFilesTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = inputs.indices.map { folder.appending(path: "in\($0)-\(inputs[$0].name)") }
        let targets = results.map { folder.appending(path: $0) }
        for (source, input) in zip(sources, inputs) { try Data(input.bytes).write(to: source) }
        let process = Process()
        process.executableURL = URL(filePath: program ?? "/nonexistent")
        process.arguments = arguments(sources.map { $0.path }, targets.map { $0.path })
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try targets.map { Array(try Data(contentsOf: $0)) }
    }
}
