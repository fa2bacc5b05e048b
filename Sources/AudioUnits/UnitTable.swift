// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import Synchronization

/// The units, and the pointers that identify them in programs.
///
/// A pointer is a number: the index of a place in the table, and a generation that no later unit shares. No pointer of the
/// program is dereferenced: a NULL, stale or foreign pointer is only not found. A search takes no lock, because audio threads
/// search in every slice.
public final class UnitTable: @unchecked Sendable {
    static let capacity = 1024
    /// The lower bits of a pointer. They are not aligned as memory is, so that no real pointer equals a pointer of the table.
    private static let mark: UInt = 0x5
    private static let placeBits: UInt = 10

    private let places: UnsafeMutablePointer<Entry>
    private let searches = Atomic<UInt>(0)
    private let lock = Lock()
    private var nextNumber: UInt = 1

    private final class Entry {
        /// The unit in this place, unretained, and its pointer.
        let unit = Atomic<UInt>(0)
        let handle = Atomic<UInt>(0)
    }

    public init() {
        places = .allocate(capacity: UnitTable.capacity)
        for place in 0..<UnitTable.capacity { (places + place).initialize(to: Entry()) }
    }

    deinit {
        places.deinitialize(count: UnitTable.capacity)
        places.deallocate()
    }

    /// The unit of a pointer; nil for any other pointer.
    public func find(_ pointer: OpaquePointer?) -> Unit? {
        guard let pointer else { return nil }
        let handle = UInt(bitPattern: pointer)
        guard handle & 0xF == UnitTable.mark else { return nil }
        let entry = places[Int(handle >> 4 & (UInt(UnitTable.capacity) - 1))]
        searches.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { searches.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        guard entry.handle.load(ordering: .sequentiallyConsistent) == handle,
            let address = UnsafeRawPointer(bitPattern: entry.unit.load(ordering: .sequentiallyConsistent))
        else { return nil }
        let unit = Unmanaged<Unit>.fromOpaque(address).takeUnretainedValue()
        return unit.handle == pointer ? unit : nil
    }

    /// True if this thread renders with a unit of the table.
    public var isRendering: Bool {
        searches.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { searches.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        for place in 0..<UnitTable.capacity {
            guard let address = UnsafeRawPointer(bitPattern: places[place].unit.load(ordering: .sequentiallyConsistent)) else {
                continue
            }
            if Unmanaged<Unit>.fromOpaque(address).takeUnretainedValue().isRendering { return true }
        }
        return false
    }

    /// References the unit until it is removed. False when the table is full.
    func insert(_ unit: Unit) -> Bool {
        lock.withLock {
            for place in 0..<UnitTable.capacity where places[place].unit.load(ordering: .relaxed) == 0 {
                let handle = nextNumber << (UnitTable.placeBits + 4) | UInt(place) << 4 | UnitTable.mark
                nextNumber &+= 1
                guard let pointer = OpaquePointer(bitPattern: handle) else { return false }
                unit.handle = pointer
                let address = UInt(bitPattern: Unmanaged.passRetained(unit).toOpaque())
                places[place].unit.store(address, ordering: .sequentiallyConsistent)
                places[place].handle.store(handle, ordering: .sequentiallyConsistent)
                return true
            }
            return false
        }
    }

    /// False when another call has removed the unit.
    func remove(_ unit: Unit) -> Bool {
        let found: Unmanaged<Unit>? = lock.withLock {
            let handle = UInt(bitPattern: unit.handle)
            let entry = places[Int(handle >> 4 & (UInt(UnitTable.capacity) - 1))]
            guard entry.handle.load(ordering: .relaxed) == handle else { return nil }
            entry.handle.store(0, ordering: .sequentiallyConsistent)
            entry.unit.store(0, ordering: .sequentiallyConsistent)
            return Unmanaged.passUnretained(unit)
        }
        guard let found else { return false }
        // A search that has found the unit retains it within a few instructions. Wait for such searches.
        while searches.load(ordering: .sequentiallyConsistent) != 0 { linux_yield() }
        found.release()
        return true
    }
}

extension UnitTable {
    /// The pointer of units that are not in the table yet. The table never creates this pointer.
    nonisolated(unsafe) static let none = OpaquePointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
}
