// SPDX-License-Identifier: Apache-2.0
import CLIOutput
import CLinux

/// The last line of a terminal, which shows the progress of a sound. Output to a file shows no progress.
struct ProgressLine {
    let isShown = Terminal.isUsable
    private let encoder = TerminalEncoder(isColoured: Output.isColoured, isUnicode: Terminal.isUnicode)
    private var isWritten = false

    /// The time between updates of the line; -1 without a line.
    var milliseconds: Int32 { isShown ? 100 : -1 }

    /// False when the terminal cannot be written.
    @discardableResult
    mutating func show(_ line: TransportLine) -> Bool {
        guard isShown else { return true }
        isWritten = true
        return Output.print(encoder.replacement(line.line(onTerminalOf: Terminal.size.columns)))
    }

    /// Prints a line above the progress.
    @discardableResult
    mutating func print(_ text: String) -> Bool {
        clear()
        return Output.print(text + "\n")
    }

    mutating func clear() {
        guard isWritten else { return }
        isWritten = false
        Output.print(TerminalEncoder.emptied)
    }
}
