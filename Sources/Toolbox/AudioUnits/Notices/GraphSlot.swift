// SPDX-License-Identifier: Apache-2.0
import CStatusPage
import EngineClient
import Synchronization

/// The slot of a graph on the status page of this process, and the number that relates its units to it.
public struct GraphSlot: Sendable {
    public let number: UInt32
    private let slot: StatusSlot?

    public init(_ context: UnitContext) {
        number = context.graphs.add(1, ordering: .relaxed).newValue
        slot = context.engine?.makeStatusSlot()
    }

    /// Describes the graph. Its output unit describes itself, and so states whether the graph runs. One thread at a time.
    public func describe(isOpen: Bool, isInitialized: Bool, nodes: Int, connections: Int, callbacks: Int) {
        var description = status_description()
        description.kind = UInt32(STATUS_GRAPH)
        if isOpen { description.state |= UInt32(STATUS_IS_OPEN) }
        if isInitialized { description.state |= UInt32(STATUS_IS_INITIALIZED) }
        description.graph = number
        description.nodes = UInt32(clamping: nodes)
        description.connections = UInt32(clamping: connections)
        description.callbacks = UInt32(clamping: callbacks)
        slot?.describe(description)
    }
}
