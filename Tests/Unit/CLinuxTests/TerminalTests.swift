// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

@Suite("A terminal", .serialized)
struct TerminalTests {
    /// A new terminal: its two ends.
    private func open() throws -> (outside: Int32, inside: Int32) {
        var (outside, inside) = (Int32(-1), Int32(-1))
        try #require(openpty(&outside, &inside, nil, nil, nil) == 0)
        return (outside, inside)
    }

    private func mode(of terminal: Int32) -> termios {
        var mode = termios()
        #expect(tcgetattr(terminal, &mode) == 0)
        return mode
    }

    @Test("Keys come one by one and without an echo until the mode from before returns, also in the second life")
    func raw() throws {
        let (outside, inside) = try open()
        defer { for file in [outside, inside] { linux_close(file) } }
        for isEchoed in [true, false] {
            var before = mode(of: inside)
            before.c_lflag = tcflag_t(ICANON | ISIG) | (isEchoed ? tcflag_t(ECHO) : 0)
            before.c_cc.6 = 3  // VMIN
            before.c_cc.5 = 2  // VTIME
            #expect(tcsetattr(inside, TCSANOW, &before) == 0)
            // The second call leaves the mode to which the terminal returns.
            for _ in 0..<2 {
                #expect(linux_terminal_set_raw(inside) == 0)
                let raw = mode(of: inside)
                #expect(raw.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ISIG))
                #expect(raw.c_cc.6 == 1 && raw.c_cc.5 == 0)
            }
            linux_terminal_restore(inside)
            let after = mode(of: inside)
            #expect(after.c_lflag == before.c_lflag && after.c_cc.6 == 3 && after.c_cc.5 == 2)
            // A terminal that was not changed is not restored.
            before.c_cc.6 = 4
            #expect(tcsetattr(inside, TCSANOW, &before) == 0)
            linux_terminal_restore(inside)
            #expect(mode(of: inside).c_cc.6 == 4)
        }
    }

    @Test(
        "Control-C, Control-Z and Control-\\ discard no output of the program, in each life", arguments: [3, 26, 28] as [UInt8])
    func signalKeys(key: UInt8) throws {
        let (outside, inside) = try open()
        defer { for file in [outside, inside] { linux_close(file) } }
        // The kernel keeps 4096 bytes for the reader of a terminal. The rest is what the key discards.
        let output = (0..<6000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        /// What the terminal receives when the user presses the key in the middle of the output.
        func received() -> [UInt8] {
            #expect(linux_write(inside, output, output.count) == output.count)
            #expect(linux_poll(outside, UInt32(LINUX_READABLE), 60_000) > 0)
            // The kernel has processed the key when the program can read the one after it.
            #expect(linux_write(outside, [key, UInt8(ascii: "x")], 2) == 2)
            #expect(linux_poll(inside, UInt32(LINUX_READABLE), 60_000) > 0)
            var read: UInt8 = 0
            #expect(linux_read(inside, &read, 1) == 1 && read == UInt8(ascii: "x"))
            #expect(linux_write(inside, ".", 1) == 1)
            var bytes: [UInt8] = []
            while bytes.last != UInt8(ascii: "."), linux_poll(outside, UInt32(LINUX_READABLE), 60_000) > 0 {
                var part = [UInt8](repeating: 0, count: 64)
                let count = linux_read(outside, &part, part.count)
                guard count > 0 else { break }
                bytes += part.prefix(count)
            }
            return bytes
        }
        for life in 1...2 {
            #expect(linux_terminal_set_raw(inside) == 0)
            let isWhole = received() == output + [UInt8(ascii: ".")]
            #expect(isWhole, "life \(life)")
            linux_terminal_restore(inside)
            #expect(mode(of: inside).c_lflag & tcflag_t(NOFLSH) == 0, "life \(life)")
        }
    }

    @Test("A terminal has columns and rows; a file is no terminal and cannot be one")
    func size() throws {
        let (outside, inside) = try open()
        let scratch = try Scratch()
        let file = scratch.create("file")
        defer { for file in [outside, inside, file] { linux_close(file) } }
        var wanted = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 1, ws_ypixel: 2)
        #expect(ioctl(outside, UInt(TIOCSWINSZ), &wanted) == 0)
        var (columns, rows) = (Int32(0), Int32(0))
        #expect(linux_terminal_size(inside, &columns, &rows) == 0)
        #expect(columns == 80 && rows == 24)
        #expect(linux_is_terminal(inside) && !linux_is_terminal(file))
        #expect(linux_terminal_size(file, &columns, &rows) == -ENOTTY && linux_terminal_set_raw(file) == -ENOTTY)
    }

    private static let screenSignals: [(signal: Int32, event: Int)] = [
        (SIGINT, LINUX_SCREEN_ENDED), (SIGTERM, LINUX_SCREEN_ENDED), (SIGHUP, LINUX_SCREEN_ENDED),
        (SIGQUIT, LINUX_SCREEN_ENDED), (SIGWINCH, LINUX_SCREEN_RESIZED),
        (SIGTSTP, LINUX_SCREEN_STOPPED), (SIGCONT, LINUX_SCREEN_CONTINUED),
    ]

    /// The signals that a thread blocks, and the events that it reads.
    private final class Findings: @unchecked Sendable {
        var blocked: [Int32] = []
        var events: [Int] = []
        let areComplete = DispatchSemaphore(value: 0)
    }

    /// Opens the descriptor of signals in a thread in which no signal is blocked at first, and runs the body there with all blocked.
    private func inThread(
        opening open: @escaping @Sendable () -> Int32, _ body: @escaping @Sendable (Findings, Int32) -> Void
    ) -> Findings {
        let findings = Findings()
        Thread {
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            let signals = open()
            findings.blocked = Self.blocked()
            Self.blockAll()
            body(findings, signals)
            linux_close(signals)
            findings.areComplete.signal()
        }.start()
        #expect(findings.areComplete.wait(timeout: .now() + 60) == .success, "the thread has not ended in 60 s")
        return findings
    }

    private static func blocked() -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return (1..<32).filter { sigismember(&mask, $0) == 1 }
    }

    private static func blockAll() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }

    @Test("Each signal that concerns the screen is blocked, and read as its event")
    func screen() {
        let findings = inThread(opening: linux_screen_signals) { findings, signals in
            findings.events.append(Int(linux_next_screen_signal(signals)))
            for (signal, _) in Self.screenSignals {
                pthread_kill(pthread_self(), signal)
                findings.events.append(Int(linux_next_screen_signal(signals)))
            }
        }
        #expect(findings.blocked == Self.screenSignals.map { $0.signal }.sorted())
        #expect(findings.events == [LINUX_SCREEN_SAME] + Self.screenSignals.map { $0.event })
    }

    @Test("The signals that end a program are blocked, and make their descriptor readable")
    func end() {
        let findings = inThread(opening: linux_end_signals) { findings, signals in
            findings.events.append(Int(linux_poll(signals, UInt32(LINUX_READABLE), 0)))
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                pthread_kill(pthread_self(), signal)
                findings.events.append(Int(linux_poll(signals, UInt32(LINUX_READABLE), 0)))
                var taken = [UInt8](repeating: 0, count: 128)
                _ = linux_read(signals, &taken, taken.count)
            }
        }
        #expect(findings.blocked == [SIGHUP, SIGINT, SIGTERM].sorted())
        let readable = Int(LINUX_READABLE)
        #expect(findings.events == [0, readable, readable, readable])
    }
}
