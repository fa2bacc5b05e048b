// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

/// Properties of an extended audio file.
enum ExtendedFileProperty {
    /// The value of a property whose size is that of its type; nil if the file does not have it.
    static func value<Value>(_ file: ExtAudioFileRef, _ property: ExtAudioFilePropertyID) -> Value? {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            guard let address = memory.baseAddress else { return nil }
            var size = UInt32(MemoryLayout<Value>.size)
            memset(address, 0, MemoryLayout<Value>.size)
            guard ExtAudioFileGetProperty(file, property, &size, address) == noErr, size == MemoryLayout<Value>.size else {
                return nil
            }
            return address.move()
        }
    }

    /// The bytes of a property; nil if the file does not have it.
    static func bytes(_ file: ExtAudioFileRef, _ property: ExtAudioFilePropertyID) -> Data? {
        var size = UInt32(0)
        guard ExtAudioFileGetPropertyInfo(file, property, &size, nil) == noErr, size > 0 else { return nil }
        var bytes = Data(count: Int(size))
        let status = bytes.withUnsafeMutableBytes { ExtAudioFileGetProperty(file, property, &size, $0.baseAddress) }
        return status == noErr ? bytes.prefix(Int(size)) : nil
    }

    /// The magic cookie of the file itself.
    static func magicCookie(_ file: ExtAudioFileRef) -> Data? {
        guard let id: AudioFileID = value(file, kExtAudioFileProperty_AudioFile) else { return nil }
        var size = UInt32(0)
        guard AudioFileGetPropertyInfo(id, kAudioFilePropertyMagicCookieData, &size, nil) == noErr, size > 0 else { return nil }
        var bytes = Data(count: Int(size))
        let status = bytes.withUnsafeMutableBytes {
            AudioFileGetProperty(id, kAudioFilePropertyMagicCookieData, &size, $0.baseAddress)
        }
        return status == noErr ? bytes.prefix(Int(size)) : nil
    }

    static func setClientFormat(_ file: ExtAudioFileRef, _ format: AVAudioFormat, _ url: URL) throws {
        let status = ExtAudioFileSetProperty(
            file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size),
            format.streamDescription)
        try AudioCallError.check(
            status, "ExtAudioFileSetProperty", "the sound of \(url.path) cannot be converted between its format and \(format)")
    }
}
