// SPDX-License-Identifier: Apache-2.0
public import AudioConverters
import LinuxSystem
public import MediaFormats

/// The decoders of libraries that are loaded when a program needs them.
public enum CodecModules {
    /// The formats that libmpg123 decodes.
    public static let mpegFormatIDs: [UInt32] = [0x2E6D_7031, 0x2E6D_7032, 0x2E6D_7033]

    /// The decoder of a format that this library does not decode itself. Nil for all formats that need none, and where the
    /// library with the decoder is not installed.
    public static func decoder(for format: StreamDescription) -> (any PacketDecoder)? {
        guard mpegFormatIDs.contains(format.formatID) else { return nil }
        guard let library = MPEGLibrary.loaded() else {
            Log.debug("no decoder of '\(fourCharacters(format.formatID))': libmpg123.so.0 is missing: install libmpg123-0")
            return nil
        }
        return MPEGDecoder.make(library, format)
    }
}
