// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
public import SessionArbiter
public import SessionModel

/// A table in memory. Several registries may share the table; each of them represents a process.
public final class InProcessTable: @unchecked Sendable {
    fileprivate let lock = Lock()
    fileprivate var table = SessionTable()
    fileprivate var events: [(slot: TableSlot, event: TableEvent)] = []

    public init() {}
}

/// The registry of a process without a shared table: in tests, or when no runtime directory can be used.
public final class InProcessRegistry: SessionRegistry, @unchecked Sendable {
    private let common: InProcessTable
    public let process: ProcessIdentity
    private let event = TableEvent()

    public init(in common: InProcessTable = InProcessTable(), as process: ProcessIdentity = .own) {
        self.common = common
        self.process = process
    }

    public var descriptor: Int32 { event.descriptor.number }

    public func processEvents() { event.clear() }

    public func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> TableSlot {
        try enter(by: .enter(process: process, name: name, settings: settings))
    }

    public func enterStreams(of session: TableSlot) throws(ResultCode) -> TableSlot {
        try enter(by: .enterStreams(process: process, of: session))
    }

    private func enter(by request: Request) throws(ResultCode) -> TableSlot {
        try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            guard let slot = outcome.slot else { throw .unspecified }
            common.events.append((slot, event))
            wake(outcome.affected)
            return slot
        }
    }

    public func leave(_ slot: TableSlot) {
        common.lock.withLock {
            common.events = common.events.filter { $0.slot != slot }
            wake(common.table.decide(.leave(slot)).affected)
        }
    }

    public func submit(_ request: Request) throws(ResultCode) {
        try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            wake(outcome.affected)
        }
    }

    public func submit(_ request: Request, viewing slot: TableSlot) throws(ResultCode) -> SessionView {
        let isBusy = try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            wake(outcome.affected)
            return outcome.isBusy
        }
        var view = self.view(of: slot)
        view.isBusy = isBusy
        return view
    }

    public func view(of slot: TableSlot) -> SessionView {
        common.lock.withLock {
            let view = common.table.view(of: slot)
            if !view.interruptions.isEmpty { wake(common.table.decide(.interruptionsFetched(slot)).affected) }
            return view
        }
    }

    public func table() -> SessionTable { common.lock.withLock { common.table } }

    public func othersArePlaying() -> Bool { common.lock.withLock { common.table.othersArePlaying(than: process) } }

    private func wake(_ affected: SlotList) {
        for (slot, event) in common.events where affected.contains(slot) { event.signal() }
    }
}

/// Makes the descriptor of a registry readable.
private final class TableEvent: Sendable {
    let descriptor = FileDescriptor(owning: linux_eventfd())

    func signal() { _ = linux_eventfd_signal(descriptor.number) }
    func clear() { _ = linux_eventfd_clear(descriptor.number) }
}
