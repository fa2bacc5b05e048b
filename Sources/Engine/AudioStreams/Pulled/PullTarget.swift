// SPDX-License-Identifier: Apache-2.0
import CAudioStreams
import SessionModel

/// The length of a slice, in frames of the program.
public struct SliceLength: Equatable, Sendable {
    private let frames: Double
    private let rate: Double

    /// Nil for an invalid length.
    public init?(frames: Double, rate: Double) {
        guard frames.isFinite, rate.isFinite, frames > 0, rate > 0 else { return nil }
        self.frames = frames
        self.rate = rate
    }

    /// At least 16 frames and at most a second.
    func frames(at deviceRate: UInt32) -> UInt64 {
        UInt64(min(max((frames * Double(deviceRate) / rate).rounded(), 16), Double(max(deviceRate, 16))))
    }

    var seconds: Double { min(max(frames / rate, 0.000_1), 1) }
}

/// The clock that drives a device.
enum ClockSource: Equatable, Sendable {
    /// The clock of the system, also for a simulated device.
    case system
    case card(String)
    /// The clock of a sound server, or of another kind of device. No two devices share it.
    case unknown

    func isSame(as other: ClockSource) -> Bool { self == other && self != .unknown }
}

/// The device of one direction of a pulled stream, and the request for its format.
struct DeviceTarget: Equatable, Sendable {
    var choice = DeviceChoice.silence
    /// The rate of the device, not of the program.
    var rate: UInt32 = 48_000
    var channels: UInt32 = 2
    var source = ClockSource.system
}

/// The state that the session and the hardware give to a pulled stream.
struct PullTarget: Equatable, Sendable {
    var gain: Float = 1
    var output: DeviceTarget?
    var input: DeviceTarget?
}

extension StopReason {
    /// The refusal of a start for this reason.
    var refusal: ResultCode {
        switch self {
        case .interruption: .notActive
        case .category: .incompatibleCategory
        default: .unspecified
        }
    }
}
