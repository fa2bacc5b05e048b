// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraphs
import AudioUnits
public import CAudioToolbox
import LinuxSystem

// The functions of AUGraph.h.

/// The graphs of this process.
enum Graphs {
    static let all = HandleTable<Graph>(.graph)

    static func graph(_ handle: AUGraph?) throws(GraphError) -> Graph {
        guard let graph = all.object(handle) else { throw .parameter }
        return graph
    }
}

extension GraphError: CallError {
    static var results: [ConstantTable] { [.graphResults] }

    var mistake: String? {
        switch self {
        case .nodeNotFound: "the graph has no such node"
        case .invalidConnection: "the input is connected, is not there, or the connection is a cycle"
        case .outputNode: "a graph has one output unit, needs it to run, and cannot lose it while it runs"
        case .cannotDoInCurrentContext: "this thread renders, and another thread changes the graph now"
        case .invalidUnit: "no component has this description, or AUGraphOpen comes first"
        case .uninitialized: "AUGraphInitialize comes first"
        case .parameter: "a pointer is NULL, or the graph was disposed"
        case GraphError(.invalidElement):
            "a unit has no input of this number: set kAudioUnitProperty_ElementCount of the mixer before the update"
        default: nil
        }
    }
}

extension Interaction {
    fileprivate var structure: AUNodeInteraction {
        var result = AUNodeInteraction()
        switch source {
        case .connection(let node, let element):
            result.nodeInteractionType = UInt32(kAUNodeInteraction_Connection)
            result.nodeInteraction.connection = AudioUnitNodeConnection(
                sourceNode: node, sourceOutputNumber: element, destNode: input.node, destInputNumber: input.element)
        case .callback(let callback):
            result.nodeInteractionType = UInt32(kAUNodeInteraction_InputCallback)
            result.nodeInteraction.inputCallback = AUNodeRenderCallback(
                destNode: input.node, destInputNumber: input.element, cback: callback.structure)
        }
        return result
    }
}

private func graphText(_ description: UnsafePointer<AudioComponentDescription>?) -> String {
    guard let description = description?.pointee else { return "NULL" }
    return "\(FourCC.text(description.componentType)) \(FourCC.text(description.componentSubType))"
}

// MARK: Graphs and nodes

@c @implementation
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>?) -> OSStatus {
    answer("NewAUGraph") { () throws(GraphError) in
        guard let outGraph else { throw .parameter }
        guard let handle = Graphs.all.insert(Graph(ProcessUnits.context)) else { throw GraphError(.memoryFull) }
        outGraph.pointee = handle
    }
}

@c @implementation
public func DisposeAUGraph(_ inGraph: AUGraph?) -> OSStatus {
    answer("DisposeAUGraph") { () throws(GraphError) in
        guard let graph = Graphs.all.remove(inGraph) else { throw .parameter }
        graph.dispose()
    }
}

@c @implementation
public func AUGraphAddNode(
    _ inGraph: AUGraph?, _ inDescription: UnsafePointer<AudioComponentDescription>?, _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
    answer("AUGraphAddNode", graphText(inDescription)) { () throws(GraphError) in
        guard let inDescription, let outNode else { throw .parameter }
        outNode.pointee = try Graphs.graph(inGraph).addNode(ComponentDescription(inDescription.pointee))
    }
}

@c @implementation
public func AUGraphRemoveNode(_ inGraph: AUGraph?, _ inNode: AUNode) -> OSStatus {
    answer("AUGraphRemoveNode") { () throws(GraphError) in try Graphs.graph(inGraph).removeNode(inNode) }
}

@c @implementation
public func AUGraphGetNodeCount(_ inGraph: AUGraph?, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>?) -> OSStatus {
    answer("AUGraphGetNodeCount") { () throws(GraphError) in
        guard let outNumberOfNodes else { throw .parameter }
        outNumberOfNodes.pointee = UInt32(clamping: try Graphs.graph(inGraph).nodes.count)
    }
}

@c @implementation
public func AUGraphGetIndNode(_ inGraph: AUGraph?, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>?) -> OSStatus {
    answer("AUGraphGetIndNode") { () throws(GraphError) in
        guard let outNode else { throw .parameter }
        let nodes = try Graphs.graph(inGraph).nodes
        guard nodes.indices.contains(Int(inIndex)) else { throw .nodeNotFound }
        outNode.pointee = nodes[Int(inIndex)].number
    }
}

