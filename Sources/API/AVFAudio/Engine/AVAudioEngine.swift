// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AVAudioSession
internal import AudioToolbox
public import Foundation
internal import LinuxSystem
internal import Synchronization

extension NSNotification.Name {
    /// The format of the hardware has changed: the engine has stopped. The object is the engine. Posted on a thread of the library.
    public static let AVAudioEngineConfigurationChange = NSNotification.Name("AVAudioEngineConfigurationChangeNotification")
}

/// Nodes that produce, change and mix sound, and their connections.
///
/// Any thread may call any function, except the blocks that render. What the platform refuses by an exception is refused with a
/// message in the log, and has no effect.
open class AVAudioEngine: NSObject, @unchecked Sendable {
    /// Held during changes, never while a block of the program is called. A change waits for a render, which takes no lock.
    let lock = NSRecursiveLock()
    var graph = EngineGraph()
    var nodes: Set<AVAudioNode> = []
    /// Removed nodes that a thread may still render, with what the output played at that time, and the number of its renders.
    private var retired: [(node: AVAudioNode, source: NodeOutput?, renders: UInt64)] = []
    let io: EngineIO
    private var input: AVAudioInputNode?
    private var output: AVAudioOutputNode?
    private var mainMixer: AVAudioMixerNode?
    /// The program has started the engine and not stopped it.
    private var isStarted = false
    private var directions = EngineIO.Directions(plays: false, records: false)
    private var recordedFormat: AVAudioFormat?
    /// The formats of the hardware at the last start.
    private var hardware: (output: AVAudioFormat?, input: AVAudioFormat?) = (nil, nil)
    var manualScratch: SliceList?
    private let changes = HardwareChanges()

    public override init() {
        let changes = changes
        io = EngineIO { changes.notify() }
        super.init()
        changes.engine = self
    }

    deinit {
        io.end()
        // A node can outlive its engine and belong to another one. It must not ask the nodes of this engine for frames.
        remove(graph.remove { _ in true })
        for node in nodes {
            node.engineStopped()
            node.owner = nil
        }
    }

    /// Makes changes one at a time.
    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    // MARK: The nodes of the hardware

    /// The input. Its first use makes the engine record.
    public final var inputNode: AVAudioInputNode {
        locked {
            if let input { return input }
            let node = AVAudioInputNode(io)
            input = node
            adopt(node)
            return node
        }
    }

    public final var outputNode: AVAudioOutputNode {
        locked {
            if let output { return output }
            let node = AVAudioOutputNode(io)
            output = node
            adopt(node)
            return node
        }
    }

    /// A mixer that feeds the output. Its first use makes and connects it.
    public final var mainMixerNode: AVAudioMixerNode {
        locked {
            if let mainMixer { return mainMixer }
            let node = AVAudioMixerNode()
            mainMixer = node
            adopt(node)
            let output = outputNode
            if graph.input(output, 0) == nil { connect(node, output, 0, 0, automaticFormat, isAutomatic: true) }
            return node
        }
    }

    private func adopt(_ node: AVAudioNode) {
        node.owner = self
        nodes.insert(node)
    }

    public final var attachedNodes: Set<AVAudioNode> { locked { nodes } }

    /// The format of what has no other: floats of one or two channels, at the rate of the output.
    final var defaultFormat: AVAudioFormat { locked { automaticFormat } }

    private var automaticFormat: AVAudioFormat {
        guard let format = io.manual?.format ?? io.hardwareFormat(isInput: false) else { return .standard44100 }
        return .standard(format.sampleRate, min(max(format.channelCount, 1), 2))
    }

    // MARK: Attaching

    /// Adds a node. A node of another engine is refused.
    public final func attach(_ node: AVAudioNode) {
        locked {
            guard node.owner !== self else { return }
            guard node.owner == nil, !(node is AVAudioIONode) else {
                return AudioCallError.refuse("AVAudioEngine.attach: the node belongs to another engine")
            }
            adopt(node)
            releaseRetired()
        }
    }

