// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// Every table by the name that the documents use.
func allTables() -> [String: Table] {
    [
        "results": resultTable(),
        "properties": propertyTable(),
        "categories": categoryTable(),
        "overrides": overrideTable(),
        "modes": modeTable(),
        "routes": routeTable(),
        "old routes": oldRouteTable(),
        "kinds": kindTable(),
        "interactions": interactionTable(),
        "spoken": spokenTable(),
        "changes": changeTable(),
        "ends": endTable(),
    ]
}

private func resultTable() -> Table {
    Table(
        "Constant", "Code", "Decimal",
        rows: ResultCode.allCases.map { result in
            let isText = result.rawValue > 0
            return ["\(result.name)", isText ? FourCC.text(UInt32(bitPattern: result.rawValue)) : "", "\(result.rawValue)"]
        })
}

private func propertyTable() -> Table {
    Table(
        "Code", "Property", "Type", "Size", "May", "First",
        rows: SessionProperty.allCases.map { property in
            let row = property.row
            return [
                FourCC.text(property.rawValue), "\(row.name)" + (row.isLinuxOnly ? " (Linux)" : ""), "\(row.type.name)",
                "\(row.type.size)", letters(row.access),
                initialValue(of: property),
            ]
        })
}

private func letters(_ access: PropertyAccess) -> String {
    let known: [(PropertyAccess, String)] = [(.get, "G"), (.set, "S"), (.listen, "L")]
    return known.filter { access.contains($0.0) }.map(\.1).joined()
}

/// The value in a new session; empty for a property of the hardware.
private func initialValue(of property: SessionProperty) -> String {
    let row = property.row
    guard row.access.contains([.get, .set]), !row.type.isCoreFoundation, let value = try? row.get(SessionState()) else {
        return ""
    }
    switch value {
    case .uint32(let number): return property == .audioCategory || property == .mode ? FourCC.text(number) : "\(number)"
    case .float32(let number): return "\(Int(number))"
    case .float64(let number): return "\(Int(number))"
    default: return ""
    }
}
