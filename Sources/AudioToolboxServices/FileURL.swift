// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The path of a CFURL. The functions are found in the process by name: a program that gives a CFURL has them.
enum FileURL {
    private static let longestPath = 4_096

    /// With its terminator. Nil for another object, and for a URL without a path.
    static func path(_ url: UnsafeRawPointer) -> [CChar]? {
        typealias TypeOf = @convention(c) (UnsafeRawPointer?) -> UInt
        typealias TypeID = @convention(c) () -> UInt
        typealias Path = @convention(c) (UnsafeRawPointer?, UInt8, UnsafeMutablePointer<CChar>?, Int) -> UInt8
        guard let typeOf = linux_symbol("CFGetTypeID"), let typeID = linux_symbol("CFURLGetTypeID"),
            let pathOf = linux_symbol("CFURLGetFileSystemRepresentation"),
            unsafeBitCast(typeOf, to: TypeOf.self)(url) == unsafeBitCast(typeID, to: TypeID.self)()
        else { return nil }
        var path = [CChar](repeating: 0, count: longestPath)
        let hasPath = path.withUnsafeMutableBufferPointer {
            unsafeBitCast(pathOf, to: Path.self)(url, 1, $0.baseAddress, longestPath)
        }
        return hasPath != 0 ? path : nil
    }
}
