// SPDX-License-Identifier: Apache-2.0
import AudioGraphs
import AudioUnits
import CAudioToolbox
import Dispatch
import EngineTestSupport
import MediaTestSupport
import Synchronization
import Testing

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

/// A running graph: a mixer, node 1, and RemoteIO, node 2.
private final class RunningGraph: @unchecked Sendable {
    let engine = FakeEngine()
    let graph: Graph
    /// Runs in each render callback.
    var onRender: () -> Void = {}

    init() throws {
        graph = Graph(UnitContext(engine: engine))
        _ = try graph.addNode(component(.mixer))
        _ = try graph.addNode(component(.remoteIO))
        try graph.connect(1, 0, to: GraphInput(2, 0))
        let render: AURenderCallback = { reference, _, _, _, _, _ in
            Unmanaged<RunningGraph>.fromOpaque(reference!).takeUnretainedValue().onRender()
            return 0
        }
        try graph.setCallback(
            RenderCallback(render, Unmanaged.passUnretained(self).toOpaque()), of: GraphInput(1, 0))
        try graph.open()
        try graph.initialize()
        try graph.start()
    }
}

/// A property listener that changes a graph.
private final class Observer: @unchecked Sendable {
    private let graph: Graph
    let isCalled = DispatchSemaphore(value: 0)
    let mayChange = DispatchSemaphore(value: 0)
    let statuses = Mutex<[Int32]>([])

    init(_ graph: Graph) { self.graph = graph }

    func change() {
        isCalled.signal()
        mayChange.wait()
        let status = result { try graph.update() }
        statuses.withLock { $0.append(status) }
    }
}

@Suite("A call of a graph")
struct GraphThreadTests {
    @Test("waits until another thread has changed the graph")
    func waits() throws {
        let running = try RunningGraph()
        defer { running.graph.dispose() }
        for life in 0..<2 {
            if life == 1 {
                try running.graph.initialize()
                try running.graph.start()
            }
            let stream = try #require(running.engine.stream)
            let (isEnding, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            stream.whileEnding = {
                isEnding.signal()
                mayEnd.wait()
            }
            let results = Mutex<[Int32]>([])
            // The first change waits for a callback that has not returned.
            let first = WatchedThread {
                let status = result { try running.graph.uninitialize() }
                results.withLock { $0.append(status) }
            }
            isEnding.wait()
            let others = (0..<4).map { _ in
                WatchedThread {
                    let status = result { _ = try running.graph.addNode(component(.converter)) }
                    results.withLock { $0.append(status) }
                }
            }
            #expect(others.allSatisfy { $0.sleeps() })
            #expect(results.withLock { $0 } == [])
            mayEnd.signal()
            #expect(([first] + others).allSatisfy { $0.join() })
            #expect(results.withLock { $0 } == [0, 0, 0, 0, 0])
            #expect(running.graph.nodes.count == 2 + 4 * (life + 1))
        }
    }

    @Test("fails on a thread that renders if another thread changes the graph, and else works there")
    func rendering() throws {
        let running = try RunningGraph()
        defer { running.graph.dispose() }
        let stream = try #require(running.engine.stream)
        var results: [Int32] = []
        running.onRender = { results.append(result { try running.graph.update() }) }
        stream.turn()
        #expect(results == [0])
        let (isStopping, mayStop) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        stream.whileEnding = {
            isStopping.signal()
            mayStop.wait()
        }
        var other: WatchedThread?
        running.onRender = {
            other = WatchedThread { #expect(result { try running.graph.uninitialize() } == 0) }
            isStopping.wait()
            results.append(result { try running.graph.update() })
            results.append(result { _ = try running.graph.addNode(component(.converter)) })
            mayStop.signal()
        }
        stream.turn()
        #expect(other?.join() == true)
        #expect(results == [0, -10863, -10863])
        #expect(result { try running.graph.update() } == 0)
        #expect(!running.graph.isInitialized && running.graph.nodes.count == 2)
    }

    @Test("fails instead of waiting for itself")
    func nested() throws {
        let running = try RunningGraph()
        defer { running.graph.dispose() }
        let stream = try #require(running.engine.stream)
        var results: [Int32] = []
        stream.whileEnding = { results.append(result { try running.graph.update() }) }
        try running.graph.uninitialize()
        #expect(results == [-10863])
        #expect(result { try running.graph.initialize() } == 0)
    }

    @Test("that waits when the graph is disposed of fails, and the graph ends")
    func disposed() throws {
        let running = try RunningGraph()
        let stream = try #require(running.engine.stream)
        let (isEnding, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        stream.whileEnding = {
            isEnding.signal()
            mayEnd.wait()
        }
        let status = Mutex<Int32>(1)
        let first = WatchedThread { #expect(result { try running.graph.uninitialize() } == 0) }
        isEnding.wait()
        let second = WatchedThread {
            let opened = result { try running.graph.open() }
            status.withLock { $0 = opened }
        }
        #expect(second.sleeps())
        running.graph.dispose()
        #expect(second.join())
        mayEnd.signal()
        #expect(first.join())
        #expect(status.withLock { $0 } == -50)
        #expect(running.graph.nodes.isEmpty && running.engine.stream == nil)
    }

    @Test("in a listener waits for a change that ends the listener's unit")
    func listeners() throws {
        let running = try RunningGraph()
        defer { running.graph.dispose() }
        let observer = Observer(running.graph)
        for _ in 0..<2 {
            let unit = try #require(try running.graph.node(2).unit)
            try unit.addListener(
                UnitProperty.startTimestampsAtZero.rawValue,
                { reference, _, _, _, _ in Unmanaged<Observer>.fromOpaque(reference!).takeUnretainedValue().change() },
                Unmanaged.passUnretained(observer).toOpaque())
            var zero: UInt32 = 0
            try unit.set(UnitProperty.startTimestampsAtZero.rawValue, 0, 0, &zero, 4)
            observer.isCalled.wait()
            // The change has begun, and the end of the unit waits for the listener.
            running.engine.stream?.whileStopping = { observer.mayChange.signal() }
            try running.graph.close()
            #expect(observer.statuses.withLock { $0 }.allSatisfy { $0 == 0 })
            try running.graph.open()
            try running.graph.initialize()
            try running.graph.start()
            #expect(running.graph.isRunning)
        }
        #expect(observer.statuses.withLock { $0 } == [0, 0])
    }

    @Test("cannot remove the output of a running graph")
    func outputNode() throws {
        let running = try RunningGraph()
        defer { running.graph.dispose() }
        for _ in 0..<2 {
            #expect(result { try running.graph.removeNode(2) } == -10862)
            #expect(running.graph.isRunning && running.graph.nodes.count == 2 && running.graph.interactions.count == 2)
            try running.graph.stop()
            try running.graph.start()
        }
        #expect(result { try running.graph.removeNode(1) } == 0)
        // An interruption stops the graph as well.
        running.engine.stream?.interrupt()
        #expect(result { try running.graph.removeNode(2) } == 0)
        try running.graph.update()
        #expect(running.graph.nodes.isEmpty)
        let generic = Graph(UnitContext(engine: FakeEngine()))
        defer { generic.dispose() }
        let node = try generic.addNode(component(.genericOutput))
        try generic.open()
        try generic.initialize()
        try generic.start()
        #expect(result { try generic.removeNode(node) } == -10862)
        try generic.stop()
        #expect(result { try generic.removeNode(node) } == 0)
    }
}