@c @implementation
public func AUGraphNodeInfo(
    _ inGraph: AUGraph?, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
    _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
    answer("AUGraphNodeInfo") { () throws(GraphError) in
        let node = try Graphs.graph(inGraph).node(inNode)
        if let outDescription { _ = AudioComponentGetDescription(Components.handle(of: node.kind), outDescription) }
        outAudioUnit?.pointee = node.unit?.handle
    }
}

// MARK: Connections

@c @implementation
public func AUGraphConnectNodeInput(
    _ inGraph: AUGraph?, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32, _ inDestNode: AUNode,
    _ inDestInputNumber: UInt32
) -> OSStatus {
    answer(
        "AUGraphConnectNodeInput",
        "node \(inSourceNode) output \(inSourceOutputNumber) to node \(inDestNode) input \(inDestInputNumber)"
    ) { () throws(GraphError) in
        try Graphs.graph(inGraph).connect(inSourceNode, inSourceOutputNumber, to: GraphInput(inDestNode, inDestInputNumber))
    }
}

@c @implementation
public func AUGraphSetNodeInputCallback(
    _ inGraph: AUGraph?, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
    _ inInputCallback: UnsafePointer<AURenderCallbackStruct>?
) -> OSStatus {
    answer("AUGraphSetNodeInputCallback", "node \(inDestNode) input \(inDestInputNumber)") { () throws(GraphError) in
        guard let callback = inInputCallback?.pointee else { throw .parameter }
        try Graphs.graph(inGraph).setCallback(RenderCallback(callback), of: GraphInput(inDestNode, inDestInputNumber))
    }
}

@c @implementation
public func AUGraphDisconnectNodeInput(_ inGraph: AUGraph?, _ inDestNode: AUNode, _ inDestInputNumber: UInt32) -> OSStatus {
    answer("AUGraphDisconnectNodeInput", "node \(inDestNode) input \(inDestInputNumber)") { () throws(GraphError) in
        try Graphs.graph(inGraph).disconnect(GraphInput(inDestNode, inDestInputNumber))
    }
}

@c @implementation
public func AUGraphClearConnections(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphClearConnections") { () throws(GraphError) in try Graphs.graph(inGraph).clearInteractions() }
}

@c @implementation
public func AUGraphGetNumberOfInteractions(
    _ inGraph: AUGraph?, _ outNumInteractions: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AUGraphGetNumberOfInteractions") { () throws(GraphError) in
        guard let outNumInteractions else { throw .parameter }
        outNumInteractions.pointee = UInt32(clamping: try Graphs.graph(inGraph).interactions.count)
    }
}

