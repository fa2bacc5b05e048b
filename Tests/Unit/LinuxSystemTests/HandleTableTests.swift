// SPDX-License-Identifier: Apache-2.0
import Dispatch
import LinuxSystem
import Synchronization
import Testing

private final class Object: Sendable {
    let number: Int
    let isFreed: @Sendable () -> Void
    init(_ number: Int = 0, isFreed: @escaping @Sendable () -> Void = {}) {
        self.number = number
        self.isFreed = isFreed
    }
    deinit { isFreed() }
}

@Suite("A handle") struct HandleTableTests {
    @Test("is found until it is removed, and never again") func life() throws {
        let table = HandleTable<Object>(.queue)
        let (first, second) = (Object(), Object())
        let handle = try #require(table.insert(first))
        #expect(table.object(handle) === first && table.withObject(handle) { $0.number } == 0)
        #expect(!table.hasRemoved(handle))
        #expect(table.remove(handle) === first && table.remove(handle) == nil)
        #expect(table.object(handle) == nil && table.withObject(handle) { $0.number } == nil && table.hasRemoved(handle))
        // The only entry is used again.
        let small = HandleTable<Object>(.unit, capacity: 1)
        let old = try #require(small.insert(first))
        small.remove(old)
        let new = try #require(small.insert(second))
        #expect(new != old && small.object(new) === second && small.object(old) == nil && small.remove(old) == nil)
        #expect(small.hasRemoved(old) && !small.hasRemoved(new))
    }

    @Test("is no other number") func others() throws {
        let table = HandleTable<Object>(.queue)
        let pointer = try #require(table.insert(Object()))
        let handle = UInt(bitPattern: pointer)
        #expect(handle & 0xF == UInt(HandleKind.queue.rawValue))
        for bits in [0, 1, 0xA, UInt.max, handle + 1, handle + 16, handle + 0x1000, handle ^ 1 << 20, handle ^ 1 << 43] {
            let pointer = OpaquePointer(bitPattern: bits)
            #expect(table.object(pointer) == nil && table.remove(pointer) == nil && !table.hasRemoved(pointer))
        }
        #expect(HandleTable<Object>(.timeline).object(OpaquePointer(bitPattern: handle)) == nil)
    }

    @Test("of each kind is different") func kinds() throws {
        let kinds: [HandleKind] = [
            .converter, .file, .extendedFile, .graph, .unit, .fileStream, .queue, .unitListener, .timeline,
        ]
        let handles = kinds.map { HandleTable<Object>($0).insert(Object()) }
        #expect(!handles.contains(nil) && Set(handles).count == kinds.count)
    }

    @Test("is nil when the table is full, until another one is removed") func full() throws {
        let table = HandleTable<Object>(.file, capacity: 300)
        let handles = try (0..<300).map { try #require(table.insert(Object($0))) }
        #expect(table.insert(Object()) == nil)
        #expect(table.contains { $0.number == 299 } && !table.contains { $0.number == 300 })
        table.remove(handles[299])
        #expect(!table.contains { $0.number == 299 })
        #expect(table.insert(Object(300)) != nil && table.insert(Object()) == nil)
        #expect(Set(table.all.map(\.number)) == Set(0..<299).union([300]))
    }

    @Test("keeps its object until the last use has ended") func uses() throws {
        let table = HandleTable<Object>(.converter)
        let freed = Atomic<Int>(0)
        var handle: OpaquePointer?
        withUnsafePointer(to: freed) { freed in
            let address = UInt(bitPattern: freed)
            let count: @Sendable () -> Void = {
                UnsafePointer<Atomic<Int>>(bitPattern: address)?.pointee.add(1, ordering: .relaxed)
            }
            handle = table.insert(Object(isFreed: count))
            table.withObject(handle) { _ in
                #expect(table.remove(handle) != nil && table.object(handle) == nil)
                #expect(freed.pointee.load(ordering: .relaxed) == 0)
            }
            #expect(freed.pointee.load(ordering: .relaxed) == 1)
            // The table frees the others.
            var other: HandleTable<Object>? = HandleTable(.converter)
            _ = other?.insert(Object(isFreed: count))
            other = nil
            #expect(freed.pointee.load(ordering: .relaxed) == 2)
        }
    }

    @Test("keeps its entry until the last use has ended") func entry() throws {
        let table = HandleTable<Object>(.converter, capacity: 1)
        let handle = try #require(table.insert(Object(1)))
        table.withObject(handle) { _ in
            table.remove(handle)
            #expect(table.insert(Object(2)) == nil)
        }
        let next = try #require(table.insert(Object(3)))
        #expect(table.withObject(next) { $0.number } == 3)
    }

    @Test("is found by many threads while others remove it") func threads() throws {
        let table = HandleTable<Object>(.unit, capacity: 64)
        let freed = Mutex(0)
        let made = Mutex(0)
        let shared = Mutex([UInt](repeating: 0, count: 64))
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for turn in 0..<20_000 {
                let index = (turn * 7 + thread * 13) % 64
                let handle = OpaquePointer(bitPattern: shared.withLock { $0[index] })
                if turn % 4 == thread {
                    table.remove(handle)
                    let object = Object(index, isFreed: { freed.withLock { $0 += 1 } })
                    made.withLock { $0 += 1 }
                    let new = UInt(bitPattern: table.insert(object))
                    shared.withLock { $0[index] = new }
                } else {
                    let number = table.withObject(handle) { $0.number }
                    #expect(number == nil || number == index)
                }
            }
        }
        #expect(freed.withLock { $0 } + table.all.count == made.withLock { $0 })
    }
}
