// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// A node that changes the speed of the sound: it asks its source for more or fewer frames than it returns.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    private let lock = NSLock()
    private var isBypassed = false
    /// The values of the parameters that are not bypassed.
    private var values: [UInt32: Float] = [:]

    init(_ name: String, _ subtype: UInt32) { super.init(name, subtype) { UnitOutput($0) } }

    /// The sound passes at its own speed and pitch.
    public var bypass: Bool {
        get { lock.withLock { isBypassed } }
        set {
            lock.withLock {
                isBypassed = newValue
                for (parameter, value) in values { apply(parameter, newValue ? neutral(parameter) : value) }
            }
        }
    }

    /// The value of a parameter without an effect.
    func neutral(_ parameter: UInt32) -> Float { 1 }

    final func value(_ parameter: UInt32) -> Float { lock.withLock { values[parameter] } ?? neutral(parameter) }

    /// A value that is not a number is refused; one outside of the range is replaced by the nearest limit.
    final func set(_ parameter: UInt32, _ value: Float, in range: ClosedRange<Float>) {
        guard !value.isNaN else { return AudioCallError.refuse("\(type(of: self)): NaN is no value of a parameter") }
        let limited = min(max(value, range.lowerBound), range.upperBound)
        lock.withLock {
            values[parameter] = limited
            if !isBypassed { apply(parameter, limited) }
        }
    }

    private func apply(_ parameter: UInt32, _ value: Float) {
        engineUnit?.setParameter(parameter, UInt32(kAudioUnitScope_Global), 0, value)
    }

    /// The other side has this format too, until the program connects it with another one, which is converted.
    override func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try super.setOutputFormat(format, bus)
        if owner?.isFed(self, 0) != true { try super.setInputFormat(format, 0) }
    }

    override func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try super.setInputFormat(format, bus)
        if owner?.isConnected(self, 0) != true { try super.setOutputFormat(format, 0) }
    }
}
