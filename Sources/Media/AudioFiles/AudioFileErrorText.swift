// SPDX-License-Identifier: Apache-2.0
// Texts of errors for the log.

extension AudioFileError {
    public var text: StaticString {
        switch self {
        case .unspecified: "this is no regular file, or has no size"
        case .system: "the system reports an error"
        case .unsupportedFileType: "the type of the file is not supported, or not for writing"
        case .unsupportedDataFormat: "this type of file does not hold this format"
        case .unsupportedProperty: "the file does not have this property"
        case .badPropertySize: "a size is wrong"
        case .permissions: "the file exists already, or may not be opened or written"
        case .notOptimized: "bytes behind the sound that do not move prevent the change: copy the sound to a new file"
        case .invalidChunk: "the file does not have this chunk, or it belongs to the format"
        case .tooLarge: "the type of the file holds no more than 4 GB"
        case .invalidPacketOffset: "the file does not have this packet"
        case .invalidFile: "the file contradicts itself, or is cut off before its sound"
        case .operationNotSupported: "this type of file does not allow it"
        case .notOpen: "the file is not open"
        case .endOfFile: "the file ends here"
        case .position: "the position is outside of the file"
        case .fileNotFound: "the file or its folder does not exist"
        case .parameter: "an argument is NULL or has no meaning"
        case .outOfMemory: "memory is exhausted"
        case .program: "a procedure of the program returned an error"
        }
    }
}
