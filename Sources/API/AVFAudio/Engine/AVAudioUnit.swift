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

    /// A node of a format converter. The output passes or changes the frames of the unit.
    init(
        _ name: String, _ subtype: UInt32 = UInt32(kAudioUnitSubType_AUConverter), _ output: (EngineUnit) -> UnitOutput
    ) {
        let type = UInt32(kAudioUnitType_FormatConverter)
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
