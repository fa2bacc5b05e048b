// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import EngineClient
import Synchronization

// The operations of a graph on its units.
extension Unit {
    /// Sets the callback of an input. Nil removes the source.
    public func setSource(_ callback: RenderCallback?, input: UInt32) throws(UnitError) {
        try setSource(callback, of: input)
        post(.setRenderCallback, ScopeElement(.input, input))
    }

    /// Makes the output of another unit the source of an input.
    public func setSource(_ source: Unit, element: UInt32, input: UInt32) throws(UnitError) {
        try connect(source, element, to: input)
        post(.makeConnection, ScopeElement(.input, input))
    }

    /// The sources of this unit change until `endSourceChange`. A slice that the change may affect begins without a step.
    public func beginSourceChange() { sourceChanges.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    public func endSourceChange() { sourceChanges.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// The ratio of the render time to the duration of the slice: the average, and the maximum of the last second.
    public var load: (average: Float, most: Float) {
        guard let counters = read({ $0.stream })?.counters else { return (0, 0) }
        let most = counters.slice_ns > 0 ? Float(counters.longest_render_ns) / Float(counters.slice_ns) : 0
        return (counters.load, most)
    }
}
