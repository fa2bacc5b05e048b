// SPDX-License-Identifier: Apache-2.0
import AudioGraphs
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import TestSupport
import Testing

private enum GraphCall {
    /// `begin` opens, initializes and starts.
    case begin, open, initialize, start, stop, uninitialize, close, update, connect, disconnect, interrupt, cycles

    static let states: [GraphCall] = [.begin, .start, .stop, .interrupt, .uninitialize, .close]
    static let all: [GraphCall] = states + [.open, .initialize, .update, .connect, .disconnect, .cycles]
}

/// The result of a call, and the state of the graph after it.
private struct GraphAnswer: Equatable {
    var status: Int32 = 0
    var isOpen = false
    var isInitialized = false
    var isRunning = false
    /// The callback of the mixer's input was called in the last cycle.
    var isCalled = false
}

private let (invalidUnit, uninitialized, invalidConnection): (Int32, Int32, Int32) = (-10864, -10867, -10861)

/// The rules of a graph with a mixer, whose input is a callback, and an output. The output may be connected to the mixer.
private struct GraphRules: LifeModel {
    private var answer = GraphAnswer()
    private var starts = 0
    private var isConnected = true
    /// The output's input as it is applied to the unit.
    private var isApplied = false

    mutating func predict(_ call: GraphCall) -> GraphAnswer {
        (answer.status, answer.isCalled) = (0, false)
        switch call {
        case .begin:
            for step in [GraphCall.open, .initialize, .start] { _ = predict(step) }
            return answer
        case .open: answer.isOpen = true
        case .initialize:
            if answer.isOpen { (answer.isInitialized, isApplied) = (true, isConnected) } else { answer.status = invalidUnit }
        case .start: start()
        case .stop: stop()
        case .uninitialize: if answer.isInitialized { (answer.isInitialized, answer.isRunning, starts) = (false, false, 0) }
        case .close: (answer, starts, isApplied) = (GraphAnswer(), 0, false)
        case .update: if answer.isInitialized { isApplied = isConnected }
        case .connect: if isConnected { answer.status = invalidConnection } else { isConnected = true }
        case .disconnect: if isConnected { isConnected = false } else { answer.status = invalidConnection }
        case .interrupt: answer.isRunning = false
        case .cycles: answer.isCalled = answer.isRunning && isApplied
        }
        return answer
    }

    private mutating func start() {
        guard answer.isOpen else {
            answer.status = invalidUnit
            return
        }
        guard answer.isInitialized else {
            answer.status = uninitialized
            return
        }
        starts = answer.isRunning ? starts + 1 : 1
        answer.isRunning = true
    }

    private mutating func stop() {
        guard answer.isOpen else {
            answer.status = invalidUnit
            return
        }
        starts = answer.isRunning ? max(starts - 1, 0) : 0
        if starts == 0 { answer.isRunning = false }
    }
}

private final class GraphLife: LivingObject {
    private let engine: FakeEngine
    private let context: UnitContext
    private let graph: Graph
    private let mixer: Int32
    private let output: Int32
    private let source = CountedSource()

    convenience init() throws {
        let engine = FakeEngine()
        engine.preferredSlice = 64 / 44_100
        engine.hardware.output_rate = 44_100
        try self.init(engine, UnitContext(engine: engine))
    }

    private init(_ engine: FakeEngine, _ context: UnitContext) throws {
        (self.engine, self.context) = (engine, context)
        graph = Graph(context)
        mixer = try graph.addNode(UnitKind.components.rows[Int(UnitKind.mixer.rawValue)].description)
        output = try graph.addNode(UnitKind.components.rows[Int(UnitKind.remoteIO.rawValue)].description)
        try graph.setCallback(RenderCallback(CountedSource.render, source.reference), of: GraphInput(mixer, 0))
        try graph.connect(mixer, 0, to: GraphInput(output, 0))
    }

    deinit { graph.dispose() }

    /// Closed and opened by its calls, or as a new graph.
    func reopened(_ way: Int) throws -> GraphLife {
        guard way == 0 else {
            graph.dispose()
            return try GraphLife(engine, context)
        }
        try graph.close()
        #expect(engine.streams.allSatisfy { $0.isDestroyed })
        if graph.interactions.count < 2 { try graph.connect(mixer, 0, to: GraphInput(output, 0)) }
        source.frames = 0
        return self
    }

    func perform(_ call: GraphCall, _ trace: inout Trace) -> GraphAnswer {
        var answer = GraphAnswer()
        do throws(GraphError) {
            switch call {
            case .begin:
                try graph.open()
                try graph.initialize()
                try graph.start()
            case .open: try graph.open()
            case .initialize: try graph.initialize()
            case .start: try graph.start()
            case .stop: try graph.stop()
            case .uninitialize: try graph.uninitialize()
            case .close: try graph.close()
            case .update: try graph.update()
            case .connect: try graph.connect(mixer, 0, to: GraphInput(output, 0))
            case .disconnect: try graph.disconnect(GraphInput(output, 0))
            case .interrupt: engine.stream?.interrupt()
            case .cycles: answer.isCalled = isCalled(&trace)
            }
        } catch { answer.status = error.status }
        (answer.isOpen, answer.isInitialized, answer.isRunning) = (graph.isOpen, graph.isInitialized, graph.isRunning)
        trace.append(UInt64(engine.streams.count { !$0.isDestroyed }))
        return answer
    }

    /// The first cycles play the transition from the former sources.
    private func isCalled(_ trace: inout Trace) -> Bool {
        for _ in 0..<2 { trace.append(engine.stream?.turn() ?? []) }
        let before = source.frames
        trace.append(engine.stream?.turn() ?? [])
        return source.frames > before
    }
}

/// A sound that counts its frames.
private final class CountedSource {
    var frames = 0
    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let render: AURenderCallback = { reference, _, _, _, frames, list in
        guard let reference, let list else { return -50 }
        let source = Unmanaged<CountedSource>.fromOpaque(reference).takeUnretainedValue()
        for index in 0..<Int(frames) {
            for channel in 0..<bufferCount(list) {
                samples(list, channel, as: Float.self)[index] = Float((source.frames + index) % 97) / 200
            }
        }
        source.frames += Int(frames)
        return 0
    }
}

@Suite("The lives of a graph")
struct GraphLivesTests {
    /// After `close`, and as a new graph.
    @Test("are equal for every sequence of calls", arguments: [(GraphCall.states, 4), (GraphCall.all, 3)])
    fileprivate func equal(_ calls: [GraphCall], longest: Int) throws {
        var lives = Lives(of: calls, longest: longest, ways: 2, make: { try GraphLife() }, model: { GraphRules() })
        try lives.run()
        for finding in lives.findings { Issue.record("\(finding)") }
    }
}
