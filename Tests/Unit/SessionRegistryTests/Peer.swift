// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import LinuxSystem

@testable import SessionRegistry

/// The longest wait of these tests for any event.
let waitLimit: Double = 60

/// An event that did not come: what the test awaited, and what came instead.
struct Missing: Error, CustomStringConvertible {
    let awaited: String
    let seen: String
    var description: String { "awaited \(awaited) for \(Int(waitLimit)) s; seen: \(seen)" }
}

/// Waits for a descriptor.
func isReadable(_ descriptor: Int32, within seconds: Double) -> Bool {
    linux_poll(descriptor, UInt32(LINUX_READABLE), Int32(max(0, seconds) * 1000)) > 0
}

/// Another process with a session, and the folder that they share.
final class Peer {
    let pid: pid_t
    /// Its standard input and output.
    private let line: Int32
    private var pending: [UInt8] = []
    private var isReaped = false
    /// The last lines that were read, for messages.
    private var lastLines: [String] = []

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    convenience init(in folder: String, through launcher: [String] = []) throws {
        try self.init(["AUDIOSESSION_RUNTIME_DIR": folder], through: launcher)
    }

    /// With these variables alone to name the folder of the table.
    init(_ variables: [String: String], through launcher: [String] = []) throws {
        let executable = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("RegistryPeer").path
        var environment = ProcessInfo.processInfo.environment
        for name in ["AUDIOSESSION_RUNTIME_DIR", "XDG_RUNTIME_DIR"] { environment[name] = nil }
        environment.merge(variables) { $1 }
        (pid, line) = try Peer.spawn(launcher + [executable], environment)
        try expect("ready")
    }

    /// A peer ends at the end of its input, so that it writes its coverage. One that does not is killed.
    deinit {
        kill(pid, SIGCONT)
        shutdown(line, Int32(SHUT_WR))
        var waiting = pollfd(fd: line, events: 0, revents: 0)
        if !isReaped { poll(&waiting, 1, 5_000) }
        die()
        close(line)
    }

    /// Returns the process, and a socket to its standard input and output.
    private static func spawn(_ words: [String], _ environment: [String: String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failed(description: "no socket pair: \(String(cString: strerror(errno)))")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var pid: pid_t = 0
        let error = posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables)
        for text in arguments + variables { free(text) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        guard error == 0 else { throw Failed(description: "\(words[0]): \(String(cString: strerror(error)))") }
        return (pid, ends[0])
    }

    var isRunning: Bool { !isReaped && kill(pid, 0) == 0 }

    /// Waits until the process has ended. Its pidfd becomes readable then.
    func waitUntilExit() throws {
        guard !isReaped else { return }
        let process = FileDescriptor(owning: linux_pidfd_open(pid))
        guard isReadable(process.number, within: waitLimit) else {
            throw Missing(awaited: "the end of \(pid)", seen: "state \(try state()), last lines \(lastLines)")
        }
        reap()
    }

    private func reap() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }

    func die() {
        guard !isReaped else { return }
        kill(pid, SIGKILL)
        reap()
    }

    /// A line to a process that has ended is dropped.
    func send(_ words: String) {
        let bytes = Array((words + "\n").utf8)
        signal(SIGPIPE, SIG_IGN)
        _ = write(line, bytes, bytes.count)
    }

    /// The next line that it writes. `awaited` is for the message of a timeout.
    func nextLine(awaiting awaited: String = "a line") throws -> String {
        let deadline = Date(timeIntervalSinceNow: waitLimit)
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                defer { pending.removeSubrange(0...end) }
                let line = String(decoding: pending[0..<end], as: UTF8.self)
                lastLines = lastLines.suffix(9) + [line]
                return line
            }
            guard isReadable(line, within: deadline.timeIntervalSinceNow) else {
                throw Missing(awaited: "\(awaited) of \(pid)", seen: "its last lines were \(lastLines)")
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(line, &buffer, 4096)
            guard count > 0 else { throw Failed(description: "\(pid) ended, with the last lines \(lastLines)") }
            pending += buffer[0..<count]
        }
    }

    /// Reads lines up to this one, and returns the lines before it.
    @discardableResult
    func expect(_ wanted: String) throws -> [String] {
        var before: [String] = []
        while true {
            let line = try nextLine(awaiting: "\"\(wanted)\"")
            if line == wanted { return before }
            before.append(line)
        }
    }

    private static let answers: Set<String> = ["ok", "yes", "no"]
    private static let answerPrefixes = ["refused", "table", "wakes"]

    /// Sends it. Returns the answer, and the lines before the answer.
    func exchange(_ words: String) throws -> (events: [String], answer: String) {
        send(words)
        var events: [String] = []
        while true {
            let line = try nextLine(awaiting: "an answer to \"\(words)\"")
            let isAnswer = Peer.answers.contains(line) || Peer.answerPrefixes.contains { line.hasPrefix($0) }
            if isAnswer { return (events, line) }
            events.append(line)
        }
    }

    func ask(_ words: String) throws -> String { try exchange(words).answer }

    func enter(_ kind: String = "media", active: Bool = true) throws {
        _ = try ask("enter \(kind)")
        if active { _ = try ask("activate") }
    }

    /// Waits until a signal has stopped it. The kernel reports that to its parent.
    func waitUntilStopped() throws {
        let result = Result()
        Thread { [pid] in
            var status: Int32 = 0
            while waitpid(pid, &status, WUNTRACED) < 0, errno == EINTR {}
            result.status = status
            result.isThere.signal()
        }.start()
        guard result.isThere.wait(timeout: .now() + waitLimit) == .success else {
            throw Missing(awaited: "\(pid) to stop", seen: "state \(try state()), last lines \(lastLines)")
        }
        guard result.status & 0xFF == 0x7F else {
            isReaped = true
            throw Failed(description: "\(pid) ended instead of stopping, with status \(result.status)")
        }
    }

    private final class Result: @unchecked Sendable {
        let isThere = DispatchSemaphore(value: 0)
        var status: Int32 = 0
    }

    private func state() throws -> String {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return String(stat[stat.index(stat.lastIndex(of: ")") ?? stat.startIndex, offsetBy: 2)...].prefix(1))
    }
}

/// A private folder for one test. It is removed with the object.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("audiosession-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var table: String { path + "/" + Folder.tableName }
    static let tableName = "sessions.\(TableHeader.version)"
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }
    func fifos() throws -> [String] { try names().filter { $0.hasSuffix(".wakeup") || $0.hasSuffix(".alive") } }

    /// Looks again whenever an entry of the folder comes or goes, or whenever one is closed, until the condition holds.
    func waitUntil(_ awaited: String, watchingClose: Bool = false, _ holds: (Folder) throws -> Bool) throws {
        if try holds(self) { return }
        let changes = FileDescriptor(owning: try SystemError.check(linux_inotify_create()))
        let watch = watchingClose ? linux_inotify_watch_content : linux_inotify_watch
        try SystemError.check(watch(changes.number, path))
        let deadline = Date(timeIntervalSinceNow: waitLimit)
        while try !holds(self) {
            guard isReadable(changes.number, within: deadline.timeIntervalSinceNow) else {
                throw Missing(awaited: "\(awaited) in the folder", seen: "\(try names())")
            }
            _ = linux_inotify_drain(changes.number, nil)
        }
    }
}
