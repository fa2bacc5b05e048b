// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import CAudioToolbox
import MediaFormats
import Synchronization

// AudioUnitGetPropertyInfo, GetProperty and SetProperty: they check a call by the table, and read or write the value.
extension Unit {
    /// The size of the value, and whether it can be set at present.
    public func info(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> (size: UInt32, isWritable: Bool) {
        let (row, scopeElement) = try locate(id, scope, element)
        let isInitialized = read { $0.isInitialized }
        // A mixer has one output element. This number and the format of an initialized connection accept only the value that they
        // have.
        let isFixed =
            switch row.property {
            case .elementCount: scopeElement.scope != .input
            case .streamFormat, .sampleRate: formatIsFixed(scopeElement)
            default: false
            }
        let isWritable = canBeSet(row, scopeElement) && !isFixed && !(row.access == .readWriteBefore && isInitialized)
        if row.access == .write {
            guard let size = row.property.size else { throw .invalidProperty }
            return (UInt32(clamping: size), isWritable)
        }
        return (UInt32(clamping: try value(row.property, scopeElement).count), isWritable)
    }

    private func locate(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> (
        row: UnitPropertyRow, scopeElement: ScopeElement
    ) {
        try kind.locate(id, scope, element, inputs: read { $0.inputs.count })
    }

    private func canBeSet(_ row: UnitPropertyRow, _ scopeElement: ScopeElement) -> Bool {
        switch row.property {
        case .streamFormat, .sampleRate: kind.side(formatSide(scopeElement))?.isHardware != true
        case .elementCount: kind == .mixer && scopeElement.scope != .global
        default: row.access != .read
        }
    }

    /// Writes the value. `size` is the room, and then the number of bytes that were written: a value that is larger than the room is
    /// truncated. Without memory, only the size of the value is written.
    public func get(
        _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeMutableRawPointer?, _ size: inout UInt32
    ) throws(UnitError) {
        let (row, scopeElement) = try locate(id, scope, element)
        guard row.access != .write else { throw .invalidProperty }
        let bytes = try value(row.property, scopeElement)
        guard let data else {
            size = UInt32(clamping: bytes.count)
            return
        }
        let count = min(Int(size), bytes.count)
        bytes.withUnsafeBytes { if let start = $0.baseAddress { data.copyMemory(from: start, byteCount: count) } }
        size = UInt32(clamping: count)
        if row.property == .lastRenderError, count == bytes.count { failures.clearLastStatus() }
    }

    /// Sets the value, and calls the listeners.
    public func set(
        _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32
    ) throws(UnitError) {
        let (row, scopeElement) = try locate(id, scope, element)
        guard canBeSet(row, scopeElement) else { throw .propertyNotWritable }
        guard row.access != .readWriteBefore || !read({ $0.isInitialized }) else { throw .initialized }
        guard let data, row.accepts(Int(size)) else { throw .invalidPropertyValue }
        try set(row.property, scopeElement, UnsafeRawBufferPointer(start: data, count: Int(size)))
        post(row.property, scopeElement)
    }
}

extension UnitPropertyRow {
    fileprivate func accepts(_ count: Int) -> Bool {
        switch size {
        case .bytes(let size): count == size
        case .structure(_, let least): count >= least
        case .array(let element, let most): count % element == 0 && count / element <= most
        case .atLeast(let least): (least...4096).contains(count)
        }
    }
}

/// The bytes of a value.
func bytes<Value>(_ value: Value) -> [UInt8] {
    var value = value
    return withUnsafeBytes(of: &value) { Array($0) }
}
