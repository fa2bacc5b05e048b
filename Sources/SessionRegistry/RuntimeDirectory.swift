import CLinux
import LinuxSystem

/// The private folder where the sessions of a user meet.
public struct RuntimeDirectory: Equatable, Sendable {
    public let path: String

    /// Why a folder is not used.
    public struct Unusable: Error, Equatable, Sendable {
        public let path: String
        public let reason: String

        public var text: String { "\(path): \(reason)" }
    }

    /// The folder that the environment names, else the user's own under /run, else a private one
    /// among the temporary files. Made where it does not exist.
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

    /// Uses the folder only where nobody else can have put anything into it.
    public init(_ path: String) throws(Unusable) {
        self.path = path
        let made = linux_mkdir(path, 0o700)
        guard made >= 0 || SystemError(-made) == .exists else { throw Unusable(path: path, reason: SystemError(-made).text) }
        var status = linux_file_status()
        let found = linux_status_of_path(path, false, &status)
        guard found >= 0 else { throw Unusable(path: path, reason: SystemError(-found).text) }
        guard status.is_directory else { throw Unusable(path: path, reason: "is not a folder") }
        guard status.owner == linux_user_id() else { throw Unusable(path: path, reason: "belongs to another user") }
        guard status.mode & 0o022 == 0 else { throw Unusable(path: path, reason: "others may write into it") }
    }

    public var simulation: String { path + "/simulation" }
    public var table: String { path + "/sessions" }
    /// Held by whoever replaces the table.
    var replacing: String { path + "/sessions.replacing" }
    func bell(of home: UInt64) -> String { path + "/" + String(home, radix: 16) + ".bell" }
    func life(of home: UInt64) -> String { path + "/" + String(home, radix: 16) + ".life" }

    /// All homes that have a bell here, whether somebody lives there or not.
    func homes() -> [UInt64] {
        var homes: [UInt64] = []
        withUnsafeMutablePointer(to: &homes) { context in
            _ = linux_list_directory(
                path,
                { name, context in
                    guard let name, let homes = context?.assumingMemoryBound(to: [UInt64].self) else { return false }
                    let text = String(cString: name)
                    if text.utf8.count > 5, text.utf8.suffix(5).elementsEqual(".bell".utf8),
                        let home = UInt64(String(decoding: text.utf8.dropLast(5), as: UTF8.self), radix: 16)
                    {
                        homes.pointee.append(home)
                    }
                    return true
                }, context)
        }
        return homes
    }
}
