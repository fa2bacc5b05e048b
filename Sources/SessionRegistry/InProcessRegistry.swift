import CLinux
import LinuxSystem
public import SessionArbiter
public import SessionModel

/// A table in memory, for sessions that meet without a file. Several registries may share one, each
/// standing for a process.
public final class CommonTable: @unchecked Sendable {
    fileprivate let lock = Lock()
    fileprivate var table = SessionTable()
    /// Whom to tell about a slot.
    fileprivate var bells: [(slot: Slot, bell: Bell)] = []

    public init() {}
}

/// The registry of a process that meets nobody else: in tests, or where no runtime directory can be
/// used.
public final class InProcessRegistry: SessionRegistry, @unchecked Sendable {
    private let common: CommonTable
    public let process: ProcessIdentity
    private let bell = Bell()

    public init(in common: CommonTable = CommonTable(), as process: ProcessIdentity = .own) {
        self.common = common
        self.process = process
    }

    public var descriptor: Int32 { bell.descriptor.number }

    public func heed() { bell.silence() }

    public func enter(name: SessionName, policy: SessionPolicy) throws(ResultCode) -> Slot {
        try enter(by: .enter(process: process, name: name, policy: policy))
    }

    public func enterStreams(of session: Slot) throws(ResultCode) -> Slot {
        try enter(by: .enterStreams(process: process, of: session))
    }

    private func enter(by request: Request) throws(ResultCode) -> Slot {
        try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            guard let slot = outcome.slot else { throw .unspecified }
            common.bells.append((slot, bell))
            ring(outcome.concerned)
            return slot
        }
    }

    public func leave(_ slot: Slot) {
        common.lock.withLock {
            common.bells = common.bells.filter { $0.slot != slot }
            ring(common.table.decide(.leave(slot)).concerned)
        }
    }

    public func submit(_ request: Request) throws(ResultCode) {
        try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            ring(outcome.concerned)
        }
    }

    public func submit(_ request: Request, lookingFrom slot: Slot) throws(ResultCode) -> SessionView {
        let isBusy = try common.lock.withLock { () throws(ResultCode) in
            let outcome = common.table.decide(request)
            if let refusal = outcome.refusal { throw refusal }
            ring(outcome.concerned)
            return outcome.isBusy
        }
        var view = look(slot)
        view.isBusy = isBusy
        return view
    }

    public func look(_ slot: Slot) -> SessionView {
        common.lock.withLock {
            let view = common.table.view(of: slot)
            if !view.interruptions.isEmpty { ring(common.table.decide(.fetched(slot)).concerned) }
            return view
        }
    }

    public func table() -> SessionTable { common.lock.withLock { common.table } }

    public func othersArePlaying() -> Bool { common.lock.withLock { common.table.othersArePlaying(than: process) } }

    private func ring(_ concerned: SlotSet) {
        for (slot, bell) in common.bells where concerned.contains(slot) { bell.ring() }
    }
}

/// Makes a registry's descriptor readable.
final class Bell: Sendable {
    let descriptor = FileDescriptor(owning: linux_eventfd())

    func ring() { _ = linux_eventfd_signal(descriptor.number) }
    func silence() { _ = linux_eventfd_clear(descriptor.number) }
}
