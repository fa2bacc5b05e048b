// SPDX-License-Identifier: Apache-2.0
public import AudioUnits
import CLinux
import LinuxSystem

/// A graph: units that are connected, started and stopped together.
///
/// A call that changes units works on a copy of the state and holds no lock, because it may wait for callbacks. A change on another
/// thread waits until this call has ended. Where it cannot wait, on a thread that renders and inside of the call itself, it fails with
/// `cannotDoInCurrentContext`.
public final class Graph: @unchecked Sendable {
    private let context: UnitContext
    private let number: UInt32
    private let lock = ConditionLock()
    private var state = State()
    /// Nil after `dispose`.
    private var statusSlot: GraphSlot?
    /// The thread that changes the graph now, or 0.
    private var changer: UInt64 = 0
    private var isDisposed = false

    struct State {
        var model = GraphModel()
        var isOpen = false
        var isInitialized = false
        /// The number of starts without a matching stop.
        var starts = 0
        /// The interactions that the units have now.
        var applied: [Interaction] = []
        /// Removed nodes whose units are freed by the next update.
        var removed: [GraphNode] = []
        /// Units that are freed at the end of the change.
        var unused: [Unit] = []
        var notifies: [RenderCallback] = []
    }

    public init(_ context: UnitContext) {
        self.context = context
        let slot = GraphSlot(context)
        (number, statusSlot) = (slot.number, slot)
        show()
    }

    /// Describes the graph on the status page of the process. Called after each change, under the lock.
    private func show() {
        let connections = state.model.interactions.count { $0.isConnection }
        statusSlot?.describe(
            isOpen: state.isOpen, isInitialized: state.isInitialized, nodes: state.model.nodes.count, connections: connections,
            callbacks: state.model.interactions.count - connections)
    }

    // MARK: Changes

    /// Changes the state. If `body` fails, the state stays; changes of units that `body` has made remain.
    private func change<Result>(_ body: (inout State) throws(GraphError) -> Result) throws(GraphError) -> Result {
        var copy = try beginChange()
        do throws(GraphError) {
            let result = try body(&copy)
            Graph.connectUnits(&copy)
            finish(copy)
            return result
        } catch {
            finish(nil)
            throw error
        }
    }

    /// Waits until no other thread changes the graph.
    private func beginChange() throws(GraphError) -> State {
        let own = linux_thread_self()
        let canWait = !context.isRendering
        return try lock.withLock { () throws(GraphError) -> State in
            while changer != 0, !isDisposed {
                guard canWait, changer != own, lock.wait(until: UInt64.max) else { throw .cannotDoInCurrentContext }
            }
            guard !isDisposed else { throw .parameter }
            changer = own
            return state
        }
    }

    /// Ends a change. Units are freed afterwards, because their end waits for their listeners, which may wait for a change.
    private func finish(_ next: State?) {
        let (unused, leftovers): ([Unit], State?) = lock.withLock {
            if let next { state = next }
            let unused = state.unused
            state.unused = []
            changer = 0
            lock.broadcast()
            guard isDisposed else {
                show()
                return (unused, nil)
            }
            let last = state
            state = State()
            return (unused, last)
        }
        for unit in unused { _ = unit.dispose() }
        if let leftovers { free(leftovers) }
    }

    /// Stops the graph and frees its units. If a change is running, it frees them at its end.
    public func dispose() {
        let last: State? = lock.withLock {
            isDisposed = true
            statusSlot = nil
            lock.broadcast()
            guard changer == 0 else { return nil }
            let last = state
            state = State()
            return last
        }
        if let last { free(last) }
    }

    private func free(_ state: State) {
        try? state.model.output?.unit?.stop()
        for node in state.model.nodes { _ = node.unit?.dispose() }
        for node in state.removed { _ = node.unit?.dispose() }
        for unit in state.unused { _ = unit.dispose() }
    }

    // MARK: Nodes

    public func addNode(_ description: ComponentDescription) throws(GraphError) -> Int32 {
        try change { (state: inout State) throws(GraphError) in
            let node = try state.model.addNode(description)
            if state.isOpen { state.model.setUnit(try make(node.kind, state.notifies), of: node.number) }
            return node.number
        }
    }

    private func make(_ kind: UnitKind, _ notifies: [RenderCallback]) throws(GraphError) -> Unit {
        do throws(UnitError) {
            let unit = try Unit.make(kind, in: context, graph: number)
            if kind.isOutput {
                for notify in notifies { try unit.addRenderNotify(notify) }
            }
            return unit
        } catch { throw GraphError(error) }
    }

