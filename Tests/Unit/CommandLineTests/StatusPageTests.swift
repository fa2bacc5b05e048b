// SPDX-License-Identifier: Apache-2.0
import CLinux
import CStatusPage
import FaultPlan
import Foundation
import LinuxSystem
import SessionRegistry
import StatusPages
import Testing

/// The pages that processes leave in the runtime directory, and the tool that reads them.
@Suite("Status pages") struct StatusPageTests {
    private let tool: Tool
    private let directory: RuntimeDirectory

    init() throws {
        tool = try Tool()
        directory = try RuntimeDirectory(tool.folder + "/run")
    }

    private func describe(_ slot: UnsafeMutablePointer<status_slot>, running: Bool) {
        var description = status_description()
        description.kind = 0x7269_6F63
        description.state = UInt32(STATUS_HAS_OUTPUT) | (running ? UInt32(STATUS_IS_RUNNING) : 0)
        description.starts = running ? 1 : 0
        status_describe(slot, &description)
    }

    private func units() throws -> [[String: Any]] {
        let end = try tool.run("status --json")
        #expect(end.status == 0 && end.errors == "")
        let status = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
        return try #require(status?["units"] as? [[String: Any]])
    }

    @Test("A unit of another process is in the status, and its start is an event of the monitor")
    func shown() throws {
        let page = try #require(StatusPage.make(in: directory))
        let slot = try #require(page.claim())
        #expect(try units().isEmpty)
        describe(slot, running: false)
        let unit = try #require(try units().first)
        #expect(unit["kind"] as? String == "RemoteIO" && unit["pid"] as? Int == Int(getpid()))
        let monitor = try tool.start("monitor --lines")
        try monitor.error(with: "watching")
        describe(slot, running: true)
        try monitor.line(with: "RemoteIO starts")
        status_release(slot)
        try monitor.line(with: "RemoteIO stops")
        page.withdraw()
        #expect(directory.statusPages().isEmpty)
    }

    @Test("All slots are claimed once, and a released one is free again")
    func slots() throws {
        let page = try #require(StatusPage.make(in: nil))
        let slots = (0..<Int(STATUS_SLOTS)).compactMap { _ in page.claim() }
        #expect(Set(slots).count == Int(STATUS_SLOTS) && page.claim() == nil)
        status_release(slots[5])
        #expect(page.claim() == slots[5])
    }

    @Test("A slot that is claimed again begins with counters of 0")
    func countersOfFormerUnit() throws {
        let page = try #require(StatusPage.make(in: directory))
        for life in 1...3 {
            let slot = try #require(page.claim())
            let counters = try #require(status_slot_counters(slot))
            #expect(withUnsafeBytes(of: counters.pointee) { bytes in bytes.allSatisfy { $0 == 0 } }, "life \(life)")
            describe(slot, running: false)
            let unit = try #require(try units().first)
            #expect(unit["underruns"] as? Int == 0 && unit["load"] == nil, "life \(life)")
            withUnsafeMutableBytes(of: &counters.pointee) { _ = $0.initializeMemory(as: UInt8.self, repeating: 1) }
            #expect(try #require(try units().first)["underruns"] as? Int != 0)
            status_release(slot)
        }
        page.withdraw()
    }

    @Test("A page that cannot be announced has no file, and the next one is read") func failures() throws {
        var (call, hasStruck, unannounced) = (UInt64(0), true, 0)
        while hasStruck, call < 100 {
            call += 1
            fault_plan_enter(EIO, call, false)
            let page = StatusPage.make(in: directory)
            hasStruck = fault_plan_leave()
            let files = directory.statusPages()
            if let slot = page?.claim() {
                describe(slot, running: true)
                let isAnnounced = !StatusPages.read(in: directory).isEmpty
                #expect(files.count == (isAnnounced ? 1 : 0), "call \(call)")
                if !isAnnounced { unannounced += 1 }
            } else {
                #expect(files.isEmpty, "call \(call)")
            }
            page?.withdraw()
            #expect(directory.statusPages().isEmpty, "call \(call)")
        }
        #expect(!hasStruck && unannounced > 1)
    }

