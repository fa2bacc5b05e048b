// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CToolboxFunctions
import LinuxSystem

extension Toolbox {
    /// Opens a file for reading. If its contents have no known type, the extension of its name is the hint: packets of MPEG
    /// audio and ADTS may follow other bytes.
    func open(_ input: SoundInput, _ file: inout AudioFileID?) -> Int32 {
        let status = open(input.path, hint: 0, &file)
        guard status == Int32(kAudioFileUnsupportedFileTypeError), let hint = Toolbox.hint(input.name) else { return status }
        return open(input.path, hint: AudioFileTypeID(hint), &file)
    }

    private func open(_ path: FilePath, hint: AudioFileTypeID, _ file: inout AudioFileID?) -> Int32 {
        path.withCString { AudioFileLinuxOpenPath($0, Int8(kAudioFileReadPermission), hint, &file) } ?? Int32(kAudio_MemFullError)
    }

    /// The type that the extension of a name states, if it is a type of MPEG audio or ADTS.
    private static func hint(_ name: String) -> Int? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch String(name[name.utf8.index(after: dot)...]).lowercased() {
        case "mp1": return kAudioFileMP1Type
        case "mp2": return kAudioFileMP2Type
        case "mp3", "mpa", "mpeg": return kAudioFileMP3Type
        case "aac", "adts": return kAudioFileAAC_ADTSType
        default: return nil
        }
    }
}