    /// Removes a node with its connections. The nodes of the hardware stay.
    public final func detach(_ node: AVAudioNode) {
        locked {
            guard node.owner === self, !(node is AVAudioIONode) else {
                return AudioCallError.refuse(
                    "AVAudioEngine.detach: the node is not attached to this engine, or is its input or output")
            }
            remove(graph.remove { $0.source === node || $0.target === node })
            node.engineStopped()
            nodes.remove(node)
            node.owner = nil
            if mainMixer === node { mainMixer = nil }
            retired.append((node, io.source, renders))
            releaseRetired()
        }
    }

    private var renders: UInt64 { io.source?.renders ?? 0 }

    /// Frees removed nodes that no thread renders any more: the output has completed two renders since, or does not run.
    private func releaseRetired() {
        guard isRunning else { return retired.removeAll() }
        let now = renders
        for index in retired.indices where retired[index].source !== io.source {
            // The output plays another node since: its renders count from now on.
            (retired[index].source, retired[index].renders) = (io.source, now)
        }
        retired.removeAll { now &- $0.renders >= 2 }
    }

    // MARK: Connecting

    /// Connects bus 0 of a node to the first free input of another. Without a format the connection has that of the source, or
    /// else that of the target.
    public final func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        locked {
            let bus = node2 is AVAudioMixerNode ? freeInput(of: node2) : 0
            connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
        }
    }

    /// Connects two buses, and removes their present connections. Nodes that are not attached, buses that do not exist, cycles and
    /// formats that a node does not take are refused.
    public final func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        locked {
            guard let format = checked(node1, bus1, node2, bus2, format) else { return }
            replace(node1, bus1, [(node2, bus2, format)])
        }
    }

    /// Connects a bus to several inputs, which all receive its frames. If one is not possible, none is connected.
    public final func connect(
        _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        locked {
            let inputs = destNodes.compactMap { point -> Input? in
                guard let target = point.node else { return nil }
                return checked(sourceNode, sourceBus, target, point.bus, format).map { (target, point.bus, $0) }
            }
            // An empty list removes the connections of the bus; a list that is refused does not.
            guard inputs.count == destNodes.count else { return }
            replace(sourceNode, sourceBus, inputs)
        }
    }

    private typealias Input = (target: AVAudioNode, bus: Int, format: AVAudioFormat)

    /// Connects a bus to inputs in place of the present connections of all of them, which stay if a node does not take its format.
    private func replace(_ source: AVAudioNode, _ bus: Int, _ inputs: [Input]) {
        let formats = (source: source.outputFormats[bus], inputs: inputs.map { $0.target.inputFormats[$0.bus] })
        let former = graph.remove { old in
            old.source === source && old.sourceBus == bus
                || inputs.contains { old.target === $0.target && old.targetBus == $0.bus }
        }
        remove(former)
        if !connect(source, bus, inputs) {
            remove(graph.remove { $0.source === source && $0.sourceBus == bus })
            source.restoreOutputFormat(formats.source, bus)
            for (input, format) in zip(inputs, formats.inputs) { input.target.restoreInputFormat(format, input.bus) }
            for old in former {
                connect(old.source, old.target, old.sourceBus, old.targetBus, old.format, isAutomatic: old.isAutomatic)
                share(old.source, old.sourceBus)
            }
        }
        share(source, bus)
        update()
    }

    /// False when a node does not take its format. The inputs before it may be connected.
    private func connect(_ source: AVAudioNode, _ bus: Int, _ inputs: [Input]) -> Bool {
        // A player drops what is scheduled when its format changes: only when all its targets take the new one.
        guard inputs.allSatisfy({ takes($0) }) else { return false }
        return inputs.allSatisfy { input in
            // The list may have an input twice.
            remove(graph.remove { $0.target === input.target && $0.targetBus == input.bus })
            return connect(source, input.target, bus, input.bus, input.format, isAutomatic: false)
        }
    }

    /// False, with a message in the log, when the target does not take the format.
    private func takes(_ input: Input) -> Bool {
        do { try input.target.setInputFormat(input.format, input.bus) } catch {
            AudioCallError.refuse("AVAudioEngine.connect: \(error.localizedDescription)")
            return false
        }
        return true
    }

    /// The format of a possible connection. Nil, with a message in the log, for one that is not possible.
    private func checked(
        _ source: AVAudioNode, _ sourceBus: Int, _ target: AVAudioNode, _ targetBus: Int, _ format: AVAudioFormat?
    ) -> AVAudioFormat? {
        let call = "AVAudioEngine.connect"
        guard source.owner === self, target.owner === self else {
            AudioCallError.refuse("\(call): a node is not attached to this engine: call attach before")
            return nil
        }
        guard source.outputs.indices.contains(sourceBus), targetBus >= 0,
            targetBus < target.numberOfInputs || target is AVAudioMixerNode && targetBus < AVAudioMixerNode.mostInputs
        else {
            AudioCallError.refuse("\(call): a node does not have the bus \(sourceBus) or \(targetBus)")
            return nil
        }
        guard !graph.reaches(target, source) else {
            AudioCallError.refuse("\(call): the connection would make a cycle")
            return nil
        }
        return format ?? standard(source, sourceBus, target, targetBus)
    }

    private func standard(_ source: AVAudioNode, _ sourceBus: Int, _ target: AVAudioNode, _ targetBus: Int) -> AVAudioFormat {
        if let own = source.outputFormats[sourceBus] { return own }
        let hasOwn = source is AVAudioInputNode || source is AVAudioSourceNode || source is AVAudioPlayerNode
        if hasOwn { return source.outputFormat(forBus: sourceBus) }
        if target is AVAudioMixerNode { return target.outputFormat(forBus: 0) }
        return target.inputFormats[targetBus] ?? automaticFormat
    }

    /// False, with a message in the log, when a node does not take the format.
    @discardableResult
    private func connect(
        _ source: AVAudioNode, _ target: AVAudioNode, _ sourceBus: Int, _ targetBus: Int, _ format: AVAudioFormat,
        isAutomatic: Bool
    ) -> Bool {
        do {
            try target.setInputFormat(format, targetBus)
            // A player drops what is scheduled when its format changes.
            if source.outputFormats[sourceBus] != format { try source.setOutputFormat(format, sourceBus) }
            try target.setSource(source.outputs[sourceBus], targetBus)
        } catch {
            try? target.setSource(nil, targetBus)
            AudioCallError.refuse("AVAudioEngine.connect: \(error.localizedDescription)")
            return false
        }
        let connection = EngineGraph.Connection(
            source: source, sourceBus: sourceBus, target: target, targetBus: targetBus, format: format,
            isAutomatic: isAutomatic)
        graph.add(connection)
        guard let values = graph.mixedSource(source)?.mixing else { return true }
        for input in graph.mixerInputs(behind: connection) { input.apply(values) }
        return true
    }

    private func remove(_ connections: [EngineGraph.Connection]) {
        for connection in connections {
            try? connection.target.setSource(nil, connection.targetBus)
            share(connection.source, connection.sourceBus)
        }
    }

    /// A bus that several inputs pull keeps the frames of a cycle.
    private func share(_ node: AVAudioNode, _ bus: Int) {
        guard node.outputs.indices.contains(bus) else { return }
        let connections = graph.outputs(node, bus)
        node.outputs[bus].share(connections.count > 1 ? connections.first?.format : nil)
    }

    public final func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        locked {
            remove(graph.remove { $0.target === node && $0.targetBus == bus })
            update()
        }
    }

    public final func disconnectNodeInput(_ node: AVAudioNode) {
        locked {
            remove(graph.remove { $0.target === node })
            update()
        }
    }

    public final func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        locked {
            remove(graph.remove { $0.source === node && $0.sourceBus == bus })
            update()
        }
    }

    public final func disconnectNodeOutput(_ node: AVAudioNode) {
        locked {
            remove(graph.remove { $0.source === node })
            update()
        }
    }

    public final func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        locked { graph.input(node, bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) } }
    }

    public final func outputConnectionPoints(
        for node: AVAudioNode, outputBus bus: AVAudioNodeBus
    ) -> [AVAudioConnectionPoint] {
        locked { graph.outputs(node, bus).map { AVAudioConnectionPoint(node: $0.target, bus: $0.targetBus) } }
    }

    final func freeInput(of node: AVAudioNode) -> Int {
        locked { node.freeInput(Set(graph.inputs(node).map { $0.targetBus })) ?? 0 }
    }

    final func isConnected(_ node: AVAudioNode, _ bus: Int) -> Bool { locked { !graph.outputs(node, bus).isEmpty } }

    final func isFed(_ node: AVAudioNode, _ bus: Int) -> Bool { locked { graph.input(node, bus) != nil } }

    // MARK: Mixing

    /// Applies the volume and pan of a source to all mixers that it feeds.
    final func applyMixing(of source: AVAudioNode) {
        locked { for input in graph.mixerInputs(of: source) { input.apply(source.mixing) } }
    }

    /// An input of a mixer that a source feeds.
    final func mixerInput(of source: AVAudioNode, _ mixer: AVAudioNode, _ bus: Int) -> MixerInput? {
        locked { graph.mixerInputs(of: source).first { $0.mixer === mixer && $0.bus == bus } }
    }

    // MARK: Running

    /// The engine plays or records. False after an interruption of the session, until the next start.
    public final var isRunning: Bool {
        locked {
            if let manual = io.manual { return manual.isRunning.load(ordering: .relaxed) }
            return isStarted && io.isHardwareRunning
        }
    }

    /// Makes what a start needs.
    public final func prepare() { locked { if io.manual == nil { _ = try? io.unit() } } }

    /// Starts the hardware. Throws when nothing is connected to the output and the input is not used, when the session refuses, and
    /// when there is no device.
    public final func start() throws {
        try locked {
            guard !isRunning else { return }
            forgetSharedFrames()
            if let manual = io.manual {
                manual.isRunning.store(true, ordering: .relaxed)
            } else {
                adaptAutomaticConnection()
                try startHardware()
            }
            isStarted = true
            for node in nodes { node.engineStarted() }
        }
    }

    /// The times of a new life may be those of the former one.
    private func forgetSharedFrames() {
        for node in nodes { for bus in node.outputs.indices { share(node, bus) } }
    }

    private func startHardware() throws {
        let wanted = wantedDirections
        guard wanted.plays || wanted.records else {
            throw AudioCallError.unit(
                OSStatus(kAudioUnitErr_NoConnection),
                "AVAudioEngine.start: nothing is connected to the output, and the input is not used")
        }
        let format = input?.outputFormat(forBus: 0) ?? automaticFormat
        guard !wanted.records || format.sampleRate > 0 else {
            throw AudioCallError.unit(OSStatus(kAudioUnitErr_FailedInitialization), "AVAudioEngine.start: there is no input")
        }
        // Read before the start: another format while the unit starts is a change, too.
        let found = (io.hardwareFormat(isInput: false), io.hardwareFormat(isInput: true))
        try io.start(wanted, recording: format, sinks)
        (directions, recordedFormat, hardware) = (wanted, format, found)
    }

    private var wantedDirections: EngineIO.Directions {
        .init(plays: output.map { graph.input($0, 0) != nil } ?? false, records: input != nil)
    }

    /// The connection that the engine has made has the format of the output of today.
    private func adaptAutomaticConnection() {
        guard let output, let present = graph.input(output, 0), present.isAutomatic else { return }
        let format = automaticFormat
        guard format != present.format || io.playedFormat != format else { return }
        _ = graph.remove { $0.target === output }
        connect(present.source, output, present.sourceBus, 0, format, isAutomatic: true)
    }

    /// A running engine gets another direction or input format by a new start of its unit.
    private func update() {
        releaseRetired()
        guard isStarted, io.manual == nil, isRunning else { return }
        io.setSinks(sinks)
        let format = input?.outputFormat(forBus: 0)
        guard wantedDirections != directions || directions.records && format != recordedFormat else { return }
        guard wantedDirections.plays || wantedDirections.records else { return }
        do { try startHardware() } catch { AudioCallError.refuse("AVAudioEngine: \(error.localizedDescription)") }
    }

    final func tapsChanged() { locked { update() } }

    private var sinks: [Sink] {
        nodes.compactMap { node in
            guard let sink = node as? AVAudioSinkNode, let connection = graph.input(sink, 0) else { return nil }
            let isDirect = connection.source is AVAudioInputNode
            return Sink(sink.block, isDirect ? nil : sink.source, connection.format)
        }
    }

    /// Stops the hardware. What is scheduled stays.
    public final func pause() {
        locked {
            if let manual = io.manual { manual.isRunning.store(false, ordering: .relaxed) } else { io.pause() }
            isStarted = false
            retired.removeAll()
        }
    }

    /// Stops the hardware, and the players with what is scheduled on them.
    public final func stop() {
        locked {
            halt()
            for node in nodes { node.engineStopped() }
        }
    }

    private func halt() {
        if let manual = io.manual {
            manual.isRunning.store(false, ordering: .relaxed)
            manual.rewind()
        } else {
            io.stop()
        }
        isStarted = false
        for node in nodes { for output in node.outputs { output.clock.clear() } }
        retired.removeAll()
    }

    /// Stored without effect: a running engine keeps the hardware.
    public final var isAutoShutdownEnabled = false

    /// Drops the sound in all nodes.
    public final func reset() { for node in attachedNodes { node.reset() } }

    final var presentationLatency: TimeInterval {
        AVAudioSession.sharedLatency(isInput: false)
    }

    // MARK: Changes of the hardware

    /// On a thread of the library. The format of the hardware may differ from that of the last start.
    fileprivate func hardwareChanged() {
        let hasChanged = locked { () -> Bool in
            guard isStarted, io.manual == nil else { return false }
            let now = (output: io.hardwareFormat(isInput: false), input: io.hardwareFormat(isInput: true))
            let isOther = directions.plays && now.output != hardware.output || directions.records && now.input != hardware.input
            guard isOther else { return false }
            halt()
            return true
        }
        guard hasChanged else { return }
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    // MARK: Voice processing and the mode

    final func setVoiceProcessing(_ on: Bool) throws {
        try locked {
            guard !isRunning else {
                throw AudioCallError.unit(
                    OSStatus(kAudioUnitErr_Initialized), "setVoiceProcessingEnabled: stop the engine before; the change")
            }
            try io.setVoice(on)
            if let source = io.source, io.manual == nil { try io.setSource(source) }
        }
    }

    /// Moves the connections of the input and output to the units of another mode.
    final func changeMode(_ manual: ManualOutput?) throws {
        let played = output.flatMap { graph.input($0, 0) }
        try io.setSource(nil)
        io.manual = manual
        io.input.manual = nil
        isStarted = false
        guard let played, let output else { return }
        _ = graph.remove { $0.target === output }
        let format = played.isAutomatic ? automaticFormat : played.format
        connect(played.source, output, played.sourceBus, 0, format, isAutomatic: played.isAutomatic)
    }
}

/// Passes the changes of the hardware from the thread of the listeners to another one, because a change stops the unit.
private final class HardwareChanges: @unchecked Sendable {
    weak var engine: AVAudioEngine?
    private let queue = DispatchQueue(label: "AVAudioEngine.changes")

    func notify() { queue.async { self.engine?.hardwareChanged() } }
}
