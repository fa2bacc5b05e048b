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

    /// The mixer input that a source feeds, directly or through nodes with one input.
    func mixerInput(of node: AVAudioNode) -> (mixer: AVAudioMixerNode, bus: Int)? {
        guard let next = outputs(node).first else { return nil }
        if let mixer = next.target as? AVAudioMixerNode { return (mixer, next.targetBus) }
        return mixerInput(of: next.target)
    }

    /// The sources whose values apply to an input of a mixer.
    func mixedSources(_ node: AVAudioNode) -> [any MixedNode] {
        if let source = node as? any MixedNode { return [source] }
        return inputs(node).flatMap { mixedSources($0.source) }
    }
}
