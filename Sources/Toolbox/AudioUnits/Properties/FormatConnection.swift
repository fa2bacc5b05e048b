// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The connections of one output: they carry one format, which a program can set at each end before a unit is initialized.
struct FormatConnection {
    struct End {
        let unit: Unit
        let side: Side
        let element: UInt32
    }

    /// The output, and the inputs that receive its frames.
    let ends: [End]

    var isInitialized: Bool { ends.contains { $0.unit.read { $0.isInitialized } } }
}

extension Unit {
    /// The connections of a side of the program; nil without one.
    func connection(of side: Side, _ element: UInt32) -> FormatConnection? {
        if side == .programOutput { return connections(of: element) }
        guard case .connection(let source, let output) = read({ $0.source(element) }) else { return nil }
        return source.connections(of: output)
    }

    /// The connections of an output. A disposed unit has none.
    private func connections(of output: UInt32) -> FormatConnection? {
        guard !read({ $0.isDisposed }) else { return nil }
        var ends: [FormatConnection.End] = []
        for unit in context.table.all {
            for input in unit.read({ $0.inputs(from: self, output) }) {
                ends.append(.init(unit: unit, side: .programInput, element: input))
            }
        }
        guard !ends.isEmpty else { return nil }
        return FormatConnection(ends: [.init(unit: self, side: .programOutput, element: output)] + ends)
    }
}

extension UnitState {
    /// The inputs that are connected to an output of a unit.
    fileprivate func inputs(from source: Unit, _ output: UInt32) -> [UInt32] {
        inputs.indices.filter {
            guard case .connection(let unit, let element) = inputs[$0].source else { return false }
            return unit === source && element == output
        }.map { UInt32($0) }
    }
}
