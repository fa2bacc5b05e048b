// SPDX-License-Identifier: Apache-2.0
public import AudioUnits

/// A unit in a graph.
public struct GraphNode: @unchecked Sendable {
    public let number: Int32
    public let kind: UnitKind
    /// Nil while the graph is closed.
    public internal(set) var unit: Unit?
}

/// An input of a node.
public struct GraphInput: Equatable, Sendable {
    public var node: Int32
    public var element: UInt32

    public init(_ node: Int32, _ element: UInt32) {
        self.node = node
        self.element = element
    }
}

/// The source of an input.
public struct Interaction: Equatable, Sendable {
    public enum Source: Equatable, Sendable {
        case connection(node: Int32, element: UInt32)
        case callback(RenderCallback)
    }

    public let input: GraphInput
    public let source: Source

    var isConnection: Bool {
        if case .connection = source { return true }
        return false
    }

    func involves(_ node: Int32) -> Bool {
        if input.node == node { return true }
        if case .connection(node, _) = source { return true }
        return false
    }
}

/// The nodes and interactions of a graph. As a value, so that a call that fails changes nothing.
struct GraphModel {
    private(set) var nodes: [GraphNode] = []
    /// In the order in which they were made.
    private(set) var interactions: [Interaction] = []
    private var lastNumber: Int32 = 0

    /// A graph has one output unit.
    var output: GraphNode? { nodes.first { $0.kind.isOutput } }

    func node(_ number: Int32) throws(GraphError) -> GraphNode {
        guard let node = nodes.first(where: { $0.number == number }) else { throw .nodeNotFound }
        return node
    }

    // MARK: Nodes

    mutating func addNode(_ description: ComponentDescription) throws(GraphError) -> GraphNode {
        guard let index = UnitKind.components.next(after: nil, matching: description), let kind = UnitKind(component: index)
        else { throw .invalidUnit }
        guard !kind.isOutput || output == nil else { throw .outputNode }
        lastNumber &+= 1
        let node = GraphNode(number: lastNumber, kind: kind, unit: nil)
        nodes.append(node)
        return node
    }

    mutating func removeNode(_ number: Int32) throws(GraphError) -> GraphNode {
        let node = try node(number)
        nodes.removeAll { $0.number == number }
        interactions.removeAll { $0.involves(number) }
        return node
    }

    mutating func setUnit(_ unit: Unit?, of number: Int32) {
        for index in nodes.indices where nodes[index].number == number { nodes[index].unit = unit }
    }

    // MARK: Interactions

    func interaction(_ input: GraphInput) -> Interaction? { interactions.first { $0.input == input } }

    mutating func connect(_ source: Int32, _ element: UInt32, to input: GraphInput) throws(GraphError) {
        let (from, to) = (try node(source), try node(input.node))
        guard from.kind.hasProgramOutput(element), to.kind.hasProgramInput(input.element), interaction(input) == nil,
            !leads(from: input.node, to: source)
        else { throw .invalidConnection }
        interactions.append(Interaction(input: input, source: .connection(node: source, element: element)))
    }

    /// The output of an I/O unit is its captured sound: no path leads from its input to its output.
    private func leads(from node: Int32, to target: Int32) -> Bool {
        var reached: [Int32] = []
        var waiting = [node]
        while let next = waiting.popLast() {
            guard !reached.contains(next), let kind = nodes.first(where: { $0.number == next })?.kind, !kind.isIO else {
                continue
            }
            if next == target { return true }
            reached.append(next)
            for interaction in interactions {
                if case .connection(next, _) = interaction.source { waiting.append(interaction.input.node) }
            }
        }
        return false
    }

    /// Replaces a callback. Nil removes it.
    mutating func setCallback(_ callback: RenderCallback?, of input: GraphInput) throws(GraphError) {
        guard try node(input.node).kind.hasProgramInput(input.element) else { throw .invalidConnection }
        if case .connection? = interaction(input)?.source { throw .invalidConnection }
        interactions.removeAll { $0.input == input }
        guard let callback else { return }
        interactions.append(Interaction(input: input, source: .callback(callback)))
    }

    mutating func disconnect(_ input: GraphInput) throws(GraphError) {
        _ = try node(input.node)
        guard interaction(input) != nil else { throw .invalidConnection }
        interactions.removeAll { $0.input == input }
    }

    mutating func clearInteractions() { interactions = [] }

    func interactions(of number: Int32) throws(GraphError) -> [Interaction] {
        _ = try node(number)
        return interactions.filter { $0.involves(number) }
    }
}
