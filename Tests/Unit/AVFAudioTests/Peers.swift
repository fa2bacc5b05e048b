// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A runtime directory for the processes of one test.
final class PeerDirectory {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audiosession-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func peer(_ program: String, _ arguments: String...) throws -> Peer { try peer(program, arguments, [:]) }

    /// A program with further variables of the environment.
    func peer(
        _ program: String, _ arguments: [String], _ variables: [String: String], log: FileHandle = .standardError
    ) throws -> Peer {
        var environment = ProcessInfo.processInfo.environment
        environment["AUDIOSESSION_RUNTIME_DIR"] = folder.path
        environment["AUDIOSESSION_HARDWARE"] = "simulated"
        environment.merge(variables) { $1 }
        return try Peer(program, arguments, environment, log)
    }
}

/// A process that reads commands and writes results line by line.
final class Peer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let name: String
    private let ended = DispatchSemaphore(value: 0)
    private var unread = Data()
    private var linesRead: [String] = []

    /// No test waits longer than this for one line.
    private static let timeLimitInSeconds: Int32 = 60

    init(_ program: String, _ arguments: [String], _ environment: [String: String], _ log: FileHandle) throws {
        name = ([program] + arguments).joined(separator: " ")
        process.executableURL = try #require(Peer.folder).appendingPathComponent(program)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = log
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    /// The end of its input ends the process. Only a process that ends by itself writes the counts of a build for coverage.
    deinit {
        try? input.fileHandleForWriting.close()
        guard ended.wait(timeout: .now() + .seconds(10)) == .timedOut else { return }
        process.terminate()
    }

    /// The folder of the tests' binaries.
    private static var folder: URL? {
        let test = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: test).deletingLastPathComponent()
    }

    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    /// The process executes nothing for this time, as on a machine that stands still.
    func standStill(milliseconds: Int) {
        _ = Foundation.kill(process.processIdentifier, SIGSTOP)
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
        _ = Foundation.kill(process.processIdentifier, SIGCONT)
    }

    /// A process that has ended reads nothing, and prints no next line.
    func say(_ word: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8)) }

    /// The next line; nil when the process has ended, or prints nothing until the time limit.
    func line(sourceLocation: SourceLocation = #_sourceLocation) -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                linesRead.append(line)
                return line
            }
            guard isReadable(sourceLocation: sourceLocation) else { return nil }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            unread += more
        }
    }

    private func isReadable(sourceLocation: SourceLocation) -> Bool {
        var waiting = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        var result: Int32
        repeat { result = poll(&waiting, 1, Peer.timeLimitInSeconds * 1_000) } while result < 0 && errno == EINTR
        if result > 0 { return true }
        Issue.record(
            "awaited a line of \"\(name)\": none came in \(Peer.timeLimitInSeconds) s. It has printed \(linesRead)",
            sourceLocation: sourceLocation)
        kill()
        return false
    }

    /// All lines until the process ends.
    func lines(sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
        var lines: [String] = []
        while let line = line(sourceLocation: sourceLocation) { lines.append(line) }
        process.waitUntilExit()
        if process.terminationStatus != 0 { lines.append("ended with \(process.terminationStatus)") }
        return lines
    }
}
