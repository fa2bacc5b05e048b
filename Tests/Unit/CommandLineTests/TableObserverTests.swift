// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CLIOutput
import CLinux
import Foundation
import LinuxSystem
import SessionRegistry
import SimulatedHardware
import TestSupport
import Testing

@testable import audiosessionctl

/// What wakes a command that watches the sessions.
@Suite struct TableObserverTests {
    private let tool: Tool
    private let observer: TableObserver
    private let state: SystemState

    init() throws {
        tool = try Tool()
        let directory = try RuntimeDirectory(tool.folder + "/run")
        state = SystemState(
            directory: directory, sessions: try FileRegistry(in: directory), hardware: SimulatedHardware(file: nil),
            findings: { [] })
        observer = TableObserver(of: directory)
    }

    private var isReadable: Bool { linux_poll(observer.descriptor, UInt32(LINUX_READABLE), 0) != 0 }

    /// Waits for a change, and reads the report that follows it.
    private func next() -> Report {
        #expect(linux_poll(observer.descriptor, UInt32(LINUX_READABLE), Int32(Program.limit * 1_000)) != 0)
        return observer.report(of: state)
    }

    private func sessions(of report: Report) -> Int { report.table.entries.filter { $0 != nil }.count }

    /// Reads reports until the table has so many sessions.
    private func readUntil(sessions count: Int) {
        var report = observer.report(of: state)
        while sessions(of: report) != count { report = next() }
    }

    @Test(
        "A process that has left the table, by its exit or by a kill, does not wake the observer again; nor does the second one")
    func departures() throws {
        for _ in 1...2 {
            for isKilled in [false, true] {
                let peer = try tool.peer()
                try peer.obey("enter media")
                readUntil(sessions: 1)
                if !isKilled { try peer.obey("leave") }
                kill(peer.pid, SIGKILL)
                readUntil(sessions: 0)
                // The exit, and what it changes in the table, may come after the departure.
                var wakeUps = 0
                while isReadable, wakeUps < 10 {
                    _ = observer.report(of: state)
                    wakeUps += 1
                }
                #expect(wakeUps < 10)
            }
        }
    }

    @Test("A process that has left the table is no longer watched, also while a child of fork has copies of what watched it")
    func watches() throws {
        for life in 1...2 {
            let peer = try tool.peer()
            try peer.obey("enter media")
            readUntil(sessions: 1)
            let token = UInt64(peer.pid)
            #expect(try watchedTokens(observer.descriptor).contains(token), "life \(life)")
            let copies = DescriptorCopies(ofProcess: peer.pid)
            #expect(copies.count > 0, "life \(life)")
            try peer.obey("leave")
            readUntil(sessions: 0)
            #expect(try !watchedTokens(observer.descriptor).contains(token), "life \(life)")
            withExtendedLifetime(copies) {}
        }
    }

    @Test("The observer of an unchanged table sleeps; each change wakes it once")
    func changes() throws {
        let peer = try tool.peer()
        try peer.obey("enter media")
        readUntil(sessions: 1)
        #expect(!isReadable)
        for command in ["silent on", "silent off"] {
            #expect(try tool.run(command).status == 0)
            #expect(next().table.isSilent == (command == "silent on"))
            #expect(!isReadable)
        }
    }
}
