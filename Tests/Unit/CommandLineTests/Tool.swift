// SPDX-License-Identifier: Apache-2.0
import ALSAHardware
import Foundation
import Testing

/// Processes of the tool, and a folder for their files.
final class Tool {
    let folder: String
    /// The configuration of ALSA without what this machine and its user add to it.
    let configuration: String
    private let environment: [String: String]

    static let path = sibling("audiosessionctl")

    /// A prelude: no file may grow, and no execution counts are written.
    static let noFileMayGrow = "trap '' XFSZ; ulimit -f 0; export LLVM_PROFILE_FILE=/dev/null"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tool.\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        configuration = folder + ".conf"
        try Tool.configurationAlone().write(toFile: configuration, atomically: false, encoding: .utf8)
        var environment = ProcessInfo.processInfo.environment
        for name in ["AUDIOSESSION_DEBUG", "AUDIOSESSION_SIMULATION"] { environment[name] = nil }
        environment["ALSA_CONFIG_PATH"] = configuration
        environment["AUDIOSESSION_HARDWARE"] = "simulated"
        environment["AUDIOSESSION_RUNTIME_DIR"] = folder + "/run"
        environment["LD_LIBRARY_PATH"] = try Tool.runtime()
        self.environment = environment
    }

    deinit { for path in [folder, configuration] { try? FileManager.default.removeItem(atPath: path) } }

    /// The system's file without its first hook, which loads the files of the machine and of the user.
    private static func configurationAlone() throws -> String {
        let system = try String(contentsOfFile: ALSAConfiguration.mainFile, encoding: .utf8)
        let start = try #require(system.range(of: "\n@hooks ["))
        let end = try #require(system.range(of: "\n]", range: start.upperBound..<system.endIndex))
        let text = String(system[..<start.lowerBound] + system[end.upperBound...])
        try #require(!text.contains("/etc/asound.conf"))
        return text
    }

    /// Starts the tool on a simulated machine; a shell executes `prelude` first.
    func start(_ line: String, prelude: String = "", setting variables: [String: String] = [:]) throws -> Program {
        try Program(
            ["/bin/sh", "-c", "cd '\(folder)'\n\(prelude)\nexec '\(Tool.path)' \(line)"],
            environment.merging(variables) { $1 })
    }

    func run(_ line: String, prelude: String = "", setting variables: [String: String] = [:]) throws -> Program.End {
        try start(line, prelude: prelude, setting: variables).end()
    }

    func run(_ line: String, meetingIn place: String, prelude: String = "") throws -> Program.End {
        try run(line, prelude: prelude, setting: ["AUDIOSESSION_RUNTIME_DIR": place])
    }

    /// Another process with a session; it obeys the lines of its standard input.
    func peer() throws -> Program {
        let peer = try Program([Tool.sibling("RegistryPeer")], environment)
        try peer.line(with: "ready")
        return peer
    }

    /// A program in C that has sessions, units and queues. It answers each line of its standard input.
    func idlePeer() throws -> Program {
        let peer = try Program([Tool.sibling("IdlePeer")], environment)
        try peer.line(with: "ready")
        return peer
    }

    private static func sibling(_ name: String) -> String {
        URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The folder of Swift's libraries that this process runs with.
    private static func runtime() throws -> String? {
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
        let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
        guard let line, let start = line.firstIndex(of: "/") else { return nil }
        return URL(fileURLWithPath: String(line[start...])).deletingLastPathComponent().path
    }
}
