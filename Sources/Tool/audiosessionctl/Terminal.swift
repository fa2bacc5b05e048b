// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import CLinux
import LinuxSystem

/// The terminal of standard output with its alternate screen. The deinitializer restores the normal screen.
struct Terminal: ~Copyable {
    private static let descriptor: Int32 = 1
    /// Alternate screen, cursor hidden, no line wrap.
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private let encoder = TerminalEncoder(isColoured: Output.isColoured, isUnicode: Terminal.isUnicode)
    private var isAcquired = false
    private var shown = ""
    private var mustErase = false

    /// Whether standard output is a terminal with cursor control.
    static var isUsable: Bool {
        guard linux_is_terminal(descriptor), let kind = Environment.value("TERM") else { return false }
        return kind != "dumb"
    }

    /// The descriptor of the keyboard; -1 if standard input is not a terminal.
    static var keys: Int32 { linux_is_terminal(0) ? 0 : -1 }

    /// The first of the locale variables decides, as in the C library.
    static var isUnicode: Bool {
        let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE") ?? Environment.value("LANG") ?? ""
        var letters: [UInt8] = []
        for byte in locale.utf8 where byte != 0x2D { letters.append(byte | 0x20) }
        return letters.suffix(4) == Array("utf8".utf8)[...]
    }

    deinit { if isAcquired { Terminal.restore() } }

    /// False when the terminal cannot be written.
    mutating func show(_ view: MonitorView) -> Bool {
        guard acquire() else { return false }
        let size = Terminal.size
        let frame = encoder.frame(view.lines(in: size), in: size)
        guard frame != shown else { return true }
        shown = frame
        defer { mustErase = false }
        return Output.print((mustErase ? TerminalEncoder.erased : "") + frame)
    }

    /// Makes the next call redraw the whole screen, because another program may have written on it.
    mutating func invalidate() { shown = "" }

    /// Makes the next call erase the screen first: a terminal that gets narrower may wrap the lines that it shows.
    mutating func resize() {
        shown = ""
        mustErase = true
    }

    /// Restores the normal screen.
    mutating func restore() {
        guard isAcquired else { return }
        Terminal.restore()
        isAcquired = false
        shown = ""
    }

    /// Sets the modes of the terminal again, because another program may have changed them.
    mutating func reacquire() {
        isAcquired = false
        shown = ""
    }

    private mutating func acquire() -> Bool {
        guard !isAcquired else { return true }
        isAcquired = linux_terminal_set_raw(Terminal.descriptor) >= 0
        return isAcquired && Output.print(Terminal.enter)
    }

    private static func restore() {
        Output.print(leave)
        linux_terminal_restore(descriptor)
    }

    static var size: MonitorView.Size {
        var (columns, rows): (Int32, Int32) = (0, 0)
        _ = linux_terminal_size(descriptor, &columns, &rows)
        return MonitorView.Size(columns: columns > 0 ? Int(columns) : 80, rows: rows > 0 ? Int(rows) : 24)
    }
}
