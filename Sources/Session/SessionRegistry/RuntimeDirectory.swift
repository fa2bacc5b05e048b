// SPDX-License-Identifier: Apache-2.0
import CLinux
public import LinuxSystem

/// The private directory of the files that the sessions of a user share.
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

        init(path: String, reason: String) { self.init(path: path, reason: reason, nil) }

        init(path: String, _ error: SystemError) { self.init(path: path, reason: error.text, error) }

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

    public var simulation: String { path + "/simulation" }
    /// Each version of the table's layout has its own file. After an update of this library, programs with the old version and
    /// programs with the new version continue side by side.
    public var table: String { path + "/sessions.\(TableHeader.version)" }
    /// A process that replaces the table holds the lock of this file.
    var replacing: String { table + ".replacing" }
    func wakeUp(of endpoint: UInt64) -> String { path + "/" + String(endpoint, radix: 16) + ".wakeup" }
    func liveness(of endpoint: UInt64) -> String { path + "/" + String(endpoint, radix: 16) + ".alive" }

    /// A new name for the file that announces the status page of a process.
    public func newStatusPage() -> String { path + "/" + String(ProcessEndpoint.newID(), radix: 16) + ".units" }
    /// The files of this kind.
    public func statusPages() -> [String] { names(endingIn: ".units").map { path + "/" + $0 } }

    /// All endpoints with a wake-up FIFO here, open or not.
    func endpoints() -> [UInt64] {
        names(endingIn: ".wakeup").compactMap { UInt64(String(decoding: $0.utf8.dropLast(7), as: UTF8.self), radix: 16) }
    }

    /// The name of a new file that will replace another file.
    func unfinished(_ number: UInt64) -> String { path + "/" + String(number, radix: 16) + unfinishedEnding }

    /// New files that their processes have not finished.
    func unfinished() -> [String] { names(endingIn: unfinishedEnding).map { path + "/" + $0 } }

    private var unfinishedEnding: String { ".\(TableHeader.version).new" }

    private func names(endingIn ending: String) -> [String] {
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
