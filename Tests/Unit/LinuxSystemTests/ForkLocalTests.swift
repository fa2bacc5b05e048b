// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import LinuxSystem
import Synchronization
import Testing

/// An object that counts how many of its kind exist.
private final class Counted: Sendable {
    static let alive = Atomic<Int>(0)
    let number: Int

    init(_ number: Int) {
        self.number = number
        Counted.alive.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { Counted.alive.subtract(1, ordering: .sequentiallyConsistent) }
}

@Suite("An object of the process", .serialized)
struct ForkLocalTests {
    private let local = ForkLocal<Counted>(LINUX_WORD_OF_TESTS)

    private func remove() { local.withExclusive { $0 = nil } }

    @Test("It is absent at first, made once, and absent after its removal, also the second time")
    func life() throws {
        for number in 1...2 {
            #expect(local.present == nil && !local.isPresent)
            #expect(local.made { Counted(number) }.number == number)
            #expect(local.made { Counted(9) }.number == number)
            #expect(local.present?.number == number && local.isPresent)
            remove()
            #expect(Counted.alive.load(ordering: .sequentiallyConsistent) == 0)
        }
    }

    @Test("An error, or nil, leaves the process without an object")
    func failure() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try local.makeOnce { () throws(Refusal) in throw Refusal() } }
        #expect(local.makeOnce { nil } == nil)
        #expect(local.present == nil)
        #expect(local.made { Counted(1) }.number == 1)
        remove()
    }

    @Test("Exclusive access replaces the object and frees the former one")
    func replacement() {
        _ = local.made { Counted(1) }
        let seen = local.withExclusive { value in
            defer { value = Counted(2) }
            return value?.number
        }
        #expect(seen == 1 && local.present?.number == 2)
        #expect(Counted.alive.load(ordering: .sequentiallyConsistent) == 1)
        remove()
    }

    @Test("Many threads see one object")
    func threads() {
        let made = Atomic<Int>(0)
        for _ in 0..<50 {
            let local = local
            DispatchQueue.concurrentPerform(iterations: 8) { index in
                let value = local.made {
                    made.add(1, ordering: .sequentiallyConsistent)
                    return Counted(index)
                }
                #expect(local.present === value)
            }
            remove()
        }
        #expect(made.load(ordering: .sequentiallyConsistent) == 50)
    }

    @Test("One thread at a time has exclusive access")
    func exclusion() {
        nonisolated(unsafe) var count = 0
        let local = local
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { local.withExclusive { _ in count += 1 } }
        }
        #expect(count == 8000)
    }

    @Test("Threads that wait for exclusive access get it after its end")
    func waiting() {
        let local = local
        let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        nonisolated(unsafe) var count = 0
        for _ in 0..<20 {
            local.withExclusive { _ in
                for _ in 0..<3 {
                    Thread.detachNewThread {
                        started.signal()
                        local.withExclusive { _ in count += 1 }
                        ended.signal()
                    }
                }
                for _ in 0..<3 { started.wait() }
                count += 1
            }
            for _ in 0..<3 { ended.wait() }
        }
        #expect(count == 80)
    }

    @Test("A child of fork() has none, and makes its own")
    func child() throws {
        let address = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
        let fork = unsafeBitCast(address, to: (@convention(c) () -> Int32).self)
        _ = local.made { Counted(1) }
        let hasNone = {
            let isAbsent = local.present == nil
            return isAbsent && local.made { Counted(2) }.number == 2
        }
        // At the first use of a generic type the runtime of Swift takes locks, which the child could not take: this is the first use.
        #expect(!hasNone())
        let process = fork()
        if process == 0 { _exit(hasNone() ? 0 : 1) }
        var status: Int32 = -1
        #expect(waitpid(process, &status, 0) == process)
        #expect(status == 0)
        #expect(local.present?.number == 1)
        remove()
    }
}
