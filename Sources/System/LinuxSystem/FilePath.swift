// SPDX-License-Identifier: Apache-2.0

/// The path of a file. Its bytes need not be valid UTF-8.
public struct FilePath: Equatable, Sendable {
    /// The last byte is 0.
    private let bytes: [CChar]

    public init(_ text: String) { bytes = text.utf8.map { CChar(bitPattern: $0) } + [0] }

    public init(_ path: UnsafePointer<CChar>) {
        var bytes: [CChar] = []
        while path[bytes.count] != 0 { bytes.append(path[bytes.count]) }
        self.bytes = bytes + [0]
    }

    /// Creates a path from bytes that do not end with 0.
    public init(_ bytes: [UInt8]) { self.bytes = bytes.map { CChar(bitPattern: $0) } + [0] }

    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result?) -> Result? {
        bytes.withUnsafeBufferPointer { buffer in buffer.baseAddress.flatMap { body($0) } }
    }

    /// The path as a text for the log. Bytes that are not valid UTF-8 are replaced.
    public var text: String { withCString { String(cString: $0) } ?? "" }
}
