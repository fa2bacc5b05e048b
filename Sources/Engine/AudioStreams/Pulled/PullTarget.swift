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

/// The directions of a stream.
public struct StreamDirections: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let output = StreamDirections(rawValue: PULL_OUTPUT.rawValue)
    public static let input = StreamDirections(rawValue: PULL_INPUT.rawValue)
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

/// The reason of a stop that the program did not request.
public enum StopReason: Sendable {
    case interruption, deadServer, category

    /// The refusal of a start for this reason.
    var refusal: ResultCode {
        switch self {
        case .interruption: .notActive
        case .deadServer: .unspecified
        case .category: .incompatibleCategory
        }
    }

    var code: pull_stop_reason {
        switch self {
        case .interruption: PULL_STOPPED_BY_INTERRUPTION
        case .deadServer: PULL_STOPPED_BY_DEAD_SERVER
        case .category: PULL_STOPPED_BY_CATEGORY
        }
    }
}
