// SPDX-License-Identifier: Apache-2.0

/// The path of a file: bytes that need not be text.
public struct FilePath: Equatable, Sendable {
    /// Ends with a zero.
    private let bytes: [CChar]

    public init(_ text: String) { bytes = text.utf8.map { CChar(bitPattern: $0) } + [0] }

    public init(_ path: UnsafePointer<CChar>) {
        var bytes: [CChar] = []
        while path[bytes.count] != 0 { bytes.append(path[bytes.count]) }
        self.bytes = bytes + [0]
    }

    /// The path of bytes that do not end with a zero.
    public init(_ bytes: [UInt8]) { self.bytes = bytes.map { CChar(bitPattern: $0) } + [0] }

    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result?) -> Result? {
        bytes.withUnsafeBufferPointer { buffer in buffer.baseAddress.flatMap { body($0) } }
    }

    /// The path for a log. Bytes that are no text are replaced.
    public var text: String { withCString { String(cString: $0) } ?? "" }
}
