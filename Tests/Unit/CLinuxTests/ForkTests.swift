// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Testing

/// A child of fork() keeps some files of its parent, and none of its shared memory.
@Suite(.serialized) struct ForkTests {
    /// -1: the child has not exited by itself.
    private func exitStatus(ofChild body: () -> Int32) -> Int32 {
        let status = waitStatus(ofChild: body)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }

    @Test("A child closes the files that are to be closed in it, but those that were forgotten since, and the parent keeps all")
    func closedFiles() throws {
        let scratch = try Scratch()
        let files = (0..<4).map { scratch.create("\($0)") }
        defer { for file in files { linux_close(file) } }
        func open() -> Int32 {
            var (found, bit, index) = (Int32(0), Int32(1), 0)
            while index < 4 {
                if fcntl(files[index], F_GETFD) >= 0 { found += bit }
                bit += bit
                index += 1
            }
            return found
        }
        #expect(open() == 0b1111)
        for file in files.prefix(3) { linux_close_on_fork(file) }
        #expect(exitStatus(ofChild: open) == 0b1000)
        linux_forget_on_fork(files[0])
        #expect(exitStatus(ofChild: open) == 0b1001)
        linux_close_on_fork(files[3])
        linux_forget_on_fork(files[2])
        #expect(exitStatus(ofChild: open) == 0b0101)
        #expect(open() == 0b1111)
        for file in files { linux_forget_on_fork(file) }
        #expect(exitStatus(ofChild: open) == 0b1111)
    }

    @Test("A child of a child keeps what this one has opened under the number of a file of its parent")
    func grandchildren() throws {
        let scratch = try Scratch()
        let (file, other) = (scratch.create("file"), scratch.create("other"))
        defer {
            linux_close(other)
            linux_close(file)
        }
        linux_close_on_fork(file)
        defer { linux_forget_on_fork(file) }
        let found = exitStatus {
            // The number of the closed file is the lowest one that is free.
            guard fcntl(file, F_GETFD) < 0, fcntl(other, F_DUPFD, file) == file else { return 1 }
            return waitStatus { fcntl(file, F_GETFD) >= 0 ? 7 : 2 } >> 8
        }
        #expect(found == 7)
    }

    @Test("Shared memory is zeroed, has its size for ever, is read by others, and is another memory in a child")
    func sharedMemory() throws {
        let size = 8_192
        var file: Int32 = -1
        let memory = try #require(linux_shared_memory("test", size, &file))
        defer {
            linux_unmap(memory, size)
            linux_close(file)
        }
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        #expect((0..<size).allSatisfy { bytes[$0] == 0 })
        #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
        for other in [0, size - 1, size + 1] { #expect(linux_truncate(file, UInt64(other)) == -EPERM) }
        #expect(linux_map_shared_memory(file, size - 1) == nil && linux_map_shared_memory(file, size + 1) == nil)
        let seen = try #require(linux_map_shared_memory(file, size))
        defer { linux_unmap(seen, size) }
        bytes[size - 1] = 7
        #expect(seen.load(fromByteOffset: size - 1, as: UInt8.self) == 7)
        let found = exitStatus {
            // The child has neither the content of its parent nor its memory.
            let wasEmpty = bytes[size - 1] == 0
            bytes[size - 1] = 9
            return wasEmpty ? 1 : 2
        }
        #expect(found == 1 && bytes[size - 1] == 7)
    }

    @Test("A file that is no sealed memory is not read as memory")
    func unsealed() throws {
        let scratch = try Scratch()
        let file = scratch.create("file")
        defer { linux_close(file) }
        #expect(linux_truncate(file, 4_096) == 0)
        #expect(linux_map_shared_memory(file, 4_096) == nil)
    }

    /// All combinations of the seals against more seals (1), against shrinking (2) and against growing (4).
    @Test("Memory is read only if no process can make it smaller or larger", arguments: Int32(0)..<8)
    func seals(_ seals: Int32) throws {
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let create = unsafeBitCast(try #require(linux_symbol("memfd_create")), to: Create.self)
        let (allowsSealing, addSeals): (UInt32, Int32) = (2, 1_033)
        for _ in 1...2 {
            let file = create("test", allowsSealing)
            defer { linux_close(file) }
            #expect(file >= 0 && linux_truncate(file, 4_096) == 0)
            #expect(fcntl(file, addSeals, seals) == 0)
            let memory = linux_map_shared_memory(file, 4_096)
            #expect((memory != nil) == (seals & 6 == 6))
            if let memory { linux_unmap(memory, 4_096) }
        }
    }
}
