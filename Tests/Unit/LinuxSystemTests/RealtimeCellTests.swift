// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Synchronization
import Testing

/// A value that knows whether it has been freed.
private final class Value: Sendable {
    let isFreed: Atomic<Bool>.Box
    init(_ box: Atomic<Bool>.Box) { isFreed = box }
    deinit { isFreed.value.store(true, ordering: .sequentiallyConsistent) }
}

extension Atomic where Value == Bool {
    final class Box: Sendable {
        let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
    }
}

@Suite("A value that one thread uses without a lock")
struct RealtimeCellTests {
    @Test("A visit sees the published value, and none after its withdrawal")
    func publish() {
        let cell = RealtimeCell<Value>()
        #expect(cell.enter() == nil)
        cell.leave()
        for _ in 0..<2 {
            let value = Value(.init())
            #expect(cell.publish(value).isEmpty)
            #expect(cell.enter() === value && cell.value === value)
            cell.leave()
            #expect(cell.publish(nil).count == 1)
            #expect(cell.enter() == nil)
            cell.leave()
        }
    }

    @Test("A replaced value is returned when the visit that uses it has ended")
    func retirement() {
        let cell = RealtimeCell<Value>()
        let first = Value(.init())
        _ = cell.publish(first)
        #expect(cell.enter() === first)
        #expect(cell.publish(Value(.init())).isEmpty)
        #expect(cell.publish(Value(.init())).isEmpty)
        cell.leave()
        #expect(cell.publish(nil).count == 3)
    }

    @Test("A later visit does not keep a value that it cannot see")
    func laterVisit() {
        let cell = RealtimeCell<Value>()
        let box = Atomic<Bool>.Box()
        _ = cell.publish(Value(box))
        _ = cell.enter()
        _ = cell.publish(nil)
        cell.leave()
        _ = cell.enter()
        #expect(cell.publish(nil).count == 1)
        cell.leave()
        #expect(box.isSet)
    }

    @Test("An exchange that waits returns after the end of the visit")
    func exchange() {
        for _ in 0..<100 {
            let cell = RealtimeCell<Value>()
            let box = Atomic<Bool>.Box()
            cell.exchangeWaiting(Value(box))
            _ = cell.enter()
            let hasEnded = Atomic<Bool>.Box()
            let (begun, returned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                begun.signal()
                cell.exchangeWaiting(nil)
                #expect(hasEnded.isSet && box.isSet)
                returned.signal()
            }.start()
            begun.wait()
            #expect(!box.isSet)
            hasEnded.value.store(true, ordering: .sequentiallyConsistent)
            cell.leave()
            returned.wait()
        }
    }

    @Test("A value in use is never freed, however often it is replaced")
    func storm() {
        let cell = RealtimeCell<Value>()
        let isOver = Atomic<Bool>.Box()
        let visitor = DispatchSemaphore(value: 0)
        let freedInUse = Atomic<Int>(0)
        Thread {
            while !isOver.isSet {
                if let value = cell.enter(), value.isFreed.isSet { freedInUse.add(1, ordering: .relaxed) }
                cell.leave()
            }
            visitor.signal()
        }.start()
        for round in 0..<20_000 {
            if round % 2 == 0 { _ = cell.publish(Value(.init())) } else { cell.exchangeWaiting(Value(.init())) }
        }
        isOver.value.store(true, ordering: .sequentiallyConsistent)
        visitor.wait()
        #expect(freedInUse.load(ordering: .relaxed) == 0)
    }
}
