// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

@Suite struct ProcessTests {
    @Test("The start time of a process is found whatever its name is", arguments: ["plain", "a) b (c", ") R 1 1 1"])
    func startTime(name: String) throws {
        let scratch = try Scratch()
        // A link: a copy that a child of another test still has open for writing cannot be executed.
        try FileManager.default.createSymbolicLink(atPath: scratch.file(name), withDestinationPath: "/bin/sleep")
        let first = try spawn("/bin/sleep")
        let second = try spawn(scratch.file(name))
        defer {
            for process in [first, second] {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
        }
        var before: UInt64 = 0
        var after: UInt64 = 0
        #expect(linux_process_start_time(first, &before) == 0)
        #expect(linux_process_start_time(second, &after) == 0)
        // In ticks of 10 ms; the two start one after the other.
        #expect(after >= before && after < before + 6000)
    }

    /// A process that sleeps, and keeps none of the tests' output open.
    private func spawn(_ path: String) throws -> pid_t {
        var process: pid_t = 0
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for file in 0...2 as ClosedRange<Int32> { posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0) }
        let arguments = [strdup(path), strdup("1000"), nil]
        defer { for argument in arguments { free(argument) } }
        try #require(posix_spawn(&process, path, &files, nil, arguments, nil) == 0)
        return process
    }

    @Test("A process that does not exist has no start time")
    func noProcess() {
        var ticks: UInt64 = 0
        #expect(linux_process_start_time(0x3FFF_FFFF, &ticks) == -ENOENT)
    }

    @Test("A thread keeps the name that its starter gave, also when the text is gone before the thread runs")
    func threadName() {
        for _ in 0..<200 {
            var found = [CChar](repeating: 0, count: 16)
            let text = UnsafeMutablePointer<CChar>.allocate(capacity: 8)
            text.initialize(repeating: 0x61, count: 8)
            text[7] = 0
            let thread = found.withUnsafeMutableBufferPointer { buffer in
                let thread = linux_thread_start(
                    {
                        let file = open("/proc/thread-self/comm", O_RDONLY)
                        _ = read(file, $0!, 15)
                        close(file)
                    }, buffer.baseAddress, text)
                text.update(repeating: 0x62, count: 7)
                linux_thread_join(thread)
                return thread
            }
            text.deallocate()
            #expect(thread != nil && found.prefix(8) == [0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x0A])
        }
    }

    @Test("A thread of the library has all signals blocked")
    func blockedSignals() {
        nonisolated(unsafe) var blocked = sigset_t()
        let thread = withUnsafeMutablePointer(to: &blocked) { pointer in
            linux_thread_start({ pthread_sigmask(SIG_BLOCK, nil, $0!.assumingMemoryBound(to: sigset_t.self)) }, pointer, "test")
        }
        linux_thread_join(thread)
        for signal in [SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGALRM] { #expect(sigismember(&blocked, signal) == 1) }
    }

    @Test("A thread that calls the program has all signals blocked but those that an instruction of the program causes")
    func blockedSignalsOfThreadsForTheProgram() {
        let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]
        for _ in 1...2 {
            nonisolated(unsafe) var blocked = sigset_t()
            let thread = withUnsafeMutablePointer(to: &blocked) { pointer in
                linux_thread_start_for_program(
                    { pthread_sigmask(SIG_BLOCK, nil, $0!.assumingMemoryBound(to: sigset_t.self)) }, pointer, "test")
            }
            linux_thread_join(thread)
            for signal in faults { #expect(sigismember(&blocked, signal) == 0, "\(signal)") }
            for signal in [SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGALRM] {
                #expect(sigismember(&blocked, signal) == 1, "\(signal)")
            }
        }
    }

    @Test("Starting a thread leaves the signals of its starter as they are")
    func ownSignals() {
        var before = sigset_t()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        linux_thread_join(linux_thread_start({ _ in }, nil, "test"))
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal in 1..<Int32(65) { #expect(sigismember(&before, signal) == sigismember(&after, signal)) }
    }

    @Test(
        "The text of a float is the shortest that reads back as the same float",
        arguments: [
            (Float(0.1), "0.1"), (0.25, "0.25"), (1, "1"), (16_777_216, "16777216"), (1e-7, "1e-07"), (.pi, "3.1415925"),
            (0.108454406, "0.108454406"), (-0.123075485, "-0.123075485"),
        ])
    func floats(value: Float, text: String) {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = linux_format_float(value, &buffer, buffer.count)
        #expect(String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) == text)
    }

    @Test(
        "A number is the whole of its text",
        arguments: [("0.5", 0.5), ("1e3", 1000), ("", nil), (" 1", nil), ("1 ", nil), ("0,5", nil)])
    func numbers(text: String, value: Double?) {
        var number = 0.0
        #expect(linux_parse_double(text, &number) == (value != nil))
        if let value { #expect(number == value) }
    }
}
