// SPDX-License-Identifier: Apache-2.0
import AudioGraphs
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

private func component(_ kind: UnitKind) -> ComponentDescription {
    UnitKind.components.rows[Int(kind.rawValue)].description
}

private func result(_ body: () throws -> Void) -> Int32 {
    do {
        try body()
        return 0
    } catch let error as GraphError {
        return error.status
    } catch {
        return .min
    }
}

/// A tone with a level of 0.3 on both channels.
private final class Tone {
    private var phase = 0.0
    let frequency: Double
    init(_ frequency: Double) { self.frequency = frequency }

    static let render: AURenderCallback = { reference, _, _, _, frames, list in
        let tone = Unmanaged<Tone>.fromOpaque(reference!).takeUnretainedValue()
        for frame in 0..<Int(frames) {
            for channel in 0..<bufferCount(list!) {
                samples(list!, channel, as: Float.self)[frame] = Float(0.3 * sin(tone.phase))
            }
            tone.phase += 2 * .pi * tone.frequency / 44_100
        }
        return 0
    }

    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

@Suite("A graph")
struct GraphTests {
    @Test("plays every rewiring without a click", arguments: 0..<4 as Range<UInt64>)
    func rewiring(seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        let engine = FakeEngine()
        let graph = Graph(UnitContext(engine: engine))
        defer { graph.dispose() }
        let tones = [Tone(300), Tone(440), Tone(700)]
        let mixer = try graph.addNode(component(.mixer))
        let converter = try graph.addNode(component(.converter))
        let output = try graph.addNode(component(.remoteIO))
        try graph.connect(mixer, 0, to: GraphInput(output, 0))
        for index in 0..<2 {
            try graph.setCallback(RenderCallback(Tone.render, tones[index].reference), of: GraphInput(mixer, UInt32(index)))
        }
        try graph.setCallback(RenderCallback(Tone.render, tones[2].reference), of: GraphInput(converter, 0))
        #expect(result { try graph.start() } == -10864)
        try graph.open()
        #expect(result { try graph.start() } == -10867)
        try graph.initialize()
        try graph.start()
        let stream = try #require(engine.stream)
        var played: [Float] = []
        var changes = 0
        for turn in 0..<200 {
            let frames = stream.turn()
            played += stride(from: 0, to: frames.count, by: 2).map { frames[$0] }
            guard turn % 4 == 3 else { continue }
            try rewire(graph, mixer, converter, output, tones, &generator)
            try graph.update()
            changes += 1
        }
        #expect(changes == 50 && played.count > 200 * 512)
        #expect(played.contains { abs($0) > 0.25 })
        // The steepest part of the three tones has a step of 0.05.
        #expect(zip(played, played.dropFirst()).allSatisfy { abs($0 - $1) < 0.07 })
    }

    private func rewire(
        _ graph: Graph, _ mixer: Int32, _ converter: Int32, _ output: Int32, _ tones: [Tone], _ generator: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let input = GraphInput(mixer, UInt32.random(in: 0..<2, using: &generator))
            if graph.interactions.contains(where: { $0.input == input }) {
                try graph.disconnect(input)
            } else {
                try graph.setCallback(RenderCallback(Tone.render, tones[Int(input.element)].reference), of: input)
            }
        case 1:
            let input = GraphInput(mixer, 2)
            if graph.interactions.contains(where: { $0.input == input }) {
                try graph.disconnect(input)
            } else if !graph.interactions.contains(where: { $0.input.node == output && isConnection($0, from: converter) }) {
                try graph.connect(converter, 0, to: input)
            }
        case 2:
            if graph.interactions.contains(where: { $0.input.node == output }) { try graph.disconnect(GraphInput(output, 0)) }
            try graph.connect(mixer, 0, to: GraphInput(output, 0))
        default:
            guard !graph.interactions.contains(where: { $0.input == GraphInput(mixer, 2) }) else { return }
            if graph.interactions.contains(where: { $0.input.node == output }) { try graph.disconnect(GraphInput(output, 0)) }
            try graph.connect(converter, 0, to: GraphInput(output, 0))
        }
    }

    private func isConnection(_ interaction: Interaction, from node: Int32) -> Bool {
        if case .connection(node, _) = interaction.source { return true }
        return false
    }

