// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
public import CAudioToolbox
import EngineClient
import Synchronization

// The operations of a graph on its units.
extension Unit {
    /// Sets the callback of an input. A callback of NULL removes the source.
    public func setSource(_ callback: AURenderCallbackStruct, input: UInt32) throws(UnitError) {
        try set(.setRenderCallback, callback, input)
    }

    public func setSource(_ connection: AudioUnitConnection, input: UInt32) throws(UnitError) {
        try set(.makeConnection, connection, input)
    }

    private func set<Value>(_ property: UnitProperty, _ value: Value, _ input: UInt32) throws(UnitError) {
        var failure: UnitError?
        bytes(value).withUnsafeBytes { data in
            do throws(UnitError) {
                try set(property.rawValue, Scope.input.rawValue, input, data.baseAddress, UInt32(data.count))
            } catch { failure = error }
        }
        if let failure { throw failure }
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
