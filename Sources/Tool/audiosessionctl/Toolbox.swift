// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CToolboxFunctions
import MediaFormats

/// The functions of libAudioToolbox.
typealias Toolbox = toolbox_functions

/// The reason why a sound is not played, recorded, converted or described.
struct SoundError: Error {
    let text: String

    init(_ text: String) { self.text = text }

    init(_ name: String, _ text: String) { self.text = "\(name): \(text)" }
}

/// The reason why libAudioToolbox was not loaded.
struct ToolboxFailure: Error {
    /// The text of the loader.
    let reason: String
    /// The library is neither beside this tool nor on the path of the loader.
    let isMissing: Bool
}

extension Toolbox {
    private static let library = "libAudioToolbox.so.0"

    /// Loads the library beside this tool, else the library that the loader finds.
    static func find() throws(ToolboxFailure) -> Toolbox {
        var reason: UnsafePointer<CChar>?
        let path = Installation.file("lib/\(library)") ?? library
        if let functions = toolbox_load(path, &reason) { return functions.pointee }
        throw ToolboxFailure(
            reason: reason.map { String(cString: $0) } ?? "", isMissing: toolbox_is_missing(path, reason))
    }

    static func load() throws(SoundError) -> Toolbox {
        do throws(ToolboxFailure) { return try find() } catch {
            throw SoundError("this command needs \(library): install the package libaudiotoolbox0 (\(error.reason))")
        }
    }

    /// The formats that can be read, and the formats that can be written: linear PCM and the formats of installed codecs.
    var decodedFormats: [UInt32] { formats(kAudioFormatProperty_DecodeFormatIDs) }
    var encodedFormats: [UInt32] { formats(kAudioFormatProperty_EncodeFormatIDs) }

    private func formats(_ property: Int) -> [UInt32] {
        var formats = [UInt32](repeating: 0, count: 64)
        var size = UInt32(formats.count * MemoryLayout<UInt32>.size)
        guard AudioFormatGetProperty(UInt32(property), 0, nil, &size, &formats) == 0 else { return [] }
        return Array(formats.prefix(Int(size) / MemoryLayout<UInt32>.size))
    }

    /// The name of a result code of sessions, queues and files.
    func name(of status: Int32) -> String { AudioToolboxLinuxStatusName(status).map { String(cString: $0) } ?? "\(status)" }
}

/// Runs a command that needs libAudioToolbox, and prints its error. Returns the exit status.
func withToolbox(_ body: (Toolbox) throws(SoundError) -> Bool) -> Int32 {
    do throws(SoundError) { return try body(Toolbox.load()) ? ExitCode.success : ExitCode.failure } catch {
        Output.error(error.text)
        return ExitCode.failure
    }
}

extension CodecSource {
    /// The packages that have a decoder or an encoder of the format, as a text; empty if there is none.
    static func list(for formatID: UInt32, encoding: Bool) -> String {
        var text = ""
        for package in encoding ? packages(encoding: formatID) : packages(decoding: formatID) {
            text += (text.isEmpty ? "" : " or ") + "\(package)"
        }
        return text
    }
}