@c @implementation
public func AUGraphGetInteractionInfo(
    _ inGraph: AUGraph?, _ inInteractionIndex: UInt32, _ outInteraction: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus {
    answer("AUGraphGetInteractionInfo") { () throws(GraphError) in
        guard let outInteraction else { throw .parameter }
        let interactions = try Graphs.graph(inGraph).interactions
        guard interactions.indices.contains(Int(inInteractionIndex)) else { throw .parameter }
        outInteraction.pointee = interactions[Int(inInteractionIndex)].structure
    }
}

@c @implementation
public func AUGraphCountNodeInteractions(
    _ inGraph: AUGraph?, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    answer("AUGraphCountNodeInteractions") { () throws(GraphError) in
        guard let outNumInteractions else { throw .parameter }
        outNumInteractions.pointee = UInt32(clamping: try Graphs.graph(inGraph).interactions(of: inNode).count)
    }
}

@c @implementation
public func AUGraphGetNodeInteractions(
    _ inGraph: AUGraph?, _ inNode: AUNode, _ ioNumInteractions: UnsafeMutablePointer<UInt32>?,
    _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus {
    answer("AUGraphGetNodeInteractions") { () throws(GraphError) in
        guard let ioNumInteractions, let outInteractions else { throw .parameter }
        let interactions = try Graphs.graph(inGraph).interactions(of: inNode)
        let count = min(interactions.count, Int(ioNumInteractions.pointee))
        for index in 0..<count { outInteractions[index] = interactions[index].structure }
        ioNumInteractions.pointee = UInt32(clamping: count)
    }
}

@c @implementation
public func AUGraphUpdate(_ inGraph: AUGraph?, _ outIsUpdated: UnsafeMutablePointer<UInt8>?) -> OSStatus {
    answer("AUGraphUpdate") { () throws(GraphError) in
        outIsUpdated?.pointee = 0
        try Graphs.graph(inGraph).update()
        outIsUpdated?.pointee = 1
    }
}

// MARK: States

@c @implementation
public func AUGraphOpen(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphOpen") { () throws(GraphError) in try Graphs.graph(inGraph).open() }
}

@c @implementation
public func AUGraphClose(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphClose") { () throws(GraphError) in try Graphs.graph(inGraph).close() }
}

@c @implementation
public func AUGraphInitialize(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphInitialize") { () throws(GraphError) in try Graphs.graph(inGraph).initialize() }
}

@c @implementation
public func AUGraphUninitialize(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphUninitialize") { () throws(GraphError) in try Graphs.graph(inGraph).uninitialize() }
}

@c @implementation
public func AUGraphStart(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphStart") { () throws(GraphError) in try Graphs.graph(inGraph).start() }
}

@c @implementation
public func AUGraphStop(_ inGraph: AUGraph?) -> OSStatus {
    answer("AUGraphStop") { () throws(GraphError) in try Graphs.graph(inGraph).stop() }
}

@c @implementation
public func AUGraphIsOpen(_ inGraph: AUGraph?, _ outIsOpen: UnsafeMutablePointer<UInt8>?) -> OSStatus {
    answer("AUGraphIsOpen") { () throws(GraphError) in
        guard let outIsOpen else { throw .parameter }
        outIsOpen.pointee = try Graphs.graph(inGraph).isOpen ? 1 : 0
    }
}

@c @implementation
public func AUGraphIsInitialized(_ inGraph: AUGraph?, _ outIsInitialized: UnsafeMutablePointer<UInt8>?) -> OSStatus {
    answer("AUGraphIsInitialized") { () throws(GraphError) in
        guard let outIsInitialized else { throw .parameter }
        outIsInitialized.pointee = try Graphs.graph(inGraph).isInitialized ? 1 : 0
    }
}

@c @implementation
public func AUGraphIsRunning(_ inGraph: AUGraph?, _ outIsRunning: UnsafeMutablePointer<UInt8>?) -> OSStatus {
    answer("AUGraphIsRunning") { () throws(GraphError) in
        guard let outIsRunning else { throw .parameter }
        outIsRunning.pointee = try Graphs.graph(inGraph).isRunning ? 1 : 0
    }
}

@c @implementation
public func AUGraphGetCPULoad(_ inGraph: AUGraph?, _ outAverageCPULoad: UnsafeMutablePointer<Float32>?) -> OSStatus {
    answer("AUGraphGetCPULoad") { () throws(GraphError) in
        guard let outAverageCPULoad else { throw .parameter }
        outAverageCPULoad.pointee = try Graphs.graph(inGraph).load.average
    }
}

@c @implementation
public func AUGraphGetMaxCPULoad(_ inGraph: AUGraph?, _ outMaxLoad: UnsafeMutablePointer<Float32>?) -> OSStatus {
    answer("AUGraphGetMaxCPULoad") { () throws(GraphError) in
        guard let outMaxLoad else { throw .parameter }
        outMaxLoad.pointee = try Graphs.graph(inGraph).load.most
    }
}

@c @implementation
public func AUGraphAddRenderNotify(
    _ inGraph: AUGraph?, _ inCallback: AURenderCallback?, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AUGraphAddRenderNotify") { () throws(GraphError) in
        guard let inCallback else { throw .parameter }
        try Graphs.graph(inGraph).addRenderNotify(RenderCallback(inCallback, inRefCon))
    }
}

@c @implementation
public func AUGraphRemoveRenderNotify(
    _ inGraph: AUGraph?, _ inCallback: AURenderCallback?, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    answer("AUGraphRemoveRenderNotify") { () throws(GraphError) in
        guard let inCallback else { throw .parameter }
        try Graphs.graph(inGraph).removeRenderNotify(RenderCallback(inCallback, inRefCon))
    }
}