    /// Starts a process with a page in memory that it inherits, and announces it in a file with this name.
    private func startWithPage(announcedAs name: String, keeping files: inout [Int32]) throws -> pid_t {
        var memory: Int32 = -1
        let page = try #require(linux_shared_memory("test", Int(STATUS_PAGE_SIZE), &memory))
        // The process gets the memory under the same number.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, memory, memory)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        defer { for text in arguments { free(text) } }
        var process: pid_t = 0
        #expect(posix_spawn(&process, "/bin/sleep", &actions, nil, arguments, nil) == 0)
        status_page_init(page.assumingMemoryBound(to: status_page.self), process, "page")
        linux_unmap(page, Int(STATUS_PAGE_SIZE))
        files.append(memory)
        let file = open(directory.path + "/\(name).units", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let text = "\(process) \(memory)\n"
        #expect(write(file, text, text.utf8.count) == text.utf8.count && linux_try_lock(file) >= 0)
        files.append(file)
        return process
    }

    @Test("Pages are listed in the order of their processes, whatever the order of their files", arguments: [false, true])
    func order(reversed: Bool) throws {
        var (files, processes): ([Int32], [pid_t]) = ([], [])
        defer {
            for process in processes {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
            for file in files { close(file) }
        }
        for name in reversed ? ["c", "b", "a"] : ["a", "b", "c"] {
            processes.append(try startWithPage(announcedAs: name, keeping: &files))
        }
        #expect(StatusPages.read(in: directory).map(\.process) == processes.sorted())
    }

    @Test("The file of a dead process is removed")
    func abandoned() throws {
        let file = directory.path + "/1234.units"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("1 3\n".utf8)))
        #expect(try units().isEmpty && !FileManager.default.fileExists(atPath: file))
    }

    @Test("Files with arbitrary content are not shown as units, and the tool continues")
    func hostile() throws {
        var kept: [Int32] = []
        defer { for file in kept { close(file) } }
        func announce(_ text: String) {
            let file = open(directory.path + "/\(kept.count).units", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            _ = text.withCString { write(file, $0, strlen($0)) }
            #expect(linux_try_lock(file) >= 0)
            kept.append(file)
        }
        for text in [
            "", "\n", "1", "1 2", "1 2 3\n", "-1 2\n", "a b\n", "4294967296 1\n", "99999999999999999999 1\n", "0 0\n",
            "\(getpid()) 99999\n", "\(getpid()) 0\n", "1 0\n", String(repeating: "9", count: 70_000), "\u{0}\u{0} \n",
        ] { announce(text) }
        // A file in place of memory, memory that can shrink, memory of another size, and one with another content.
        let plain = open(directory.path + "/plain", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(ftruncate(plain, off_t(STATUS_PAGE_SIZE)) == 0)
        kept.append(plain)
        announce("\(getpid()) \(plain)\n")
        for size in [Int(STATUS_PAGE_SIZE), 100] {
            var file: Int32 = -1
            let memory = try #require(linux_shared_memory("test", size, &file))
            memset(memory, 0xFF, size)
            kept.append(file)
            announce("\(getpid()) \(file)\n")
        }
        #expect(mkfifo(directory.path + "/fifo.units", 0o600) == 0)
        #expect(symlink("/dev/zero", directory.path + "/link.units") == 0)
        #expect(mkdir(directory.path + "/folder.units", 0o700) == 0)
        #expect(try units().isEmpty)
    }

    @Test("A page with any content is read")
    func arbitrary() throws {
        let page = try #require(StatusPage.make(in: directory))
        let slot = try #require(page.claim())
        // Always changing.
        slot.pointee.sequence = 1
        #expect(try units().isEmpty)
        slot.pointee.sequence = 2
        withUnsafeMutableBytes(of: &slot.pointee.description) { _ = $0.initializeMemory(as: UInt8.self, repeating: 0xFF) }
        #expect(try units().count == 1)
        page.withdraw()
    }

    @Test("No process can make the memory of another smaller, or write into it")
    func sealed() throws {
        var file: Int32 = -1
        let size = Int(STATUS_PAGE_SIZE)
        let memory = try #require(linux_shared_memory("test", size, &file))
        defer {
            linux_unmap(memory, size)
            close(file)
        }
        let other = open("/proc/self/fd/\(file)", O_RDWR | O_CLOEXEC)
        defer { if other >= 0 { close(other) } }
        if other >= 0 {
            #expect(ftruncate(other, 0) != 0)
            #expect(write(other, "x", 1) < 0 && errno == EPERM)
        }
        let mapped = try #require(linux_map_shared_memory(file, size))
        memory.storeBytes(of: 7, as: UInt8.self)
        #expect(mapped.load(as: UInt8.self) == 7)
        linux_unmap(mapped, size)
    }
}