    /// In an initialized graph the next update frees the unit. The output unit of a running graph cannot be removed.
    public func removeNode(_ number: Int32) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            let node = try state.model.removeNode(number)
            guard !node.kind.isOutput || node.unit?.isRunning != true else { throw .outputNode }
            if state.isInitialized {
                state.removed.append(node)
            } else if let unit = node.unit {
                state.unused.append(unit)
            }
        }
    }

    public var nodes: [GraphNode] { lock.withLock { state.model.nodes } }
    public func node(_ number: Int32) throws(GraphError) -> GraphNode {
        try lock.withLock { state.model }.node(number)
    }

    // MARK: Interactions

    public func connect(_ source: Int32, _ element: UInt32, to input: GraphInput) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in try state.model.connect(source, element, to: input) }
    }

    /// Replaces a callback. Nil removes it.
    public func setCallback(_ callback: RenderCallback?, of input: GraphInput) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in try state.model.setCallback(callback, of: input) }
    }

    public func disconnect(_ input: GraphInput) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in try state.model.disconnect(input) }
    }

    public func clearInteractions() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in state.model.clearInteractions() }
    }

    public var interactions: [Interaction] { lock.withLock { state.model.interactions } }
    public func interactions(of node: Int32) throws(GraphError) -> [Interaction] {
        try lock.withLock { state.model }.interactions(of: node)
    }

    // MARK: Life

    public func open() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard !state.isOpen else { return }
            var made: [Unit] = []
            do throws(GraphError) {
                for node in state.model.nodes {
                    let unit = try make(node.kind, state.notifies)
                    made.append(unit)
                    state.model.setUnit(unit, of: node.number)
                }
            } catch {
                for unit in made { _ = unit.dispose() }
                throw error
            }
            state.isOpen = true
        }
    }

    public func close() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            try? state.model.output?.unit?.stop()
            state.unused += (state.model.nodes + state.removed).compactMap { $0.unit }
            for node in state.model.nodes { state.model.setUnit(nil, of: node.number) }
            state.removed = []
            state.applied = []
            state.starts = 0
            (state.isOpen, state.isInitialized) = (false, false)
        }
    }

    public func initialize() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard state.isOpen else { throw .invalidUnit }
            guard !state.isInitialized else { return try Graph.update(&state) }
            state.isInitialized = true
            do throws(GraphError) {
                try Graph.update(&state)
            } catch {
                for node in state.model.nodes { node.unit?.uninitialize() }
                throw error
            }
        }
    }

    public func uninitialize() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard state.isInitialized else { return }
            try? state.model.output?.unit?.stop()
            for interaction in state.applied { Graph.remove(interaction, from: state) }
            for node in state.model.nodes { node.unit?.uninitialize() }
            state.unused += state.removed.compactMap { $0.unit }
            state.removed = []
            state.applied = []
            state.starts = 0
            state.isInitialized = false
        }
    }

    /// Applies the changes since the last update.
    public func update() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard state.isInitialized else { return }
            try Graph.update(&state)
        }
    }

    // MARK: Running

    /// Returns 0, or the result of the output unit's start.
    public func start() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard state.isOpen else { throw .invalidUnit }
            guard state.isInitialized else { throw .uninitialized }
            guard let unit = state.model.output?.unit else { throw .outputNode }
            // An interruption has stopped the unit: earlier starts do not count.
            if !unit.isRunning { state.starts = 0 }
            let status = unit.start()
            guard status == 0 else { throw .result(status) }
            state.starts += 1
        }
    }

    public func stop() throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard state.isOpen else { throw .invalidUnit }
            guard let unit = state.model.output?.unit else { throw .outputNode }
            state.starts = unit.isRunning ? max(state.starts - 1, 0) : 0
            guard state.starts == 0 else { return }
            do throws(UnitError) { try unit.stop() } catch { throw GraphError(error) }
        }
    }

    public var isOpen: Bool { lock.withLock { state.isOpen } }
    public var isInitialized: Bool { lock.withLock { state.isInitialized } }
    public var isRunning: Bool { lock.withLock { state.model.output?.unit }?.isRunning ?? false }
    /// The ratio of the render time to the duration of the slice: the average, and the maximum of the last second.
    public var load: (average: Float, most: Float) { lock.withLock { state.model.output?.unit }?.load ?? (0, 0) }

    // MARK: Render notifications

    public func addRenderNotify(_ callback: RenderCallback) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            state.notifies.append(callback)
            do throws(UnitError) { try state.model.output?.unit?.addRenderNotify(callback) } catch {
                throw GraphError(error)
            }
        }
    }

    /// A callback that is not registered is no error.
    public func removeRenderNotify(_ callback: RenderCallback) throws(GraphError) {
        try change { (state: inout State) throws(GraphError) in
            guard let index = state.notifies.firstIndex(of: callback) else { return }
            state.notifies.remove(at: index)
            do throws(UnitError) { try state.model.output?.unit?.removeRenderNotify(callback) } catch {
                throw GraphError(error)
            }
        }
    }
}
