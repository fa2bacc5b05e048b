// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraphs
import AudioUnits
import CAudioToolbox
import CLinux
import LinuxSystem

// CAShow and CAShowFile: the text of an object.

@c @implementation
public func CAShow(_ inObject: UnsafeMutableRawPointer?) { CAShowFile(inObject, nil) }

@c @implementation
public func CAShowFile(_ inObject: UnsafeMutableRawPointer?, _ inFile: OpaquePointer?) {
    var text = Show.text(inObject.map { OpaquePointer($0) })
    text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return }
        linux_write_stream(inFile.map { UnsafeMutableRawPointer($0) }, start, bytes.count)
    }
}

private enum Show {
    static func text(_ object: OpaquePointer?) -> String {
        if let graph = Graphs.all.object(object) { return text(graph) }
        if let unit = ProcessUnits.context.table.object(object) { return "AudioUnit: \(unit.kind.name)\(state(unit))\n" }
        if ProgramConverter.all.object(object) != nil { return "AudioConverter\n" }
        if ProgramFile.all.object(object) != nil { return "AudioFile\n" }
        if ProgramStream.all.object(object) != nil { return "AudioFileStream\n" }
        return "no object of this library\n"
    }

    private static func text(_ graph: Graph) -> String {
        var text = "AudioUnitGraph\n  Member Nodes:\n"
        for node in graph.nodes {
            text += "    node \(node.number): \(node.kind.name)\(node.unit.map(state) ?? ", no unit")\n"
        }
        text += "  Connections:\n"
        for interaction in graph.interactions {
            let source =
                switch interaction.source {
                case .connection(let node, let element): "node \(node) bus \(element)"
                case .callback: "callback"
                }
            text += "    \(source) => node \(interaction.input.node) bus \(interaction.input.element)\n"
        }
        let (isOpen, isInitialized, isRunning) = (graph.isOpen, graph.isInitialized, graph.isRunning)
        text += "  CurrentState:\n    isOpen=\(flag(isOpen)), isInitialized=\(flag(isInitialized)),"
        text += " isRunning=\(flag(isRunning))\n"
        return text
    }

    private static func state(_ unit: Unit) -> String { unit.isRunning ? ", running" : "" }
    private static func flag(_ value: Bool) -> StaticString { value ? "T" : "F" }
}
