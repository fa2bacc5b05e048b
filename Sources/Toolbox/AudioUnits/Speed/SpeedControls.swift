// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The parameters of a Varispeed or NewTimePitch unit. Any thread sets and reads them without a lock.
final class SpeedControls: Sendable {
    let kind: UnitKind
    let events = ParameterEvents()
    /// The frames of the source for each frame of the output, at one rate.
    let rate = UnitParameter(1)
    /// In cents.
    let pitch = UnitParameter(0)
    // Numbers of NewTimePitch without an effect: the overlap of its segments is fixed, and it has no spectrum.
    let overlap = UnitParameter(8)
    let peakLocking = UnitParameter(1)

    init(_ kind: UnitKind) { self.kind = kind }

    /// The speeds of Varispeed, and the factors of the pitch of NewTimePitch: two octaves up and down.
    static let factors = 0.25...4.0

    func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32) throws(UnitError) -> SettableParameter {
        guard let scope = Scope(rawValue: scope) else { throw .invalidScope }
        let global = ScopeElement(.global)
        guard let parameter = SpeedParameter.all(of: kind, in: global).first(where: { $0.id == id }) else {
            throw .invalidParameter
        }
        guard scope == .global else { throw .invalidScope }
        guard element == 0 else { throw .invalidElement }
        let limits = parameter.range
        switch parameter {
        case .playbackRate, .rate: return SettableParameter(rate, limits: limits)
        case .playbackCents: return SettableParameter(rate, limits: limits, isInCents: true)
        case .pitch: return SettableParameter(pitch, limits: limits)
        case .overlap: return SettableParameter(overlap, limits: limits)
        case .peakLocking: return SettableParameter(peakLocking, limits: limits, isSwitch: true)
        }
    }
}

/// The parameters of both units: `kVarispeedParam_…` and `kNewTimePitchParam_…`.
enum SpeedParameter {
    case playbackRate
    case playbackCents
    case rate
    case pitch
    case overlap
    case peakLocking

    private static let ofVarispeed: [SpeedParameter] = [.playbackRate, .playbackCents]
    private static let ofTimePitch: [SpeedParameter] = [.rate, .pitch, .overlap, .peakLocking]

    static func all(of kind: UnitKind, in scopeElement: ScopeElement) -> [SpeedParameter] {
        guard scopeElement == ScopeElement(.global) else { return [] }
        return kind == .varispeed ? ofVarispeed : ofTimePitch
    }

    var id: UInt32 {
        switch self {
        case .playbackRate: UInt32(kVarispeedParam_PlaybackRate)
        case .playbackCents: UInt32(kVarispeedParam_PlaybackCents)
        case .rate: UInt32(kNewTimePitchParam_Rate)
        case .pitch: UInt32(kNewTimePitchParam_Pitch)
        case .overlap: UInt32(kNewTimePitchParam_Overlap)
        case .peakLocking: UInt32(kNewTimePitchParam_EnablePeakLocking)
        }
    }

    var range: ClosedRange<Float> {
        switch self {
        case .playbackRate: 0.25...4
        case .playbackCents, .pitch: -2_400...2_400
        case .rate: 1 / 32...32
        case .overlap: 3...32
        case .peakLocking: 0...1
        }
    }

    var info: AudioUnitParameterInfo {
        switch self {
        case .playbackRate: .init("Playback Rate", kAudioUnitParameterUnit_Rate, range, 1, isWritable: true)
        case .playbackCents: .init("Playback Cents", kAudioUnitParameterUnit_Cents, range, 0, isWritable: true)
        case .rate: .init("Rate", kAudioUnitParameterUnit_Rate, range, 1, isWritable: true)
        case .pitch: .init("Pitch", kAudioUnitParameterUnit_Cents, range, 0, isWritable: true)
        case .overlap: .init("Overlap", kAudioUnitParameterUnit_Generic, range, 8, isWritable: true)
        case .peakLocking: .init("Enable Peak Locking", kAudioUnitParameterUnit_Boolean, range, 1, isWritable: true)
        }
    }
}
