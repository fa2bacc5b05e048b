// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats
import PCMConversion

/// The parameters of a mixer: the values of `kMultiChannelMixerParam_…`. A meter has one number for each channel.
enum MixerParameter: UInt32, CaseIterable {
    case volume = 0
    case enable = 1
    case pan = 2
    case preAveragePower = 1000
    case prePeakHoldLevel = 2000
    case postAveragePower = 3000
    case postPeakHoldLevel = 4000

    var isMeter: Bool { rawValue >= 1000 }
    /// The lowest value of a meter, in decibels.
    static let floor: Float = -120

    func isIn(_ scope: Scope) -> Bool { scope == .input || scope == .output && self != .pan }

    var range: ClosedRange<Float> {
        switch self {
        case .volume, .enable: 0...1
        case .pan: -1...1
        default: MixerParameter.floor...0
        }
    }

    var info: AudioUnitParameterInfo {
        switch self {
        case .volume: .init("Volume", kAudioUnitParameterUnit_LinearGain, range, 1, isWritable: true)
        case .enable: .init("Enable", kAudioUnitParameterUnit_Boolean, range, 1, isWritable: true)
        case .pan: .init("Pan", kAudioUnitParameterUnit_Pan, range, 0, isWritable: true)
        case .preAveragePower: meter("Pre Average Power")
        case .prePeakHoldLevel: meter("Pre Peak Hold Level")
        case .postAveragePower: meter("Post Average Power")
        case .postPeakHoldLevel: meter("Post Peak Hold Level")
        }
    }

    private func meter(_ name: StaticString) -> AudioUnitParameterInfo {
        .init(name, kAudioUnitParameterUnit_Decibels, range, MixerParameter.floor, isWritable: false)
    }
}

extension MixerControls {
    /// The parameter, its channel for a meter, and its element, checked in this order.
    private func locate(
        _ id: UInt32, _ scope: UInt32, _ element: UInt32
    ) throws(UnitError) -> (parameter: MixerParameter, channel: Int, element: Element) {
        let channel = id >= 1000 ? id % 1000 : 0
        guard let parameter = MixerParameter(rawValue: id - channel),
            channel < UInt32(PCMFormat.channelCounts.upperBound)
        else { throw .invalidParameter }
        guard let scope = Scope(rawValue: scope), scope != .global else { throw .invalidScope }
        guard parameter.isIn(scope) else { throw .invalidParameter }
        guard let found = self.element(ScopeElement(scope, element)) else { throw .invalidElement }
        return (parameter, Int(channel), found)
    }

    private func decibels(_ level: Float) -> Float { max(Float.decibels(level), MixerParameter.floor) }

    func value(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> Float {
        let (parameter, channel, found) = try locate(id, scope, element)
        switch parameter {
        case .volume: return found.volume.value
        case .enable: return found.enable.value
        case .pan: return found.pan.value
        case .preAveragePower: return decibels(found.before.level(channel).average)
        case .prePeakHoldLevel: return decibels(found.before.level(channel).peak)
        case .postAveragePower: return decibels(found.after.level(channel).average)
        case .postPeakHoldLevel: return decibels(found.after.level(channel).peak)
        }
    }

    /// The parameter of an element that events change. A meter cannot be set.
    func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> SettableParameter {
        let (parameter, _, found) = try locate(id, scope, element)
        switch parameter {
        case .volume: return SettableParameter(found.volume, limits: nil)
        case .enable: return SettableParameter(found.enable, limits: parameter.range, isSwitch: true)
        case .pan: return SettableParameter(found.pan, limits: parameter.range)
        default: throw .invalidParameter
        }
    }
}
