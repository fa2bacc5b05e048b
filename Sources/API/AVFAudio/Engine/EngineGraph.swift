// SPDX-License-Identifier: Apache-2.0

/// The connections of an engine. As a value: a connection that is refused changes nothing.
struct EngineGraph {
    struct Connection {
        let source: AVAudioNode
        let sourceBus: Int
        let target: AVAudioNode
        let targetBus: Int
        let format: AVAudioFormat
        /// The engine has made it, and adapts its format to the output.
        let isAutomatic: Bool
    }

    private(set) var connections: [Connection] = []

    mutating func add(_ connection: Connection) { connections.append(connection) }
    mutating func remove(where matches: (Connection) -> Bool) -> [Connection] {
        let removed = connections.filter(matches)
        connections.removeAll(where: matches)
        return removed
    }

    func input(_ node: AVAudioNode, _ bus: Int) -> Connection? {
        connections.first { $0.target === node && $0.targetBus == bus }
    }
    func outputs(_ node: AVAudioNode, _ bus: Int) -> [Connection] {
        connections.filter { $0.source === node && $0.sourceBus == bus }
    }
    func inputs(_ node: AVAudioNode) -> [Connection] { connections.filter { $0.target === node } }
    func outputs(_ node: AVAudioNode) -> [Connection] { connections.filter { $0.source === node } }

    /// The sound of `node` reaches `other`, or they are one.
    func reaches(_ node: AVAudioNode, _ other: AVAudioNode) -> Bool {
        node === other || outputs(node).contains { reaches($0.target, other) }
    }

    /// The mixer inputs that a node feeds, directly or through nodes with one input.
    func mixerInputs(of node: AVAudioNode) -> [MixerInput] { outputs(node).flatMap { mixerInputs(behind: $0) } }

    func mixerInputs(behind connection: Connection) -> [MixerInput] {
        guard let mixer = connection.target as? AVAudioMixerNode else { return mixerInputs(of: connection.target) }
        return [MixerInput(mixer: mixer, bus: connection.targetBus)]
    }

    /// The source whose values apply to the inputs of mixers that a node feeds: the node itself, or the first before it.
    func mixedSource(_ node: AVAudioNode) -> AVAudioNode? {
        if node is any AVAudioMixing { return node }
        for connection in inputs(node) { if let source = mixedSource(connection.source) { return source } }
        return nil
    }
}
