import CLinux
import LinuxSystem
import SessionReports

/// The terminal behind standard output, as a screen of our own: what stood on it before comes back when
/// this is let go.
struct Terminal: ~Copyable {
    private static let descriptor: Int32 = 1
    /// Another screen than the one with what was typed so far, without a cursor; what is too long for a row is
    /// left out.
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private let paint = Paint(isColoured: Output.isColoured, isUnicode: Terminal.isUnicode)
    private var isOurs = false
    private var shown = ""

    /// Whether there is one that understands more than lines.
    static var isFit: Bool {
        guard linux_is_terminal(descriptor), let kind = Environment.value("TERM") else { return false }
        return kind != "dumb"
    }

    /// What the user types; -1 when that comes from elsewhere.
    static var keys: Int32 { linux_is_terminal(0) ? 0 : -1 }

    /// As programs find it out: by the first of these variables that says anything.
    private static var isUnicode: Bool {
        let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE") ?? Environment.value("LANG") ?? ""
        var letters: [UInt8] = []
        for byte in locale.utf8 where byte != 0x2D { letters.append(byte | 0x20) }
        return letters.suffix(4) == Array("utf8".utf8)[...]
    }

    deinit { if isOurs { Terminal.giveBack() } }

    /// False when nobody looks any more.
    mutating func show(_ view: LiveView) -> Bool {
        guard take() else { return false }
        let size = Terminal.size
        let frame = paint.frame(view.lines(in: size), in: size)
        guard frame != shown else { return true }
        shown = frame
        return Output.say(frame)
    }

    /// Whatever others may have written over it.
    mutating func forget() { shown = "" }

    /// To whom it belonged before.
    mutating func giveBack() {
        guard isOurs else { return }
        Terminal.giveBack()
        isOurs = false
        shown = ""
    }

    /// After others had it: they may have left it in any state.
    mutating func retake() {
        isOurs = false
        shown = ""
    }

    private mutating func take() -> Bool {
        guard !isOurs else { return true }
        isOurs = linux_terminal_take(Terminal.descriptor) >= 0
        return isOurs && Output.say(Terminal.enter)
    }

    private static func giveBack() {
        Output.say(leave)
        linux_terminal_give_back(descriptor)
    }

    private static var size: LiveView.Size {
        var (columns, rows): (Int32, Int32) = (0, 0)
        _ = linux_terminal_size(descriptor, &columns, &rows)
        return LiveView.Size(columns: columns > 0 ? Int(columns) : 80, rows: rows > 0 ? Int(rows) : 24)
    }
}
