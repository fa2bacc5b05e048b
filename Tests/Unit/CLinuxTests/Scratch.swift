// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation

/// A folder that exists as long as the value.
final class Scratch {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("clinux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A descriptor of a new file.
    func create(_ name: String) -> Int32 {
        linux_open(file(name), Int32(LINUX_READ_WRITE | LINUX_CREATE), 0o600)
    }
}
