// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import SessionArbiter
import SessionModel
import TestSupport
import Testing

@testable import SessionRegistry

/// The folder of the table, and processes that find none.
@Suite(.serialized) struct DirectoryTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func refusal(_ path: String) -> String? {
        do {
            _ = try RuntimeDirectory(path)
            return nil
        } catch { return error.reason }
    }

    @Test("A folder is refused when others may write into it, when it is a file or a link, or when it is another user's")
    func refused() throws {
        #expect(refusal(folder.path) == nil)
        chmod(folder.path, 0o770)
        #expect(refusal(folder.path) == "others may write into it")
        chmod(folder.path, 0o700)
        let link = folder.path + "/link"
        symlink(folder.path, link)
        #expect(refusal(link) == "is not a folder")
        let file = folder.path + "/file"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        #expect(refusal(file) == "is not a folder")
        #expect(refusal(folder.path + "/no/where") == "the folder \(folder.path)/no does not exist")
        #expect(refusal(file + "/below") == "cannot be created in \(file): Not a directory")
        #expect(refusal("/proc/audiosession") == "cannot be created in /proc: No such file or directory")
        #expect(RuntimeDirectory.Unusable(path: "/x", reason: "is not a folder").text == "/x: is not a folder")
        guard getuid() == 0 else { return }
        chown(folder.path, 65_534, 65_534)
        #expect(refusal(folder.path) == "belongs to another user")
        chown(folder.path, 0, 0)
    }

    @Test("A folder that does not exist is created with mode 0700")
    func made() throws {
        let path = folder.path + "/new"
        _ = try RuntimeDirectory(path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    }

    @Test("The table is in AUDIOSESSION_RUNTIME_DIR, else below XDG_RUNTIME_DIR, else in a folder of the user")
    func found() throws {
        let named = try Peer(["AUDIOSESSION_RUNTIME_DIR": folder.path + "/named", "XDG_RUNTIME_DIR": folder.path])
        try named.enter()
        #expect(try folder.names() == ["named"])
        let inRuntime = try Peer(["XDG_RUNTIME_DIR": folder.path])
        try inRuntime.enter()
        #expect(try folder.names().sorted() == ["audiosession", "named"])
        // An existing runtime directory of the user would be used. Tests do not write there.
        guard !FileManager.default.fileExists(atPath: "/run/user/\(getuid())") else { return }
        let inTemporary = try Peer(["TMPDIR": folder.path])
        try inTemporary.enter()
        #expect(try folder.names().contains("audiosession-\(getuid())"))
    }

    @Test("Programs of two versions share a folder, and neither touches the files of the other")
    func versions() throws {
        // A program of the older version runs, holds its lock, and replaces its table.
        let older = TableHeader.version - 1
        let theirs = ["sessions.\(older)", "sessions.\(older).replacing", "77.\(older).new"].map { folder.path + "/" + $0 }
        for path in theirs { #expect(FileManager.default.createFile(atPath: path, contents: Data("of another layout".utf8))) }
        let endpoint = folder.path + "/1ff"
        for path in [endpoint + ".wakeup", endpoint + ".alive"] { #expect(mkfifo(path, 0o600) == 0) }
        let (wakeUp, liveness) = (open(endpoint + ".wakeup", O_RDWR | O_NONBLOCK), open(endpoint + ".alive", O_RDWR | O_NONBLOCK))
        defer {
            close(wakeUp)
            close(liveness)
        }
        let media = SessionSettings(category: .mediaPlayback, mixes: false)
        let first = try FileRegistry(in: RuntimeDirectory(folder.path))
        let second = try FileRegistry(in: RuntimeDirectory(folder.path))
        let music = try first.enter(name: SessionName("music"), settings: media)
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        try first.submit(.activate(music))
        // Also when a table is created again, and when one is replaced.
        try FileManager.default.removeItem(atPath: folder.table)
        try second.submit(.activate(prompt))
        let holder = HostileTests.locked(folder.table)
        #expect(first.view(of: music).interruptions == [.begin])
        close(holder)
        for path in theirs { #expect(try String(contentsOfFile: path, encoding: .utf8) == "of another layout") }
        #expect(try folder.names().filter { $0.hasPrefix("1ff.") }.count == 2)
    }

    @Test("A table of another layout under the name of this version is not touched")
    func otherVersion() throws {
        let first = try FileRegistry(in: RuntimeDirectory(folder.path))
        _ = try first.enter(name: SessionName("x"), settings: SessionSettings(category: .ambientSound, mixes: true))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.table))
        var page = try #require(try file.read(upToCount: 1024))
        page[8] = 99
        // The checksum is correct: every version computes it in the same way.
        var buffer = ChecksummedBuffer(bytes: [UInt8](page))
        buffer.seal()
        page = Data(buffer.bytes)
        try file.seek(toOffset: 0)
        try file.write(contentsOf: page)
        try file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.table))
        #expect(throws: RuntimeDirectory.Unusable.self) { try FileRegistry(in: RuntimeDirectory(folder.path)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.table)) == before)
    }

    @Test("A session in private fallback must not resume if one of its interrupters has left without should-resume")
    func aloneAndInterrupted() throws {
        let first = try FileRegistry(in: RuntimeDirectory(folder.path))
        let second = try FileRegistry(in: RuntimeDirectory(folder.path))
        let media = SessionSettings(category: .mediaPlayback, mixes: false)
        let music = try first.enter(name: SessionName("music"), settings: media)
        let prompt = try second.enter(name: SessionName("prompt"), settings: media)
        let alarm = try second.enter(name: SessionName("alarm"), settings: media)
        try first.submit(.activate(music))
        for session in [prompt, alarm, prompt] { try second.submit(.activate(session)) }
        try second.submit(.deactivate(alarm, notifyingOthers: false))
        #expect(first.view(of: music).interruptions == [.begin])
        try FileManager.default.removeItem(atPath: folder.path)
        _ = FileManager.default.createFile(atPath: folder.path, contents: nil)
        #expect(first.view(of: music).interruptions == [.end(.shouldNotResume)])
    }

    @Test("A session without a usable table continues in private fallback, in its last state")
    func alone() throws {
        let registry = try FileRegistry(in: RuntimeDirectory(folder.path))
        let slot = try registry.enter(name: SessionName("x"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        try registry.submit(.activate(slot))
        try FileManager.default.removeItem(atPath: folder.path)
        _ = FileManager.default.createFile(atPath: folder.path, contents: nil)
        #expect(registry.view(of: slot).isActive)
        try registry.submit(.deactivate(slot, notifyingOthers: true))
        #expect(!registry.view(of: slot).isActive)
        try registry.submit(.activate(slot))
        #expect(registry.table().entries.compactMap { $0 }.count == 1)
    }

    @Test("A full disk refuses no session")
    func full() throws {
        guard getuid() == 0 else { return }
        let disk = folder.path + "/disk"
        try FileManager.default.createDirectory(
            atPath: disk, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard mount("tmpfs", disk, "tmpfs", 0, "size=64k,mode=700") == 0 else { return }
        defer { umount2(disk, 2) }
        #expect(throws: RuntimeDirectory.Unusable.self) { try FileRegistry(in: RuntimeDirectory(disk)) }
        #expect(mount("tmpfs", disk, "tmpfs", 32, "size=1m,mode=700") == 0)
        let registry = try FileRegistry(in: RuntimeDirectory(disk))
        let slot = try registry.enter(name: SessionName("x"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        let filler = FileManager.default.createFile(atPath: disk + "/filler", contents: Data(count: 4_000_000))
        #expect(!filler, "the disk is full now")
        for _ in 0..<50 {
            try registry.submit(.activate(slot))
            try registry.submit(.deactivate(slot, notifyingOthers: true))
        }
        try registry.submit(.activate(slot))
        #expect(registry.view(of: slot).isActive)
    }

    @Test("Any bytes in the table: the process does not crash, and the session goes on", arguments: 0..<4)
    func fuzz(seed: Int) throws {
        let registry = try FileRegistry(in: RuntimeDirectory(folder.path))
        let slot = try registry.enter(name: SessionName("x"), settings: SessionSettings(category: .mediaPlayback, mixes: false))
        var random = SeededGenerator(seed)
        for round in 0..<75 {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.table))
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = [0..<1024, 1024..<2048, 338_000..<342_000].randomElement(using: &random) ?? 0..<1
                try file.seek(toOffset: UInt64(Int.random(in: place, using: &random)))
                let count = Int.random(in: 1...40, using: &random)
                try file.write(contentsOf: Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
            }
            try file.close()
            if round % 7 == 0 { truncate(folder.table, off_t.random(in: 0..<400_000, using: &random)) }
            try registry.submit(.activate(slot))
            #expect(registry.view(of: slot).isActive)
            try registry.submit(.deactivate(slot, notifyingOthers: true))
            #expect(registry.table().entries.compactMap { $0 }.count == 1)
        }
    }
}
