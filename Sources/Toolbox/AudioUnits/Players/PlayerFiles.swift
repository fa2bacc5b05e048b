// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

/// The sound files of the program, which AudioFilePlayer units play.
public struct PlayerFiles: Sendable {
    /// Whether a pointer identifies a file.
    let hasFile: @Sendable (OpaquePointer) -> Bool
    /// A reader of the frames of a file, with a position of its own.
    let open: @Sendable (OpaquePointer) -> ExtendedFile?

    public init(
        hasFile: @escaping @Sendable (OpaquePointer) -> Bool, open: @escaping @Sendable (OpaquePointer) -> ExtendedFile?
    ) {
        self.hasFile = hasFile
        self.open = open
    }

    public static var none: PlayerFiles { PlayerFiles(hasFile: { _ in false }, open: { _ in nil }) }
}
