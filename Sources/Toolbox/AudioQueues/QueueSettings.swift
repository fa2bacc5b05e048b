// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem
import MediaFormats

/// The values of properties that a program sets and only reads back.
struct QueueSettings {
    var magicCookie: [UInt8] = []
    var channelLayout: [UInt8] = []
    var decodeBufferFrames: UInt32 = 0
    var enablesTimePitch: UInt32 = 0
    var codecPolicy: UInt32 = 0
    /// The last error of the decoder or encoder, and the last one that was reported to the listeners since the last stop or reset.
    var converterError: Int32 = 0
    var reportedError: Int32 = 0
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
        QueueProperty(id: FourCC.code("aqrn"), name: .isRunning, size: 4, access: [.get, .listen]),
        QueueProperty(id: FourCC.code("aqsr"), name: .sampleRate, size: 8, access: .get),
        QueueProperty(id: FourCC.code("aqdc"), name: .channels, size: 4, access: .get),
        QueueProperty(id: FourCC.code("aqcd"), name: .currentDevice, size: MemoryLayout<UInt>.size, access: .get),
        QueueProperty(id: FourCC.code("aqmc"), name: .magicCookie, size: nil, access: [.get, .set]),
        QueueProperty(id: FourCC.code("xops"), name: .packetSize, size: 4, access: .get),
        QueueProperty(id: FourCC.code("aqft"), name: .description, size: 40, access: .get),
        QueueProperty(id: FourCC.code("aqcl"), name: .layout, size: nil, access: [.get, .set]),
        QueueProperty(id: FourCC.code("aqme"), name: .metering, size: 4, access: [.get, .set]),
        QueueProperty(id: FourCC.code("aqmv"), name: .levels, size: nil, access: .get),
        QueueProperty(id: FourCC.code("aqmd"), name: .decibels, size: nil, access: .get),
        QueueProperty(id: FourCC.code("dcbf"), name: .decodeBuffer, size: 4, access: [.get, .set, .output]),
        QueueProperty(id: FourCC.code("qcve"), name: .converterError, size: 4, access: [.get, .listen]),
        QueueProperty(id: FourCC.code("q_tp"), name: .timePitch, size: 4, access: [.get, .set, .output]),
        QueueProperty(id: FourCC.code("qtpa"), name: .timePitchAlgorithm, size: 4, access: .output),
        QueueProperty(id: FourCC.code("qtpb"), name: .timePitchBypass, size: 4, access: .output),
        QueueProperty(id: FourCC.code("aqcp"), name: .codecPolicy, size: 4, access: [.get, .set]),
        QueueProperty(id: FourCC.code("aqca"), name: .assignments, size: nil, access: .output),
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

    /// The value clamped to its range. Throws for NaN, for a play rate other than 1, as of a queue without time pitch, and for a pitch
    /// other than 0.
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