    @Test("agrees with its model after each of many random calls", arguments: 0..<16 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed)
        let graph = Graph(UnitContext(engine: FakeEngine()))
        defer { graph.dispose() }
        var model = Model()
        for _ in 0..<300 {
            let node = Int32.random(in: 0..<(model.last + 3), using: &generator)
            let other = Int32.random(in: 0..<(model.last + 3), using: &generator)
            let input = GraphInput(node, UInt32.random(in: 0..<3, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let kind = UnitKind.allCases.randomElement(using: &generator) ?? .mixer
                #expect(result { _ = try graph.addNode(component(kind)) } == model.add(kind))
            case 1 where Int.random(in: 0..<3, using: &generator) == 0:
                #expect(result { try graph.removeNode(node) } == model.remove(node))
            case 1, 2, 3, 4:
                let element = UInt32.random(in: 0..<2, using: &generator)
                #expect(result { try graph.connect(other, element, to: input) } == model.connect(other, element, input))
            case 5, 6: #expect(result { try graph.setCallback(RenderCallback(Tone.render, nil), of: input) } == model.call(input))
            case 7: #expect(result { try graph.disconnect(input) } == model.disconnect(input))
            case 8:
                #expect(result { try graph.open() } == 0)
                model.isOpen = true
            default:
                // The inputs of a mixer are 8: all that the calls name are there.
                #expect(result { try graph.initialize() } == (model.isOpen ? 0 : -10864))
                if Bool.random(using: &generator) {
                    try graph.close()
                    model.isOpen = false
                }
            }
            #expect(graph.nodes.map { $0.number } == model.nodes.map { $0.number })
            #expect(graph.nodes.allSatisfy { ($0.unit != nil) == model.isOpen })
            #expect(graph.interactions.map { $0.input } == model.edges.map { $0.input })
            for node in model.nodes {
                let edges = model.edges.filter { $0.input.node == node.number || $0.source == node.number }
                #expect(try graph.interactions(of: node.number).map { $0.input } == edges.map { $0.input })
            }
            #expect(graph.isOpen == model.isOpen)
        }
    }
}

/// The simplest description of a graph that predicts its results.
private struct Model {
    var nodes: [(number: Int32, kind: UnitKind)] = []
    /// The source is 0 for a callback.
    var edges: [(input: GraphInput, source: Int32)] = []
    var last: Int32 = 0
    var isOpen = false

    func kind(_ number: Int32) -> UnitKind? { nodes.first { $0.number == number }?.kind }

    private static func plays(_ kind: UnitKind) -> Bool { isHardware(kind) || kind == .genericOutput }
    private static func isPlayer(_ kind: UnitKind) -> Bool { kind == .filePlayer || kind == .soundPlayer }
    private static func isHardware(_ kind: UnitKind) -> Bool { kind == .remoteIO || kind == .voiceProcessingIO }

    mutating func add(_ kind: UnitKind) -> Int32 {
        guard !(Model.plays(kind) && nodes.contains { Model.plays($0.kind) }) else { return -10862 }
        last += 1
        nodes.append((last, kind))
        return 0
    }

    mutating func remove(_ number: Int32) -> Int32 {
        guard kind(number) != nil else { return -10860 }
        nodes.removeAll { $0.number == number }
        edges.removeAll { $0.input.node == number || $0.source == number }
        return 0
    }

    private func hasInput(_ input: GraphInput) -> Bool {
        guard let kind = kind(input.node), !Model.isPlayer(kind) else { return false }
        return kind == .mixer || input.element == 0
    }

    mutating func connect(_ source: Int32, _ element: UInt32, _ input: GraphInput) -> Int32 {
        guard let from = kind(source), kind(input.node) != nil else { return -10860 }
        guard element == (Model.isHardware(from) ? 1 : 0), hasInput(input), !edges.contains(where: { $0.input == input }),
            !makesCircle(source, input.node)
        else { return -10861 }
        edges.append((input, source))
        return 0
    }

    /// Sound of `source` would reach `source` again, other than by loudspeaker and microphone.
    private func makesCircle(_ source: Int32, _ target: Int32) -> Bool {
        var reached: Set<Int32> = kind(target).map(Model.isHardware) == true ? [] : [target]
        for _ in nodes {
            for edge in edges where reached.contains(edge.source) { reached.insert(edge.input.node) }
            reached = reached.filter { !(kind($0).map(Model.isHardware) ?? true) }
        }
        return reached.contains(source)
    }

    mutating func call(_ input: GraphInput) -> Int32 {
        guard kind(input.node) != nil else { return -10860 }
        guard hasInput(input) else { return -10861 }
        if let index = edges.firstIndex(where: { $0.input == input }) {
            guard edges[index].source == 0 else { return -10861 }
            edges.remove(at: index)
        }
        edges.append((input, 0))
        return 0
    }

    mutating func disconnect(_ input: GraphInput) -> Int32 {
        guard kind(input.node) != nil else { return -10860 }
        guard let index = edges.firstIndex(where: { $0.input == input }) else { return -10861 }
        edges.remove(at: index)
        return 0
    }
}
