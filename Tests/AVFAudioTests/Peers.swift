import Foundation
import Testing

/// A folder where the sessions of a test's processes meet.
final class Meeting {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audiosession-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func peer(_ program: String, _ arguments: String...) throws -> Peer {
        var environment = ProcessInfo.processInfo.environment
        environment["AUDIOSESSION_RUNTIME_DIR"] = folder.path
        environment["AUDIOSESSION_HARDWARE"] = "simulated"
        return try Peer(program, arguments, environment)
    }
}

/// A process that is spoken to by lines.
final class Peer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
        process.executableURL = try #require(Peer.folder).appendingPathComponent(program)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { process.terminate() }

    /// Where the tests were built, the other programs were.
    private static var folder: URL? {
        let test = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: test).deletingLastPathComponent()
    }

    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    func say(_ word: String) { input.fileHandleForWriting.write(Data("\(word)\n".utf8)) }

    /// The next line; nil when the process has ended.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            unread += more
        }
    }

    /// Everything, to the end.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        if process.terminationStatus != 0 { lines.append("ended with \(process.terminationStatus)") }
        return lines
    }
}
