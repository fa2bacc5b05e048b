// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

extension Unit {
    public func addListener(
        _ property: UInt32, _ procedure: @escaping AudioUnitPropertyListenerProc, _ data: UnsafeMutableRawPointer?
    ) throws(UnitError) {
        guard let known = Property(rawValue: property), let row = PropertyRow.of(known), row.kinds.contains(kind.set) else {
            throw .invalidProperty
        }
        guard world.notifier.add(Notifier.Listener(property, procedure, data), of: handle) else { throw .memoryFull }
    }

    /// A listener that is not registered is no error.
    public func removeListener(
        _ property: UInt32, _ procedure: @escaping AudioUnitPropertyListenerProc, _ data: UnsafeMutableRawPointer?
    ) {
        world.notifier.remove(Notifier.Listener(property, procedure, data), of: handle)
    }
}
