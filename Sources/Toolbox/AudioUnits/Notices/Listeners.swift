// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

extension Unit {
    public func addListener(
        _ property: UInt32, _ procedure: @escaping AudioUnitPropertyListenerProc, _ data: UnsafeMutableRawPointer?
    ) throws(UnitError) {
        guard let known = UnitProperty(rawValue: property), let row = UnitPropertyRow.of(known), row.kinds.contains(kind.set)
        else {
            throw .invalidProperty
        }
        guard context.notifier.add(Notifier.Listener(property, procedure, data), of: handle) else { throw .memoryFull }
        // Another thread has disposed of the unit meanwhile.
        guard !read({ $0.isDisposed }) else {
            context.notifier.remove(nil, of: handle, waits: false)
            throw .parameter
        }
    }

    /// A listener that is not registered is no error. If a callback of the unit removes the listener, the call does not wait
    /// for a running listener, because the listener can wait for the callback.
    public func removeListener(
        _ property: UInt32, _ procedure: @escaping AudioUnitPropertyListenerProc, _ data: UnsafeMutableRawPointer?
    ) {
        context.notifier.remove(Notifier.Listener(property, procedure, data), of: handle, waits: !isRendering)
    }
}
