// SPDX-License-Identifier: Apache-2.0
import AudioGraphs
import AudioUnits
import CAudioToolbox
import EngineTestSupport
import Testing

/// Counts the calls of a render notification.
private final class Count {
    var calls = 0
    var callback: RenderCallback {
        RenderCallback(
            { reference, _, _, _, _, _ in
                Unmanaged<Count>.fromOpaque(reference!).takeUnretainedValue().calls += 1
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

@Suite("A render notification of a graph")
struct GraphNotificationTests {
    private let engine = FakeEngine()
    private let graph: Graph

    init() throws {
        graph = Graph(UnitContext(engine: engine))
        _ = try graph.addNode(UnitKind.components.rows[Int(UnitKind.remoteIO.rawValue)].description)
    }

    private func start() throws {
        try graph.open()
        try graph.initialize()
        try graph.start()
    }

    /// The calls during two cycles: one before and one after each.
    private func calls(of count: Count) -> Int {
        count.calls = 0
        engine.stream?.turn()
        engine.stream?.turn()
        return count.calls
    }

    @Test("is called in each life of the graph until it is removed, and in none after that")
    func lives() throws {
        defer { graph.dispose() }
        let (first, second) = (Count(), Count())
        try graph.addRenderNotify(first.callback)
        try start()
        try graph.addRenderNotify(second.callback)
        #expect(calls(of: first) == 4 && calls(of: second) == 4)
        try graph.close()
        try start()
        #expect(calls(of: first) == 4 && calls(of: second) == 4)
        // One is removed while the graph runs, the other one while it is closed.
        try graph.removeRenderNotify(first.callback)
        #expect(calls(of: first) == 0 && calls(of: second) == 4)
        try graph.close()
        try graph.removeRenderNotify(second.callback)
        for _ in 1...2 {
            try start()
            #expect(calls(of: first) == 0 && calls(of: second) == 0)
            try graph.close()
        }
        try graph.addRenderNotify(first.callback)
        try start()
        #expect(calls(of: first) == 4 && calls(of: second) == 0)
    }
}
