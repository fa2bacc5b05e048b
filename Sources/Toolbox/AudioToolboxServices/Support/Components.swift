// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import LinuxSystem

/// The units of this process.
enum ProcessUnits {
    static var context: UnitContext { ProcessAudio.own.units }
}

/// The components of this library, and the pointers that identify them in C programs. The pointers are never dereferenced.
enum Components {
    static let table = UnitKind.components

    /// One byte for each component: its address is the handle.
    nonisolated(unsafe) private static let handles = UnsafeMutablePointer<UInt8>.allocate(capacity: max(table.rows.count, 1))

    static func handle(at index: Int) -> OpaquePointer { OpaquePointer(handles + index) }

    static func handle(of kind: UnitKind) -> OpaquePointer? {
        UnitKind.allCases.firstIndex(of: kind).map(handle)
    }

    /// Nil for a pointer that does not identify a component.
    static func index(of handle: OpaquePointer) -> Int? {
        table.rows.indices.first { Components.handle(at: $0) == handle }
    }

    static func row(of handle: OpaquePointer?) -> ComponentTable.Row? {
        guard let handle, let index = index(of: handle) else { return nil }
        return table.rows[index]
    }
}

extension ComponentDescription {
    init(_ description: AudioComponentDescription) {
        self.init(
            type: description.componentType, subtype: description.componentSubType,
            manufacturer: description.componentManufacturer)
    }
}

/// Calls `body` with the unit of a pointer, and returns a result code. A pointer that is no unit is an error.
@inline(__always)
func withUnit(_ pointer: AudioUnit?, _ body: (Unit) throws(UnitError) -> Void) -> OSStatus {
    guard let unit = ProcessUnits.context.table.object(pointer) else { return UnitError.parameter.rawValue }
    return answer { () throws(UnitError) in try body(unit) }
}
