// SPDX-License-Identifier: Apache-2.0
/// The components of the library, in the order in which a search finds them.
public struct ComponentTable: Sendable {
    public struct Row: Sendable {
        public let description: ComponentDescription
        public let name: StaticString
        /// 0x00010203 is 1.2.3.
        public let version: UInt32

        public init(_ description: ComponentDescription, name: StaticString, version: UInt32 = 0x0001_0000) {
            self.description = description
            self.name = name
            self.version = version
        }
    }

    public let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    /// The first match after the component `previous`, or the first match of all. Nil also for a
    /// component that the table does not have.
    public func next(after previous: Int?, matching wanted: ComponentDescription) -> Int? {
        let start: Int
        switch previous {
        case nil: start = 0
        case .some(let index) where rows.indices.contains(index): start = index + 1
        case .some: return nil
        }
        return (start..<rows.count).first { wanted.matches(rows[$0].description) }
    }

    public func count(matching wanted: ComponentDescription) -> Int {
        rows.reduce(0) { wanted.matches($1.description) ? $0 + 1 : $0 }
    }
}
