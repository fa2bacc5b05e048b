// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation

/// A program in a process group of its own, with its standard streams. Every wait has the same limit.
final class Program {
    /// Seconds. The only time limit of this suite.
    static let limit = 60.0

    /// How a program ended. A program that a signal ended has status -1.
    struct End {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The awaited event, and the output seen instead.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Stream: Int { case output, errors }

    let pid: pid_t
    private let words: [String]
    private let process: Int32
    private let input: Int32
    /// Standard output and standard error; -1 after its end.
    private var streams: [Int32]
    private var seen: [[UInt8]] = [[], []]
    /// How much of standard output earlier waits have consumed.
    private var consumed = 0
    private var status: Int32?

    init(_ words: [String], _ environment: [String: String]) throws {
        self.words = words
        var pairs: [[Int32]] = []
        for _ in 0..<3 { pairs.append(try Program.pair()) }
        pid = try Program.spawn(words, environment, pairs.map { $0[1] })
        for pair in pairs { close(pair[1]) }
        input = pairs[0][0]
        streams = [pairs[1][0], pairs[2][0]]
        process = linux_pidfd_open(pid)
        guard process >= 0 else { throw Failure(description: "pidfd_open failed: \(process)") }
    }

    deinit {
        kill(-pid, SIGKILL)
        if status == nil { reap() }
        for descriptor in streams + [input, process] where descriptor >= 0 { close(descriptor) }
    }

    func write(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw failure("could not write \"\(line)\"")
        }
    }

    /// Writes a line and waits for the answer "ok".
    func obey(_ line: String) throws {
        try write(line)
        try self.line(with: "ok")
    }

    /// Waits for a line of standard output that contains the text. Returns the lines before it and this line.
    @discardableResult
    func line(with text: String) throws -> [String] {
        var lines: [String] = []
        try wait(for: "a line with \"\(text)\"") {
            while let line = nextLine() {
                lines.append(line)
                if line.contains(text) { return true }
            }
            return false
        }
        return lines
    }

    /// Waits until standard error contains the text.
    func error(with text: String) throws {
        try wait(for: "\"\(text)\" on standard error") { self.text(.errors).contains(text) }
    }

    /// Waits for the end of the program and of everything that writes to its streams.
    func end() throws -> End {
        try wait(for: "its end") { streams == [-1, -1] && poll(process, 0) }
        reap()
        let code = status ?? 0
        return End(status: code & 0x7F == 0 ? code >> 8 & 0xFF : -1, output: text(.output), errors: text(.errors))
    }

    /// Closes the reading end of its standard output.
    func stopReading() {
        close(streams[Stream.output.rawValue])
        streams[Stream.output.rawValue] = -1
    }

    // MARK: Waiting

    private func wait(for event: String, until isDone: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: Program.limit)
        while true {
            // Before isDone: a process that has ended by now has written everything.
            let hasEnded = poll(process, 0)
            if isDone() { return }
            if streams == [-1, -1], hasEnded { throw failure("has ended; awaited: \(event)") }
            let left = deadline.timeIntervalSinceNow
            guard left > 0 else { throw failure("waited \(Int(Program.limit)) s in vain for \(event)") }
            var waiting = streams.filter { $0 >= 0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if !hasEnded { waiting.append(pollfd(fd: process, events: Int16(POLLIN), revents: 0)) }
            _ = Foundation.poll(&waiting, nfds_t(waiting.count), Int32(left * 1000) + 1)
            for stream in waiting where stream.revents != 0 && stream.fd != process { receive(stream.fd) }
        }
    }

    private func poll(_ descriptor: Int32, _ milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&waiting, 1, milliseconds) > 0
    }

    private func receive(_ descriptor: Int32) {
        guard let index = streams.firstIndex(of: descriptor) else { return }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        if count > 0 {
            seen[index] += bytes[0..<count]
        } else {
            close(descriptor)
            streams[index] = -1
        }
    }

    private func nextLine() -> String? {
        guard let end = seen[0][consumed...].firstIndex(of: 0x0A) else { return nil }
        defer { consumed = end + 1 }
        return String(decoding: seen[0][consumed..<end], as: UTF8.self)
    }

    private func text(_ stream: Stream) -> String { String(decoding: seen[stream.rawValue], as: UTF8.self) }

    private func failure(_ reason: String) -> Failure {
        Failure(
            description: """
                \(words.joined(separator: " ")): \(reason)
                standard output: \(text(.output))
                standard error: \(text(.errors))
                """)
    }

    // MARK: Processes

    private static func pair() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "socketpair failed: \(String(cString: strerror(errno)))")
        }
        return ends
    }

    private static func spawn(_ words: [String], _ environment: [String: String], _ ends: [Int32]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in ends.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program has its own process group, so that its children end with it, and default signals: other tests of
        // this process ignore and block some meanwhile.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(error)))") }
        return pid
    }

    private func reap() {
        var code: Int32 = 0
        while waitpid(pid, &code, 0) < 0, errno == EINTR {}
        status = code
    }
}
