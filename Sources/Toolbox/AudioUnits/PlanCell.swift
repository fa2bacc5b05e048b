// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An object that program threads replace while one audio thread uses it, without a lock for the audio thread.
///
/// The audio thread counts its visits; the count is odd during a visit. A replaced object is not freed before the end of
/// the visit that may use it. A program thread frees it.
final class PlanCell<Plan: AnyObject>: @unchecked Sendable {
    private let visits = Atomic<UInt>(0)
    private let current = Atomic<UInt>(0)
    private var held: Plan?
    private var retired: [(plan: Plan, visit: UInt)] = []

    // MARK: Audio thread

    /// Begins a visit and returns its plan. `leave` ends the visit.
    func enter() -> Plan? {
        visits.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard let address = UnsafeRawPointer(bitPattern: current.load(ordering: .sequentiallyConsistent)) else { return nil }
        return Unmanaged<Plan>.fromOpaque(address).takeUnretainedValue()
    }

    func leave() { visits.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    // MARK: Program threads, under one lock of the caller

    var plan: Plan? { held }

    /// Returns plans that are no longer used. The caller frees them after it has released its lock.
    func publish(_ plan: Plan?) -> [Plan] {
        let old = held
        held = plan
        let address = plan.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
        current.store(address, ordering: .sequentiallyConsistent)
        let visit = visits.load(ordering: .sequentiallyConsistent)
        if let old { retired.append((old, visit)) }
        let isOver = { (retired: (plan: Plan, visit: UInt)) in retired.visit % 2 == 0 || retired.visit != visit }
        let free = retired.filter(isOver).map { $0.plan }
        retired.removeAll(where: isOver)
        return free
    }
}
