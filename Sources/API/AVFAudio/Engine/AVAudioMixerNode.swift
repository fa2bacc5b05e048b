// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// Adds its inputs, each with a format of its own, and changes the rate of those that differ from its output.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private static let initialInputs: UInt32 = 8

    public init() {
        let unit = AVAudioNode.makeUnit("AVAudioMixerNode") {
            try EngineUnit.pulled(
                UInt32(kAudioUnitType_Mixer), UInt32(kAudioUnitSubType_MultiChannelMixer), inputs: AVAudioMixerNode.initialInputs)
        }
        super.init(unit, unit.map { [UnitOutput($0)] } ?? [])
    }

    /// The volume of the sum.
    public final var outputVolume: Float {
        get { engineUnit?.parameter(UInt32(kMultiChannelMixerParam_Volume), kAudioUnitScope_Output, 0) ?? 1 }
        set { engineUnit?.setParameter(UInt32(kMultiChannelMixerParam_Volume), kAudioUnitScope_Output, 0, newValue) }
    }

    /// The first input without a connection.
    public final var nextAvailableInputBus: AVAudioNodeBus { owner?.freeInput(of: self) ?? 0 }

    public override final var numberOfInputs: Int {
        Int((try? engineUnit?.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(0))) ?? 0)
    }

    /// The unit of a mixer has at most this number of inputs.
    static let mostInputs = 1024

    /// A mixer gets more inputs when all are used. Its sound is interrupted by at most one slice.
    override final func freeInput(_ used: Set<Int>) -> Int? { (0...used.count).first { !used.contains($0) } }

    override final func setInputFormat(_ format: AVAudioFormat, _ bus: Int) throws {
        if let engineUnit, bus >= numberOfInputs {
            engineUnit.uninitialize()
            defer { try? engineUnit.initialize() }
            let wanted = UInt32(min(bus + 8, AVAudioMixerNode.mostInputs))
            try engineUnit.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, wanted)
        }
        try super.setInputFormat(format, bus)
    }
}
