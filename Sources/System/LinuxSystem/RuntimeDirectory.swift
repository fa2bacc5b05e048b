// SPDX-License-Identifier: Apache-2.0
import CLinux

/// The private directory of the files that the processes of a user share. Each module names its files in an extension.
public struct RuntimeDirectory: Equatable, Sendable {
    public let path: String

    /// The reason why a directory cannot be used.
    public struct Unusable: Error, Equatable, Sendable {
        public let path: String
        public let reason: String
        /// The error of the system call, if one has failed.
        public let error: SystemError?
        /// The directory that would contain it is missing.
        public let lacksParent: Bool

        public init(path: String, reason: String) { self.init(path: path, reason: reason, nil) }

        public init(path: String, _ error: SystemError) { self.init(path: path, reason: error.text, error) }

        init(path: String, reason: String, _ error: SystemError?, lacksParent: Bool = false) {
            self.path = path
            self.reason = reason
            self.error = error
            self.lacksParent = lacksParent
        }

        public var text: String { "\(path): \(reason)" }
    }

    /// The directory that the environment names, else the user's directory under /run, else a private directory among the
    /// temporary files. Creates the directory if it does not exist.
    public static func find() throws(Unusable) -> RuntimeDirectory {
        if let path = Environment.value("AUDIOSESSION_RUNTIME_DIR") { return try RuntimeDirectory(path) }
        if let parent = Environment.value("XDG_RUNTIME_DIR") { return try RuntimeDirectory(parent + "/audiosession") }
        let user = linux_user_id()
        let parent = "/run/user/\(user)"
        var status = linux_file_status()
        if linux_status_of_path(parent, true, &status) >= 0, status.is_directory, status.owner == user {
            return try RuntimeDirectory(parent + "/audiosession")
        }
        return try RuntimeDirectory("\(Environment.value("TMPDIR") ?? "/tmp")/audiosession-\(user)")
    }

    /// Fails if another user can write into the directory.
    public init(_ path: String) throws(Unusable) {
        self.path = path
        do throws(SystemError) { try SystemError.check(linux_mkdir(path, 0o700)) } catch {
            if error != .exists { throw RuntimeDirectory.uncreated(path, error) }
        }
        var status = linux_file_status()
        do throws(SystemError) { try SystemError.check(linux_status_of_path(path, false, &status)) } catch {
            throw Unusable(path: path, error)
        }
        guard status.is_directory else { throw Unusable(path: path, reason: "is not a folder") }
        guard status.owner == linux_user_id() else { throw Unusable(path: path, reason: "belongs to another user") }
        guard status.mode & 0o022 == 0 else { throw Unusable(path: path, reason: "others may write into it") }
    }

    /// The error of a directory that could not be created. A file system in which nobody can create folders, for example /proc,
    /// also reports that a name is missing.
    private static func uncreated(_ path: String, _ error: SystemError) -> Unusable {
        let parent = parent(of: path)
        var status = linux_file_status()
        guard error == .notFound, linux_status_of_path(parent, true, &status) == error.result else {
            return Unusable(path: path, reason: "cannot be created in \(parent): \(error.text)", error)
        }
        return Unusable(path: path, reason: "the folder \(parent) does not exist", error, lacksParent: true)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.utf8.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
    }

    /// A number for the name of a new file. No other file has it.
    public static func newNumber() -> UInt64 {
        var number: UInt64 = 0
        _ = linux_random(&number, 8)
        return number | 0x100
    }

    public func names(endingIn ending: String) -> [String] {
        var found: [String] = []
        do throws(SystemError) {
            var names = try DirectoryNames(path)
            while let name = names.next() {
                if name.utf8.count > ending.utf8.count, name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
                    found.append(name)
                }
            }
        } catch {
            // A directory that cannot be read has no names that this process could use.
        }
        return found
    }
}
