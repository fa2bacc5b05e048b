// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The paths of the files that record what the streams of a simulated machine play. The first stream of a
/// process records into the file that AUDIOSESSION_SIMULATION_WAV names, the second of "played.wav" into
/// "played.2.wav". `%p` in the name stands for the process.
enum RecordingPath {
    private static let lock = Lock()
    nonisolated(unsafe) private static var count = 0

    private static var pattern: String? { Environment.value("AUDIOSESSION_SIMULATION_WAV") }
    static var isSet: Bool { pattern != nil }

    static func next() -> String? {
        guard let pattern else { return nil }
        let number = lock.withLock {
            count += 1
            return count
        }
        return path(of: number, in: expanded(pattern))
    }

    static func path(of number: Int, in path: String) -> String {
        guard number > 1 else { return path }
        let bytes = path.utf8
        let name = bytes.lastIndex(of: 0x2F).map { bytes.index(after: $0) } ?? bytes.startIndex
        // A dot at the beginning of the name does not begin an extension.
        guard let dot = bytes[name...].dropFirst().lastIndex(of: 0x2E) else { return "\(path).\(number)" }
        return "\(String(decoding: bytes[..<dot], as: UTF8.self)).\(number)\(String(decoding: bytes[dot...], as: UTF8.self))"
    }

    static func expanded(_ pattern: String) -> String {
        var path = ""
        var isEscape = false
        for scalar in pattern.unicodeScalars {
            if isEscape {
                if scalar == "p" { path += "\(linux_process_id())" } else { path += "%\(scalar)" }
                isEscape = false
            } else if scalar == "%" {
                isEscape = true
            } else {
                path.unicodeScalars.append(scalar)
            }
        }
        return path
    }
}

/// A recording whose stream was closed during an interruption.
struct InterruptedRecording {
    let path: String
    let layout: SampleLayout
    let frames: UInt64
    let endTime: UInt64
}

/// A stream that is opened after the interruption continues the first recording of its layout.
enum InterruptedRecordings {
    private static let lock = Lock()
    nonisolated(unsafe) private static var recordings: [InterruptedRecording] = []

    static func add(_ recording: InterruptedRecording) { lock.withLock { recordings.append(recording) } }

    static func remove(_ layout: SampleLayout) -> InterruptedRecording? {
        lock.withLock {
            recordings.firstIndex { $0.layout == layout }.map { recordings.remove(at: $0) }
        }
    }
}
