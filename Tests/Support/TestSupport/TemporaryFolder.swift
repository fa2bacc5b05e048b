// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A new folder that only this user can enter. It is removed with all its files when nothing refers to it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("audiosession-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file of the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }
}
