// SPDX-License-Identifier: Apache-2.0
public import AudioUnits

/// The result code of a graph call that fails: a value of `kAUGraphErr_…`, or the error of a unit.
public struct GraphError: Error, Equatable, Sendable {
    public let status: Int32

    private init(_ status: Int32) { self.status = status }
    public init(_ error: UnitError) { status = error.rawValue }

    /// A result code of the session or of a unit.
    static func result(_ status: Int32) -> GraphError { GraphError(status) }

    public static var nodeNotFound: GraphError { GraphError(-10860) }
    public static var invalidConnection: GraphError { GraphError(-10861) }
    public static var outputNode: GraphError { GraphError(-10862) }
    public static var cannotDoInCurrentContext: GraphError { GraphError(-10863) }
    public static var invalidUnit: GraphError { GraphError(-10864) }
    public static var uninitialized: GraphError { GraphError(.uninitialized) }
    public static var parameter: GraphError { GraphError(.parameter) }
}
