import CLinux
import LinuxSystem

/// Where a server's socket appears.
final class SocketFolder {
    private let watch: FileDescriptor
    private let path: String
    private let parent: String
    private let name: String
    private var isWatched = false

    /// `folder` is below the user's runtime folder, unless the variable names another.
    init(_ folder: String, named name: String, variable: String) {
        let runtime = Environment.value("XDG_RUNTIME_DIR") ?? "/run/user/\(linux_user_id())"
        path = Environment.value(variable) ?? runtime + folder
        parent = runtime
        self.name = name
        watch = FileDescriptor(owning: name.isEmpty ? -1 : linux_inotify_create())
        watchFolder()
    }

    var descriptor: Int32 { watch.number }

    private func watchFolder() {
        guard descriptor >= 0, !isWatched else { return }
        isWatched = linux_inotify_watch(descriptor, path) >= 0
        if !isWatched { _ = linux_inotify_watch(descriptor, parent) }
    }

    /// True when a server may have appeared.
    func heed() -> Bool {
        struct Search {
            let name: String
            var isFound = false
        }
        var search = Search(name: name)
        withUnsafeMutablePointer(to: &search) { context in
            _ = linux_inotify_drain(
                descriptor,
                { changed, context in
                    guard let changed, let search = context?.assumingMemoryBound(to: Search.self) else { return }
                    if String(cString: changed) == search.pointee.name { search.pointee.isFound = true }
                }, context)
        }
        var status = linux_file_status()
        let exists = linux_status_of_path(path, true, &status) >= 0
        let isNew = exists && !isWatched
        if !exists { isWatched = false }
        watchFolder()
        return search.isFound || isNew
    }
}
