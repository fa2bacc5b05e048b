import Foundation

@testable import SessionRegistry

/// Another process with a session, and the folder that they share.
final class Peer {
    let pid: pid_t
    /// Its standard input and output at once.
    private let line: Int32
    private var pending: [UInt8] = []
    private var isWaitedFor = false

    struct Silent: Error, CustomStringConvertible {
        let description: String
    }

    convenience init(in folder: String, through launcher: [String] = []) throws {
        try self.init(["AUDIOSESSION_RUNTIME_DIR": folder], through: launcher)
    }

    /// With nothing but these variables to tell where the table is.
    init(_ variables: [String: String], through launcher: [String] = []) throws {
        let executable = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("RegistryPeer").path
        var environment = ProcessInfo.processInfo.environment
        for name in ["AUDIOSESSION_RUNTIME_DIR", "XDG_RUNTIME_DIR"] { environment[name] = nil }
        environment.merge(variables) { $1 }
        (pid, line) = try Peer.spawn(launcher + [executable], environment)
        try expect("ready")
    }

    /// Who is not killed on purpose ends by itself, and leaves its counts behind where they are wanted.
    deinit {
        kill(pid, SIGCONT)
        shutdown(line, Int32(SHUT_WR))
        var waiting = pollfd(fd: line, events: 0, revents: 0)
        if !isWaitedFor { poll(&waiting, 1, 5_000) }
        die()
        close(line)
    }

    /// The process, and the line to it.
    private static func spawn(_ words: [String], _ environment: [String: String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Silent(description: "no line: \(String(cString: strerror(errno)))")
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
        guard error == 0 else { throw Silent(description: "\(words[0]): \(String(cString: strerror(error)))") }
        return (pid, ends[0])
    }

    var isRunning: Bool { !isWaitedFor && kill(pid, 0) == 0 }

    func waitUntilExit() {
        guard !isWaitedFor else { return }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isWaitedFor = true
    }

    func die() {
        guard !isWaitedFor else { return }
        kill(pid, SIGKILL)
        waitUntilExit()
    }

    /// To a dead one in vain.
    func say(_ words: String) {
        let bytes = Array((words + "\n").utf8)
        signal(SIGPIPE, SIG_IGN)
        _ = write(line, bytes, bytes.count)
    }

    /// The next line it says.
    func hear(within seconds: Double = 20) throws -> String {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                defer { pending.removeSubrange(0...end) }
                return String(decoding: pending[0..<end], as: UTF8.self)
            }
            var waiting = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else {
                throw Silent(description: "nothing heard of \(pid)")
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(line, &buffer, 4096)
            guard count > 0 else { throw Silent(description: "\(pid) has hung up") }
            pending += buffer[0..<count]
        }
    }

    /// Hears lines until this one.
    @discardableResult
    func expect(_ line: String, within seconds: Double = 20) throws -> [String] {
        var before: [String] = []
        while true {
            let heard = try hear(within: seconds)
            if heard == line { return before }
            before.append(heard)
        }
    }

    /// Says it, and returns the answer; what it says before that is not listened to.
    func ask(_ line: String, within seconds: Double = 20) throws -> String {
        say(line)
        while true {
            let heard = try hear(within: seconds)
            if heard == "ok" || heard.hasPrefix("refused") || heard.hasPrefix("table") || heard == "yes" || heard == "no" {
                return heard
            }
        }
    }

    func enter(_ kind: String = "media", active: Bool = true) throws {
        _ = try ask("enter \(kind)")
        if active { _ = try ask("activate") }
    }

    func waitUntilStopped() throws { try wait(for: "T") }
    func waitUntilAsleep() throws { try wait(for: "S") }

    /// Returns once the kernel says this of the process.
    private func wait(for wanted: String) throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        while try state() != wanted {
            guard deadline.timeIntervalSinceNow > 0 else { throw Silent(description: "\(pid) is never \(wanted)") }
            usleep(1000)
        }
    }

    private func state() throws -> String {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return String(stat[stat.index(stat.lastIndex(of: ")") ?? stat.startIndex, offsetBy: 2)...].prefix(1))
    }
}

/// A private folder for one test, gone with it.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("audiosession-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var table: String { path + "/" + Folder.tableName }
    static let tableName = "sessions.\(Header.version)"
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }
}
