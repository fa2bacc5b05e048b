// SPDX-License-Identifier: Apache-2.0
import CCoreFoundation
import CoreFoundationTable
import SessionModel

let sint32 = Int(CF_NUMBER_SINT32)

// Makes CoreFoundation objects of the library's values. The caller releases each object. Nil when memory is exhausted.
extension CoreFoundation {
    func object(for value: PropertyValue) -> Object? {
        switch value {
        case .routeDescription(let route): description(of: route)
        case .selectables(let selectables, .inputSource):
            array(
                of: selectables, id: ConstantString.inputSourceID,
                name: ConstantString.inputSourceDescription)
        case .selectables(let selectables, .outputDestination):
            array(
                of: selectables, id: ConstantString.outputDestinationID,
                name: ConstantString.outputDestinationDescription)
        case .number(let id): id.flatMap(number)
        case .routeName(let name): ConstantString.of(name)
        case .string(let text): string(text)
        case .uint32, .float32, .float64: nil
        }
    }

    /// The payload of a route listener.
    func dictionary(for change: RouteChange) -> Object? {
        dictionary([
            (ConstantString.reason, number(change.reason.rawValue)),
            (ConstantString.previousRoute, description(of: change.previous)),
            (ConstantString.currentRoute, description(of: change.current)),
            (ConstantString.oldRoute, ConstantString.of(change.oldName)),
            (ConstantString.newRoute, ConstantString.of(change.newName)),
        ])
    }

    private func description(of route: Route) -> Object? {
        dictionary([
            (ConstantString.inputs, array(route.inputs.map(description))),
            (ConstantString.outputs, array(route.outputs.map(description))),
        ])
    }

    private func description(of port: Port) -> Object? {
        dictionary([
            (ConstantString.portType, ConstantString.of(port.kind)),
            (ConstantString.portName, string(port.name)),
            (ConstantString.portUID, string(port.uid)),
            (ConstantString.portChannels, number(Int32(clamping: port.channels))),
        ])
    }

    private func array(of selectables: [Selectable], id: Object?, name: Object?) -> Object? {
        array(selectables.map { dictionary([(id, number($0.id)), (name, string($0.name))]) })
    }

    // MARK: Objects

    private func number(_ value: Int32) -> Object? {
        var value = value
        return numberCreate(nil, sint32, &value)
    }
}
