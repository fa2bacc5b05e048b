// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
internal import Foundation

/// A node that has a unit of its own.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    /// The component of the unit that renders for the node.
    public final var audioComponentDescription: AudioComponentDescription { renderedBy }
    /// The unit that renders for the node; nil when it could not be made.
    public final var audioUnit: AudioToolbox.AudioUnit? { engineUnit?.unit }
    public final var name: String { unitName }
    public final var manufacturerName: String { "Apple" }
    public final var version: Int { 1 }

    private let unitName: String
    private let renderedBy: AudioComponentDescription

    /// A node whose frames a converter unit pulls, and `process` changes.
    init(_ name: String, _ output: (EngineUnit) -> UnitOutput) {
        let (type, subtype) = (UInt32(kAudioUnitType_FormatConverter), UInt32(kAudioUnitSubType_AUConverter))
        let unit = AVAudioNode.makeUnit(name) { try EngineUnit.pulled(type, subtype) }
        unitName = name
        renderedBy = AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: UInt32(kAudioUnitManufacturer_Apple),
            componentFlags: 0, componentFlagsMask: 0)
        super.init(unit, unit.map { [output($0)] } ?? [])
    }

    override public final var numberOfInputs: Int { 1 }
}

/// A node that changes the sound, and returns as many frames as it receives.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
    /// The sound passes unchanged.
    public var bypass: Bool {
        get { false }
        set {}
    }

    /// The input has this format too, until the program connects it with another one, which is converted.
    override func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try AVAudioUnitEffect.check(format)
        try super.setOutputFormat(format, bus)
        if owner?.isFed(self, 0) != true { try super.setInputFormat(format, 0) }
    }

    override func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try AVAudioUnitEffect.check(format)
        try super.setInputFormat(format, bus)
        if owner?.isConnected(self, 0) != true { try setOutputFormat(format, 0) }
    }

    private static func check(_ format: AVAudioFormat) throws {
        guard format.isStandard else {
            throw AudioCallError.argument("An effect takes floats that are not interleaved, and not \(format).")
        }
    }
}

/// A node that changes the speed of the sound.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    public var bypass: Bool {
        get { false }
        set {}
    }
}

/// Changes the speed and the pitch of the sound together, by a conversion of the rate.
///
/// A new rate begins with the next render, with a new filter: a step of the rate can be heard.
public final class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
    private let lock = NSLock()
    private var speed: Float = 1
    private var isBypassed = false

    public init() { super.init("AVAudioUnitVarispeed") { UnitOutput($0) } }

    /// From 0.25 to 4.
    public var rate: Float {
        get { lock.withLock { speed } }
        set {
            guard newValue.isFinite else { return }
            lock.withLock { speed = min(max(newValue, 0.25), 4) }
            apply()
        }
    }

    override public var bypass: Bool {
        get { lock.withLock { isBypassed } }
        set {
            lock.withLock { isBypassed = newValue }
            apply()
        }
    }

    override func setOutputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        try super.setOutputFormat(format, bus)
        if owner?.isFed(self, 0) != true { inputFormats[0] = format }
        try setSpeed()
    }

    override func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        inputFormats[0] = format
        if owner?.isConnected(self, 0) != true { try super.setOutputFormat(format, 0) }
        try setSpeed()
    }

    private func apply() {
        do { try setSpeed() } catch { AudioCallError.refuse("AVAudioUnitVarispeed.rate: \(error.localizedDescription)") }
    }

    /// The source has more frames in a second by the factor of the speed, as the converter sees it.
    private func setSpeed() throws {
        guard let format = inputFormats[0] else { return }
        var description = format.streamDescription.pointee
        let factor = lock.withLock { isBypassed ? 1 : Double(speed) }
        description.mSampleRate = min(max(description.mSampleRate * factor, 4_000), 192_000)
        try engineUnit?.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, description)
    }
}
