// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation
internal import LinuxSystem

/// The descriptions of all formats of the process, one for equal formats. They are never freed: on the platform the address that
/// `AVAudioFormat.streamDescription` returns outlives the last reference to the format, and programs use it then.
final class StreamDescriptions: @unchecked Sendable {
    static let shared = StreamDescriptions()

    private let lock = Lock()
    private var kept: [Data: UnsafePointer<AudioStreamBasicDescription>] = [:]

    /// The address of a description with this value.
    func address(of description: AudioStreamBasicDescription) -> UnsafePointer<AudioStreamBasicDescription> {
        let key = withUnsafeBytes(of: description) { Data($0) }
        return lock.withLock {
            if let there = kept[key] { return there }
            let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
            memory.initialize(to: description)
            kept[key] = UnsafePointer(memory)
            return UnsafePointer(memory)
        }
    }
}
