// SPDX-License-Identifier: Apache-2.0
import AudioGraphs
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import Testing

private func component(_ kind: UnitKind) -> ComponentDescription {
    UnitKind.components.rows[Int(kind.rawValue)].description
}

/// A graph with a mixer that feeds RemoteIO, and a callback that plays a constant.
private final class PlayingGraph {
    let engine = FakeEngine()
    let graph: Graph
    let mixer: Unit
    let output: Unit

    init() throws {
        engine.preferredSlice = 256.0 / 44_100
        graph = Graph(UnitContext(engine: engine))
        let (mixerNode, outputNode) = (try graph.addNode(component(.mixer)), try graph.addNode(component(.remoteIO)))
        let constant: AURenderCallback = { _, _, _, _, _, list in
            for channel in 0..<bufferCount(list!) {
                for index in samples(list!, channel, as: Float.self).indices {
                    samples(list!, channel, as: Float.self)[index] = 0.5
                }
            }
            return 0
        }
        try graph.connect(mixerNode, 0, to: GraphInput(outputNode, 0))
        try graph.setCallback(RenderCallback(constant, nil), of: GraphInput(mixerNode, 0))
        try graph.open()
        mixer = try #require(try graph.node(mixerNode).unit)
        output = try #require(try graph.node(outputNode).unit)
    }

    deinit { graph.dispose() }

    /// The rates at both ends of the connection.
    func rates() throws -> [Double] { [try rate(mixer, .output), try rate(output, .input)] }

    func plays() throws -> Bool {
        let stream = try #require(engine.stream)
        for _ in 0..<4 { stream.turn() }
        return stream.turn().contains { abs($0 - 0.5) < 0.01 }
    }
}

private func setRate(_ unit: Unit, _ scope: Scope, _ rate: Double, input element: UInt32 = 0) -> Int32 {
    status { try withUnsafeBytes(of: rate) { try unit.set(2, scope.rawValue, element, $0.baseAddress, 8) } }
}

private func setFormat(_ unit: Unit, _ scope: Scope, _ format: AudioStreamBasicDescription) -> Int32 {
    status { try withUnsafeBytes(of: format) { try unit.set(8, scope.rawValue, 0, $0.baseAddress, 40) } }
}

private func rate(_ unit: Unit, _ scope: Scope, _ element: UInt32 = 0) throws -> Double {
    var (rate, size) = (0.0, UInt32(8))
    try unit.get(2, scope.rawValue, element, &rate, &size)
    return rate
}

@Suite("A connection")
struct FormatConnectionTests {
    @Test("of an initialized graph keeps its format, and the sound goes on")
    func initialized() throws {
        let playing = try PlayingGraph()
        for _ in 0..<2 {
            try playing.graph.initialize()
            try playing.graph.start()
            #expect(try playing.plays())
            for (unit, scope) in [(playing.output, Scope.input), (playing.mixer, .output)] {
                #expect(setFormat(unit, scope, Program.int16(22_050, channels: 1)) == -10865)
                #expect(setRate(unit, scope, 22_050) == -10865)
                #expect(setRate(unit, .global, 22_050) == -10865)
                #expect(try unit.info(8, scope.rawValue, 0).isWritable == false)
                #expect(try unit.info(2, scope.rawValue, 0).isWritable == false)
                #expect(try rate(unit, scope) == 44_100)
                #expect(try playing.plays())
            }
            // An input that is not connected changes as before.
            #expect(setFormat(playing.mixer, .input, Program.float(48_000, channels: 2, isInterleaved: false)) == 0)
            #expect(try playing.mixer.info(8, Scope.input.rawValue, 0).isWritable)
            #expect(try playing.plays())
            try playing.graph.stop()
            #expect(setRate(playing.output, .input, 22_050) == -10865)
            try playing.graph.uninitialize()
            #expect(try playing.mixer.info(8, Scope.output.rawValue, 0).isWritable)
            #expect(setRate(playing.output, .input, 44_100) == 0)
        }
    }

    @Test("that waits for an update leaves the format to the program")
    func pending() throws {
        let playing = try PlayingGraph()
        try playing.graph.initialize()
        let converterNode = try playing.graph.addNode(component(.converter))
        let converter = try #require(try playing.graph.node(converterNode).unit)
        try playing.graph.connect(converterNode, 0, to: GraphInput(1, 1))
        #expect(setRate(converter, .output, 32_000) == 0)
        try playing.graph.update()
        #expect(try rate(playing.mixer, .input, 1) == 32_000)
        #expect(setRate(converter, .output, 16_000) == -10865)
        #expect(setRate(playing.mixer, .input, 16_000, input: 1) == -10865)
        try playing.graph.disconnect(GraphInput(1, 1))
        #expect(setRate(converter, .output, 16_000) == -10865)
        try playing.graph.update()
        #expect(setRate(converter, .output, 16_000) == 0)
        #expect(setRate(playing.mixer, .input, 8_000, input: 1) == 0)
    }

    @Test("carries a format that is set before the initialization to its other end")
    func carries() throws {
        let playing = try PlayingGraph()
        for life in 0..<2 {
            for (unit, scope, wanted) in [(playing.mixer, Scope.output, 32_000.0), (playing.output, .input, 16_000)] {
                #expect(setFormat(unit, scope, Program.int16(wanted, channels: 1)) == 0)
                #expect(try playing.rates() == [wanted, wanted])
                #expect(setRate(unit, scope, wanted / 2) == 0)
                #expect(try playing.rates() == [wanted / 2, wanted / 2])
            }
            try playing.graph.initialize()
            #expect(try playing.rates() == [8_000, 8_000])
            try playing.graph.start()
            #expect(try playing.plays(), "life \(life)")
            try playing.graph.stop()
            try playing.graph.uninitialize()
        }
        try playing.graph.disconnect(GraphInput(2, 0))
        #expect(setRate(playing.output, .input, 48_000) == 0)
        #expect(try rate(playing.mixer, .output) == 8_000)
    }

    @Test("that the program makes is as fixed as that of a graph, and an end without it is free")
    func ownConnections() throws {
        let mixer = try Program(.mixer)
        let converter = try Program(.converter, on: mixer.engine, in: mixer.context)
        let connection = AudioUnitConnection(sourceAudioUnit: converter.unit.handle, sourceOutputNumber: 0, destInputNumber: 2)
        for _ in 0..<2 {
            try mixer.set(.makeConnection, .input, 2, connection)
            #expect(setRate(mixer.unit, .input, 22_050, input: 2) == 0)
            #expect(try rate(converter.unit, .output) == 22_050)
            #expect(setRate(mixer.unit, .input, 11_025, input: 1) == 0)
            #expect(try rate(converter.unit, .output) == 22_050)
            try converter.unit.initialize()
            #expect(setRate(mixer.unit, .input, 32_000, input: 2) == -10865)
            converter.unit.uninitialize()
            try mixer.unit.initialize()
            #expect(setRate(converter.unit, .output, 32_000) == -10865)
            #expect(setRate(converter.unit, .input, 32_000) == 0)
            #expect(setRate(mixer.unit, .output, 32_000) == 0)
            try mixer.set(
                .makeConnection, .input, 2,
                AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 2))
            #expect(setRate(converter.unit, .output, 32_000) == 0)
            mixer.unit.uninitialize()
        }
        // A source that is gone holds nothing.
        try mixer.set(.makeConnection, .input, 2, connection)
        try converter.unit.initialize()
        #expect(converter.unit.dispose())
        #expect(setRate(mixer.unit, .input, 44_100, input: 2) == 0)
    }
}
