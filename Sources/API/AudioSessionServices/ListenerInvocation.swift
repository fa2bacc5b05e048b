// SPDX-License-Identifier: Apache-2.0
import CAudioSessionServices
import CoreFoundationTable
import LinuxSystem
import SessionModel

/// Calls a property listener with the payload of the event: the address of a number, or a borrowed object.
func invoke(
    _ procedure: AudioSessionPropertyListener, _ clientData: UnsafeMutableRawPointer?,
    _ event: SessionEvent,
    of property: SessionProperty
) {
    CallLog.invocation(property, event)
    switch event {
    case .interruption, .secondaryAudioHint: return
    case .routeChange(let change):
        invoke(procedure, clientData, property) { $0.dictionary(for: change) }
    case .propertyChange(_, let value):
        guard let scalar = value.scalarBits else {
            invoke(procedure, clientData, property) { $0.object(for: value) }
            return
        }
        var bits = scalar.bits.littleEndian
        procedure(clientData, property.rawValue, scalar.size, &bits)
    }
}

/// Calls the listener with an object. Without CoreFoundation the payload is NULL.
private func invoke(
    _ procedure: AudioSessionPropertyListener, _ clientData: UnsafeMutableRawPointer?,
    _ property: SessionProperty,
    _ make: (CoreFoundation) -> CoreFoundation.Object?
) {
    guard let cf = CoreFoundation.loaded(), let object = make(cf) else {
        Log.debug("the value of \(property.row.name) has no CoreFoundation object: the payload of the listener is NULL")
        procedure(clientData, property.rawValue, 0, nil)
        return
    }
    procedure(clientData, property.rawValue, property.row.type.size, object)
    cf.release(object)
}
