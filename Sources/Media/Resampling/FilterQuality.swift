// SPDX-License-Identifier: Apache-2.0
/// The quality of the filter that changes a rate. A filter of a better quality is longer.
///
/// The attenuation is that of everything but the tone, for a tone at 0.9 of the Nyquist rate of the lower rate. The pass band ends
/// there, but for Min, which has lost 0.2 dB. The stop band begins at the latest at 1.1 of the Nyquist rate, where the sound that is
/// not stopped would fall on 0.9.
public enum FilterQuality: UInt8, CaseIterable, Sendable {
    /// Faster than every quality of the platform.
    case linear
    /// 84 dB.
    case min
    /// 98 dB.
    case low
    /// 110 dB.
    case medium
    /// 126 dB.
    case high
    /// 149 dB. Floats have 150 dB.
    case max

    /// The filter for a quality of the platform, 0 to 127: Min, Low, Medium, High, Max.
    public init(platform quality: UInt32) {
        switch quality {
        case ..<0x20: self = .min
        case ..<0x40: self = .low
        case ..<0x60: self = .medium
        case ..<0x7F: self = .high
        default: self = .max
        }
    }

    /// The parameters of the filter for a rate that does not fall.
    struct Design: Equatable {
        /// The length of the filter in input frames.
        var taps: Int
        /// The shape of the Kaiser window: its attenuation and, with the length, the width of the transition.
        var beta: Double
        /// The frequency of half the amplitude, as a part of the Nyquist rate.
        var cutoff: Double
        /// The number of taps in the middle whose products are added as doubles; 0: none.
        var middleTaps: Int
        /// The number of rows of an interpolation for one input frame. The error of the interpolation is below that of the window.
        var interpolatedPhases: Int
    }

    var design: Design {
        switch self {
        case .linear: Design(taps: 8, beta: 4.5, cutoff: 0.85, middleTaps: 0, interpolatedPhases: 64)
        case .min: Design(taps: 48, beta: 8.6, cutoff: 0.97, middleTaps: 0, interpolatedPhases: 64)
        case .low: Design(taps: 64, beta: 10, cutoff: 0.98, middleTaps: 0, interpolatedPhases: 64)
        case .medium: Design(taps: 96, beta: 11, cutoff: 0.97, middleTaps: 0, interpolatedPhases: 64)
        case .high: Design(taps: 128, beta: 13.1, cutoff: 0.968, middleTaps: 0, interpolatedPhases: 128)
        case .max: Design(taps: 144, beta: 15.7, cutoff: 0.97, middleTaps: 32, interpolatedPhases: 256)
        }
    }
}
