import CLinux
import LinuxSystem

/// Where a server's socket appears.
final class SocketFolder {
    private let watch = FileWatch()
    private let path: String
    private let parent: String
    private let name: String
    /// When the socket that was there when it was last looked for came; 0 where there was none.
    private var came: UInt64 = 0

    /// `folder` is below the user's runtime folder, unless the variable names another.
    init(_ folder: String, named name: String, variable: String) {
        let runtime = Environment.value("XDG_RUNTIME_DIR") ?? "/run/user/\(linux_user_id())"
        path = Environment.value(variable) ?? runtime + folder
        parent = runtime
        self.name = name
        watchFolder()
        _ = isNew()
    }

    func wake(_ events: Int32, as token: UInt64) -> Bool { watch.wake(events, as: token) }

    /// Again each time: another folder may have the name by now. The same one is watched once.
    private func watchFolder() {
        if !watch.watchFolder(path) { _ = watch.watchFolder(parent) }
    }

    /// True when a server may have appeared.
    func heed() -> Bool {
        watch.heed()
        watchFolder()
        return isNew()
    }

    private func isNew() -> Bool {
        var status = linux_file_status()
        let isThere = linux_status_of_path("\(path)/\(name)", true, &status) >= 0
        defer { came = isThere ? status.changed : 0 }
        return isThere && status.changed != came
    }
}
