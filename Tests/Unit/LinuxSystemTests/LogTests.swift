// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Testing

@Suite("A line of the log", .serialized)
struct LogTests {
    @Test("A call is logged with its result, and with the likely mistake if there is one")
    func call() {
        let lines = Log.lines {
            Log.call("Example(1)", "noErr", nil)
            Log.call("Example(2)", "'!ini'", "call AudioSessionInitialize first")
        }
        #expect(
            lines.filter { $0.hasPrefix("Example(") } == [
                "Example(1) = noErr", "Example(2) = '!ini': call AudioSessionInitialize first",
            ])
    }
}
