// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxSystem

/// The folder in which a server creates its socket.
final class SocketFolder {
    private let watch = FileWatch()
    private let path: String
    private let parent: String
    private let name: String
    /// The change time of the socket at the last check; 0: there was none.
    private var lastChange: UInt64 = 0

    /// `folder` is below the user's runtime directory, unless the variable names another.
    init(_ folder: String, named name: String, variable: String) {
        let runtime = Environment.value("XDG_RUNTIME_DIR") ?? "/run/user/\(linux_user_id())"
        path = Environment.value(variable) ?? runtime + folder
        parent = runtime
        self.name = name
        watchFolder()
        _ = isNew()
    }

    func wake(_ events: Int32, as token: UInt64) -> Bool { watch.wake(events, as: token) }

    /// Called after each event: the folder may have been replaced. To watch the same folder twice has no effect.
    private func watchFolder() {
        if !watch.watchFolder(path) { _ = watch.watchFolder(parent) }
    }

    /// True when a socket has been created since the last check.
    func processEvents() -> Bool {
        watch.processEvents()
        watchFolder()
        return isNew()
    }

    private func isNew() -> Bool {
        var status = linux_file_status()
        let exists = linux_status_of_path("\(path)/\(name)", true, &status) >= 0
        defer { lastChange = exists ? status.changed : 0 }
        return exists && status.changed != lastChange
    }
}
