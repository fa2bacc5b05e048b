// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
public import CAudioToolbox
import EngineClient
import Synchronization

// The operations of a graph on its units.
extension Unit {
    /// A source of an input: a callback, or none.
    public func setSource(_ callback: AURenderCallbackStruct, input: UInt32) throws(UnitError) {
        try set(.setRenderCallback, callback, input)
    }

    public func setSource(_ connection: AudioUnitConnection, input: UInt32) throws(UnitError) {
        try set(.makeConnection, connection, input)
    }

    private func set<Value>(_ property: Property, _ value: Value, _ input: UInt32) throws(UnitError) {
        var failure: UnitError?
        bytes(value).withUnsafeBytes { data in
            do throws(UnitError) {
                try set(property.rawValue, Scope.input.rawValue, input, data.baseAddress, UInt32(data.count))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The units that feed this one change until `endRewiring`. Slices that may show the change begin without a step.
    public func beginRewiring() { rewirings.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    public func endRewiring() { rewirings.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// The time of rendering divided by that of the slice: on average, and the most of the last second.
    public var load: (average: Float, most: Float) {
        guard let counters = read({ $0.stream })?.counters else { return (0, 0) }
        let most = counters.slice_ns > 0 ? Float(counters.longest_render_ns) / Float(counters.slice_ns) : 0
        return (counters.load, most)
    }
}
