// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// Numbers and values of the C API as texts of the log.
enum Naming {
    static func property(_ id: UInt32) -> String {
        guard let property = SessionProperty(rawValue: id) else { return FourCC.text(id) }
        return
            "\(property.row.isLinuxOnly ? "kAudioSessionLinuxProperty_" : "kAudioSessionProperty_")\(property.row.name)"
    }

    static func value(_ value: PropertyValue, of property: SessionProperty) -> String {
        switch value {
        case .uint32(let number): Naming.value(number, of: property)
        case .float32(let number): Number.text(number)
        case .float64(let number): Number.text(number)
        case .number(let id): id.map { "\($0)" } ?? "no CFNumber"
        case .string(let text): "\"\(text)\""
        case .routeName(let name): "\"\(name.text)\""
        case .routeDescription(let route):
            "inputs \(list(route.inputs) { "\($0.kind.type)" }), outputs \(list(route.outputs) { "\($0.kind.type)" })"
        case .selectables(let selectables, _): list(selectables) { "\($0.id) \"\($0.name)\"" }
        }
    }

    private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        var list = ""
        for element in elements { list += (list.isEmpty ? "" : ", ") + text(element) }
        return "[\(list)]"
    }

    private static func value(_ number: UInt32, of property: SessionProperty) -> String {
        switch property {
        case .audioCategory: Category(rawValue: number).map { "\($0.traits.name)" } ?? FourCC.text(number)
        case .mode: Mode(rawValue: number).map { "\($0.name)" } ?? FourCC.text(number)
        case .overrideAudioRoute where number != 0: FourCC.text(number)
        case .interruptionType: FourCC.text(number)
        default: "\(number)"
        }
    }

    static func status(_ status: Int32) -> String {
        guard let known = ResultCode(rawValue: status) else {
            return status < 0 ? "\(status)" : FourCC.text(UInt32(bitPattern: status))
        }
        return known == .noError ? "0" : nameAndCode(known)
    }

    static func nameAndCode(_ result: ResultCode) -> String {
        switch result {
        case .noError, .parameter: "\(result.name) (\(result.rawValue))"
        default: "\(result.name) (\(FourCC.text(UInt32(bitPattern: result.rawValue))))"
        }
    }
}
