// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioQueues
import AudioUnits
import CAudioToolbox
import LinuxSystem
import MediaFormats

/// With `AUDIOSESSION_DEBUG` set: logs the calls of queues, converters and files with names for numbers, the result, and for an
/// error the likely mistake. A call that moves sound is logged only if it fails.
enum ToolboxLog {
    /// Not inlined, because hundreds of functions call it.
    @inline(never)
    static func call(
        _ function: StaticString, _ arguments: () -> String, _ status: OSStatus, _ mistake: String?,
        in results: [ConstantTable] = []
    ) {
        guard Log.isEnabled else { return }
        Log.call("\(function)(\(arguments()))", status == 0 ? "0" : text(status, in: results), mistake)
    }

    /// The session comes first: other tables use the same four characters for other results.
    static let allResults: [ConstantTable] = [
        .sessionResults, .queueResults, .fileResults, .extendedFileResults, .converterResults, .formatResults, .streamResults,
        .graphResults, .soundResults,
    ]

    /// The name of a result, and its four characters or number.
    static func text(_ status: OSStatus, in tables: [ConstantTable]) -> String {
        let number = status < 0 ? "\(status)" : FourCC.text(UInt32(bitPattern: status))
        for table in tables + [.generalResults, .sessionResults] {
            if let name = table.name(status) { return "\(name) (\(number))" }
        }
        // A graph returns the results of its units.
        return UnitError(rawValue: status).map { "\($0.constantName) (\(number))" } ?? number
    }

    /// The name of a property, or its four characters if it has no name.
    static func property(_ id: UInt32, _ table: ConstantTable) -> String {
        table.name(Int32(bitPattern: id)) ?? FourCC.text(id)
    }

    /// The text of a format, with the fields that contradict each other.
    static func format(_ description: UnsafePointer<AudioStreamBasicDescription>?) -> String {
        guard let description else { return "NULL" }
        let format = StreamDescription(description.pointee)
        let hint = contradiction(format) ?? (isUnsigned(format) ? unsigned : nil)
        return format.name + (hint.map { " (\($0))" } ?? "")
    }

    static let unsigned = "the samples are unsigned: kAudioFormatFlagIsSignedInteger is not set"

    /// Unsigned samples of more than 8 bits are rare, and a forgotten flag is not.
    static func isUnsigned(_ format: StreamDescription) -> Bool {
        format.formatID == FormatID.linearPCM && format.bitsPerChannel > 8
            && format.formatFlags.isDisjoint(with: [.float, .signedInteger])
    }

    /// The fields of linear PCM that contradict each other.
    static func contradiction(_ format: StreamDescription) -> String? {
        guard format.formatID == FormatID.linearPCM else { return nil }
        do throws(PCMFormatError) { _ = try PCMFormat(format, defaultRate: 44_100) } catch { return "\(error.text)" }
        return nil
    }

    /// The text of a property, with its value if that is a format.
    static func setting(_ id: UInt32, _ table: ConstantTable, format: Bool, _ data: UnsafeRawPointer?, _ size: UInt32) -> String {
        let name = property(id, table)
        guard format, let data, Int(size) == MemoryLayout<AudioStreamBasicDescription>.size else {
            return "\(name), \(size) bytes"
        }
        var description = data.loadUnaligned(as: AudioStreamBasicDescription.self)
        return "\(name), \(ToolboxLog.format(&description))"
    }
}

// MARK: Queues

extension QueueStatus {
    var queueMistake: String {
        switch self {
        case .invalidBuffer: "the pointer is no buffer of this queue, or mAudioDataByteSize exceeds its capacity"
        case .disposalPending: "AudioQueueDispose was called; nothing more can be enqueued or started"
        case .invalidProperty: "a queue of this direction has no such property, or it cannot be read or set"
        case .invalidPropertySize: "the size is not that of the type"
        case .invalidParameter: "the queue has no such parameter; PlayRate is 1 without EnableTimePitch, and Pitch 0"
        case .cannotStart: "the engine has no stream, or libAudioSession has another version"
        case .invalidDevice: "the queue plays and records on the device of the route; set no other one"
        case .bufferInQueue: "the buffer is enqueued: AudioQueueStop(queue, true) or AudioQueueReset comes first"
        case .invalidRunState: "the queue does not run"
        case .invalidQueueType: "the call is for a queue of the other direction"
        case .invalidPropertyValue: "the value is not possible"
        case .queueInvalidated: "the queue was disposed"
        case .bufferEnqueuedTwice: "the buffer is enqueued already: its callback comes first"
        case .enqueueDuringReset: "AudioQueueStop or AudioQueueReset hands the buffers back; nothing can be enqueued meanwhile"
        case .stopped: "the queue has stopped"
        case .parameter:
            "an argument is NULL or 0, the pointer never was a queue, or packets lack descriptions within mAudioDataByteSize"
        case .codecNotFound: "no codec module takes the format: the line before says why"
        case .outOfMemory: "memory is exhausted"
        case .unsupportedFormat:
            "a queue takes interleaved linear PCM, u-law, A-law and IMA4 of 4 to 192 kHz and 1 to 8 channels, and plays codecs"
        default: "the session refuses; AudioSessionSetActive gives the same result"
        }
    }
}
