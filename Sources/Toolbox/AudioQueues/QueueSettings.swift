// SPDX-License-Identifier: Apache-2.0
import CLinux
import MediaFormats

/// The values of properties that a program sets and only reads back.
struct QueueSettings {
    var magicCookie: [UInt8] = []
    var channelLayout: [UInt8] = []
    var decodeBufferFrames: UInt32 = 0
    var enablesTimePitch: UInt32 = 0
    var codecPolicy: UInt32 = 0
    /// The last error of the decoder.
    var converterError: Int32 = 0
}

/// A property: its identifier, its size, and the operations that it supports.
struct QueueProperty: Sendable {
    struct Access: OptionSet, Sendable {
        let rawValue: UInt8
        static let get = Access(rawValue: 1)
        static let set = Access(rawValue: 2)
        static let listen = Access(rawValue: 4)
        static let output = Access(rawValue: 8)
    }

    enum Name: Sendable {
        case isRunning, sampleRate, channels, currentDevice, magicCookie, packetSize, description, layout, metering, levels
        case decibels, decodeBuffer, converterError, timePitch, timePitchAlgorithm, timePitchBypass, codecPolicy, assignments
    }

    let id: UInt32
    let name: Name
    /// Nil when the size depends on the value.
    let size: Int?
    let access: Access

    static let table: [QueueProperty] = [
        QueueProperty(id: 0x6171_726E, name: .isRunning, size: 4, access: [.get, .listen]),
        QueueProperty(id: 0x6171_7372, name: .sampleRate, size: 8, access: .get),
        QueueProperty(id: 0x6171_6463, name: .channels, size: 4, access: .get),
        QueueProperty(id: 0x6171_6364, name: .currentDevice, size: MemoryLayout<UInt>.size, access: .get),
        QueueProperty(id: 0x6171_6D63, name: .magicCookie, size: nil, access: [.get, .set]),
        QueueProperty(id: 0x786F_7073, name: .packetSize, size: 4, access: .get),
        QueueProperty(id: 0x6171_6674, name: .description, size: 40, access: .get),
        QueueProperty(id: 0x6171_636C, name: .layout, size: nil, access: [.get, .set]),
        QueueProperty(id: 0x6171_6D65, name: .metering, size: 4, access: [.get, .set]),
        QueueProperty(id: 0x6171_6D76, name: .levels, size: nil, access: .get),
        QueueProperty(id: 0x6171_6D64, name: .decibels, size: nil, access: .get),
        QueueProperty(id: 0x6463_6266, name: .decodeBuffer, size: 4, access: [.get, .set, .output]),
        QueueProperty(id: 0x7163_7665, name: .converterError, size: 4, access: [.get, .listen]),
        QueueProperty(id: 0x715F_7470, name: .timePitch, size: 4, access: [.get, .set, .output]),
        QueueProperty(id: 0x7174_7061, name: .timePitchAlgorithm, size: 4, access: .output),
        QueueProperty(id: 0x7174_7062, name: .timePitchBypass, size: 4, access: .output),
        QueueProperty(id: 0x6171_6370, name: .codecPolicy, size: 4, access: [.get, .set]),
        QueueProperty(id: 0x6171_6361, name: .assignments, size: nil, access: .output),
    ]

    static func find(_ id: UInt32, isInput: Bool) throws(QueueStatus) -> QueueProperty {
        guard let row = table.first(where: { $0.id == id }) else { throw .invalidProperty }
        guard !isInput || !row.access.contains(.output) else { throw .invalidQueueType }
        return row
    }
}

/// The parameters of a queue that plays.
public enum QueueParameter: UInt32, Sendable {
    case volume = 1
    case playRate = 2
    case pitch = 3
    case volumeRampTime = 4
    case pan = 13

    /// The value clamped to its range. Throws for NaN, for a play rate other than 1 and for a pitch other than 0.
    public func accepted(_ value: Float) throws(QueueStatus) -> Float {
        guard !value.isNaN else { throw .invalidParameter }
        switch self {
        case .volume: return min(max(value, 0), 1)
        case .pan: return min(max(value, -1), 1)
        case .volumeRampTime: return min(max(value, 0), 3_600)
        case .playRate:
            guard value == 1 else { throw .invalidParameter }
            return 1
        case .pitch:
            guard value == 0 else { throw .invalidParameter }
            return 0
        }
    }
}
