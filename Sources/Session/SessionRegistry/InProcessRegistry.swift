// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
public import SessionArbiter
public import SessionModel

/// A table in memory. Several registries may share the table; each of them represents a process.
public final class InProcessTable: @unchecked Sendable {
    fileprivate let lock = Lock()
    fileprivate var table = SessionTable()
    fileprivate var wakeUps: [(slot: Slot, wakeUp: WakeUp)] = []

    public init() {}
}

/// The registry of a process without a shared table: in tests, or when no runtime directory can be used.
public final class InProcessRegistry: SessionRegistry, @unchecked Sendable {
    private let common: InProcessTable
    public let process: ProcessIdentity
    private let wakeUp = WakeUp()

    public init(in common: InProcessTable = InProcessTable(), as process: ProcessIdentity = .own) {
        self.common = common
        self.process = process
    }

    public var descriptor: Int32 { wakeUp.descriptor.number }

    public func processEvents() { wakeUp.clear() }

    public func enter(name: SessionName, settings: SessionSettings) throws(ResultCode) -> Slot {
        try enter(by: .enter(process: process, name: name, settings: settings))
    }

    public func enterStreams(of session: Slot) throws(ResultCode) -> Slot {
        try enter(by: .enterStreams(process: process, of: session))
    }

    private func enter(by request: Request) throws(ResultCode) -> Slot {
        try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            guard let slot = outcome.slot else { throw .unspecified }
            common.wakeUps.append((slot, wakeUp))
            wake(outcome.affected)
            return slot
        }
    }

    public func leave(_ slot: Slot) {
        common.lock.withLock {
            common.wakeUps = common.wakeUps.filter { $0.slot != slot }
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

    public func submit(_ request: Request, viewing slot: Slot) throws(ResultCode) -> SessionView {
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

    public func view(of slot: Slot) -> SessionView {
        common.lock.withLock {
            let view = common.table.view(of: slot)
            if !view.interruptions.isEmpty { wake(common.table.decide(.interruptionsFetched(slot)).affected) }
            return view
        }
    }

    public func table() -> SessionTable { common.lock.withLock { common.table } }

    public func othersArePlaying() -> Bool { common.lock.withLock { common.table.othersArePlaying(than: process) } }

    private func wake(_ affected: SlotSet) {
        for (slot, wakeUp) in common.wakeUps where affected.contains(slot) { wakeUp.signal() }
    }
}

/// Makes the descriptor of a registry readable.
private final class WakeUp: Sendable {
    let descriptor = FileDescriptor(owning: linux_eventfd())

    func signal() { _ = linux_eventfd_signal(descriptor.number) }
    func clear() { _ = linux_eventfd_clear(descriptor.number) }
}
